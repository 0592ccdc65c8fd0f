import { readFileSync, readdirSync } from 'node:fs';

/**
 * GET /sandbox/coverage: the rows of the contracts and the tests that prove each row. The rows are
 * the data files in coverage/, one per contract. A test names the rows that it proves in its own
 * title: "refuses it [paySmart2D: 13, hash]". `fields`, `rules`, `codes` and `events` stand for
 * all rows of that kind, `required` and `optional` for fields of a request.
 * testing/check-touches.ts checks, while the tests run, that each test really meets the rows it
 * names.
 */

/** How sure a row is: stated in a contract, published elsewhere, or assumed by this project. */
const SOURCES = ['contract', 'published', 'published-weak', 'assumed'] as const;
type Source = (typeof SOURCES)[number];
const KINDS = { fields: 'field', rules: 'rule', codes: 'code', events: 'event' } as const;
type Plural = keyof typeof KINDS;

export type CoverageRow = {
  area: string;
  operation: string;
  kind: 'operation' | (typeof KINDS)[Plural];
  item: string;
  says: string;
  source: Source;
  implemented: boolean;
  /** "file: title" of each test that names this row. */
  tests: string[];
};

/**
 * Each value is the description of a row; a source in brackets at its end overrides that of the
 * operation. `missing`: the operation is not built yet.
 */
export type OperationData = {
  operation: string;
  path?: string;
  source: Source;
  missing?: true;
} & Partial<Record<Plural, Record<string, string>>>;
export type ContractData = { area: string; operations: OperationData[] };

const FOLDER = new URL('./coverage/', import.meta.url);
const HERE = new URL('./', import.meta.url);
/**
 * The words in a tag that stand for several rows: all rows of a kind, or the required or optional
 * fields of a request.
 */
const WIDE: Readonly<Record<string, (row: Pick<CoverageRow, 'kind' | 'says'>) => boolean>> = {
  ...Object.fromEntries(
    Object.entries(KINDS).map(([plural, kind]) => [
      plural,
      (row: Pick<CoverageRow, 'kind'>) => row.kind === kind,
    ]),
  ),
  required: (row) => row.kind === 'field' && row.says.startsWith('y '),
  optional: (row) => row.kind === 'field' && row.says.startsWith('n '),
};
const TAG = /\[([\w/., *()-]+): ([^\]]+)\]/g;
/** Matches the title of a test. The list of an `each` may end on a line of its own. */
const TITLE =
  /(?:\b(?:it|test)(?:\.skipIf\([^)]*\))?(?:\.each\([^\n]*\))?|^\s*\](?: as const)?\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm;

/** Removes the tags from a title, for people. */
export const withoutTags = (title: string): string => title.replaceAll(TAG, '').trim();

export const contractData = (): ContractData[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as ContractData);

/** `title`: the title in the source, with its tags and the placeholders of an `each`. */
export type Proof = { operation: string; item: string; test: string; file: string; title: string };

/**
 * Returns the proofs that the titles of the sandbox's tests claim. Empty in a container image,
 * which has no tests.
 */
export function proofs(): Proof[] {
  const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, HERE), 'utf8').matchAll(TITLE)].flatMap(([, , title = '']) =>
      [...title.matchAll(TAG)].flatMap(([, operations = '', items = '']) =>
        operations.split(', ').flatMap((operation) =>
          items.split(', ').map((item) => ({
            operation,
            item,
            test: `sandbox/${file}: ${withoutTags(title)}`,
            file: `sandbox/${file}`,
            title,
          })),
        ),
      ),
    ),
  );
}

function rowsOf(area: string, data: OperationData): CoverageRow[] {
  const base = { area, operation: data.operation, implemented: data.missing !== true };
  const rows: CoverageRow[] = [
    {
      ...base,
      kind: 'operation',
      item: data.operation,
      says: data.path ?? '',
      source: data.source,
      tests: [],
    },
  ];
  for (const [plural, kind] of Object.entries(KINDS) as [Plural, (typeof KINDS)[Plural]][])
    for (const [item, value] of Object.entries(data[plural] ?? {})) {
      const source = /\[([\w-]+)\]$/.exec(value)?.[1] as Source | undefined;
      rows.push({
        ...base,
        kind,
        item,
        says: value.replace(/\s*\[[\w-]+\]$/, ''),
        source: source !== undefined && SOURCES.includes(source) ? source : data.source,
        tests: [],
      });
    }
  return rows;
}

/** Whether a proof names its rows by a word that stands for several rows. */
export const isWide = (proof: Pick<Proof, 'item'>): boolean => Object.hasOwn(WIDE, proof.item);

export const proves = (proof: Pick<Proof, 'operation' | 'item'>, row: CoverageRow): boolean => {
  if (proof.operation !== row.operation && proof.operation !== '*') return false;
  return (
    row.kind === 'operation' || proof.item === row.item || (isWide(proof) && WIDE[proof.item]!(row))
  );
};

export type Coverage = {
  implemented: number;
  missing: number;
  proven: number;
  rows: CoverageRow[];
};

export function coverage(
  contracts = contractData(),
  known: Pick<Proof, 'operation' | 'item' | 'test'>[] = proofs(),
): Coverage {
  const rows: CoverageRow[] = [];
  for (const { area, operations } of contracts)
    for (const data of operations)
      for (const row of rowsOf(area, data))
        if (
          !rows.some(
            (one) =>
              one.area === area &&
              one.operation === row.operation &&
              one.kind === row.kind &&
              one.item === row.item,
          )
        )
          rows.push(row);
  for (const row of rows)
    row.tests = [
      ...new Set(known.filter((proof) => proves(proof, row)).map((proof) => proof.test)),
    ];
  const implemented = rows.filter((row) => row.implemented).length;
  return {
    implemented,
    missing: rows.length - implemented,
    proven: rows.filter((row) => row.tests.length > 0).length,
    rows,
  };
}
