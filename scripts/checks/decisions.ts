/**
 * Checks that the decisions are numbered without gaps and that the index lists each of them with
 * its title.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/decisions';
const INDEX = 'README.md';
const FILE = /^(\d{4})-[a-z0-9-]+\.md$/;
const ROW = /^\| (\d+) \| \[(.+)\]\((.+)\) \|$/gm;

export function checkDecisions(root: string): string[] {
  const names = readdirSync(join(root, FOLDER));
  return decisionProblems(
    Object.fromEntries(names.map((name) => [name, readFileSync(join(root, FOLDER, name), 'utf8')])),
  );
}

/** `files`: the texts of the folder's files by file name. */
export function decisionProblems(files: Record<string, string>): string[] {
  const pages = Object.keys(files)
    .filter((name) => name !== INDEX)
    .toSorted();
  if (pages.length === 0) return [`${FOLDER}: no decision was looked at.`];
  const rows = [...(files[INDEX] ?? '').matchAll(ROW)].map(([, number, title, page]) => ({
    number: number!,
    title: title!,
    page: page!,
  }));
  return [
    ...pages.flatMap((page, index) => pageProblems(page, files[page]!, index + 1, rows)),
    ...rows
      .filter(({ page }) => files[page] === undefined)
      .map(({ page }) => `${FOLDER}/${INDEX}: ${page} is not there.`),
  ];
}

function pageProblems(
  page: string,
  text: string,
  expected: number,
  rows: { number: string; title: string; page: string }[],
): string[] {
  const number = FILE.exec(page)?.[1];
  if (number === undefined)
    return [`${FOLDER}/${page}: a decision is called NNNN-what-was-decided.md.`];
  if (Number(number) !== expected)
    return [
      `${FOLDER}/${page}: the next number is ${expected}; numbers have no gaps and are used once.`,
    ];
  const [, title] = /^# \d+\. (.+)\n/.exec(text) ?? [];
  if (title === undefined || !text.startsWith(`# ${expected}. `))
    return [`${FOLDER}/${page}: its first line is "# ${expected}. What was decided".`];
  const found = rows.filter((row) => row.page === page);
  if (found.length === 1 && found[0]!.number === String(expected) && found[0]!.title === title)
    return [];
  return [`${FOLDER}/${INDEX}: one row has to be "| ${expected} | [${title}](${page}) |".`];
}
