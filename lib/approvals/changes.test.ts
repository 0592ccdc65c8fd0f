import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

test('only what differs is shown, with the old and the new text', () => {
  const before = [
    ['Amount', '₺1.00'],
    ['Payee', 'TR1'],
    ['Unusual', ''],
  ] as const;
  expect(changesOf(before, before)).toEqual([]);
  expect(
    changesOf(before, [
      ['Amount', '₺1.00'],
      ['Payee', 'TR2'],
      ['Rule', 'two'],
    ]),
  ).toEqual([
    { label: 'Payee', before: 'TR1', after: 'TR2' },
    { label: 'Rule', before: '', after: 'two' },
  ]);
});
