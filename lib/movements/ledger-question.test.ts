import { expect, it } from 'vitest';
import { ledgerRange } from './ledger-question.ts';
import { LEDGER_END_MS } from './schedule.ts';
import { inState, T0 } from './testing/movement.ts';

const DAY = 24 * 60 * 60 * 1000;

it('a movement that waited for months is looked for where it was sent', () => {
  const sent = T0 + 61 * DAY;
  const { from, to } = ledgerRange({ ...inState('UNKNOWN'), createdAt: T0, lastSendAt: sent });
  expect(Date.parse(from)).toBeLessThan(T0);
  expect(Date.parse(to)).toBeGreaterThan(sent + 30 * DAY);
});

it('a return that is announced months after the payment is looked for where it was booked', () => {
  const announced = T0 + 90 * DAY;
  const reported = { returned: 'REPORTED', returnedAt: announced } as const;
  const { to } = ledgerRange(inState('COMPLETED', reported));
  expect(Date.parse(to)).toBeGreaterThan(announced);
});

it('a payment that is completed after months is watched for returns for as long as any other', () => {
  const completed = T0 + 50 * DAY;
  const { to } = ledgerRange(inState('COMPLETED', { endedAt: completed }));
  expect(Date.parse(to)).toBeGreaterThan(completed + LEDGER_END_MS);
});
