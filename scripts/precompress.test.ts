import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { precompress } from './precompress.ts';

test('texts of a build get smaller versions that unpack to the same bytes; nothing else does', async () => {
  const build = mkdtempSync(join(tmpdir(), 'build-'));
  onTestFinished(() => rmSync(build, { recursive: true }));
  const folder = join(build, 'static', 'chunks');
  mkdirSync(folder, { recursive: true });
  const text = 'console.log("Ödeme");\n'.repeat(200);
  writeFileSync(join(folder, 'a.js'), text);
  writeFileSync(join(folder, 'small.css'), 'a{}');
  writeFileSync(join(folder, 'font.woff2'), text);
  writeFileSync(join(build, 'server.js'), text);
  await precompress(build);
  expect(readdirSync(folder).sort()).toEqual([
    'a.js',
    'a.js.br',
    'a.js.gz',
    'font.woff2',
    'small.css',
  ]);
  expect(readdirSync(build).sort()).toEqual(['server.js', 'static']);
  const [br, gz] = ['br', 'gz'].map((ending) => readFileSync(join(folder, `a.js.${ending}`)));
  expect(brotliDecompressSync(br!).toString()).toBe(text);
  expect(gunzipSync(gz!).toString()).toBe(text);
});
