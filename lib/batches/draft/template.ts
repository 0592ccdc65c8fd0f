import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { templateWorkbook } from '#lib/exports/xlsx.ts';
import { wholeFile } from '#lib/exports/zip.ts';
import type { Locale } from '#lib/values/locale.ts';

/** An empty payouts file to fill in: headings that are read without a question. */

export const TEMPLATE_FORMATS = ['xlsx', 'csv'] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

/**
 * The headings of the seven columns of a payouts file: payee, account, number, amount, type, text, and
 * the wallet of a person in place of an account.
 */
export const HEADINGS: Record<Locale, readonly string[]> = {
  tr: [
    ...['Ad Soyad / Unvan', 'IBAN', 'VKN / TCKN', 'Tutar', 'Ödeme Türü', 'Açıklama'],
    'Cüzdan / Telefon',
  ],
  en: [
    ...['Recipient Name', 'IBAN', 'Tax Number', 'Amount', 'Payment Type', 'Description'],
    'Wallet / Phone',
  ],
};
const WIDTHS = [32, 34, 16, 14, 16, 40, 20];
const NAMES: Record<Locale, string> = { tr: 'toplu-odeme-sablonu', en: 'bulk-payout-template' };
const SHEETS: Record<Locale, string> = { tr: 'Ödemeler', en: 'Payouts' };
/** Excel reads UTF-8 by this mark, and the columns by semicolons where it speaks Turkish. */
const BYTE_ORDER_MARK = '\ufeff';
const TYPES: Record<TemplateFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

export type Template = { name: string; type: string; bytes: Buffer };

/** @throws Refusal `not_allowed` */
export function makeTemplate(actor: Person, format: TemplateFormat, locale: Locale): Template {
  assertMay(actor, 'payout.prepare');
  const headings = HEADINGS[locale];
  const bytes =
    format === 'csv'
      ? Buffer.from(`${BYTE_ORDER_MARK}${headings.join(locale === 'tr' ? ';' : ',')}\r\n`, 'utf8')
      : wholeFile(
          templateWorkbook(
            SHEETS[locale],
            headings.map((heading, at) => ({ heading, width: WIDTHS[at] ?? 16 })),
          ),
          new Date(),
        );
  return { name: `${NAMES[locale]}.${format}`, type: TYPES[format], bytes };
}
