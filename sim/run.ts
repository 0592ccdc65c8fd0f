import type { Choice } from './knobs.ts';
import { play } from './play.ts';
import { addStats, noStats } from './stats.ts';
import type { Stats } from './stats.ts';
import type { Rule } from './violation.ts';

export type Broken = { seed: number; rule: Rule; what: string };
/** The results of a run of seeds. */
export type Findings = { totals: Stats; broken: Broken[] };
/** The worlds of a run: `count` seeds from `from` on. */
export type Seeds = { from: number; count: number; stopAtFirst?: boolean } & Omit<
  Choice,
  'seed' | 'needs'
>;

export function runSeeds({ from, count, stopAtFirst = false, ...choice }: Seeds): Findings {
  const totals = noStats();
  const broken: Broken[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const result = play({ seed, ...choice }, false);
    addStats(totals, result.stats);
    if (result.broken !== null) broken.push({ seed, ...result.broken });
    if (stopAtFirst && broken.length > 0) break;
  }
  return { totals, broken };
}

/** The rule that a world breaks, or null. */
export function ruleBrokenBy(choice: Choice): Rule | null {
  return play(choice, false).broken?.rule ?? null;
}
