import { expect, it } from 'vitest';
import { waitForWindow } from './limit-window.ts';

it.each([
  ['12:00:00.000', 0],
  ['12:00:49.999', 0],
  ['12:00:50.001', 10_049],
  ['12:00:59.900', 150],
])('a test that needs ten seconds of a minute waits at %s for the next one, or not', (at, wait) => {
  expect(waitForWindow(Date.parse(`2026-11-28T${at}Z`), 60, 10_000)).toBe(wait);
});
