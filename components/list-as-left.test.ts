import { expect, it } from 'vitest';
import { listAsLeft } from './list-as-left.ts';

/** Where the link back to a list leads. */

const ORIGIN = 'http://localhost:3000';
const came = (...paths: string[]) => ({
  entries: () => paths.map((path) => ({ url: ORIGIN + path })),
  currentEntry: { index: paths.length - 1 },
});

it('a record leads back to its list as it was filtered', () => {
  const list = '/payouts?view=failed&q=kaya';
  expect(listAsLeft('/payouts', came('/', list, '/payouts/1'))).toBe(list);
  expect(listAsLeft('/payouts', came(list, '/payouts/1', '/payouts/2?tab=a'))).toBe(list);
  expect(listAsLeft('/payouts', came('/payouts?q=a', list, '/payouts/1')), 'the last').toBe(list);
  expect(listAsLeft('/payouts?q=a', came('/payouts', '/payouts/1')), 'also of none').toBe(
    '/payouts',
  );
});

it('before the browser has entered the record in its history, the list itself is found', () => {
  expect(listAsLeft('/payouts', came('/', '/payouts?q=kaya'))).toBe('/payouts?q=kaya');
});

it('who came from elsewhere, or has a browser without the history, gets the whole list', () => {
  const visitedBefore = came('/payouts?q=kaya', '/', '/payouts/1');
  expect(listAsLeft('/payouts', visitedBefore)).toBe('/payouts');
  expect(listAsLeft('/payouts', came('/payouts-of-another?q=a', '/payouts/1'))).toBe('/payouts');
  expect(listAsLeft('/payouts', came('/payouts/1'))).toBe('/payouts');
  expect(listAsLeft('/payouts?q=a', undefined)).toBe('/payouts?q=a');
  const hidden = { entries: () => [{ url: null }], currentEntry: { index: 0 } };
  expect(listAsLeft('/payouts', hidden)).toBe('/payouts');
});
