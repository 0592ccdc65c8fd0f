import { expect, test } from 'vitest';
import { drawKnobs } from '../knobs.ts';
import { play } from '../play.ts';
import { runPool } from '../pool.ts';
import { shrink } from '../shrink.ts';
import { sideOf } from '../side.ts';
import { CARD_FAULT_NAMES, drawCardKnobs } from './knobs.ts';
import type { CardKnobs } from './knobs.ts';
import { CardWorld } from './world.ts';
import { unsettled } from './end.ts';

const WORLDS = 400;
/** The test takes seconds on a free machine. */
const PATIENCE_MS = 180_000;

test(
  `in ${WORLDS} card worlds with all troubles at once no rule is broken, and every trouble really comes`,
  async () => {
    const { totals, broken } = await runPool({ from: 1, count: WORLDS, side: 'card' }, 2, {
      onShare: () => undefined,
    });
    expect(broken).toEqual([]);
    expect(totals.card.worlds).toBe(WORLDS);
    expect(
      CARD_FAULT_NAMES.filter((name) => totals.card.drawn[name] === 0),
      'faults that were never drawn',
    ).toEqual([]);
    for (const count of [
      'requests',
      'executed',
      'unknown',
      'closed',
      'restores',
      'confirmed',
      'completed',
      'rejected',
      'failed',
      'charged',
    ] as const)
      expect(totals.card[count], count).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

test('each answer that nobody publishes is drawn in some world', () => {
  const drawn = Array.from({ length: WORLDS }, (_, index) => drawCardKnobs({ seed: index + 1 }));
  const values = (of: (knobs: CardKnobs) => unknown): number => new Set(drawn.map(of)).size;
  for (const name of Object.keys(drawn[0]!.questions) as (keyof CardKnobs['questions'])[]) {
    expect(
      values((knobs) => knobs.questions[name]),
      name,
    ).toBeGreaterThan(1);
  }
  expect(values((knobs) => knobs.suspends)).toBe(2);
  expect(
    new Set(drawn.flatMap((knobs) => knobs.needs.map((need) => need.kind))).size,
  ).toBeGreaterThan(3);
});

test('a seed draws its side, about half of them each, and is the same world every time it is run', () => {
  const cards = Array.from({ length: WORLDS }, (_, index) => sideOf({ seed: index + 1 })).filter(
    (side) => side === 'card',
  ).length;
  expect(cards).toBeGreaterThan(WORLDS * 0.4);
  expect(cards).toBeLessThan(WORLDS * 0.6);
  const [one, two] = [
    play({ seed: 77, side: 'card' }, true),
    play({ seed: 77, side: 'card' }, true),
  ];
  expect(one.trace.length).toBeGreaterThan(10);
  expect(two).toEqual(one);
});

test('a wallet world is what it was before there were card worlds', () => {
  expect(sideOf({ seed: 1, drill: '12' })).toBe('wallet');
  expect(play({ seed: 77, side: 'wallet' }, false).stats.card.worlds).toBe(0);
  expect(drawKnobs({ seed: 77 })).toEqual(drawKnobs({ seed: 77, side: 'wallet' }));
});

test('a broken card world is made as small as it goes', () => {
  const whole = { seed: 21, side: 'card' } as const;
  const { needs, faults } = drawCardKnobs(whole);
  const kept = CARD_FAULT_NAMES.find((name) => faults[name] > 0)!;
  const need = needs.at(-1)!.index;
  const small = shrink(whole, (choice) =>
    (choice.needs ?? [need]).includes(need) && !(choice.without ?? []).includes(kept) ? 'C1' : null,
  );
  expect(small.needs).toEqual([need]);
  expect(CARD_FAULT_NAMES.filter((name) => !small.without!.includes(name))).toEqual([kept]);
});

test('the end of a card world finds what has no end, what was not done, and what nobody here knows', () => {
  const world = Array.from(
    { length: WORLDS },
    (_, index) => new CardWorld({ seed: index + 1, without: [...CARD_FAULT_NAMES] }, false),
  ).find((one) => {
    expect(one.run().broken).toBeNull();
    return [...one.database.tables.rows.values()].some(
      (row) => row.kind === 'card_refund' && row.state === 'COMPLETED',
    );
  })!;
  const { tables } = world.database;
  const row = [...tables.rows.values()].find(
    (one) => one.kind === 'card_refund' && one.state === 'COMPLETED',
  )!;
  tables.rows.set(row.id, { ...row, state: 'UNKNOWN', alert: null, card: { ...row.card! } });
  expect(unsettled(world)?.rule).toBe('C4');
  tables.rows.set(row.id, { ...row, state: 'FAILED' });
  expect(unsettled(world)?.rule).toBe('C2');
  tables.rows.delete(row.id);
  expect(unsettled(world)).toMatchObject({
    rule: 'C2',
    what: expect.stringContaining('nobody here knows'),
  });
});
