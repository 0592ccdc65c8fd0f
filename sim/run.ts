import type { Choice } from './knobs.ts';
import type { Rule } from './violation.ts';
import { World } from './world.ts';
import type { Stats } from './world.ts';

export type Broken = { seed: number; rule: Rule; what: string };
export type Totals = Stats & { worlds: number };
/** What a run of seeds found. */
export type Findings = { totals: Totals; broken: Broken[] };

export function runSeeds(from: number, count: number, stopAtFirst = false): Findings {
  const totals = noTotals();
  const broken: Broken[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const result = new World({ seed }, false).run();
    addTotals(totals, { ...result.stats, worlds: 1 });
    if (result.broken !== null) broken.push({ seed, ...result.broken });
    if (stopAtFirst && broken.length > 0) break;
  }
  return { totals, broken };
}

/** The rule that a world breaks, or null. */
export function ruleBrokenBy(choice: Choice): Rule | null {
  return new World(choice, false).run().broken?.rule ?? null;
}

export function noTotals(): Totals {
  return {
    worlds: 0, intents: 0, sends: 0, executed: 0, unknown: 0, resends: 0, refunds: 0, paidAgain: 0, refusals: 0, looks: 0, notices: 0, forged: 0, crashes: 0, flagged: 0, events: 0,
  };
}

export function addTotals(to: Totals, more: Totals): void {
  for (const name of Object.keys(more) as (keyof Totals)[]) to[name] += more[name];
}
