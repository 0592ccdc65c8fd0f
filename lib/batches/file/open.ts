import 'server-only';
import { Refusal } from '#lib/access/refusal.ts';
import { decodeText } from './decode.ts';
import { readText } from './read-text.ts';
import { kindOfZip, readWorkbook } from './read-workbook.ts';
import { FILE_BYTES_MAX } from './source.ts';
import type { SourceFile } from './source.ts';
import { unpack } from './unpack.ts';

/**
 * Opens a payouts file by what is in it. A name that says something else is refused: whoever sent
 * the file took it for another one.
 */

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];
/** The container of Excel 97 and of encrypted workbooks (MS-CFB). */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');
const OTHERS: readonly (readonly [found: string, beginning: readonly number[]])[] = [
  ['PDF', [0x25, 0x50, 0x44, 0x46]],
  ['PNG', [0x89, 0x50, 0x4e, 0x47]],
  ['JPEG', [0xff, 0xd8, 0xff]],
  ['GIF', [0x47, 0x49, 0x46, 0x38]],
  ['GZIP', [0x1f, 0x8b]],
  ['RAR', [0x52, 0x61, 0x72, 0x21]],
  ['7Z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['RTF', [0x7b, 0x5c, 0x72, 0x74, 0x66]],
];
/** Banks write pages and XML under the name of a workbook. */
const MARKUP = /^\s*<(?:!doctype\s+html|html|head|body|table|meta|\?xml|style|div)\b/i;
const TEXT_NAMES = ['csv', 'txt', 'tsv', 'tab'];
const EXTENSION = /\.([a-z0-9]{1,8})$/i;

/**
 * @throws Refusal `file_empty`, `file_too_large`, `file_encrypted`, `file_macro`, `file_renamed`,
 *   `file_other_format`, `file_unpacks_too_large`, `file_broken`, `file_not_text`, `file_quotes`,
 *   `file_too_many_rows`, `file_too_wide`
 */
export function openFile(bytes: Uint8Array, fileName: string): SourceFile {
  if (bytes.length > FILE_BYTES_MAX)
    throw new Refusal('file_too_large', { max: FILE_BYTES_MAX / (1024 * 1024) });
  if (bytes.length === 0) throw new Refusal('file_empty');
  const extension = EXTENSION.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (begins(bytes, ZIP) || begins(bytes, EMPTY_ZIP)) return openZip(bytes, extension);
  if (begins(bytes, COMPOUND)) {
    if (Buffer.from(bytes).includes(ENCRYPTED_STREAM)) throw new Refusal('file_encrypted');
    throw refused(extension, 'XLS');
  }
  const other = OTHERS.find(([, beginning]) => begins(bytes, beginning));
  if (other !== undefined) throw refused(extension, other[0]);
  const { text, encoding } = decodeText(bytes);
  if (MARKUP.test(text)) throw refused(extension, /^\s*<\?xml/i.test(text) ? 'XML' : 'HTML');
  if (extension !== '' && !TEXT_NAMES.includes(extension)) throw refused(extension, 'CSV');
  return { ...openText(text, fileName), encoding };
}

/**
 * What was copied from a spreadsheet or a mail: tabs between the cells, or any other delimiter.
 *
 * @throws Refusal `file_empty`, `file_too_large`, `file_quotes`, `file_too_many_rows`, …
 */
export function openPaste(text: string): SourceFile {
  // A character has at most three bytes for each of its units.
  if (text.length > FILE_BYTES_MAX / 3)
    throw new Refusal('file_too_large', { max: FILE_BYTES_MAX / (1024 * 1024) });
  if (text.includes('\0')) throw new Refusal('file_not_text');
  return { ...openText(text.replace(/^\ufeff/, ''), ''), encoding: null };
}

function openText(text: string, name: string): Omit<SourceFile & { format: 'text' }, 'encoding'> {
  const { delimiter, sheet } = readText(text, name);
  if (sheet.rows.length === 0) throw new Refusal('file_empty');
  return { format: 'text', delimiter, sheets: [sheet] };
}

function openZip(bytes: Uint8Array, extension: string): SourceFile {
  const zip = unpack(bytes);
  const kind = kindOfZip(zip);
  if (kind === 'macro') throw new Refusal('file_macro');
  if (kind !== 'workbook') throw refused(extension, kind);
  if (extension !== '' && extension !== 'xlsx') throw refused(extension, 'XLSX');
  const sheets = readWorkbook(zip);
  if (sheets.every(({ rows }) => rows.length === 0)) throw new Refusal('file_empty');
  return { format: 'workbook', sheets };
}

/** A file that cannot be read, or one that its name calls something else. */
function refused(extension: string, found: string): Refusal {
  const honest = extension === '' || extension === found.toLowerCase();
  const jpeg = found === 'JPEG' && extension === 'jpg';
  return honest || jpeg
    ? new Refusal('file_other_format', { found })
    : new Refusal('file_renamed', { found, name: extension });
}

function begins(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, at) => bytes[at] === byte);
}
