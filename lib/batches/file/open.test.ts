import { describe, expect, it, test } from 'vitest';
import type { RefusalCode } from '#lib/access/refusal.ts';
import { openFile, openPaste } from './open.ts';
import { FILE_BYTES_MAX, ROWS_MAX } from './source.ts';
import { findTable } from './table.ts';
import { A } from './testing/scenarios.ts';
import { delimited, encoded } from './testing/text-file.ts';
import { workbook, workbookParts, zip } from './testing/workbook.ts';

const BOOK = {
  sheets: [
    {
      rows: [
        ['IBAN', 'Tutar'],
        [A, { number: '5' }],
      ],
    },
  ],
};
/** For files of many megabytes on a busy machine. */
const SLOW_MS = 90_000;
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

function refusedWith(
  code: RefusalCode,
  bytes: Uint8Array | string,
  name = '',
  params?: Record<string, string | number>,
): void {
  const opening = (): unknown => openFile(Buffer.from(bytes as string), name);
  expect(opening).toThrow(
    expect.objectContaining(params === undefined ? { code } : { code, params }),
  );
}

function changed(parts: Record<string, string | null>): Uint8Array {
  const all = new Map<string, string>(workbookParts(BOOK));
  for (const [name, content] of Object.entries(parts))
    if (content === null) all.delete(name);
    else all.set(name, content);
  return zip(all);
}

function withSheet(sheetData: string): Uint8Array {
  return changed({ 'xl/worksheets/sheet1.xml': `<worksheet>${sheetData}</worksheet>` });
}

