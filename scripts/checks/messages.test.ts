import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkMessages } from './messages.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'messages-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Returns the problems of a project with these message files, by `<language>/<file>.json`. */
function problemsOf(files: Record<string, object>): string[] {
  for (const [name, words] of Object.entries(files)) {
    const path = join(root, 'messages', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(words));
  }
  return checkMessages(root);
}

describe('the texts of both languages', () => {
  test('are the same files: one that a single language has is named', () => {
    expect(problemsOf({ 'tr/home.json': { a: 'x' }, 'en/home.json': { a: 'y' } })).toEqual([]);
    expect(problemsOf({ 'tr/empty.json': {} })).toEqual([
      expect.stringContaining('messages/en/empty.json is missing'),
    ]);
  });

  test('have the same keys: one that a single language has is named with its file', () => {
    expect(
      problemsOf({
        'tr/home.json': { titles: { a: 'x' } },
        'en/home.json': { titles: { a: 'y', b: 'z' } },
      }),
    ).toEqual([expect.stringContaining('messages/tr/home.json: titles.b is missing')]);
  });

  test('name the same placeholders', () => {
    expect(
      problemsOf({ 'tr/home.json': { a: '{name}' }, 'en/home.json': { a: 'nobody' } }),
    ).toEqual([expect.stringContaining('messages/en/home.json: a does not say {name}')]);
  });
});
