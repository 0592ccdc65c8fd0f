import { CARD_FAULT_NAMES, drawCardKnobs } from './card/knobs.ts';
import type { CardFaultName } from './card/knobs.ts';
import { CardWorld } from './card/world.ts';
import { drawKnobs, FAULT_NAMES } from './knobs.ts';
import type { Choice, FaultName } from './knobs.ts';
import { sideOf } from './side.ts';
import { World } from './world.ts';
import type { Result } from './world.ts';

/** Plays a world of either side, as a choice describes it: its parts, and its result. */

export type AnyFaultName = FaultName | CardFaultName;
export const ANY_FAULT_NAMES: readonly AnyFaultName[] = [
  ...new Set<AnyFaultName>([...FAULT_NAMES, ...CARD_FAULT_NAMES]),
];

/**
 * What can be left out of a world: its needs, and the faults that can happen in it.
 * `description`: its knobs in words.
 */
export type Parts = { needs: number[]; faults: AnyFaultName[]; description: string };

export function play(choice: Choice, traced: boolean): Result {
  return (
    sideOf(choice) === 'card' ? new CardWorld(choice, traced) : new World(choice, traced)
  ).run();
}

export function partsOf(choice: Choice): Parts {
  if (sideOf(choice) === 'card') {
    const knobs = drawCardKnobs(choice);
    const faults = CARD_FAULT_NAMES.filter((name) => knobs.faults[name] > 0);
    const lines = [
      `gateway ${written(knobs.questions)}`,
      `orders ${written(knobs.orders)}`,
      `needs ${written(knobs.needs)}`,
      ends(knobs.workers, knobs.healsAt, faults),
    ];
    return { needs: knobs.needs.map((need) => need.index), faults, description: lines.join('\n') };
  }
  const knobs = drawKnobs(choice);
  const faults = FAULT_NAMES.filter((name) => knobs.faults[name] > 0);
  const people = `${knobs.lanes} lanes each, ${knobs.approvalsNeeded} approvals`;
  return {
    needs: knobs.needs.map((need) => need.index),
    faults,
    description: `questions ${written(knobs.questions)}\n${people}, ${ends(knobs.workers, knobs.healsAt, faults)}`,
  };
}

function ends(workers: number, healsAt: number, faults: readonly string[]): string {
  return `${workers} workers, heals after ${(healsAt / 3_600_000).toFixed(2)} h, faults: ${faults.join(' ') || 'none'}`;
}

function written(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'bigint' ? String(one) : one,
  );
}
