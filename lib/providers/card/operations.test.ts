import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { sectionsOf, tablesOf } from '../../../sandbox/testing/contract-tables.ts';
import { createLoginClient } from '../login/client.ts';
import { createCardClient } from './client.ts';

/**
 * Compares docs/card-operations.md with the code: each operation in the coverage of the two
 * contracts, the function that implements it, and the page or process that uses it.
 */

const ROOT = new URL('../../../', import.meta.url).pathname;

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const quoted = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const [operations, namedOnly] = tablesOf(text('docs/card-operations.md'));
const rows = operations!.rows.map(([operation, verbs, users]) => ({
  operation: quoted(operation!)[0]!,
  verbs: quoted(verbs!),
  files: quoted(users!),
}));

/**
 * All source files that a file runs: the file itself and, recursively, those of its imports that
 * are our own modules. Type-only imports do not exist at run time.
 */
function reachedFrom(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, , target] of text(path).matchAll(
    /^(?:import|export) (?!type\b)([^;]*?from )?'([^']+)';/gm,
  )) {
    const found = target!.startsWith('#')
      ? target!.slice(1)
      : target!.startsWith('.')
        ? join(dirname(path), target!)
        : null;
    if (found !== null && /\.tsx?$/.test(found) && !found.startsWith('lib/generated/'))
      reachedFrom(found, seen);
  }
  return seen;
}

const isCalled = (verb: string, path: string): boolean =>
  [...reachedFrom(path)].some(
    (file) => !file.startsWith('lib/providers/') && new RegExp(`\\.${verb}!?\\(`).test(text(file)),
  );

it('has every operation of the coverage', () => {
  type Coverage = { operations: { operation: string; path: string }[] };
  const wanted = ['card-gateway', 'merchant-login']
    .flatMap((file) => (JSON.parse(text(`sandbox/coverage/${file}.json`)) as Coverage).operations)
    .filter(({ path }) => /^(?:GET|POST)\b/.test(path))
    .map(({ operation }) => operation);
  expect(wanted.length).toBeGreaterThan(30);
  expect(rows.map((row) => row.operation).toSorted()).toEqual(wanted.toSorted());
});

it('has what the contract only names, each used by a row or a page', () => {
  const section = sectionsOf(text('docs/contracts/card-gateway.md')).find(
    ({ title }) => title === 'Operations named only',
  )!.text;
  const names = section
    .split('\n')
    .slice(1)
    .join(' ')
    .replace(/:.*$/s, '')
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  expect(names.length).toBeGreaterThan(15);
  expect(namedOnly!.rows.map(([name]) => name)).toEqual(names);
  const unknown = namedOnly!.rows
    .flatMap(([, users]) => quoted(users!))
    .filter((one) => !rows.some((row) => row.operation === one) && !existsSync(join(ROOT, one)));
  expect(unknown).toEqual([]);
});

it('has every verb of the two clients', () => {
  const card = createCardClient({
    baseUrl: 'https://card.example',
    appId: 'app',
    appSecret: 'secret',
    merchantKey: 'key',
    fieldPrefix: 'svc_',
    entry: 'off',
  });
  const login = createLoginClient({ baseUrl: 'https://login.example' });
  const verbs = [...Object.keys(card), ...Object.keys(login)];
  expect(verbs.length).toBeGreaterThan(30);
  expect([...new Set(rows.flatMap((row) => row.verbs))].toSorted()).toEqual(verbs.toSorted());
});

it('names screens and processes that are there and call the verb', () => {
  const without = rows.filter((row) => row.files.length === 0);
  expect(without.map((row) => row.operation)).toEqual([]);
  const named = rows.flatMap((row) => row.files.map((file) => ({ file, row })));
  expect(named.filter(({ file }) => !existsSync(join(ROOT, file))).map(({ file }) => file)).toEqual(
    [],
  );
  // A row may name both a page and its entry point. One of the named files must call each function
  // of the row, and each named file must call one of these functions.
  expect(
    rows.flatMap((row) =>
      row.verbs.filter((verb) => !row.files.some((file) => isCalled(verb, file))),
    ),
  ).toEqual([]);
  expect(
    named
      .filter(({ file, row }) => !row.verbs.some((verb) => isCalled(verb, file)))
      .map(({ file, row }) => `${row.operation}: ${file}`),
  ).toEqual([]);
});
