import type { Field } from '../headings.ts';
import type { Delimiter, Encoding } from '../source.ts';
import type { LeftReason } from '../table.ts';
import { A, SCENARIOS } from './scenarios.ts';
import type { CellSpec, Scenario } from './scenarios.ts';
import { delimited, encoded } from './text-file.ts';
import type { TestEncoding } from './text-file.ts';
import { workbook } from './workbook.ts';
import type { TestCell } from './workbook.ts';

/** Makes payouts files of every kind, each with what must be read from it. */

export type Fixture = {
  name: string;
  /** Null for a paste, which is `text`. */
  bytes: Uint8Array | null;
  text: string;
  fileName: string;
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  /** The column of each field; a file without headings has only those that its cells prove. */
  columns: Partial<Record<Field, number>>;
  rows: { number: number; decisions: Partial<Record<Field, string>> }[];
  left: [row: number, why: LeftReason][];
  said: string[];
};

type TextContainer = { encoding: TestEncoding | 'paste'; delimiter: Delimiter; extension: string };
type Container = { name: string; text?: TextContainer; inline?: boolean };

const CONTAINERS: readonly Container[] = [
  { name: 'workbook' },
  { name: 'workbook with inline texts', inline: true },
  ...(
    [
      ['windows-1254', ';', 'csv'],
      ['utf-8-bom', ';', 'csv'],
      ['utf-8', ',', 'csv'],
      ['utf-8', ';', 'txt'],
      ['utf-16le', '\t', 'txt'],
      ['utf-16be', '\t', 'txt'],
      ['windows-1254', '\t', 'tsv'],
      ['utf-8', '|', 'txt'],
      ['paste', '\t', ''],
    ] as const
  ).map(([encoding, delimiter, extension]) => ({
    name: `${encoding} with ${JSON.stringify(delimiter)}`,
    text: { encoding, delimiter, extension },
  })),
];

type Layout = {
  name: string;
  headings: Record<Field, string> | null;
  /** Columns that are no field, before and behind the others. */
  decoys?: [before: string, behind: string];
  titles?: boolean;
  groups?: boolean;
  disturbed?: boolean;
};

const TURKISH: Record<Field, string> = {
  ...{ iban: 'IBAN', recipient: 'Takma Ad', name: 'Adı Soyadı', surname: 'Soyadı' },
  ...{ taxNumber: 'VKN/TCKN', phone: 'Cep Telefonu', amount: 'Tutar', currency: 'Para Birimi' },
  person: 'Cüzdan / Telefon',
  ...{ paymentType: 'Ödeme Türü', description: 'Açıklama', date: 'Ödeme Tarihi' },
};
const ENGLISH: Record<Field, string> = {
  ...{ iban: 'Account Number', recipient: 'Nickname', name: 'Recipient Name' },
  ...{ surname: 'Last Name', taxNumber: 'Tax ID', phone: 'Phone', amount: 'Amount' },
  ...{ currency: 'Currency', paymentType: 'Payment Type', description: 'Description' },
  date: 'Due Date',
  person: 'Wallet / Phone',
};
const LOUD: Record<Field, string> = {
  ...{ iban: 'ALICI IBAN NO:', recipient: 'KISA ADI', name: 'ALICI ÜNVANI' },
  ...{
    surname: 'SOYİSİM',
    taxNumber: 'T.C. KİMLİK NO',
    phone: 'GSM NO',
    person: 'CÜZDAN NO',
    amount: 'ÖDENECEK TUTAR (TL)',
  },
  ...{ currency: 'DÖVİZ CİNSİ', paymentType: 'ÖDEME AMACI', description: 'AÇIKLAMASI *' },
  date: 'VADE TARİHİ',
};
const BOTH = Object.fromEntries(
  Object.entries(TURKISH).map(([field, word]) => [field, `${word} / ${ENGLISH[field as Field]}`]),
) as Record<Field, string>;
const BROKEN_LINES = Object.fromEntries(
  Object.entries(LOUD).map(([field, word]) => [field, word.replace(' ', '\n')]),
) as Record<Field, string>;

const LAYOUTS: readonly Layout[] = [
  { name: 'Turkish headings', headings: TURKISH, decoys: ['Sıra', 'Banka'] },
  { name: 'English headings below a title', headings: ENGLISH, titles: true },
  { name: 'headings in both languages', headings: BOTH, decoys: ['#', 'Şube'] },
  { name: 'loud headings, a total and empty lines', headings: LOUD, disturbed: true },
  { name: 'two lines of headings', headings: TURKISH, groups: true },
  { name: 'headings with line breaks', headings: BROKEN_LINES, decoys: ['No', 'Durum'] },
  { name: 'no headings', headings: null },
];

/** Every scenario in every container that can hold it, each in two or more layouts. */
export function fixtureFiles(): Fixture[] {
  const fixtures: Fixture[] = [];
  SCENARIOS.forEach((scenario, at) => {
    CONTAINERS.forEach((container, turn) => {
      if (scenario.only === 'workbook' && container.text !== undefined) return;
      if (scenario.unicode && container.text?.encoding === 'windows-1254') return;
      const layouts = LAYOUTS.filter(({ headings }) => headings !== null || scenario.provable);
      for (const step of [0, 3]) {
        const layout = layouts[(at + turn + step) % layouts.length]!;
        fixtures.push(fixtureOf(scenario, container, layout, at + turn));
      }
    });
  });
  return fixtures;
}

type Line = { texts: string[]; cells: TestCell[] };

