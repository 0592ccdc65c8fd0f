import { istanbulDay } from '#lib/dates.ts';

/** What a downloaded receipt is called. The name comes from strangers, so it may carry nothing a file system or a header reads. Pure. */

const NAME_MAX = 60;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Named = { format: 'pdf' | 'html'; row: { name: string; amount: string; currency: string; iban: string; paidAt: string } };

export function isReceiptId(text: string): boolean {
  return ID.test(text);
}

/** '2026-03-06_Şafak Güvenlik A.Ş_12400.00-TRY_1326.pdf': day, recipient, amount, last four of the IBAN. */
export function receiptFileName({ format, row }: Named, zone?: string): string {
  return [istanbulDay(row.paidAt, zone), tidy(row.name), `${row.amount}-${row.currency}`, row.iban.slice(-4)].filter((part) => part !== '').join('_') + `.${format}`;
}

/** The same in the letters of ASCII alone, for archives and programs that know no others: '2026-03-06_Safak-Guvenlik-A.S_…'. */
export function asciiFileName(name: string): string {
  return name
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/-?_-?/g, '_');
}

/** The header that says whether a browser keeps the document or shows it, and under which name it is kept. */
export function disposition(kind: 'attachment' | 'inline', name: string, asciiOnly: boolean): string {
  const plain = `${kind}; filename="${asciiFileName(name)}"`;
  return asciiOnly ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

function tidy(name: string): string {
  return [...name.normalize('NFC').replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|_]+/gu, ' ').replace(/\s+/g, ' ').trim()]
    .slice(0, NAME_MAX)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
}
