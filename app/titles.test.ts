import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Next.js renders page titles by itself, so that the JSX runtime that escapes direction characters
 * in every other text (`components/drawn.ts`) never sees a title.
 */

const TITLE = /generateMetadata[^]*?\n}\n/;
/** A value that a person entered, such as a name or a description. */
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
