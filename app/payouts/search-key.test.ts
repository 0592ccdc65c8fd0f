import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchKey } from './search-key.ts';

/** The `searchParams` that Next.js passes to a page. */
function asPage(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => [
      name,
      search.getAll(name).length === 1 ? search.get(name)! : search.getAll(name),
    ]),
  );
}

it('server and browser give a list the same key, whatever its address and the order of its parts', () => {
  const part = fc.tuple(
    fc.constantFrom('q', 'sort', 'after', 'view', 'çöp', '__proto__x'),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const search = new URLSearchParams(parts);
      expect(searchKey(asPage(search))).toBe(searchKey(search));
      expect(
        searchKey(new URLSearchParams(parts.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))),
      ).toBe(searchKey(search));
    }),
  );
});

it('two views never share a key', () => {
  expect(searchKey({ q: 'a&sort=name' })).not.toBe(searchKey({ q: 'a', sort: 'name' }));
  expect(searchKey({ q: 'a', sort: undefined })).toBe('q=a');
});
