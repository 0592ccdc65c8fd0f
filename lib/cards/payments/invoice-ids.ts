/** Invoice numbers as pasted from a spreadsheet, a mail or the gateway's panel. Pure. */

const IDS_MAX = 200;
const ID_MAX = 128;

export type InvoiceIds =
  | { kind: 'ids'; ids: string[] }
  | { kind: 'empty' }
  | { kind: 'many'; max: number }
  | { kind: 'unreadable'; line: string };

/**
 * Reads invoice numbers, one a line or separated by commas, semicolons or tabs, without duplicates.
 * A number may contain blanks, but no control characters.
 */
export function readInvoiceIds(text: string): InvoiceIds {
  const ids = [
    ...new Set(
      text
        .normalize('NFC')
        .split(/[\n\r,;\t]+/u)
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    ),
  ];
  const bad = ids.find((one) => one.length > ID_MAX || /[\p{Cc}\p{Cf}]/u.test(one));
  if (bad !== undefined)
    return { kind: 'unreadable', line: bad.slice(0, 40).replace(/[\p{Cc}\p{Cf}]/gu, '�') };
  if (ids.length === 0) return { kind: 'empty' };
  return ids.length > IDS_MAX ? { kind: 'many', max: IDS_MAX } : { kind: 'ids', ids };
}
