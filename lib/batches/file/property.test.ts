import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/access/refusal.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import { marksOf } from './cell.ts';
import type { Cell } from './cell.ts';
import { decideIban } from './decide-account.ts';
import { decideAmount } from './decide-amount.ts';
import { openFile, openPaste } from './open.ts';
import { readPayouts } from './read.ts';
import { EMPTY_CELL } from './source.ts';
import type { Delimiter, SourceCell, SourceFile } from './source.ts';
import { fixtureFiles } from './testing/fixture-files.ts';
import { A, B, C } from './testing/scenarios.ts';
import { delimited, encoded } from './testing/text-file.ts';
import { workbook, zip } from './testing/workbook.ts';
import type { TestCell } from './testing/workbook.ts';
import { unpack } from './unpack.ts';

/**
 * No input changes an amount or an IBAN without a visible mark. The judge here has its own
 * arithmetic: it writes a value in every plain form and looks for the file's text among them.
 *
 * PAYOUT_FILE_CASES sets the number of cells; files and spoilt files are a fiftieth of it each.
 */

const CELLS = Number(process.env['PAYOUT_FILE_CASES'] ?? 10_000);
const FILES = Math.ceil(CELLS / 50);
const TIMEOUT_MS = 20_000 + CELLS * 10;

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });
const separator = fc.constantFrom('.', ',', ' ', '\u00a0', "'", '’', '', '..', ';');
const around = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '₺',
  'TL',
  ' TL',
  '-',
  '+',
  '(',
  ')',
  '$',
  '\u200b',
  '=',
);
/** Texts that look like amounts, in every notation and in none. */
const amountText = fc.oneof(
  fc
    .tuple(
      around,
      fc.array(fc.tuple(digits(1, 4), separator), { maxLength: 4 }),
      digits(0, 4),
      around,
    )
    .map(([before, parts, last, after]) => before + parts.flat().join('') + last + after),
  fc.tuple(digits(1, 3), fc.constantFrom('.', ','), digits(3, 3)).map((parts) => parts.join('')),
  fc.tuple(digits(1, 9), fc.constantFrom('.', ','), digits(1, 18)).map((parts) => parts.join('')),
  fc.tuple(digits(1, 3), digits(1, 3)).map(([mantissa, power]) => `${mantissa},5E+${power}`),
  fc.double({ min: 0, max: 1e10, noNaN: true }).map(String),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
/** Numbers as the XML of a workbook may write them. */
const numberText = fc.oneof(
  fc.double({ min: -1e9, max: 2e9, noNaN: true }).map(String),
  fc.integer({ min: 0, max: 99_999_999_900 }).map((minor) => (minor / 100).toPrecision(17)),
  fc
    .tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }))
    .map(([a, b]) => String(a / 100 + b / 100)),
  fc.tuple(digits(1, 12), digits(1, 20)).map((parts) => parts.join('.')),
  fc.tuple(digits(1, 6), digits(1, 2)).map(([mantissa, power]) => `${mantissa}E${power}`),
);
const ibanText = fc.oneof(
  fc.constantFrom(A, B, C),
  fc
    .tuple(fc.constantFrom(A, B, C), fc.array(fc.nat(25), { maxLength: 4 }), separator)
    .map(([iban, places, mark]) =>
      Array.from(iban, (letter, at) => (places.includes(at) ? mark + letter : letter)).join(''),
    ),
  fc
    .tuple(fc.constantFrom(A, B, C), fc.nat(25), fc.string({ maxLength: 2 }))
    .map(([iban, at, other]) => iban.slice(0, at) + other + iban.slice(at + 1)),
  fc
    .tuple(
      fc.constantFrom('IBAN: ', 'iban no ', 'TR', ' ', 'tr', "'"),
      fc.constantFrom(A, B, C),
      fc.boolean(),
    )
    .map(([before, iban, short]) => before + (short ? iban.slice(2) : iban)),
  digits(20, 27),
  fc.constantFrom('3,3E+23', '2.3E+25', '330006100519786000000000'),
);

