import { CARD_FAULT_NAMES } from './knobs.ts';
import type { CardFaultName } from './knobs.ts';

/** Counts of what happened in a card world, or in many. */
const COUNTS = [
  'worlds',
  'pressed',
  'stopped',
  'requests',
  'executed',
  'unknown',
  'closed',
  'contradicted',
  'restores',
  'confirmed',
  'queries',
  'completed',
  'rejected',
  'failed',
  'charged',
] as const;

export type CardStats = Record<(typeof COUNTS)[number], number> & {
  /** How often each fault was drawn. */
  drawn: Record<CardFaultName, number>;
};

export function noCardStats(): CardStats {
  return { ...zeros(COUNTS), drawn: zeros(CARD_FAULT_NAMES) };
}

export function addCardStats(to: CardStats, more: CardStats): void {
  for (const name of COUNTS) to[name] += more[name];
  for (const name of CARD_FAULT_NAMES) to.drawn[name] += more.drawn[name];
}

/** The figures as two lines of text for people. */
export function cardStatLines(stats: CardStats): string[] {
  const drawn = CARD_FAULT_NAMES.filter((name) => stats.drawn[name] > 0).map(
    (name) => `${name} ${stats.drawn[name]}`,
  );
  return [
    COUNTS.map((name) => `${stats[name]} ${name}`).join(', '),
    `card faults drawn: ${drawn.join(', ') || 'none'}`,
  ];
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
