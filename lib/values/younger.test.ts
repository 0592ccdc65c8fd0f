import { expect, it } from 'vitest';
import { isYounger } from './younger.ts';

it.each([
  ['now', 10_000, true],
  ['just younger', 9_001, true],
  ['as old', 9_000, false],
  ['ahead of the clock, which was set back', 10_001, false],
])('a read of %s', (_when, at, younger) => {
  expect(isYounger(at, 1_000, 10_000)).toBe(younger);
});
