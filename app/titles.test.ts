import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * The framework draws a page's title by itself: what draws every other text of ours
 * (`components/drawn.ts`) never sees it.
 */

const TITLE = /generateMetadata[^]*?\n}\n/;
/** A name that somebody gave, and neither a word of ours nor a number. */
const GIVEN = /\b\w+\.(?:name|description|reference|payee|sender)\b/g;

test('a name in the title of a page stands there with its hidden marks of direction written out', () => {
  const named = globSync('app/**/page.tsx').flatMap((path) =>
    [...(TITLE.exec(readFileSync(path, 'utf8'))?.[0] ?? '').matchAll(GIVEN)].map(
      ({ 0: name, index, input }) => ({ path, name, before: input.slice(0, index) }),
    ),
  );
  expect(named.length).toBeGreaterThan(2);
  for (const { path, name, before } of named)
    expect(before, `${name} in ${path}`).toMatch(/drawnText\($/);
});