/** Every plain writing of an amount: with or without groups, the decimals with either mark. */
function isPlainWriting(source: string, value: bigint): boolean {
  const text = source
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/^(?:\s|₺|tl|try|l[iı]ra|\+)+|(?:\s|₺|tl|try|l[iı]ra|\+)+$/giu, '')
    .replace(/^0+(?=\d)/, '');
  const kurus = value.toString().padStart(3, '0');
  const [whole, fraction] = [kurus.slice(0, -2), kurus.slice(-2)];
  const endings = [fraction, ...(fraction.endsWith('0') ? [fraction.slice(0, 1)] : [])];
  const decimals = ['.', ','].flatMap((mark) => endings.map((ending) => mark + ending));
  if (fraction === '00') decimals.push('', '.', ',');
  const wholes = [
    whole,
    ...(whole === '0' ? [''] : []),
    ...['.', ',', ' ', "'", '’'].map((mark) => whole.replace(/\B(?=(\d{3})+$)/g, mark)),
  ];
  return wholes.some((start) =>
    decimals.some((end) => start + end === text && (start.at(-4) !== end[0] || end === '')),
  );
}

function isAmbiguous(source: string): boolean {
  return /^[^\d]*[1-9]\d{0,2}[.,]\d{3}[^\d]*$/.test(source);
}

/** What was rounded away is less than half a unit of the 15th digit. */
function expectNoise(source: string, decimal: string): void {
  const [before, after] = [Number(source.trim().replace(',', '.')), Number(decimal)];
  expect(Math.abs(before - after)).toBeLessThan(after * 5.1e-15);
}

function checkAmount(source: string, cell: Cell<Minor>, mayFollowColumn: boolean): void {
  expect(cell.source).toBe(source);
  if (cell.state === 'ok') {
    if (!isPlainWriting(source, cell.value) || isAmbiguous(source))
      throw new Error(`${JSON.stringify(source)} became ${cell.value} without a mark`);
  } else if (cell.state === 'repaired') {
    const marks = marksOf(cell);
    expect(marks.length).toBeGreaterThan(0);
    for (const { reason, to } of marks) {
      expect(to).toBe(toDecimal(cell.value));
      if (reason === 'number_noise' || reason === 'number_writing') expectNoise(source, to);
      if (reason === 'column_convention') expect(mayFollowColumn).toBe(true);
    }
    expect(marks.some(({ from }) => from === source || from.startsWith('='))).toBe(true);
  }
}

function checkIban(source: string, cell: Cell): void {
  expect(cell.source).toBe(source);
  if (cell.state !== 'ok' && cell.state !== 'repaired') return;
  const { value } = cell;
  const moved = value.slice(4) + value.slice(0, 4);
  const number = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  expect(BigInt(number) % 97n).toBe(1n);
  const [trimmed] = [source.replace(/^ +| +$/g, '')];
  if (cell.state === 'ok') {
    const groups = value.replace(/(.{4})(?=.)/g, '$1 ');
    expect([value, groups]).toContain(trimmed);
    return;
  }
  // No character is invented: without separators, the source ends with the account.
  const bare = source.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  expect(bare.endsWith(value) || bare === value.slice(2)).toBe(true);
  expect(marksOf(cell).every(({ from, to }) => from === source && to === value)).toBe(true);
}

test(
  `${CELLS} cells: an amount is what its text plainly says, or is marked, asked or refused`,
  { timeout: TIMEOUT_MS },
  () => {
    const cell = fc.oneof(
      amountText.map((text): SourceCell => (text === '' ? EMPTY_CELL : { kind: 'text', text })),
      numberText.map((text): SourceCell => ({ kind: 'number', text })),
    );
    fc.assert(
      fc.property(cell, fc.constantFrom('tr', 'en', null), (source, convention) => {
        checkAmount(source.text, decideAmount(source, convention, 'TRY'), convention !== null);
      }),
      { numRuns: CELLS },
    );
  },
);

test(
  `${CELLS} cells: an IBAN has the characters of its text, or is refused`,
  { timeout: TIMEOUT_MS },
  () => {
    fc.assert(
      fc.property(ibanText, fc.constantFrom('text', 'number'), (text, kind) => {
        checkIban(text, decideIban({ kind, text }));
      }),
      { numRuns: CELLS },
    );
  },
);

type Row = { iban: string; amount: string; number: string | null };
const rowOf = fc.record({
  iban: ibanText,
  amount: amountText,
  number: fc.option(numberText, { nil: null }),
});
const container = fc.constantFrom(
  ...([
    ['utf-8', ';'],
    ['utf-8-bom', ','],
    ['utf-16le', '\t'],
    ['utf-16be', ';'],
    ['paste', '\t'],
    ['workbook', ','],
    ['workbook inline', ','],
  ] as const),
);

