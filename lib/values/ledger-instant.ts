/**
 * The ledger's dates are ISO text in UTC, sometimes with seven decimals and sometimes without a
 * zone (`contract` samples). Without this, text without a zone would be parsed as this machine's
 * local time. Null for an invalid date, and for one outside of the years that PostgreSQL reads: the
 * zone may move the first day of the year 1 into the year 0. Pure.
 */
export function ledgerInstant(text: string | null): string | null {
  if (text === null) return null;
  const match =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/.exec(
      text.trim(),
    );
  if (match === null) return null;
  const [, day, time, fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  const iso = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return /^(?!0000)\d{4}-/.test(iso) ? iso : null;
}
