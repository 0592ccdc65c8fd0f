import { describe, expect, test } from 'vitest';
import type { Drill } from './drill.ts';
import { DRILLS } from './drills.ts';
import { runSeeds } from './run.ts';
import { addStats, noStats } from './stats.ts';

/**
 * A drill runs its worlds in steps of WORLDS, at most WORLDS_MAX, until all of its situations were
 * met.
 */
const WORLDS = 12;
const WORLDS_MAX = 96;
/** The test takes a second on a free machine. */
const PATIENCE_MS = 120_000;

describe('one kind of trouble alone', { timeout: PATIENCE_MS }, () => {
  test.each(DRILLS.map((drill) => [titleOf(drill), drill] as const))(
    '%s',
    (_title, { name, marks }) => {
      const totals = noStats();
      for (let from = 1; from <= WORLDS_MAX; from += WORLDS) {
        const found = runSeeds({ from, count: WORLDS, drill: name });
        expect(found.broken).toEqual([]);
        addStats(totals, found.totals);
        if (marks.every((mark) => totals.met[mark] > 0)) break;
      }
      for (const mark of marks)
        expect(totals.met[mark], `intents that met: ${mark}`).toBeGreaterThan(0);
    },
  );
});

function titleOf({ name, fault, expected }: Drill): string {
  return `${/^\d/.test(name) ? `row ${name}` : name}: ${fault}: ${expected}`;
}