function fixtureOf(
  scenario: Scenario,
  container: Container,
  layout: Layout,
  turn: number,
): Fixture {
  const { fields, order } = arranged(scenario, layout, turn);
  const inBook = container.text === undefined;
  const lines: Line[] = [];
  const left: Fixture['left'] = [];
  const merged: string[] = [];
  const put = (line: Line, why?: LeftReason): number => {
    const number = lines.push(line);
    if (why !== undefined) left.push([number, why]);
    return number;
  };
  const width = order.length;
  if (layout.titles) {
    put(plainLine(['Kasım ödemeleri listesi']), 'above');
    put(plainLine([]));
  }
  if (layout.groups && inBook && width > 2)
    merged.push(`A${lines.length + 1}:B${lines.length + 1}`);
  if (layout.groups)
    put(
      plainLine(order.map((_, at) => (at === 0 ? 'Kime' : at === 2 ? 'Ne kadar' : ''))),
      'heading',
    );
  const head = headLine(order, layout);
  if (head !== null) put(head, 'heading');

  const rows: Fixture['rows'] = [];
  scenario.rows.forEach((specs, at) => {
    if (layout.disturbed && at === 1) put(plainLine([]));
    if (layout.disturbed && at === 2 && head !== null) put(head, 'repeated_heading');
    const number = put(lineOf(order, specs, scenario, at));
    const entries = fields
      .filter((field) => field !== 'surname')
      .map((field) => {
        const spec = specs[scenario.fields.indexOf(field)]!;
        return [field, (inBook ? spec.inBook : undefined) ?? spec.decision];
      });
    rows.push({ number, decisions: Object.fromEntries(entries) });
  });
  const hiddenRows: number[] = [];
  if (layout.disturbed) {
    if (inBook) hiddenRows.push(put(lineOf(order, scenario.rows[0]!, scenario, 99), 'hidden'));
    put(plainLine(['GENEL TOPLAM', '', '9.999,99']), 'totals');
    put(plainLine([]));
    put(plainLine(['Hazırlayan: Muhasebe']), 'remark');
  }
  const columns = Object.fromEntries(
    order.flatMap((field, at) => (field === null ? [] : [[field, at]])),
  );
  const base = { columns, rows, left, ...fileOf(container, lines, merged, hiddenRows, layout) };
  return { ...base, name: `${scenario.name}; ${container.name}; ${layout.name}` };
}

/** The fields of a file and the order of its columns; null is a column that is no field. */
function arranged(
  scenario: Scenario,
  layout: Layout,
  turn: number,
): { fields: Field[]; order: (Field | null)[] } {
  const fields = [...scenario.fields];
  // A surname behind its name, in whatever order the others are.
  const shift = scenario.fields.includes('surname') ? 0 : turn % fields.length;
  const order = [...fields.slice(shift), ...fields.slice(0, shift)];
  return { fields, order: layout.decoys === undefined ? order : [null, ...order, null] };
}

function headLine(order: readonly (Field | null)[], { headings, decoys }: Layout): Line | null {
  if (headings === null) return null;
  return plainLine(
    order.map((field, at) => (field === null ? decoys![at === 0 ? 0 : 1] : headings[field])),
  );
}

function lineOf(
  order: readonly (Field | null)[],
  specs: readonly CellSpec[],
  scenario: Scenario,
  at: number,
): Line {
  const decoy = (column: number): CellSpec => ({
    text: column === 0 ? String(at + 1) : 'Ziraat Bankası',
    decision: '',
  });
  const cells = order.map((field, column) =>
    field === null ? decoy(column) : specs[scenario.fields.indexOf(field)]!,
  );
  return {
    texts: cells.map(({ text }) => text),
    cells: cells.map(({ text, book }) => book ?? (text === '' ? null : text)),
  };
}

function plainLine(texts: string[]): Line {
  return { texts, cells: texts.map((text) => (text === '' ? null : text)) };
}

function fileOf(
  { text: container, inline = false }: Container,
  lines: readonly Line[],
  merged: readonly string[],
  hiddenRows: readonly number[],
  layout: Layout,
): Pick<Fixture, 'bytes' | 'text' | 'fileName' | 'encoding' | 'delimiter' | 'said'> {
  const empty = lines.filter(({ texts, cells }) =>
    [...texts, ...cells].every((one) => !one),
  ).length;
  const said = [
    ...(layout.disturbed && container === undefined ? ['hidden_sheet', 'other_sheet'] : []),
    ...(empty > 0 ? ['empty_lines'] : []),
    ...(layout.groups ? ['two_line_headings'] : []),
    ...(layout.headings === null ? ['no_headings'] : []),
  ];
  if (container === undefined) {
    const others = [
      { name: 'Eski', state: 'hidden' as const, rows: [['IBAN'], [A]] },
      { name: 'Notlar', rows: [['Hatırla']] },
    ];
    const sheet = { name: 'Ödemeler', rows: lines.map(({ cells }) => cells), inline };
    const bytes = workbook({
      sheets: [{ ...sheet, merged, hiddenRows }, ...(layout.disturbed ? others : [])],
    });
    return { bytes, text: '', fileName: 'Ödemeler.xlsx', encoding: null, delimiter: null, said };
  }
  const { encoding, delimiter, extension } = container;
  const text = delimited(
    lines.map(({ texts }) => (texts.length === 0 ? [''] : texts)),
    delimiter,
  );
  const paste = encoding === 'paste';
  return {
    bytes: paste ? null : encoded(text, encoding),
    text,
    fileName: `odemeler.${extension}`,
    encoding: paste ? null : (encoding.replace('-bom', '') as Encoding),
    delimiter,
    said,
  };
}