test(
  `${FILES} files: what was written is what is read, or is marked, asked or refused`,
  { timeout: TIMEOUT_MS },
  () => {
    let read = 0;
    fc.assert(
      fc.property(
        fc.array(rowOf, { minLength: 1, maxLength: 8 }),
        container,
        (rows, [kind, mark]) => {
          const written = rows.map((row) => cleaned(row, kind.startsWith('workbook')));
          const file = opened(written, kind, mark);
          if (file === null) return;
          const result = readPayouts(file, {
            table: { headings: [1], take: written.map((_, at) => at + 2) },
            columns: () => ({ iban: 0, amount: 1 }),
          });
          for (const { number, cells } of result.decided.rows) {
            const row = written[number - 2]!;
            const source = row.number ?? row.amount;
            checkAmount(source.trim() === '' ? '' : source, cells.amount, true);
            checkIban(row.iban.trim() === '' ? '' : row.iban, cells.iban);
            read += 1;
          }
        },
      ),
      { numRuns: FILES },
    );
    expect(read).toBeGreaterThan(FILES);
  },
);

/** A line break of a text file has one form; XML holds no half characters and no noncharacters. */
function cleaned(row: Row, inBook: boolean): Row {
  const clean = (text: string): string => {
    const lines = text.replace(/\r\n?/g, '\n').replace(/\0|\ufeff/g, '');
    return (inBook ? lines.replace(/_x|[\ufffe\uffff]/g, '') : lines).toWellFormed();
  };
  return { iban: clean(row.iban), amount: clean(row.amount), number: inBook ? row.number : null };
}

function opened(rows: readonly Row[], kind: string, mark: Delimiter): SourceFile | null {
  const table = rows.map(({ iban, amount, number }): TestCell[] => [
    iban,
    number === null ? amount : { number },
  ]);
  try {
    if (kind.startsWith('workbook'))
      return openFile(
        workbook({
          sheets: [{ rows: [['IBAN', 'Tutar'], ...table], inline: kind !== 'workbook' }],
        }),
        'a.xlsx',
      );
    const text = delimited([['IBAN', 'Tutar'], ...(table as string[][])], mark);
    return kind === 'paste' ? openPaste(text) : openFile(encoded(text, kind as 'utf-8'), 'a.csv');
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

test(
  `${FILES} spoilt files: each is refused with a reason, or its cells keep their word`,
  { timeout: TIMEOUT_MS },
  () => {
    const fixtures = fixtureFiles().filter(({ bytes }) => bytes !== null);
    const change = fc.tuple(
      fc.nat(),
      fc.nat(255),
      fc.constantFrom('set', 'insert', 'delete', 'cut'),
    );
    let read = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        ({ bytes, fileName }, changes) => {
          try {
            const file = fileName.endsWith('.xlsx')
              ? spoiltBook(bytes!, changes)
              : spoilt(bytes!, changes);
            const { decided } = readPayouts(openFile(file, fileName));
            for (const { cells } of decided.rows) {
              checkAmount(cells.amount.source, cells.amount, decided.amountConvention !== null);
              checkIban(cells.iban.source, cells.iban);
              read += 1;
            }
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
        },
      ),
      { numRuns: FILES },
    );
    expect(read).toBeGreaterThan(0);
  },
);

type Change = readonly [place: number, byte: number, how: string];

/** A workbook whose sheet or texts are spoilt; the ZIP file around them is whole. */
function spoiltBook(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  const book = unpack(bytes);
  const parts = new Map(
    book.names.map((name): [string, string | Uint8Array] => [name, book.read(name)!]),
  );
  const part = ['xl/worksheets/sheet1.xml', 'xl/sharedstrings.xml'][changes.length % 2]!;
  parts.set(part, spoilt(Buffer.from(parts.get(part)!), changes));
  return zip(parts);
}

function spoilt(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  const result = [...bytes];
  for (const [place, byte, how] of changes) {
    const at = place % Math.max(1, result.length);
    if (how === 'set') result[at] = byte;
    else if (how === 'insert') result.splice(at, 0, byte);
    else if (how === 'delete') result.splice(at, 1);
    else if (byte < 40) result.length = at;
  }
  return Uint8Array.from(result);
}
