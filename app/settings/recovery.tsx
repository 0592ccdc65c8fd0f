import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ReasonForm } from '#components/reason-form.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import { groupIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { RecoveredRecord, RecoveryView } from '#lib/send-control/recovery/view.ts';
import { lookAtRecord } from './recovery-actions.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'recovery'>>>;

/** Records that the provider has and ours did not, and what still keeps sending from resuming. */
export async function Recovery({
  recovery,
  inControl,
}: {
  recovery: RecoveryView;
  inControl: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('recovery');
  const at = await timeWriter();
  return (
    <Panel list title={t('title')}>
      <div className="grid gap-3 px-4 py-3">
        <p className="max-w-prose">{t(`whys.${recovery.why}`)}</p>
        <Banner tone={recovery.blockedBy === null ? 'settled' : 'attention'}>
          {recovery.blockedBy === null
            ? t('ready')
            : t(recovery.blockedBy, { count: recovery.unseen, at: at(recovery.listedBy) })}
        </Banner>
      </div>
      <Facts>
        <Fact label={t('facts.window')}>{t('facts.from', { at: at(recovery.scanFrom) })}</Fact>
        <Fact label={t('facts.read')}>
          {recovery.scannedAt === null ? t('facts.notYet') : at(recovery.scannedAt)}
          {recovery.problem !== null && (
            <span className="block text-failed">
              {t('facts.problem', { problem: recovery.problem })}
            </span>
          )}
        </Fact>
        <Fact label={t('facts.records')}>
          {t('facts.counts', { records: recovery.records, matched: recovery.matched })}
        </Fact>
      </Facts>
      <Compared recovery={recovery} from={at(recovery.scanFrom)} />
      {recovery.found.length > 0 && (
        <Table
          caption={t('caption')}
          head={
            <>
              <Head>{t('columns.finding')}</Head>
              <Head>{t('columns.who')}</Head>
              <Head>{t('columns.at')}</Head>
              <Head numeric>{t('columns.amount')}</Head>
              <Head>{t('columns.said')}</Head>
            </>
          }
        >
          {recovery.found.map((one) => (
            <RecordLine key={one.id} one={one} inControl={inControl} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

/**
 * The source that each movement kind was compared with, and by name the kinds that were not
 * compared.
 */
async function Compared({
  recovery,
  from,
}: {
  recovery: RecoveryView;
  from: string;
}): Promise<ReactNode> {
  const [t, kinds] = [
    await getTranslations('recovery.compared'),
    await getTranslations('recovery.kinds'),
  ];
  const { journal, compared, notCompared } = recovery;
  const facts = journal.facts ?? { lines: 0, missing: 0, unreadable: 0 };
  const isWhole = journal.state === 'complete' && recovery.blockedBy !== 'recovery_not_read';
  return (
    <section className="grid gap-3 px-4 py-3">
      <h3 className="font-semibold">{t('title')}</h3>
      <p className="max-w-prose">{t(`journal.${journal.state}`, { ...facts, at: from })}</p>
      {isWhole && <p className="max-w-prose">{t('everything')}</p>}
      {notCompared.length > 0 && journal.state !== 'not_compared' && (
        <Banner tone="attention">
          {t('not', { kinds: notCompared.map((kind) => kinds(kind)).join(', ') })}
        </Banner>
      )}
      <Table
        caption={t('caption')}
        head={
          <>
            <Head>{t('columns.kind')}</Head>
            <Head>{t('columns.listing')}</Head>
            <Head>{t('columns.journal')}</Head>
          </>
        }
      >
        {compared.map((one) => (
          <Row key={one.kind}>
            <Cell first>{kinds(one.kind)}</Cell>
            <Cell label={t('columns.listing')}>{t(listingWord(one))}</Cell>
            <Cell label={t('columns.journal')}>{t(one.journal ? 'yes' : 'no')}</Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
}

function listingWord({
  listing,
  hasList,
}: RecoveryView['compared'][number]): 'yes' | 'no' | 'noList' {
  if (!hasList) return 'noList';
  return listing ? 'yes' : 'no';
}

const TONES = {
  foreign: 'attention',
  contradiction: 'attention',
  brought_forward: 'settled',
} as const;

async function RecordLine({
  one,
  inControl,
}: {
  one: RecoveredRecord;
  inControl: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('recovery');
  const locale = (await getLocale()) as Locale;
  const at = await timeWriter();
  const waits = one.seen === null && one.finding !== 'brought_forward';
  return (
    <Row>
      <Cell first>
        <span className="grid justify-items-start gap-1">
          <Pill tone={TONES[one.finding]}>{t(`findings.${one.finding}`)}</Pill>
          <span className="text-label text-muted">
            {t(`sources.${one.source}`)}
            {one.source === 'journal' ? '' : `: ${t(`levels.${levelOf(one.level)}`)}`}
          </span>
        </span>
      </Cell>
      <Cell label={t('columns.who')}>
        <Party record={one} t={t} />
      </Cell>
      <Cell label={t('columns.at')}>{one.madeAt === null ? '–' : <When at={one.madeAt} />}</Cell>
      <Cell label={t('columns.amount')} numeric>
        {formatMoney(one.amount, one.currency, locale)}
      </Cell>
      <Cell label={t('columns.said')} whole={waits && inControl}>
        {one.seen !== null && (
          <span className="block text-label">
            {t('seen', { by: one.seen.by, at: at(one.seen.at), reason: one.seen.reason })}
          </span>
        )}
        {waits &&
          (inControl ? (
            <ReasonForm
              inline
              action={lookAtRecord}
              fields={{ id: one.id }}
              label={t('look.label')}
              button={t('look.button')}
            />
          ) : (
            <span className="text-label text-muted">{t('look.waits')}</span>
          ))}
      </Cell>
    </Row>
  );
}

/**
 * Whom a record is about: its kind, our own payout where there is one, the account, the reference.
 */
function Party({ record, t }: { record: RecoveredRecord; t: Words }): ReactNode {
  return (
    <>
      {record.kind !== null && (
        <span className="block">
          {t(`kinds.${record.kind}`)}
          {record.source === 'journal' && (
            <span className="block text-label text-muted">{t('journalLine')}</span>
          )}
        </span>
      )}
      <span className="block font-medium">
        {record.movementId === null ? (
          (record.name ?? record.about ?? t('nameless'))
        ) : (
          <Link href={`/payouts/${record.movementId}`} className="text-accent hover:underline">
            {record.name ?? t('ours')}
          </Link>
        )}
      </span>
      {record.iban !== null && (
        <span className="block font-mono text-mono break-words">
          {record.iban.includes('*') ? record.iban : groupIban(record.iban)}
        </span>
      )}
      <span className="block font-mono text-mono break-all text-muted">
        {record.extId ?? record.reference}
      </span>
    </>
  );
}

async function timeWriter(): Promise<(iso: string) => string> {
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return (iso) => formatDateTime(iso, locale, { zone, seconds: true });
}

function levelOf(level: string): 'pending' | 'completed' | 'rejected' | 'failed' | 'unknown' {
  return (
    (['pending', 'completed', 'rejected', 'failed'] as const).find((known) => known === level) ??
    'unknown'
  );
}
