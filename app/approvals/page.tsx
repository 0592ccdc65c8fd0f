import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table, TableNote } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { mayNow } from '#lib/access/actor.ts';
import type { BalanceAfter } from '#lib/approvals/balance-after.ts';
import { isFlagged, isOnePress, MANY_MAX } from '#lib/approvals/flags.ts';
import { waitingBatches } from '#lib/batches/approval/list.ts';
import { listWaiting } from '#lib/approvals/list.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import { viewBalancesAfter } from '#lib/approvals/pending.ts';
import { signedIn } from '#lib/login/session.ts';
import type { Locale } from '#lib/values/locale.ts';
import { shownAccount } from '#lib/values/iban.ts';
import { formatMoney } from '#lib/values/money.ts';
import { approveWaiting } from './actions.ts';
import { ActingAs } from './acting-as.tsx';
import { ManyForm } from './many-form.tsx';
import type { Pickable } from './many-form.tsx';
import { WaitingBatches } from './waiting-batches.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('approvals'))('title') };
}

/** With text of twice the size the table is wider than its panel, and is moved in it. */
const WIDE_TEXT = 'sm:relative sm:overflow-x-auto sm:[&_thead]:static';

/** What waits for approval: unusual ones first, then those that wait longest. */
export default async function ApprovalsPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!mayNow(person, 'movement.approve'))
    return <Forbidden person={person} needs="movement.approve" />;
  const [{ rows, isCut }, balances, batches] = await Promise.all([
    listWaiting(person),
    viewBalancesAfter(person),
    waitingBatches(person),
  ]);
  const usual = pickable(rows);
  const t = await getTranslations('approvals');
  return (
    <MessageArea>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['movement', 'batch', 'policy', 'person']} />
      </PageHead>
      <ActingAs person={person} />
      <WaitingBatches batches={batches} />
      {(rows.length > 0 || batches.length === 0) && (
        <Panel list>
          {rows.length === 0 ? (
            <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
          ) : (
            <div className={WIDE_TEXT}>
              <Table
                caption={t('title')}
                head={
                  <>
                    <Head>{t('columns.recipient')}</Head>
                    <Head numeric>{t('columns.amount')}</Head>
                    <Head>{t('columns.flags')}</Head>
                    <Head>{t('columns.maker')}</Head>
                    <Head>{t('columns.approvals')}</Head>
                    <Head>
                      <span className="sr-only">{t('columns.decision')}</span>
                    </Head>
                  </>
                }
              >
                {rows.map((row) => (
                  <WaitingLine
                    key={row.id}
                    row={row}
                    balance={balances.find(({ number }) => number === row.wallet) ?? null}
                  />
                ))}
              </Table>
              {isCut && <TableNote>{t('cut', { count: rows.length })}</TableNote>}
            </div>
          )}
        </Panel>
      )}
      {usual.length > 1 && (
        <Panel title={t('many.title')}>
          <Messages of={['approvals', 'stepUp']}>
            <ManyForm rows={usual} balances={balances} />
          </Messages>
        </Panel>
      )}
    </MessageArea>
  );
}

/** What may be approved together: nothing unusual, and for this person to decide. */
function pickable(rows: WaitingMovement[]): Pickable[] {
  return rows
    .filter((row) => row.barred === null && !isFlagged(row.flags))
    .slice(0, MANY_MAX)
    .map(({ id, contentHash, name, wallet, payee, amount, currency, stepUp }) => ({
      id,
      contentHash,
      name,
      wallet,
      payee,
      amount,
      currency,
      signs: stepUp !== 'none',
    }));
}

/** On a phone a row is a card whose two buttons stand far apart, each as high as a finger. */
const DECISION =
  'flex w-full flex-wrap justify-between gap-x-8 gap-y-2 sm:hidden [&_a]:min-h-12 [&_button]:min-h-12';

/** One press approves what is usual; what is not, or is signed, is decided on its own page. */
async function RowDecision({ row }: { row: WaitingMovement }): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const locale = (await getLocale()) as Locale;
  const page = `/approvals/${row.id}`;
  const amount = formatMoney(row.amount, row.currency, locale);
  return (
    <>
      <Link href={page} className="text-accent hover:underline max-sm:hidden">
        {t('look')}
      </Link>
      <div className={DECISION}>
        {row.barred !== 'own' && (
          <LinkButton href={`${page}#send-back`}>{t('decision.sendBack')}</LinkButton>
        )}
        {isOnePress(row) ? (
          <ActionButton
            action={approveWaiting}
            fields={{ id: row.id, seenHash: row.contentHash }}
            label={t('decision.approve', { amount, name: row.name })}
            look="primary"
            unanswered="decision"
          >
            {t('approveOne')}
          </ActionButton>
        ) : (
          <LinkButton href={page} look={row.barred === null ? 'primary' : 'secondary'}>
            {t('look')}
          </LinkButton>
        )}
      </div>
    </>
  );
}

const TIME = 'block text-label text-muted [&_time]:whitespace-normal';

async function WaitingLine({
  row,
  balance,
}: {
  row: WaitingMovement;
  balance: BalanceAfter | null;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const locale = (await getLocale()) as Locale;
  return (
    <Row lead>
      <Cell first>
        <Link href={`/approvals/${row.id}`} className="font-medium hover:underline">
          {row.name}
        </Link>
        <span className="block font-mono text-mono text-muted sm:min-w-40">
          {shownAccount(row.payee)}
        </span>
        {row.description !== '' && <span className="block text-label">{row.description}</span>}
      </Cell>
      <Cell label={t('columns.amount')} numeric>
        {formatMoney(row.amount, row.currency, locale)}
        {balance !== null && (
          <span className="max-sm:hidden">
            <After balance={balance} />
          </span>
        )}
      </Cell>
      <Cell label={t('columns.flags')}>
        <span className="flex flex-wrap gap-1 [&_.pill]:wrap-normal [&_.pill]:whitespace-normal">
          {row.flags.length === 0 ? '–' : null}
          {row.flags.map((flag) => (
            <Pill key={flag} tone="attention">
              {t(`flags.${flag}`)}
            </Pill>
          ))}
        </span>
      </Cell>
      <Cell label={t('columns.maker')}>
        {row.maker}
        <span className={TIME}>
          {t('columns.since')} <When at={row.since} />
        </span>
        <span className={TIME}>
          {t('columns.expires')} <When at={row.expiresAt} />
        </span>
      </Cell>
      <Cell label={t('columns.approvals')}>
        {t('ofNeeded', { given: row.given, needed: row.needed })}
        <span className="block text-label text-muted">
          {row.lacksPeople ? t('nobody') : t(`barred.${row.barred ?? 'none'}`)}
        </span>
      </Cell>
      {balance !== null && (
        <Cell whole onCard>
          <After balance={balance} />
        </Cell>
      )}
      <Cell whole>
        <RowDecision row={row} />
      </Cell>
    </Row>
  );
}

/** What the wallet holds after everything that waits. */
async function After({ balance }: { balance: BalanceAfter }): Promise<ReactNode> {
  const t = await getTranslations('approvals.columns');
  const locale = (await getLocale()) as Locale;
  const isShort = balance.after.startsWith('-');
  return (
    <span className="block sm:ml-auto sm:max-w-44 text-label font-normal whitespace-normal text-muted">
      {t('after')}{' '}
      <span className={isShort ? 'font-medium text-failed' : 'text-ink'}>
        {formatMoney(balance.after, balance.currency, locale)}
      </span>{' '}
      {balance.name}
    </span>
  );
}
