import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { leftWords } from '#app/cards/remaining-words.ts';
import { CardDigits } from '#app/cards/payments/card-state.tsx';
import { offered, operableOf } from '#app/cards/operations/operable.ts';
import { OperateButton } from '#app/cards/operations/operation-desk.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { PICK_FORM } from '#components/pick-form.ts';
import { PickPage } from '#components/picked-rows.tsx';
import { PICK_BOX } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { OpenOperation } from '#lib/cards/operations/open.ts';
import { CAPTURE_LIFE_MS, captureEndsAt } from '#lib/cards/payments/authorization.ts';
import type { Hold } from '#lib/cards/payments/authorizations.ts';
import type { Reminder } from '#lib/cards/reminders/view.ts';
import { dayIn, dayRange, formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, formatPercent } from '#lib/values/money.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { seeReminder } from './actions.ts';
import { ReminderWords } from './reminder-words.tsx';

type Shown = {
  holds: Hold[];
  /** Reminders by payment id. */
  reminders: ReadonlyMap<string, Reminder>;
  /** The open operation of each authorization, by payment id. */
  open: ReadonlyMap<string, OpenOperation>;
  mayCapture: boolean;
  now: string;
};

export async function AuthorizationTable({
  holds,
  reminders,
  open,
  mayCapture,
  now,
}: Shown): Promise<ReactNode> {
  const t = await getTranslations('cards.holds');
  const isFree = (hold: Hold): boolean =>
    mayCapture && !open.has(hold.id) && isCapturable(hold, now);
  const canPick = holds.some(isFree);
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>
            <span className="flex items-center gap-3">
              {canPick && <PickPage label={(await getTranslations('cardDialogs.bulk'))('page')} />}
              {t('columns.invoice')}
            </span>
          </Head>
          <Head>{t('columns.left')}</Head>
          <Head>{t('columns.card')}</Head>
          <Head wide>{t('columns.since')}</Head>
          <Head>{t('columns.verified')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
          {mayCapture && <Head>{t('columns.actions')}</Head>}
        </>
      }
    >
      {holds.map((hold) => (
        <HoldRow
          key={hold.id}
          hold={hold}
          reminder={reminders.get(hold.id)}
          open={open.get(hold.id)}
          pick={canPick ? (isFree(hold) ? 'box' : 'space') : null}
          mayCapture={mayCapture}
          now={now}
        />
      ))}
    </Table>
  );
}