describe('a file that is refused', () => {
  it('is empty', () => {
    refusedWith('file_empty', '');
    refusedWith('file_empty', '\r\n;;;\r\n', 'a.csv');
    refusedWith('file_empty', workbook({ sheets: [{ rows: [[]] }] }), 'a.xlsx');
  });

  it('is larger than 10 MB, before anything of it is read', () => {
    refusedWith('file_too_large', Buffer.alloc(FILE_BYTES_MAX + 1), 'a.csv', { max: 10 });
    expect(() => openPaste('a'.repeat(FILE_BYTES_MAX / 3 + 1))).toThrow(
      expect.objectContaining({ code: 'file_too_large' }),
    );
  });

  it('has a password', () => {
    const stream = Buffer.from('EncryptedPackage', 'utf16le');
    refusedWith('file_encrypted', Buffer.concat([Buffer.from(COMPOUND), Buffer.alloc(64), stream]));
    const parts = workbookParts(BOOK);
    refusedWith('file_encrypted', zip(parts, { 'xl/workbook.xml': { flags: 1 } }), 'a.xlsx');
  });

  it('has macros, by their part or by its own kind', () => {
    refusedWith('file_macro', changed({ 'xl/vbaProject.bin': 'x' }), 'a.xlsx');
    const macro =
      '<Types><Override ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>';
    refusedWith('file_macro', changed({ '[Content_Types].xml': macro }), 'a.xlsm');
    const relations =
      '<Relationships><Relationship Id="rId1" Type="http://x/xlMacrosheet" Target="m.xml"/></Relationships>';
    refusedWith('file_macro', changed({ 'xl/_rels/workbook.xml.rels': relations }), 'a.xlsx');
  });

  it('unpacks to more than it may, whatever it says of itself', { timeout: SLOW_MS }, () => {
    const bomb = new Map<string, string | Uint8Array>(workbookParts(BOOK));
    bomb.set('xl/worksheets/sheet1.xml', Buffer.alloc(70 * 1024 * 1024, ' '));
    refusedWith('file_unpacks_too_large', zip(bomb), 'a.xlsx');
    const lying = { 'xl/worksheets/sheet1.xml': { size: 100 } };
    refusedWith('file_unpacks_too_large', zip(bomb, lying), 'a.xlsx');
  });

  it('unpacks to too much in many parts', { timeout: SLOW_MS }, () => {
    const rows = [['IBAN'], ...Array.from({ length: 3 }, () => ['x'.repeat(100)])];
    const sheets = Array.from({ length: 3 }, () => ({ rows }));
    const parts = new Map<string, string | Uint8Array>(workbookParts({ sheets }));
    for (const number of [1, 2, 3])
      parts.set(
        `xl/worksheets/sheet${number}.xml`,
        `<worksheet>${' '.repeat(45 * 1024 * 1024)}</worksheet>`,
      );
    refusedWith('file_unpacks_too_large', zip(parts), 'a.xlsx');
  });

  it('has more elements than any table', { timeout: SLOW_MS }, () => {
    const elements = `<row>${'<d/>'.repeat(4_000_001)}</row>`;
    refusedWith('file_unpacks_too_large', withSheet(elements), 'a.xlsx');
  });

  test.each([
    ['a wrong checksum', zip(workbookParts(BOOK), { 'xl/workbook.xml': { crc: 1 } })],
    ['a wrong size', zip(workbookParts(BOOK), { 'xl/workbook.xml': { size: 9 } })],
    ['an unknown method', zip(workbookParts(BOOK), { 'xl/workbook.xml': { method: 12 } })],
    ['half of it', workbook(BOOK).slice(0, 700)],
    ['no workbook part', changed({ 'xl/workbook.xml': null })],
    ['a sheet without a relation', changed({ 'xl/_rels/workbook.xml.rels': '<Relationships/>' })],
    ['no sheet part', changed({ 'xl/worksheets/sheet1.xml': null })],
    ['XML that is not closed', withSheet('<sheetData><row r="1">')],
    [
      'a document type',
      changed({ 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "b">]><workbook/>' }),
    ],
    [
      'an entity of its own',
      withSheet('<sheetData><row><c t="str"><v>&a;</v></c></row></sheetData>'),
    ],
    ['one row twice', withSheet('<sheetData><row r="2"/><row r="2"/></sheetData>')],
    ['one cell twice', withSheet('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>')],
    ['a cell of another row', withSheet('<row r="1"><c r="A2"><v>1</v></c></row>')],
    ['a text that is not there', withSheet('<row r="1"><c r="A1" t="s"><v>99</v></c></row>')],
  ])('is broken: %s', (_what, bytes) => {
    refusedWith('file_broken', bytes, 'a.xlsx');
  });

  test.each([
    ['a.csv', workbook(BOOK), 'XLSX'],
    ['a.xls', workbook(BOOK), 'XLSX'],
    ['a.xlsx', Buffer.from(COMPOUND), 'XLS'],
    ['a.xlsx', Buffer.from('IBAN;Tutar\r\n'), 'CSV'],
    ['a.xls', Buffer.from('<html><table><tr><td>IBAN</td></tr></table></html>'), 'HTML'],
    ['a.xls', Buffer.from('<?xml version="1.0"?><Workbook/>'), 'XML'],
    ['a.xlsx', Buffer.from('%PDF-1.7'), 'PDF'],
    ['a.csv', changed({ 'xl/workbook.bin': 'x' }), 'XLSB'],
  ])('is called %s and is something else', (name, bytes, found) => {
    refusedWith('file_renamed', bytes, name, { found, name: name.slice(2) });
  });

  test.each([
    ['a.xls', Buffer.from(COMPOUND), 'XLS'],
    ['a.pdf', Buffer.from('%PDF-1.7'), 'PDF'],
    ['a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'JPEG'],
    ['a.docx', zip(new Map([['word/document.xml', '<x/>']])), 'DOCX'],
    ['a.zip', zip(new Map([['a.txt', 'x']])), 'ZIP'],
    ['a.xlsb', zip(new Map([['xl/workbook.bin', 'x']])), 'XLSB'],
  ])('%s is honest and of another format', (name, bytes, found) => {
    refusedWith('file_other_format', bytes, name, { found });
  });

  it('is no text', () => {
    refusedWith(
      'file_not_text',
      Uint8Array.from({ length: 300 }, (_, at) => (at * 7) % 256),
    );
    refusedWith('file_not_text', 'IBAN;\u0000Tutar\r\n', 'a.csv');
    refusedWith('file_not_text', Uint8Array.of(0xff, 0xfe, 0x00, 0xd8), 'a.txt');
  });

  it('has a quotation mark that is never closed, which would swallow the rows behind it', () => {
    const text = `IBAN;Ad;Tutar\r\n${A};"Ali;5,00\r\n${A};Veli;6,00\r\n`;
    refusedWith('file_quotes', text, 'a.csv');
    refusedWith('file_quotes', `IBAN;Ad;Tutar\r\n${A};"ABC" Ltd;5,00\r\n`, 'a.csv');
  });

  it('has more than 10,000 payments', () => {
    const rows = Array.from({ length: ROWS_MAX + 1 }, (_, at) => [A, 'Ali Veli', `${at + 1},00`]);
    const open = (): unknown =>
      findTable(openFile(encoded(delimited([['IBAN', 'Ad', 'Tutar'], ...rows], ';'), 'utf-8'), ''));
    expect(open).toThrow(expect.objectContaining({ code: 'file_too_many_rows' }));
    const twice = delimited([...rows, ...rows], ';');
    refusedWith('file_too_many_rows', twice, 'a.csv', { max: ROWS_MAX });
    refusedWith('file_too_many_rows', '\n'.repeat(300_000), 'a.csv');
    const cells = Array.from({ length: ROWS_MAX + 300 }, () => [A, 'Ali', { number: '5' }]);
    refusedWith('file_too_many_rows', workbook({ sheets: [{ rows: cells }] }), 'a.xlsx');
  });

  it('has something beyond column 100', () => {
    const row = [...Array.from({ length: 100 }, () => ''), 'x'];
    refusedWith('file_too_wide', delimited([row], ';'), 'a.csv');
    refusedWith('file_too_wide', workbook({ sheets: [{ rows: [row] }] }), 'a.xlsx');
  });
});

describe('a file that is read', () => {
  it('may have a delimiter named in its first line, which is no row', () => {
    const file = openFile(Buffer.from(`sep=|\r\nIBAN|Tutar\r\n${A}|5,00\r\n`), 'a.csv');
    expect(file).toMatchObject({ format: 'text', delimiter: '|' });
    expect(file.sheets[0]?.rows.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('may mix the ends of its lines', () => {
    const file = openFile(Buffer.from(`IBAN;Tutar\r\n${A};5,00\n${A};6,00\r${A};7,00\n`), '');
    expect(file.sheets[0]?.rows).toHaveLength(4);
  });

  it('may be UTF-16 without a mark', () => {
    const text = delimited(
      [
        ['IBAN', 'Açıklama'],
        [A, 'ışık'],
      ],
      '\t',
    );
    const bytes = Buffer.from(text, 'utf16le');
    expect(openFile(bytes, 'a.txt')).toMatchObject({ encoding: 'utf-16le' });
    expect(openFile(Buffer.from(bytes).swap16(), 'a.txt')).toMatchObject({ encoding: 'utf-16be' });
  });

  it('may be a workbook with a prefix on every element, stored parts and rich text', () => {
    const sheet =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="B1" t="s"><x:v>0</x:v></x:c>' +
      '</x:row></x:sheetData></x:worksheet>';
    const strings =
      '<sst><si><r><t>İki</t></r><r><t xml:space="preserve"> parça_x000D_</t></r><rPh><t>no</t></rPh></si></sst>';
    const bytes = changed({
      'xl/worksheets/sheet1.xml': sheet,
      'xl/sharedStrings.xml': strings,
    });
    expect(openFile(bytes, 'a.xlsx').sheets[0]?.rows[0]?.cells[1]).toEqual({
      kind: 'text',
      text: 'İki parça\r',
    });
  });

  it('a cell without an address stands behind the one before it, also where that is empty', () => {
    const file = openFile(
      withSheet('<row><c/><c><v>1</v></c><c r="E1"><v>2</v></c><c><v>3</v></c></row>'),
      'a.xlsx',
    );
    const texts = file.sheets[0]!.rows[0]!.cells.map((cell) => cell?.text ?? '');
    expect(Array.from(texts, (text) => text ?? '')).toEqual(['', '1', '', '', '2', '3']);
  });

  it('may be a workbook with a million rows that have a style and nothing in them', () => {
    const empty = '<row r="1048576"><c r="XFD1048576" s="1"/></row>';
    const file = openFile(withSheet(`<row r="1"><c r="A1"><v>1</v></c></row>${empty}`), 'a.xlsx');
    expect(file.sheets[0]).toMatchObject({ emptyRows: 0, rows: [{ number: 1 }] });
  });

  it('may hide rows by their height', () => {
    const row = (number: number, height: string): string =>
      `<row r="${number}"${height}><c r="A${number}"><v>1</v></c></row>`;
    const file = openFile(withSheet(row(1, ' ht="12.8"') + row(2, ' ht="0"') + row(3, '')), '');
    expect(file.sheets[0]?.rows.map(({ hidden }) => hidden)).toEqual([false, true, false]);
  });

  it('may have a chart among its sheets', () => {
    const sheets = [...BOOK.sheets, { rows: [] }];
    const parts = workbookParts({ sheets });
    const relations = parts.get('xl/_rels/workbook.xml.rels')!;
    parts.set(
      'xl/_rels/workbook.xml.rels',
      relations.replace(/worksheet(" Target="worksheets\/sheet2)/, 'chartsheet$1'),
    );
    expect(openFile(zip(parts), 'a.xlsx').sheets).toHaveLength(1);
  });

  it('may count its days from 1904', () => {
    const rows = [['Tarih'], [{ date: '0' }], [{ date: '44523' }]];
    const file = openFile(workbook({ epoch1904: true, sheets: [{ rows }] }), 'a.xlsx');
    expect(file.sheets[0]?.rows.slice(1).map(({ cells }) => cells[0]?.text)).toEqual([
      '1904-01-01',
      '2025-11-24',
    ]);
  });
});
