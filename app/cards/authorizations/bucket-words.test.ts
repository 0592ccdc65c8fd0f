import { expect, it } from 'vitest';
import { bucketOf, captureEndsAt } from '#lib/cards/payments/authorization.ts';
import type { AuthorizationBucket } from '#lib/cards/payments/authorization.ts';
import enCards from '../../../messages/en/cards.json' with { type: 'json' };
import enHome from '../../../messages/en/home.json' with { type: 'json' };
import trCards from '../../../messages/tr/cards.json' with { type: 'json' };
import trHome from '../../../messages/tr/home.json' with { type: 'json' };

/** Authorizations are counted in one bucket only, so its name says from which day on. */

const NOON = Date.parse('2026-11-28T09:00:00Z');
const DAY = 86_400_000;

/** The days from today on which the last capture of an authorization of that bucket may be. */
function daysOf(bucket: AuthorizationBucket): [first: number, last: number] {
  const life = captureEndsAt(0);
  const days = Array.from({ length: 20 }, (_, day) => day).filter(
    (day) => bucketOf(NOON + day * DAY - life + 1, NOON, 'Europe/Istanbul') === bucket,
  );
  return [days[0]!, days.at(-1)!];
}

it.each([
  ['days3', 'endDays3'],
  ['days7', 'endDays7'],
] as const)('%s is called by its first and its last day', (bucket, figure) => {
  const range = daysOf(bucket).join('–');
  for (const { holds } of [trCards, enCards]) expect(holds.buckets[bucket]).toContain(range);
  for (const { figures } of [trHome, enHome]) expect(figures[figure]).toContain(range);
});
