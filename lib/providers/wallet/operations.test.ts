import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tablesOf } from '../../../sandbox/testing/contract-tables.ts';
import { walletDemands } from '../../../sandbox/testing/wallet-demands.ts';
import { createWalletClient } from './client.ts';

/**
 * Compares docs/wallet-operations.md with the code: each operation of the contract, the function
 * that implements it, and the pages that use it.
 */

const text = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const [operations] = tablesOf(text('docs/wallet-operations.md'));
const quoted = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const rows = operations!.rows.map(([operation, verbs, screens]) => ({
  operation: quoted(operation!)[0]!,
  verbs: quoted(verbs!),
  screens: quoted(screens!),
}));
const root = new URL('../../../', import.meta.url).pathname;

it('has every operation of the contract, each with a screen', () => {
  const wanted = walletDemands(text('docs/contracts/wallet-service.md'))
    .filter((one) => one.kind === 'operation')
    .map((one) => one.item);
  expect(rows.map((row) => row.operation).toSorted()).toEqual(wanted.toSorted());
  expect(rows.filter((row) => row.screens.length === 0)).toEqual([]);
});

it('has every verb of the client, and each is called from beyond the client', () => {
  const verbs = Object.keys(
    createWalletClient({
      authUrl: 'https://auth.example',
      apiUrl: 'https://api.example',
      clientId: 'client',
      clientSecret: 'secret',
      scope: 'scope',
    }),
  );
  expect(verbs.length).toBeGreaterThan(10);
  expect([...new Set(rows.flatMap((row) => row.verbs))].toSorted()).toEqual(verbs.toSorted());
  const code = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/providers\/|generated\/|testing\/|\.test\./.test(path))
    .map((path) => text(path))
    .join('\n');
  expect(verbs.filter((verb) => !new RegExp(`\\.${verb}\\(`).test(code))).toEqual([]);
});

it('names screens that are there', () => {
  const isThere = (screen: string): boolean =>
    globSync(`app/**/page.tsx`, { cwd: root }).some(
      (path) =>
        `/${path
          .replace(/^app\//, '')
          .replace(/\([^)]*\)\//g, '')
          .replace(/\/?page\.tsx$/, '')}` === screen,
    );
  expect(
    [...new Set(rows.flatMap((row) => row.screens))].filter((screen) => !isThere(screen)),
  ).toEqual([]);
});
