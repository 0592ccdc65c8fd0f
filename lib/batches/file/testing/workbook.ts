import { deflateRawSync, crc32 } from 'node:zlib';

/** Writes workbooks for tests, also broken and hostile ones: every byte is the test's own. */

/** A number is given as the text of its XML. `date`: a number with the style of a date. */
export type TestCell =
  | string
  | null
  | { number: string; formula?: string }
  | { date: string }
  | { text: string; formula?: string }
  | { boolean: boolean }
  | { error: string; formula?: string }
  | { formula: string };

export type TestSheet = {
  name?: string;
  state?: 'hidden' | 'veryHidden';
  rows: readonly (readonly TestCell[])[];
  hiddenRows?: readonly number[];
  hiddenColumns?: readonly number[];
  merged?: readonly string[];
  /** Texts in the cells instead of the table of texts. */
  inline?: boolean;
};

export type TestBook = { sheets: readonly TestSheet[]; epoch1904?: boolean };

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const TYPES = [
  `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Override PartName="/xl/workbook.xml"`,
  ` ContentType="${CONTENT}.sheet.main+xml"/></Types>`,
].join('');
/** The second style shows a date. */
const STYLES = [
  `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1">`,
  '<numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts>',
  '<cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs>',
  '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
].join('');

export function workbook(book: TestBook): Uint8Array {
  return zip(workbookParts(book));
}

export function workbookParts({ sheets, epoch1904 = false }: TestBook): Map<string, string> {
  const strings: string[] = [];
  const sheetParts = sheets.map((sheet) => sheetXml(sheet, strings));
  const parts = new Map<string, string>();
  parts.set('[Content_Types].xml', TYPES);
  parts.set('_rels/.rels', relations([['rId1', 'officeDocument', 'xl/workbook.xml']]));
  parts.set('xl/workbook.xml', bookXml(sheets, epoch1904));
  const sheetRelations = sheets.map(
    (_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const,
  );
  parts.set(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...sheetRelations,
      ['rId900', 'sharedStrings', 'sharedStrings.xml'],
      ['rId901', 'styles', '/xl/styles.xml'],
    ]),
  );
  parts.set('xl/styles.xml', STYLES);
  sheetParts.forEach((xml, at) => parts.set(`xl/worksheets/sheet${at + 1}.xml`, xml));
  const items = strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  parts.set('xl/sharedStrings.xml', `${HEAD}<sst xmlns="${MAIN}">${items.join('')}</sst>`);
  return parts;
}

function bookXml(sheets: readonly TestSheet[], epoch1904: boolean): string {
  const named = sheets.map(({ name = '', state }, at) => {
    const shown = state === undefined ? '' : ` state="${state}"`;
    const title = escaped(name === '' ? `Sayfa${at + 1}` : name);
    return `<sheet name="${title}" sheetId="${at + 1}"${shown} r:id="rId${at + 1}"/>`;
  });
  const properties = `<workbookPr${epoch1904 ? ' date1904="1"' : ''}/>`;
  const open = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">`;
  return `${HEAD}${open}${properties}<sheets>${named.join('')}</sheets></workbook>`;
}

function relations(all: readonly (readonly [string, string, string])[]): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
}

function sheetXml(sheet: TestSheet, strings: string[]): string {
  const { rows, hiddenRows = [], hiddenColumns = [], merged = [], inline = false } = sheet;
  const columns = hiddenColumns
    .map((at) => `<col min="${at + 1}" max="${at + 1}" width="9" hidden="1"/>`)
    .join('');
  const body = rows
    .map((cells, row) => {
      const written = cells.map((cell, column) =>
        cellXml(cell, `${columnLetters(column)}${row + 1}`, strings, inline),
      );
      const hidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : '';
      return `<row r="${row + 1}"${hidden}>${written.join('')}</row>`;
    })
    .join('');
  const areas = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const before = columns === '' ? '' : `<cols>${columns}</cols>`;
  const behind = areas === '' ? '' : `<mergeCells>${areas}</mergeCells>`;
  const data = `<sheetData>${body}</sheetData>`;
  return `${HEAD}<worksheet xmlns="${MAIN}">${before}${data}${behind}</worksheet>`;
}

function cellXml(cell: TestCell, ref: string, strings: string[], inline: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'string') {
    if (inline)
      return `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
    strings.push(cell);
    return `<c r="${ref}" t="s"><v>${strings.length - 1}</v></c>`;
  }
  if ('date' in cell) return `<c r="${ref}" s="1"><v>${cell.date}</v></c>`;
  if ('boolean' in cell) return `<c r="${ref}" t="b"><v>${cell.boolean ? 1 : 0}</v></c>`;
  const formula = cell.formula === undefined ? '' : `<f>${escaped(cell.formula)}</f>`;
  if ('number' in cell) return `<c r="${ref}">${formula}<v>${cell.number}</v></c>`;
  if ('text' in cell) return `<c r="${ref}" t="str">${formula}<v>${escaped(cell.text)}</v></c>`;
  if ('error' in cell) return `<c r="${ref}" t="e">${formula}<v>${cell.error}</v></c>`;
  return `<c r="${ref}">${formula}</c>`;
}

function columnLetters(column: number): string {
  const high = Math.floor(column / 26);
  return (high > 0 ? String.fromCharCode(64 + high) : '') + String.fromCharCode(65 + (column % 26));
}

function escaped(text: string): string {
  return text
    .replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!)
    .replace(/(?![\t\n\r])\p{Cc}/gu, (one) => {
      const code = one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${code}_`;
    });
}

/** `lie` changes what the directory says of an entry. */
export type ZipLie = { flags?: number; size?: number; crc?: number; method?: number };

/** A ZIP file of deflated parts. */
export function zip(
  parts: ReadonlyMap<string, string | Uint8Array>,
  lies: Readonly<Record<string, ZipLie>> = {},
): Uint8Array {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const [name, content] of parts) {
    const data = Buffer.from(content as string);
    const packed = deflateRawSync(data);
    const lie = lies[name] ?? {};
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(lie.flags ?? 0, 2);
    fields.writeUInt16LE(lie.method ?? 8, 4);
    fields.writeUInt32LE(lie.crc ?? crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(lie.size ?? data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([le32(0x04034b50), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    centrals.push(
      Buffer.concat([le32(0x02014b50), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]),
    );
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.size, 4);
  end.writeUInt16LE(parts.size, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, le32(0x06054b50), end]);
}

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
