import { expect, test } from 'vitest';
import { rowSlots } from './row-slots.ts';

const rows = (ids: string) => [...ids].map((id) => ({ id }));
const slots = (ids: string, before: ReadonlyMap<string, number> = new Map()) =>
  [...rowSlots(rows(ids), before)].map(([id, slot]) => `${id}${slot}`).join(' ');

test('rows of another page take over the elements of those before, in their order', () => {
  expect(slots('abc')).toBe('a0 b1 c2');
  expect(slots('xyz', rowSlots(rows('abc'), new Map()))).toBe('x0 y1 z2');
});

test('a row that stays keeps its elements wherever it stands, and no two rows share any', () => {
  const before = rowSlots(rows('abcd'), new Map());
  expect(slots('dxbyz', before)).toBe('d3 x0 b1 y2 z4');
  expect(slots('ba', before)).toBe('b1 a0');
});
