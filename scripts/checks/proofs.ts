/**
 * Checks that the tables of faults and controls are complete and that every proof they name exists:
 * one row for each number, in order, each with a proof (`file` :: «title») or with what it waits
 * for and why.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TABLES: [file: string, rows: number][] = [
  ['docs/fault-matrix.md', 56],
  ['docs/security-controls.md', 38],
];
const ROW = /^\| (\d+) \|(.*)$/gm;
/**
 * Matches a table row with a finding of an attack on the product. A table may have any number of
 * findings, each with its proof.
 */
const FINDING_ROW = /^\| ([ACFV]\d+|section \d) \|(.*)$/gm;
const PROOF = /`([^`]+)` :: «([^»]+)»/g;
const WAITS = /\bwaits for [^,;|]+, because \S/;

export function checkProofs(root: string): string[] {
  const read = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  return TABLES.flatMap(([file, rows]) => proofProblems(file, read(file) ?? '', rows, read));
}

/** `read` returns a file's text by its path in the project, or undefined. */
export function proofProblems(
  file: string,
  table: string,
  rows: number,
  read: (path: string) => string | undefined,
): string[] {
  const found = [...table.matchAll(ROW)].map(([, number, text]) => ({
    number: Number(number),
    text: text!,
  }));
  const numbers = found.map(({ number }) => number);
  const wanted = Array.from({ length: rows }, (_, index) => index + 1);
  return [
    ...wanted
      .filter((number) => numbers.filter((one) => one === number).length !== 1)
      .map(
        (number) =>
          `${file}: row ${number} is there ${numbers.filter((one) => one === number).length} times.`,
      ),
    ...found
      .filter(({ number }) => !wanted.includes(number))
      .map(({ number }) => `${file}: there is no row ${number} to prove.`),
    ...found.flatMap(({ number, text }) => rowProblems(`${file}: row ${number}`, text, read)),
    ...[...table.matchAll(FINDING_ROW)].flatMap(([, finding, text]) =>
      rowProblems(`${file}: ${finding}`, text!, read),
    ),
  ];
}

function rowProblems(
  where: string,
  text: string,
  read: (path: string) => string | undefined,
): string[] {
  const proofs = [...text.matchAll(PROOF)].map(([, path, title]) => ({
    path: path!,
    title: title!,
  }));
  // A proof in a form that PROOF does not match would never be looked up, and a reader would trust
  // it.
  if (proofs.length !== (text.match(/::/g) ?? []).length)
    return [`${where} has a proof that cannot be read: \`file\` :: «title».`];
  if (proofs.length === 0)
    return WAITS.test(text) ? [] : [`${where} has neither a proof nor what it waits for, and why.`];
  return proofs.flatMap(({ path, title }) => {
    const source = read(path)?.replaceAll(String.raw`\'`, "'");
    if (source === undefined) return [`${where} names ${path}, which is not there.`];
    return [`'${title}'`, `"${title}"`, `\`${title}\``].some((literal) => source.includes(literal))
      ? []
      : [`${where}: ${path} has nothing called «${title}».`];
  });
}
