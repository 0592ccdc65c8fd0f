import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exitsPage, exitVerbs, statesWithoutExit } from './exits-page.ts';

const ROOT = dirname(import.meta.dirname);

test('every state of every kind that is not final has a step out of it', () => {
  expect(statesWithoutExit()).toEqual([]);
});

test('docs/exits.md says what the code says; `node sim/exits.ts` writes it', () => {
  expect(readFileSync(join(ROOT, 'docs/exits.md'), 'utf8')).toBe(exitsPage());
});

test('every step is a function that the product exports', () => {
  const files = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('generated'),
  );
  const text = files.map((file) => readFileSync(join(ROOT, 'lib', file), 'utf8')).join('\n');
  expect(
    exitVerbs().filter((verb) => !new RegExp(`export (async )?function ${verb}\\b`).test(text)),
  ).toEqual([]);
});