async function HoldRow({
  hold,
  reminder,
  open,
  pick,
  mayCapture,
  now,
}: {
  hold: Hold;
  reminder: Reminder | undefined;
  open: OpenOperation | undefined;
  /** Null when no row of the list can be picked. */
  pick: 'box' | 'space' | null;
  mayCapture: boolean;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.holds');
  const locale = (await getLocale()) as Locale;
  return (
    <Row>
      <Cell first>
        <span className="flex items-center gap-3">
          {pick !== null && <PickHold hold={hold} isFree={pick === 'box'} />}
          <Link
            href={`/cards/payments/${hold.id}`}
            className="font-medium break-all hover:underline xl:inline-block xl:min-w-40"
          >
            {hold.invoiceId}
          </Link>
        </span>
      </Cell>
      <Cell label={t('columns.left')}>
        <Left hold={hold} now={now} />
        <Reminded reminder={reminder} now={now} />
      </Cell>
      <Cell label={t('columns.card')}>
        <CardDigits card={hold.card} />
      </Cell>
      <Cell label={t('columns.since')} wide>
        <HeldSince at={hold.heldSince} now={now} />
      </Cell>
      <Cell label={t('columns.verified')}>
        <Verified hold={hold} now={now} />
      </Cell>
      <Cell label={t('columns.amount')} numeric>
        {hold.amount === null ? '–' : formatMoney(hold.amount, hold.currency, locale)}
      </Cell>
      {mayCapture && (
        <Cell label={t('columns.actions')}>
          <Actions hold={hold} open={open} now={now} />
        </Cell>
      )}
    </Row>
  );
}

function isCapturable(hold: Hold, now: string): boolean {
  return hold.amount !== null && offered(hold, Date.parse(now)).includes('capture');
}

/**
 * The checkbox of an authorization. Only one that may be captured, as last read, has it; the others
 * keep its space.
 */
async function PickHold({ hold, isFree }: { hold: Hold; isFree: boolean }): Promise<ReactNode> {
  if (!isFree) return <span aria-hidden className="size-4 shrink-0 max-sm:hidden" />;
  const t = await getTranslations('cardDialogs.bulk');
  return (
    <input
      type="checkbox"
      name="pick"
      value={hold.id}
      form={PICK_FORM}
      data-invoice={hold.invoiceId}
      data-amount={hold.amount}
      data-currency={hold.currency}
      aria-label={t('one', { invoice: hold.invoiceId })}
      className={PICK_BOX}
    />
  );
}

/** The operations that are offered, or the open operation. */
async function Actions({
  hold,
  open,
  now,
}: {
  hold: Hold;
  open: OpenOperation | undefined;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('cardDialogs');
  const locale = (await getLocale()) as Locale;
  if (open !== undefined)
    return (
      <Pill tone={open.state === 'UNKNOWN' ? 'unknown' : 'progress'}>
        {t(`row.${open.state}`, {
          what: t(`what.${open.operation}`, {
            amount: formatMoney(open.amount, open.currency, locale),
          }),
        })}
      </Pill>
    );
  return (
    <span className="-mx-3.5 flex flex-wrap max-sm:justify-end">
      {offered(hold, Date.parse(now)).map((operation) => (
        <OperateButton key={operation} operation={operation} payment={operableOf(hold)} small />
      ))}
    </span>
  );
}

/** The time left to capture the authorization here, as a bar and in words. */
async function Left({ hold, now }: { hold: Hold; now: string }): Promise<ReactNode> {
  const t = await getTranslations('cards.holds');
  const locale = (await getLocale()) as Locale;
  if (hold.heldSince === null) return <Pill tone="unknown">{t('unknown')}</Pill>;
  if (hold.bucket === 'lapsed' || hold.bucket === 'too_old')
    return (
      <span title={t(`${hold.bucket}Text`)}>
        <Pill tone={hold.bucket === 'lapsed' ? 'failed' : 'attention'}>{t(hold.bucket)}</Pill>
      </span>
    );
  const end = captureEndsAt(Date.parse(hold.heldSince));
  const left = end - Date.parse(now);
  const gone = 1 - left / CAPTURE_LIFE_MS;
  const weight = hold.bucket === 'today' ? 'font-semibold text-attention' : 'font-medium';
  return (
    <span className="inline-grid min-w-28 gap-1">
      <time
        dateTime={new Date(end).toISOString()}
        className={`whitespace-nowrap tabular-nums ${weight}`}
      >
        {await leftWords(left)}
      </time>
      <progress
        className="bar w-full"
        value={gone}
        max={1}
        aria-label={t('bar', { percent: formatPercent(gone, locale, 0) })}
      />
    </span>
  );
}

async function Reminded({
  reminder,
  now,
}: {
  reminder: Reminder | undefined;
  now: string;
}): Promise<ReactNode> {
  if (reminder === undefined) return null;
  const t = await getTranslations('cardReminders');
  return (
    <div className="grid max-w-64 justify-items-start gap-0.5 pt-1 text-label text-muted max-sm:justify-items-end">
      <p>
        <ReminderWords reminder={reminder} now={now} />
      </p>
      <span className="-mx-3.5">
        <ActionButton
          action={seeReminder}
          fields={{ id: reminder.paymentId }}
          look="ghost"
          label={t('seenLabel', { invoice: reminder.invoiceId })}
        >
          {t('seen')}
        </ActionButton>
      </span>
    </div>
  );
}

/** An authorization that a person added has a day, but no time. */
async function HeldSince({ at, now }: { at: string | null; now: string }): Promise<ReactNode> {
  if (at === null) return '–';
  const day = dayIn(at, workspace().timeZone);
  if (Date.parse(dayRange(day, workspace().timeZone).from) !== Date.parse(at))
    return <When at={at} now={now} />;
  return <time dateTime={day}>{formatDate(day, (await getLocale()) as Locale)}</time>;
}

async function Verified({ hold, now }: { hold: Hold; now: string }): Promise<ReactNode> {
  const t = await getTranslations('cards.holds');
  if (hold.verifiedAt === null) return <span className="text-attention">{t('notVerified')}</span>;
  if (hold.problem !== null)
    return (
      <span className="text-attention">
        {(await getTranslations('cards'))(`problems.${hold.problem}`)}
      </span>
    );
  return (
    <span className="text-muted">
      {t('verified', {
        time: formatDateTime(hold.verifiedAt, (await getLocale()) as Locale, {
          zone: workspace().timeZone,
          now,
        }),
      })}
    </span>
  );
}
