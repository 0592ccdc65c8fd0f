/** 10,000 invented rows of seven columns, the same at every start. */
export type Row = {
  id: string;
  name: string;
  status: string;
  amount: number;
  created: string;
  iban: string;
  reference: string;
};
export const COLUMNS = [
  'id',
  'name',
  'status',
  'amount',
  'created',
  'iban',
  'reference',
] as const satisfies readonly (keyof Row)[];

export const PAGE_ROWS = 25;
const COUNT = 10_000;
const STATUSES = ['done', 'pending', 'failed', 'returned'];

export type Asked = { offset: number; sort: keyof Row | ''; text: string };
export type Found = { total: number; rows: Row[] };

let all: Row[] | undefined;

export function findRows({ offset, sort, text }: Asked): Found {
  all ??= Array.from({ length: COUNT }, (_, n) => makeRow(n));
  const matching =
    text === '' ? all : all.filter((row) => row.id.includes(text) || row.name.includes(text));
  const sorted =
    sort === ''
      ? matching
      : matching.toSorted((a, b) => (a[sort] < b[sort] ? -1 : a[sort] > b[sort] ? 1 : 0));
  return { total: sorted.length, rows: sorted.slice(offset, offset + PAGE_ROWS) };
}

export function readAsked(params: URLSearchParams): Asked {
  const sort = COLUMNS.find((column) => column === params.get('sort')) ?? '';
  return { offset: Number(params.get('offset') ?? 0), sort, text: params.get('text') ?? '' };
}

function makeRow(n: number): Row {
  const scattered = Math.imul(n + 1, 2_654_435_761) >>> 0;
  return {
    id: `tr_${100_000 + n}`,
    name: `Merchant ${scattered % 5_000}`,
    status: STATUSES[scattered % STATUSES.length]!,
    amount: (scattered % 1_000_000) / 100,
    created: new Date(1_790_000_000_000 - n * 600_000).toISOString(),
    iban: `TR${String(scattered).padStart(24, '0')}`,
    reference: scattered.toString(36),
  };
}
