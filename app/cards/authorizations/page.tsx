import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { OperationDesk } from '#app/cards/operations/operation-desk.tsx';
import { AddPanel } from '#app/cards/payments/add-panel.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { openOperations } from '#lib/cards/operations/open.ts';
import type { OpenOperation } from '#lib/cards/operations/open.ts';
import { readQueueFilter } from '#lib/cards/payments/filter.ts';
import type { QueueFilter } from '#lib/cards/payments/filter.ts';
import { authorizationQueue } from '#lib/cards/payments/authorizations.ts';
import type { AuthorizationQueue } from '#lib/cards/payments/authorizations.ts';
import { openReminders, stillOpen } from '#lib/cards/reminders/view.ts';
import type { Reminder } from '#lib/cards/reminders/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { BulkCapture } from './bulk-capture.tsx';
import { CaptureCalendar } from './capture-calendar.tsx';
import { AuthorizationTable } from './authorization-table.tsx';

const PATH = '/cards/authorizations';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cards'))('holds.title') };
}

export default async function HoldsPage({
  searchParams,
}: PageProps<'/cards/authorizations'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const params = await searchParams;
  const filter = readQueueFilter(params);
  const reminders = await openReminders(person);
  const ending = stillOpen(reminders);
  const only = params.ending === '1' ? ending.map(({ paymentId }) => paymentId) : null;
  const queue = await authorizationQueue(person, filter, only);
  const open = await openOperations(
    person,
    queue.holds.map((hold) => hold.id),
  );
  const mayCapture = may(person.role, 'card.capture');
  const t = await getTranslations('cards.holds');
  const all = queue.coverage.known;
  return (
    <Messages of={['cardDialogs', 'foreseen', 'refusals']}>
      <OperationDesk>
        <PageHead title={t('title')}>
          <LiveChanges kinds={['card']} />
        </PageHead>
        {ending.length > 0 && (
          <Link href={`${PATH}?ending=1`} className="font-medium text-attention hover:underline">
            {(await getTranslations('cardReminders'))('ending', { count: ending.length })}
          </Link>
        )}
        {all > 0 && (
          <p className="text-muted">
            {t('coverage', {
              known: all,
              notices: queue.coverage.fromNotices,
              byHand: queue.coverage.byHand,
              madeHere: queue.coverage.madeHere,
            })}
          </p>
        )}
        {all > 0 && <BucketTabs queue={queue} current={only === null ? filter : null} />}
        {all > 0 && <CaptureCalendar days={queue.days} path={PATH} chosen={filter.day} />}
        <HoldsPanel
          queue={queue}
          filter={filter}
          reminders={reminders.rows}
          only={only}
          open={open}
          mayCapture={mayCapture}
        />
        {mayCapture && <BulkCapture drawn={queue.now} />}
        {may(person.role, 'card.add') && <AddPanel now={queue.now} />}
      </OperationDesk>
    </Messages>
  );
}

async function HoldsPanel({
  queue,
  filter: { bucket, day },
  reminders,
  only,
  open,
  mayCapture,
}: {
  queue: AuthorizationQueue;
  filter: QueueFilter;
  reminders: Reminder[];
  only: readonly string[] | null;
  open: ReadonlyMap<string, OpenOperation>;
  mayCapture: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.holds');
  const all = queue.coverage.known;
  const here =
    day !== null
      ? queue.days.find((one) => one.day === day)
      : queue.buckets.find((one) => one.bucket === bucket);
  const count = only?.length ?? (bucket === null && day === null ? all : (here?.count ?? 0));
  return (
    <Panel list>
      {queue.holds.length > 0 ? (
        <AuthorizationTable
          holds={queue.holds}
          reminders={new Map(reminders.map((row) => [row.paymentId, row]))}
          open={open}
          mayCapture={mayCapture}
          now={queue.now}
        />
      ) : all > 0 ? (
        <EmptyState
          title={t('emptyBucket')}
          actions={<LinkButton href={PATH}>{t('buckets.all')}</LinkButton>}
        />
      ) : (
        <EmptyState
          title={t('empty.title')}
          actions={<LinkButton href="/cards/payments">{t('empty.register')}</LinkButton>}
        >
          {t('empty.text')}
        </EmptyState>
      )}
      {queue.holds.some((hold) => hold.bucket === 'age_unknown') && (
        <p className="border-t border-hairline px-4 py-2.5 text-muted">{t('unknownText')}</p>
      )}
      {count > queue.holds.length && (
        <p className="border-t border-hairline px-4 py-2.5 text-muted">
          {t('more', { count: queue.holds.length })}
        </p>
      )}
    </Panel>
  );
}

/** Each tab shows its sum, so that the money at risk today is seen first. */
async function BucketTabs({
  queue,
  current,
}: {
  queue: AuthorizationQueue;
  /** Null when the list is narrowed by something else than a tab. */
  current: QueueFilter | null;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.holds');
  const locale = (await getLocale()) as Locale;
  return (
    <Tabs label={t('title')}>
      <Tab href={PATH} current={current?.bucket === null && current.day === null}>
        {t('buckets.all')}
      </Tab>
      {queue.buckets
        .filter(
          ({ bucket, count }) =>
            count > 0 ||
            bucket === current?.bucket ||
            bucket === 'today' ||
            bucket === 'days3' ||
            bucket === 'days7',
        )
        .map(({ bucket, count, sums }) => (
          <Tab key={bucket} href={`${PATH}?bucket=${bucket}`} current={current?.bucket === bucket}>
            <span>
              {t(`buckets.${bucket}`)}{' '}
              <span className="font-normal tabular-nums">
                {count === 0
                  ? '–'
                  : t('money', {
                      sum: sums
                        .map(({ currency, sum }) => formatMoney(sum, currency, locale))
                        .join(' + '),
                      count,
                    })}
              </span>
            </span>
          </Tab>
        ))}
    </Tabs>
  );
}
