import { describe, expect, test } from 'vitest';
import { DRILLS } from './drills.ts';
import { runSeeds } from './run.ts';
import { noStats, addStats } from './stats.ts';

/** As many worlds of a drill as it takes to meet all that it is about, and a few in any case. */
const WORLDS = 12;
const WORLDS_MAX = 96;

describe('one kind of trouble alone', () => {
  test.each(DRILLS.map((drill) => [/^\d/.test(drill.name) ? `row ${drill.name}` : drill.name, drill] as const))('%s: $1.fault: $1.expected', (_title, { name, marks }) => {
    const totals = noStats();
    for (let from = 1; from <= WORLDS_MAX; from += WORLDS) {
      const found = runSeeds({ from, count: WORLDS, drill: name });
      expect(found.broken).toEqual([]);
      addStats(totals, found.totals);
      if (marks.every((mark) => totals.met[mark] > 0)) break;
    }
    for (const mark of marks) expect(totals.met[mark], `intents that met: ${mark}`).toBeGreaterThan(0);
  });
});
