/**
 * The figures of `npm run tidy`: the lengths of files, functions and lines, the casts beside
 * queries, and the files that ask for a movement kind by its name.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const LINE_MAX = 120;
export const FUNCTION_MAX = 70;

const TEST = /\.(test|spec)\.tsx?$|\/testing\/|\.samples\.ts$|-fixture\.ts$/;
const CODE = /\.(tsx?|mjs)$/;
const BREAKABLE = /\.(tsx?|mjs|js|css)$/;
/** A regular expression on a line of its own cannot be broken. */
const EXPRESSION = /^\s*(?:\w+: |const \w+ = |\.\w+\(|\(?)?\/\S.*\/[a-z]*[;,)]*( ?\w*.*)?$/;
/**
 * Matches the title of a test whose brackets name an operation, which a program reads from one
 * line.
 */
const TITLE = /^\s*(?:(?:it|test|describe)[.(].*)?['"`].*\[[^\]]+\]['"`],/;
const KIND_NAMES = [
  'payout',
  'transfer_person',
  'transfer_business',
  'transfer_own',
  'card_capture',
  'card_release',
  'card_refund',
  'cashout',
];
const KIND_QUESTIONS = [
  'isTransfer',
  'isCardOperation',
  'isCardGatewayKind',
  'CARD_BALANCE_PAYOUT',
];
/**
 * The places that may name a movement kind: the folders of one kind each, and the table of kinds.
 */
const KIND_HOMES =
  /^(lib|app)\/(payouts|transfers|cards)\/|^lib\/(movements\/(kinds|kind-sql)\.ts$|generated\/)/;

export type Figures = {
  lines: { median: number; p90: number; max: number; maxFile: string };
  longLines: string[];
  longFunctions: string[];
  doorCasts: string[];
  kindFiles: string[];
};

/**
 * Reads `files` (paths from `root`) and counts. Lines per file, casts and kinds are counted only in
 * the product: app, components and lib.
 */
export function figuresOf(root: string, files: readonly string[]): Figures {
  const sizes: { file: string; lines: number }[] = [];
  const found: Omit<Figures, 'lines'> = {
    longLines: [],
    longFunctions: [],
    doorCasts: [],
    kindFiles: [],
  };
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    found.longLines.push(...longLinesOf(file, text));
    found.longFunctions.push(...longFunctionsOf(file, text));
    if (!CODE.test(file) || TEST.test(file)) continue;
    const source = parsed(file, text);
    if (!/^(app|components|lib)\//.test(file)) continue;
    sizes.push({ file, lines: text.split('\n').length - 1 });
    if (/#lib\/runtime\/db\.ts/.test(text)) found.doorCasts.push(...castsOf(file, source));
    if (!KIND_HOMES.test(file) && asksForKind(source)) found.kindFiles.push(file);
  }
  sizes.sort((a, b) => a.lines - b.lines);
  const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))]?.lines ?? 0;
  const biggest = sizes.at(-1);
  return {
    lines: {
      median: at(0.5),
      p90: at(0.9),
      max: biggest?.lines ?? 0,
      maxFile: biggest?.file ?? '',
    },
    ...found,
  };
}

/** Returns `file:line` of each line that is over the limit and could be broken. */
export function longLinesOf(file: string, text: string): string[] {
  if (!BREAKABLE.test(file)) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > LINE_MAX && !EXPRESSION.test(line) && !(TEST.test(file) && TITLE.test(line))
        ? [`${file}:${index + 1}`]
        : [],
    );
}

/** Returns `file:line (lines)` of each function over the limit. Functions in tests may be long. */
export function longFunctionsOf(file: string, text: string): string[] {
  if (!CODE.test(file) || TEST.test(file)) return [];
  const source = parsed(file, text);
  const found: string[] = [];
  walk(source, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
    const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
    const lines = last - first + 1;
    if (lines > FUNCTION_MAX) found.push(`${file}:${first + 1} (${lines})`);
  });
  return found;
}

function parsed(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/**
 * Finds the casts in a file with queries: a cast there trusts a row instead of checking it. `as
 * const` is no cast of this kind.
 */
function castsOf(file: string, source: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(source, (node) => {
    if (!ts.isAsExpression(node) || node.type.getText() === 'const') return;
    found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
  });
  return found;
}

/**
 * Whether a file compares with the name of a movement kind, or calls a function that asks for one.
 */
function asksForKind(source: ts.SourceFile): boolean {
  let asks = false;
  walk(source, (node) => {
    if (ts.isIdentifier(node) && KIND_QUESTIONS.includes(node.text)) asks = true;
    if (!ts.isStringLiteral(node) || !KIND_NAMES.includes(node.text)) return;
    const { parent } = node;
    const compared =
      ts.isCaseClause(parent) ||
      (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()));
    if (compared) asks = true;
  });
  return asks;
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
