import { dayIn } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * The file names of downloaded receipts. Names and references come from third parties, so they must
 * contain nothing that a file system or a header interprets. Pure.
 */

const PART_MAX = { characters: 60, bytes: 120 };

/**
 * `full`: day, counterparty, amount and the end of the IBAN; `reference` and `transaction`: our
 * reference or the ledger's number, after the day.
 */
export const NAME_TEMPLATES = ['full', 'reference', 'transaction'] as const;
export type NameTemplate = (typeof NAME_TEMPLATES)[number];

/** `ascii`: only letters, digits, dots and dashes, and the amount in program notation. */
export type NameOptions = { template: NameTemplate; ascii: boolean; locale: Locale; zone: string };
export type NamedReceipt = {
  name: string;
  amount: string;
  currency: string;
  iban: string;
  extId: string;
  transactionId: string | null;
  paidAt: string;
};

export function isReceiptId(text: string): boolean {
  return UUID.test(text);
}

/**
 * '2026-03-06_Şafak Güvenlik A.Ş_12.400,00-TRY_1326', without the extension. It begins with a day,
 * so it is no device, option or hidden file.
 */
export function receiptStem(
  receipt: NamedReceipt,
  { template, ascii, locale, zone }: NameOptions,
): string {
  const day = dayIn(receipt.paidAt, zone);
  const amount = `${ascii ? receipt.amount : formatAmount(receipt.amount, locale)}-${receipt.currency}`;
  const known =
    template === 'reference'
      ? receipt.extId
      : template === 'transaction'
        ? receipt.transactionId
        : null;
  // A movement may have no reference, or no number yet: its name still distinguishes it from
  // others.
  const parts = known
    ? [day, tidy(known)]
    : [day, tidy(receipt.name), amount, receipt.iban.slice(-4)];
  const stem = parts.filter((part) => part !== '').join('_');
  return ascii ? asciiFileName(stem) : stem;
}

/**
 * Numbers duplicate names. Names that differ only by case or Unicode normalization count as
 * duplicates, because some file systems treat them alike. Deterministic for a sequence of names.
 */
export function distinctNames(): (stem: string) => string {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const keyOf = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase();
  return (stem) => {
    let n = numbers.get(keyOf(stem)) ?? 1;
    let name = n === 1 ? stem : `${stem}-${n}`;
    while (taken.has(keyOf(name))) name = `${stem}-${++n}`;
    taken.add(keyOf(name));
    numbers.set(keyOf(stem), n + 1);
    return name;
  };
}

/**
 * The name in ASCII only, for archives and programs without Unicode:
 * '2026-03-06_Safak-Guvenlik-A.S_…'.
 */
export function asciiFileName(name: string): string {
  return name
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/[-_]*_[-_]*/g, '_');
}

/** The header that tells a browser whether to save or show the document, and its file name. */
export function disposition(
  kind: 'attachment' | 'inline',
  name: string,
  asciiOnly: boolean,
): string {
  const plain = `${kind}; filename="${asciiFileName(name)}"`;
  if (asciiOnly) return plain;
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}

function tidy(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|_]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  let part = '';
  let [characters, bytes] = [0, 0];
  for (const letter of plain) {
    characters += 1;
    bytes += new TextEncoder().encode(letter).length;
    if (characters > PART_MAX.characters || bytes > PART_MAX.bytes) break;
    part += letter;
  }
  return part.replace(/^[-~. ]+|[. ]+$/g, '');
}
