import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('no server component draws an SVG: the server would stream into the middle of it', () => {
  const files = globSync('{app,components}/**/*.tsx').filter((path) => !path.includes('.test.'));
  const drawing = files.filter((path) => /<svg\b/.test(readFileSync(path, 'utf8')));
  expect(drawing.length).toBeGreaterThan(3);
  expect(drawing.filter((path) => !readFileSync(path, 'utf8').startsWith("'use client'"))).toEqual(
    [],
  );
});
