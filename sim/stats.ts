import { addCardStats, noCardStats } from './card/figures.ts';
import type { CardStats } from './card/figures.ts';
import { FAULT_NAMES } from './knobs.ts';
import type { FaultName } from './knobs.ts';
import { MARKS } from './lives.ts';
import type { Mark } from './lives.ts';

/** Counts of what happened in a world, or in many. */
const COUNTS = [
  'worlds',
  'intents',
  'sends',
  'executed',
  'unknown',
  'resends',
  'returns',
  'paidAgain',
  'refusals',
  'looks',
  'notices',
  'forged',
  'crashes',
  'restores',
  'batches',
  'batchRows',
  'batchHolds',
  'batchRetries',
  'flagged',
  'events',
] as const;

export type Stats = Record<(typeof COUNTS)[number], number> & {
  /** How often each fault was drawn. */
  drawn: Record<FaultName, number>;
  /** How many intents met each situation of the fault matrix. */
  met: Record<Mark, number>;
  card: CardStats;
};

export function noStats(): Stats {
  return { ...zeros(COUNTS), drawn: zeros(FAULT_NAMES), met: zeros(MARKS), card: noCardStats() };
}

export function addStats(to: Stats, more: Stats): void {
  for (const name of COUNTS) to[name] += more[name];
  for (const name of FAULT_NAMES) to.drawn[name] += more.drawn[name];
  for (const mark of MARKS) to.met[mark] += more.met[mark];
  addCardStats(to.card, more.card);
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
