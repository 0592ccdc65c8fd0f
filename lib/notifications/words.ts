import { isCardOperation, isTransfer } from '#lib/movements/kinds.ts';
import { formatDate } from '#lib/values/dates.ts';
import { deviceOf } from '#lib/values/device-name.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, toDecimal } from '#lib/values/money.ts';
import type { Detail } from './kinds.ts';

/** A placeholder of the words where a fact is not known; the words choose by it. */
const NOTHING = 'none';

/**
 * The values of the sentences of a notification, from its stored facts: one set for every kind. In
 * "kinds.<name>" of the message file `notifications`. Pure.
 */
export function wordValues(detail: Detail, locale: Locale): Record<string, string | number> {
  const text = (name: string): string => {
    const value = detail[name];
    return value === null || value === undefined || value === '' ? NOTHING : String(value);
  };
  const agent = text('agent');
  return {
    what: whatOf(text('movement')),
    amount: amountOf(detail, locale),
    name: text('name'),
    of: text('of'),
    by: text('by'),
    subject: text('subject'),
    invoice: text('invoice'),
    file: text('file') === NOTHING ? '…' : text('file'),
    why: text('why'),
    unproven: text('unproven'),
    hours: Number(detail.hours ?? 0),
    count: Number(detail.count ?? 0),
    day: dayOf(text('day'), locale),
    last: dayOf(text('last'), locale),
    device: (agent === NOTHING ? null : deviceOf(agent)) ?? NOTHING,
    ip: text('ip'),
  };
}

function dayOf(day: string, locale: Locale): string {
  return day === NOTHING ? NOTHING : formatDate(day, locale);
}

function whatOf(movement: string): string {
  if (isCardOperation(movement)) return movement;
  return isTransfer(movement) ? 'transfer' : 'payout';
}

function amountOf({ amount, currency }: Detail, locale: Locale): string {
  return typeof amount === 'string' && typeof currency === 'string'
    ? formatMoney(toDecimal(BigInt(amount)), currency, locale)
    : '–';
}
