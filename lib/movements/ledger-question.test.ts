import { expect, it } from 'vitest';
import { ledgerRange } from './ledger-question.ts';
import { inState, T0 } from './testing/movement.ts';

const DAY = 24 * 60 * 60 * 1000;

it('a movement that waited for months is looked for where it was sent', () => {
  const sent = T0 + 61 * DAY;
  const { from, to } = ledgerRange({ ...inState('UNKNOWN'), createdAt: T0, lastSendAt: sent });
  expect(Date.parse(from)).toBeLessThan(T0);
  expect(Date.parse(to)).toBeGreaterThan(sent + 30 * DAY);
});
