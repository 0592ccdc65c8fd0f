/**
 * Checks the house rules that no other tool checks. Each problem is one line that names the file
 * and what to do.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { missingEntries, readLockFile } from '../complete-lock.ts';
import { checkCitations } from './citations.ts';
import { checkDecisions } from './decisions.ts';
import { checkDependencies } from './dependencies.ts';
import { FUNCTION_MAX, LINE_MAX, longFunctionsOf, longLinesOf } from './figures.ts';
import { checkMessageKeys } from './message-keys.ts';
import { checkMessages } from './messages.ts';
import { checkMigrations } from './migrations.ts';
import { checkProofs } from './proofs.ts';
import { oneCheck, type Outcome } from './outcome.ts';

const MAX_LINES = 400;
const FOLDERS = [
  'app',
  'components',
  'lib',
  'sandbox',
  'demo',
  'scripts',
  'prisma',
  'e2e',
  'sim',
  'bench',
  'messages',
];
const NOT_OURS = ['lib/generated'];
/** Names that do not say what a file contains; a noun or a verb of the business says more. */
const VAGUE = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared', 'services'];
/** Matches the markers of unfinished work; written so that it does not match itself. */
const MARKERS = /\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\b/;
const SOURCE = /\.(ts|tsx|mjs|css)$/;
const TEST = /\.(test|spec)\.tsx?$/;
const RE_EXPORT = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*\sfrom\s[^;]*;/gm;

export async function checkTidy(root: string): Promise<Outcome> {
  const files = ourFiles(root);
  if (files.length === 0) return oneCheck('No file was looked at.');
  const incomplete = Object.keys(missingEntries(readLockFile()));
  return oneCheck([
    ...files.flatMap((file) => problemsOf(file, readFileSync(join(root, file), 'utf8'))),
    ...checkMessages(root),
    ...checkMessageKeys(root),
    ...checkDependencies(root),
    ...checkProofs(root),
    ...checkDecisions(root),
    ...checkMigrations(root),
    ...checkCitations(root),
    ...(incomplete.length === 0
      ? []
      : [
          `package-lock.json lacks ${incomplete.length} packages of other machines: run node scripts/complete-lock.ts`,
        ]),
  ]);
}

/** Returns every file of ours below `root`, by its path from there. */
export function ourFiles(root: string): string[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => [
    ...filesBelow(root, folder),
  ]);
}

/** Returns the problems of one file, by its path in the project and its text. */
export function problemsOf(file: string, text: string): string[] {
  const problems: string[] = [];
  const vague = file.split('/').find((part) => VAGUE.includes(part.replace(/\..*$/, '')));
  // Message files are named after their texts: one may be called `common` because its texts are
  // common to several screens.
  if (vague !== undefined && !file.startsWith('messages/'))
    problems.push(
      `${file}: "${vague}" says nothing about what is in it; name the noun or the verb.`,
    );
  if (!SOURCE.test(file)) return problems;
  const lines = text.split('\n');
  if (lines.length - 1 > MAX_LINES && !TEST.test(file))
    problems.push(`${file}: ${lines.length - 1} lines; over ${MAX_LINES} a file hides two things.`);
  lines.forEach((line, index) => {
    if (MARKERS.test(line))
      problems.push(`${file}:${index + 1}: a leftover marker; do it, or say in words why not.`);
  });
  problems.push(
    ...longLinesOf(file, text).map((line) => `${line}: over ${LINE_MAX} characters; break it.`),
    ...longFunctionsOf(file, text).map(
      (place) => `${place}: a function over ${FUNCTION_MAX} lines; split it by meaning.`,
    ),
  );
  if (/^lib\/[^/]+\.tsx?$/.test(file))
    problems.push(`${file}: lib/ has rooms and no loose files; put it into one.`);
  if (!/^[a-z0-9[\]().-]+$/.test(basename(file)))
    problems.push(`${file}: file names are kebab-case.`);
  if (readsAuditLog(file, text))
    problems.push(
      `${file}: the audit log is written, never read to decide; keep what a verb decides on in a table of its own.`,
    );
  if (isBarrel(file, text))
    problems.push(`${file}: only passes on what others export; import it from where it is.`);
  if (
    file.startsWith('lib/') &&
    /^import 'server-only';$/m.test(text) &&
    lines[0] !== "import 'server-only';"
  )
    problems.push(`${file}: \`import 'server-only'\` is the first line.`);
  return problems;
}

/**
 * The files that may read the audit log: its own pages and its hash chain, and the code that checks
 * whether the database holds the chain's newest entry.
 */
const AUDIT_READERS =
  /^lib\/(audit\/|testing\/|movements\/checkpoint-held\.ts$|send-control\/recovery\/(begin|keep-checkpoint)\.ts$)/;

function readsAuditLog(file: string, text: string): boolean {
  return (
    /^(lib|app)\//.test(file) &&
    !TEST.test(file) &&
    !AUDIT_READERS.test(file) &&
    /\baudit_entries\b|\baudit_personal\b/.test(text)
  );
}

function isBarrel(file: string, text: string): boolean {
  if (/(^|\/)index\.tsx?$/.test(file)) return true;
  if (!file.endsWith('.ts') || !RE_EXPORT.test(text)) return false;
  RE_EXPORT.lastIndex = 0;
  const rest = text
    .replace(RE_EXPORT, '')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/^import [^;]*;$/gm, '');
  return rest.trim() === '';
}

function* filesBelow(root: string, folder: string): Generator<string> {
  if (NOT_OURS.includes(folder)) return;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}
