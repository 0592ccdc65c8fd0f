/**
 * Checks that every test that a coverage row is linked to ran and met that row: `node
 * sandbox/testing/check-touches.ts <folder> [all]` reads the records that record-touches.ts wrote
 * there, prints each link whose test did not meet the row, and ends with 1 when there is one.
 * Without `all`, only the links of test files that ran are checked.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { contractData, coverage, isWide, proofs, proves, withoutTags } from '../coverage.ts';
import type { CoverageRow, Proof } from '../coverage.ts';

/** One line of a record. `test`: the title at run time, after the titles of its describe blocks. */
export type Meeting = { file: string; test: string; operation: string; kind: string; item: string };
type Instance = { test: string; met: Set<string> };

/** Codes that the contract lists for one operation and that another operation answers with. */
const TOLD_BY: Readonly<Record<string, string>> = {
  'BusinessToPersonalTransfer 312': 'SummaryRecordByFilter',
  'BusinessToBusinessTransfer 312': 'SummaryRecordByFilter',
  'TransferToVirement 312': 'SummaryRecordByFilter',
};
/**
 * A row whose description matches has no other cause in the sandbox than an invoice id that selects
 * the code.
 */
const BY_INVOICE_ID = /invoice id$/;

const key = (operation: string, kind: string, item: string): string =>
  `${operation}\t${kind}\t${item}`;

function instancesOf(meetings: readonly Meeting[]): Map<string, Instance[]> {
  const files = new Map<string, Map<string, Instance>>();
  for (const { file, test, operation, kind, item } of meetings) {
    const tests = files.get(file) ?? files.set(file, new Map()).get(file)!;
    const instance = tests.get(test) ?? tests.set(test, { test, met: new Set() }).get(test)!;
    instance.met.add(key(operation, kind, item));
  }
  return new Map([...files].map(([file, tests]) => [file, [...tests.values()]]));
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * Matches the run-time titles of a title in the source: `$name`, `%s` and `${…}` match any text.
 */
function runTimeTitle(source: string): RegExp {
  const parts = source
    .replace(/\\(['"`])/g, '$1')
    .split(/\$\{[^}]*\}|\$[A-Za-z_][\w.]*|%[sdifjoO#$]/);
  return new RegExp(`(?:^| > )${parts.map(literal).join('[\\s\\S]*')}$`);
}

const namesItem = (test: string, item: string): boolean =>
  new RegExp(`(?<![\\w-])${literal(item)}(?![\\w-])`).test(withoutTags(test));

/**
 * Whether a test met a row. A test that names all fields or codes of a request by one word must run
 * once for each of them, with the name in its run-time title.
 */
function meets(
  { test, met }: Instance,
  row: CoverageRow,
  wide: boolean,
  isRequest: boolean,
): boolean {
  const asked = met.has(key(row.operation, 'operation', row.operation));
  if (row.kind === 'operation' || row.kind === 'rule') return asked;
  const teller =
    row.kind === 'code'
      ? (TOLD_BY[`${row.operation} ${row.item}`] ?? row.operation)
      : row.operation;
  const kinds =
    row.kind === 'code' && BY_INVOICE_ID.test(row.says) ? ['code', 'asked code'] : [row.kind];
  return (
    asked &&
    kinds.some((kind) => met.has(key(teller, kind, row.item))) &&
    (!wide || !isRequest || namesItem(test, row.item))
  );
}

/** Returns a sentence for each link whose test did not run or did not meet its row. */
export function unmet(
  rows: readonly CoverageRow[],
  links: readonly Proof[],
  meetings: readonly Meeting[],
  all: boolean,
): string[] {
  const files = instancesOf(meetings);
  const requests = new Set(
    rows
      .filter(
        (row) =>
          row.kind === 'operation' && /^(?:GET|POST)\b.* \/(?:card|wallet|login)\b/.test(row.says),
      )
      .map((row) => row.operation),
  );
  return links.flatMap((link) => {
    const ran = files.get(link.file);
    if (ran === undefined && !all) return [];
    const title = runTimeTitle(link.title);
    const instances = (ran ?? []).filter((one) => title.test(one.test));
    if (instances.length === 0)
      return [`${link.test}: linked to ${link.operation}, and it called nothing or did not run`];
    const wide = isWide(link);
    const missing = rows.filter(
      (row) =>
        proves(link, row) &&
        !instances.some((one) => meets(one, row, wide, requests.has(row.operation))),
    );
    return missing.map(
      (row) => `${link.test}: does not meet ${row.operation} ${row.kind} ${row.item}`,
    );
  });
}

function readMeetings(folder: string): Meeting[] {
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').trim().split('\n'),
  );
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [file = '', test = '', operation = '', kind = '', item = ''] = JSON.parse(
        line,
      ) as string[];
      return { file, test, operation, kind, item };
    });
}

if (import.meta.main) {
  const [folder = '', which] = process.argv.slice(2);
  const problems = [
    ...new Set(
      unmet(coverage(contractData(), []).rows, proofs(), readMeetings(folder), which === 'all'),
    ),
  ];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
