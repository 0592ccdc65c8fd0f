import { expect, test } from 'vitest';
import { DRILLS } from './drills.ts';
import { settled, unsettled } from './end.ts';
import { drawKnobs, FAULT_NAMES, UNPLAYABLE } from './knobs.ts';
import { runPool } from './pool.ts';
import { shrink } from './shrink.ts';
import { World } from './world.ts';

const WORLDS = 240;
/** The test takes seconds on a free machine. */
const PATIENCE_MS = 180_000;

test(
  `in ${WORLDS} worlds with all troubles at once no rule is broken, and every trouble really comes`,
  async () => {
    const { totals, broken } = await runPool({ from: 1, count: WORLDS, side: 'wallet' }, 2, {
      onShare: () => undefined,
    });
    expect(broken).toEqual([]);
    expect(totals.worlds).toBe(WORLDS);
    expect(
      FAULT_NAMES.filter(
        (name) =>
          totals.drawn[name] === 0 && !STANDING.includes(name) && !UNPLAYABLE.includes(name),
      ),
      'faults that were never drawn',
    ).toEqual([]);
    const unmet = DRILLS.filter(
      ({ knobs, marks, takesLonger = false }) =>
        knobs?.ahead !== true && !takesLonger && marks.every((mark) => totals.met[mark] === 0),
    ).map(({ name }) => name);
    expect(unmet, 'drills whose trouble no intent met').toEqual([]);
    for (const count of [
      'sends',
      'executed',
      'unknown',
      'resends',
      'returns',
      'paidAgain',
      'crashes',
      'forged',
    ] as const)
      expect(totals[count], count).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

/**
 * Faults that hold for a whole world. They do not happen at a moment, and so are not counted as
 * drawn.
 */
const STANDING: readonly string[] = ['decoy'];

test('a seed is the same world every time it is run', () => {
  const [one, two] = [new World({ seed: 77 }, true).run(), new World({ seed: 77 }, true).run()];
  expect(one.trace.length).toBeGreaterThan(20);
  expect(two).toEqual(one);
});

test('a broken world is made as small as it goes: only what it takes to break it stays', () => {
  const whole = drawKnobs({ seed: 6, side: 'wallet' });
  const [kept] = FAULT_NAMES.filter((name) => whole.faults[name] > 0);
  expect([whole.needs.length > 1, kept]).toEqual([true, expect.any(String)]);
  const need = whole.needs.at(-1)!.index;
  const breaks = ({
    needs,
    without = [],
  }: {
    needs?: readonly number[];
    without?: readonly string[];
  }) => ((needs ?? [need]).includes(need) && !without.includes(kept!) ? ('I1' as const) : null);
  const small = shrink({ seed: 6, side: 'wallet' }, breaks);
  expect(small.needs).toEqual([need]);
  expect(FAULT_NAMES.filter((name) => !small.without!.includes(name))).toEqual([kept]);
});

test('whoever leaves a final state is caught, should the reducer ever let it', () => {
  const world = new World({ seed: 3, drill: '12' }, false);
  world.run();
  const before = [...world.database.rows()].find((one) => one.state === 'COMPLETED')!;
  const change = {
    name: 'worker 1: record read found',
    at: 0,
    rows: [{ before, after: { ...before, state: 'FAILED' as const } }],
    audited: new Set([before.id]),
    token: null,
    played: [],
    words: [],
    given: [],
  };
  expect(() => world.watch.committed(change)).toThrow(expect.objectContaining({ rule: 'I6' }));
});

test('a step of people that no verb of the product writes is caught, and the desk’s own are written', () => {
  const world = new World({ seed: 3, drill: '12' }, false);
  const change = {
    name: 'somebody',
    at: 0,
    rows: [],
    audited: new Set<string>(),
    token: null,
    words: [],
    given: [],
  };
  const played = (verb: string | null, kind: string) => () =>
    world.watch.committed({ ...change, played: [{ extId: 'X', verb, kind }] });
  expect(played('cancelMovement', 'cancelled')).not.toThrow();
  expect(played('storeIntent', 'approved')).not.toThrow();
  for (const [verb, kind] of [
    ['cancelMovement', 'resolved_not_sent'],
    ['makeBelieve', 'cancelled'],
    [null, 'cancelled'],
  ] as const) {
    expect(played(verb, kind)).toThrow(expect.objectContaining({ rule: 'V' }));
  }
});

test('the end of a world finds a lost acknowledged form, unknown money, and rows without end or flag', () => {
  const world = new World({ seed: 3, drill: '12' }, false);
  expect(world.run().broken).toBeNull();
  expect(settled(world)).toBe(true);
  const row = [...world.database.rows()].find((one) => one.state === 'COMPLETED')!;
  world.database.tables.rows.set(row.id, { ...row, state: 'PENDING' });
  expect(unsettled(world)?.rule).toBe('I8');
  world.database.tables.rows.set(row.id, { ...row, state: 'FAILED' });
  expect(unsettled(world)?.rule).toBe('I9');
  world.database.tables.rows.delete(row.id);
  expect(unsettled(world)?.rule).toBe('I12');
  world.acknowledged.delete(row.id);
  expect(unsettled(world)).toMatchObject({
    rule: 'I9',
    what: expect.stringContaining('which we do not know'),
  });
});
