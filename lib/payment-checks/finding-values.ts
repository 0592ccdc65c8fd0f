import { formatDateTime } from '#lib/values/dates.ts';
import { groupIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { Finding } from './findings.ts';

/**
 * The values of a finding, formatted for its message: money, times and IBANs. The text itself is
 * `payoutErrors.findings.<code>` of the reader's language. With `now`, a time of today is shown
 * without its date.
 */
export function findingValues(
  finding: Pick<Finding, 'params'>,
  options: { locale: Locale; now?: string; zone?: string },
): Record<string, string | number> {
  const { locale, ...clock } = options;
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(finding.params)) {
    if (typeof value !== 'object') values[name] = value;
    else if ('money' in value) values[name] = formatMoney(value.money, value.currency, locale);
    else if ('iban' in value) values[name] = groupIban(value.iban);
    else values[name] = formatDateTime(value.at, locale, clock);
  }
  return values;
}
