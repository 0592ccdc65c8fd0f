import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../processes.ts';
import { findUnused } from './static.ts';

const USED = 'export const used = 1;\nexport type Used = number;\n';

function project(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'unused-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = {
    'package.json': '{ "type": "module" }',
    '.knip.jsonc':
      '{ "entry": ["main.ts"], "include": ["files", "exports", "types"], ' +
      '"ignoreExportsUsedInFile": true, "treatConfigHintsAsErrors": true }',
    'main.ts': "import { used, type Used } from './parts.ts';\nconsole.log(used satisfies Used);\n",
    'parts.ts': USED,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test('a project whose files and exports are all used is not complained about', async () => {
  expect(await findUnused(project({}))).toBe('');
});

test.each<[string, Record<string, string>, string]>([
  ['an export', { 'parts.ts': `${USED}export const nobodys = 2;\n` }, 'nobodys'],
  ['a type', { 'parts.ts': `${USED}export type Nobodys = string;\n` }, 'Nobodys'],
  ['a file', { 'alone.ts': 'export {};\n' }, 'alone.ts'],
])('%s that nobody uses is named', async (_what, files, message) => {
  expect(await findUnused(project(files))).toContain(message);
});

test('a pattern of the configuration that matches no file is not taken for a clean bill', async () => {
  const config = '{ "entry": ["main.ts", "gone/*.ts"], "treatConfigHintsAsErrors": true }';
  expect(await findUnused(project({ '.knip.jsonc': config }))).toContain('gone/*.ts');
});
