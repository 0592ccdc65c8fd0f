import { parseAmount } from '#lib/values/money.ts';
import { foldForSearch } from '#lib/values/turkish.ts';

/** The readings of a search text; a row matches when any of them does. */
export type PayoutSearch = {
  /** Part of the recipient's name, case-folded. */
  name: string;
  /** Part of an IBAN, without spaces. */
  iban: string | null;
  /** The beginning of our reference, or a complete number of the provider's. */
  reference: string | null;
  taxNumber: string | null;
  /** Minor units: every amount that the text can mean, in either notation. */
  amounts: bigint[];
};

export function readSearch(text: string): PayoutSearch | null {
  if (text === '') return null;
  const compact = text
    .replace(/[\s.\u2010-\u2015-]+/gu, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const iban = compact.replace(/^IBAN:?/, '');
  return {
    name: foldForSearch(text),
    iban: /^[0-9A-Z]{4,26}$/.test(iban) && /\d{2}/.test(iban) ? iban : null,
    reference: /^[0-9A-Z]{4,64}$/.test(compact) ? compact : null,
    taxNumber: /^\d{10,11}$/.test(compact) ? compact : null,
    amounts: amountsOf(text),
  };
}

function amountsOf(text: string): bigint[] {
  const found: bigint[] = [];
  for (const locale of ['tr', 'en'] as const) {
    const parsed = parseAmount(text, locale);
    if (parsed.kind === 'ok') found.push(parsed.minor);
    if (parsed.kind === 'ambiguous') found.push(...parsed.readings);
  }
  return [...new Set(found)];
}
