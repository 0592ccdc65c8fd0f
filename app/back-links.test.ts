import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The page of one record has a link to the list that the record is in. */

const BACK_LINK = /<BackLink href=/;
const BACK_BUTTON = /<LinkButton href="[\w/-]+"(?: look="ghost")?>\s*\{t\('(?:back|title)'\)\}/;

test('the page of a record has a link back to its list', () => {
  const pages = globSync('app/**/page.tsx').filter((path) => path.endsWith(']/page.tsx'));
  expect(pages.length).toBeGreaterThan(10);
  const without = pages.filter((path) => {
    const source = readFileSync(path, 'utf8');
    return !BACK_LINK.test(source) && !BACK_BUTTON.test(source);
  });
  expect(without).toEqual([]);
});
