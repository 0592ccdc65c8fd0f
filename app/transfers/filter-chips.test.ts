import { expect, it } from 'vitest';
import { NO_FILTER } from '#lib/payouts/filter.ts';
import { transferChips } from './filter-chips.ts';

/** What the list of transfers says of its filter. */

const WORDS = { part: (part: string) => `only ${part}`, waits: (group: string) => `for ${group}` };

it('a filter that no field shows is named, and can be taken away alone', () => {
  const filter = { ...NO_FILTER, part: 'returned', waits: 'person', text: 'rent' } as const;
  expect(transferChips(filter, WORDS)).toEqual([
    { text: 'only returned', href: '/transfers?waits=person&q=rent' },
    { text: 'for person', href: '/transfers?part=returned&q=rent' },
  ]);
  expect(transferChips({ ...NO_FILTER, text: 'rent' }, WORDS)).toEqual([]);
});
