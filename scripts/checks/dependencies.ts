/**
 * Checks the policy for packages (docs/dependencies.md): a few packages of exact versions, each
 * with its reason and licence; no package runs an install script that nobody has reviewed; the lock
 * file has a hash of each package.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RUNTIME_MAX = 34;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;
/**
 * The licences that allow us to use a package and to distribute it unchanged, as a separate
 * package.
 */
const LICENCES = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Unlicense',
  'Apache-2.0',
  'CC-BY-4.0',
  'MPL-2.0',
  'EPL-2.0',
  'LGPL-3.0-or-later',
  'Zlib',
];
/** This package names no licence in its package.json; its LICENSE file has the MIT licence. */
const LICENCE_IN_FILE = ['node_modules/seq-queue'];
/** Matches a row of the document: the package's name, the reason for it, and its licence. */
const NOTE = /^\| `([^`]+)` \| (.{10,}?) \| ([^|]+?) \|$/gm;

export type Manifest = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  hasInstallScript?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
};
export type Policy = {
  manifest: Manifest;
  locked: Record<string, Locked>;
  npmrc: string;
  notes: string;
};

export function checkDependencies(root: string): string[] {
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  return dependencyProblems({
    manifest: JSON.parse(read('package.json')) as Manifest,
    locked: lock.packages,
    npmrc: read('.npmrc'),
    notes: read('docs/dependencies.md'),
  });
}

export function dependencyProblems({ manifest, locked, npmrc, notes }: Policy): string[] {
  const direct = { ...manifest.dependencies, ...manifest.devDependencies };
  const count = Object.keys(manifest.dependencies).length;
  return [
    ...(count > RUNTIME_MAX
      ? [`package.json: ${count} run-time dependencies; ${RUNTIME_MAX} are the most.`]
      : []),
    ...(/^save-exact=true$/m.test(npmrc) ? [] : ['.npmrc: save-exact=true is missing.']),
    ...Object.entries(direct)
      .filter(([, version]) => !EXACT.test(version))
      .map(
        ([name, version]) =>
          `package.json: ${name} is asked for as "${version}"; one exact version.`,
      ),
    ...noteProblems(direct, locked, notes),
    ...Object.entries(locked)
      .filter(([path]) => path !== '')
      .flatMap(([path, entry]) => lockedProblems(path, entry, manifest.allowScripts)),
    ...Object.keys(manifest.allowScripts)
      .filter((name) => locked[`node_modules/${name}`] === undefined)
      .map((name) => `package.json: allowScripts names ${name}, which is not installed.`),
  ];
}

function noteProblems(
  direct: Record<string, string>,
  locked: Record<string, Locked>,
  notes: string,
): string[] {
  const noted = new Map([...notes.matchAll(NOTE)].map(([, name, , licence]) => [name!, licence!]));
  return [
    ...Object.keys(direct)
      .filter((name) => !noted.has(name))
      .map((name) => `docs/dependencies.md does not say why ${name} is here.`),
    ...[...noted.keys()]
      .filter((name) => direct[name] === undefined)
      .map((name) => `docs/dependencies.md speaks of ${name}, which is not a dependency.`),
    ...[...noted]
      .filter(
        ([name, licence]) =>
          direct[name] !== undefined && locked[`node_modules/${name}`]?.license !== licence,
      )
      .map(
        ([name]) => `docs/dependencies.md names another licence for ${name} than the package does.`,
      ),
  ];
}

function lockedProblems(
  path: string,
  entry: Locked,
  allowScripts: Record<string, boolean>,
): string[] {
  const name = path.replace(/^.*node_modules\//, '');
  const problems: string[] = [];
  // A package for another system or processor may have no hash (scripts/complete-lock.ts); every
  // package that is installed here must have one.
  const isElsewhere =
    entry.optional === true &&
    (entry.os !== undefined || entry.cpu !== undefined) &&
    entry.resolved === undefined;
  if (!(entry.integrity === undefined ? isElsewhere : INTEGRITY.test(entry.integrity)))
    problems.push(`package-lock.json: ${path} has no SHA-512 of its bytes.`);
  if (entry.resolved !== undefined)
    problems.push(
      `package-lock.json: ${path} says where to take it from; that is the installer's registry.`,
    );
  if (entry.hasInstallScript === true && allowScripts[name] === undefined)
    problems.push(
      `package.json: ${name} has an install script; allowScripts says whether it may run.`,
    );
  const licences = entry.license?.replace(/[()]/g, '').split(/ (?:and|or) /i) ?? [];
  if (
    entry.license === undefined
      ? !isElsewhere && !LICENCE_IN_FILE.includes(path)
      : !licences.every((one) => LICENCES.includes(one))
  )
    problems.push(
      `package-lock.json: ${path} has the licence ${entry.license ?? '(none)'}, which nobody has looked at.`,
    );
  return problems;
}
