/**
 * Checks that everything that comments and documents cite exists: files and folders of this
 * project, and the rules, steps and sections of docs/money-rules.md, whose rules are those that the
 * simulator prints.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const FOLDERS = [
  'app',
  'bench',
  'components',
  'demo',
  'docs',
  'e2e',
  'lib',
  'messages',
  'prisma',
  'sandbox',
  'scripts',
  'sim',
  '.github',
];
const GENERATED = 'lib/generated';
const CODE = /\.(ts|tsx|mjs|css|yml)$|^\.env\.example$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?:(?<=^|\s)\/\/|^\s*#).*$/gm;
/**
 * Matches a path. It ends in a known extension, so that the full stop of a sentence is not a part
 * of it.
 */
const PATH =
  /(?<![\w/.#@-])(?:app|bench|components|demo|docs|e2e|lib|messages|prisma|sandbox|scripts|sim)\/(?:[\w()[\].-]+\/)*[\w[\].-]+\.(?:tsx|ts|mjs|js|md|json|sql|css|prisma)\b/g;
const FOLDER =
  /^(?:app|bench|components|demo|docs|e2e|lib|messages|prisma|sandbox|scripts|sim)\/(?:[\w()[\].-]+\/)*$/;
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:tsx|ts|mjs|md|sql)$/;
const QUOTED = /`([^`\n]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const RULES_PAGE = 'docs/money-rules.md';
const RULES_TABLE = 'sim/violation.ts';
const RULE_CITED = /docs\/money-rules\.md, (?:([A-Z]\d{0,2})\b|step (\d+)|"([^"]+)")/g;
const RULE_ROW = /^\| ([A-Z]\d{0,2}) \|/gm;
const RULE_PRINTED = /^ {2}([A-Z]\d{0,2}): '/gm;

/** The files of a project by path. */
export type Project = {
  paths: ReadonlySet<string>;
  read(path: string): string;
  has(path: string): boolean;
};

export function checkCitations(root: string): string[] {
  const top = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  const paths = new Set([
    ...top,
    ...FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
      filesBelow(root, folder),
    ),
  ]);
  return citationProblems({
    paths,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => existsSync(join(root, path)),
  });
}

export function citationProblems(project: Project): string[] {
  const names = new Set([...project.paths].map((path) => basename(path)));
  const rules = `\n${project.paths.has(RULES_PAGE) ? project.read(RULES_PAGE) : ''}`;
  return [
    ...[...project.paths].flatMap((path) => {
      if (path.endsWith('.md')) return documentProblems(path, project.read(path), project, names);
      return CODE.test(path) ? commentProblems(path, project.read(path), project, rules) : [];
    }),
    ...ruleProblems(rules, project.paths.has(RULES_TABLE) ? project.read(RULES_TABLE) : ''),
  ];
}

function commentProblems(path: string, text: string, project: Project, rules: string): string[] {
  const comments = text.match(COMMENT)?.join('\n') ?? '';
  const cited = [...comments.matchAll(RULE_CITED)].filter(
    ([, rule, step, section]) =>
      !rules.includes(section === undefined ? `\n| ${rule ?? step} |` : `\n## ${section}\n`),
  );
  return [
    ...missing(path, comments.match(PATH) ?? [], project),
    ...cited.map(([words]) => `${path}: ${words} is not there.`),
  ];
}

function documentProblems(
  path: string,
  text: string,
  project: Project,
  names: ReadonlySet<string>,
): string[] {
  const links = [...text.matchAll(LINK)]
    .map(([, target]) => target!.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
  const quoted = [...text.matchAll(QUOTED)].map(([, words]) => words!);
  return [
    ...missing(
      path,
      links.map((target) => normalize(join(dirname(path), target))),
      project,
    ),
    ...missing(
      path,
      quoted.flatMap((words) => (FOLDER.test(words) ? [words] : (words.match(PATH) ?? []))),
      project,
    ),
    ...quoted
      .filter((words) => FILE_NAME.test(words) && !names.has(words))
      .map((words) => `${path}: no file is called ${words}.`),
  ];
}

function missing(path: string, cited: readonly string[], project: Project): string[] {
  return [...new Set(cited)]
    .filter((target) => !project.has(target))
    .map((target) => `${path}: ${target} is not there.`);
}

function ruleProblems(page: string, table: string): string[] {
  const written = [...page.matchAll(RULE_ROW)].map(([, rule]) => rule!);
  const printed = [...table.matchAll(RULE_PRINTED)].map(([, rule]) => rule!);
  if (printed.length === 0) return [`${RULES_TABLE}: no rule was found.`];
  return [
    ...printed
      .filter((rule) => written.filter((one) => one === rule).length !== 1)
      .map((rule) => `${RULES_PAGE}: rule ${rule} of ${RULES_TABLE} needs one row.`),
    ...written
      .filter((rule) => !printed.includes(rule))
      .map((rule) => `${RULES_PAGE}: rule ${rule} is not in ${RULES_TABLE}.`),
  ];
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (path === GENERATED) return [];
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
