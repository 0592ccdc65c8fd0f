import type * as React from 'react';
import type { ReactElement, RefObject } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { periodDays } from '#lib/values/dates.ts';
import { DayFields } from './day-fields.tsx';

/** The fields for a range of days: what they show after a choice and after a new address. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => null,
  use: () => null,
}));
vi.mock('./day-input.tsx', () => ({ DayInput: () => null }));
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams() }));

const MONDAY = '2026-03-09';
const PRESETS = (['today', 'thisWeek', 'lastMonth'] as const).map((name) => ({
  name,
  text: name,
  ...periodDays({ kind: name }, `${MONDAY}T09:00:00Z`),
}));
const WORDS = {
  ...{ from: 'From', to: 'To', range: 'Period', all: 'All days', typed: 'Chosen days' },
  day: { locale: 'en' as const, wrong: 'Wrong', pick: 'Pick' },
};

type Drawn = {
  ref: RefObject<unknown>;
  children: [ReactElement<{ ref: RefObject<unknown>; onChoose: (name: string) => void }>];
};

const field = () => ({ value: '', setCustomValidity: vi.fn<(text: string) => void>() });
let [from, to, range] = [field(), field(), { value: '' }];

/** Removes the fields: the next call of `draw` makes new ones. */
function remove(): void {
  hooks.held = [];
  [from, to, range] = [field(), field(), { value: '' }];
}
beforeEach(remove);

/** Draws the fields for the days of an address, and runs their effects. */
function draw(days: { from: string; to: string }, id = 'filter'): Drawn['children'][0]['props'] {
  hooks.next = 0;
  const given = { ...days, today: MONDAY, presets: PRESETS, words: WORDS };
  const { props } = DayFields({ id, ...given }) as ReactElement<Drawn>;
  props.ref.current = { querySelector: (name: string) => (name.includes('from') ? from : to) };
  props.children[0].props.ref.current = range;
  runEffects();
  return props.children[0].props;
}

it('the chosen one of several periods with the same days is shown, and none before a choice', () => {
  const days = { from: MONDAY, to: MONDAY };
  const { onChoose } = draw(days);
  expect(range.value, 'today and this week are the same day').toBe('typed');
  onChoose('thisWeek');
  expect([from.value, to.value]).toEqual(['09/03/2026', '09/03/2026']);
  for (const name of ['thisWeek', 'today']) {
    draw(days).onChoose(name);
    remove();
    draw(days);
    expect(range.value, 'in new fields for the new address').toBe(name);
  }
  remove();
  draw(days, 'receipts');
  expect(range.value, 'in the fields of another list').toBe('typed');
});

it('a period that alone has its days is shown, whatever was chosen before', () => {
  draw({ from: MONDAY, to: MONDAY }).onChoose('today');
  draw({ from: '2026-02-01', to: '2026-02-28' });
  expect([range.value, from.value]).toEqual(['lastMonth', '01/02/2026']);
});

it('days that were typed before the scripts ran stay, until the address has other days', () => {
  const first = { from: '2026-02-01', to: '2026-02-28' };
  from.value = '5 feb 26';
  draw(first);
  expect([from.value, range.value]).toEqual(['5 feb 26', 'lastMonth']);
  draw({ ...first, from: '2026-02-05' });
  expect([from.value, range.value]).toEqual(['05/02/2026', 'typed']);
  draw(first);
  expect([from.value, range.value]).toEqual(['01/02/2026', 'lastMonth']);
});
