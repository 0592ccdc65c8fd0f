import { wordOf } from '#components/state-words.ts';
import type { Shown, StateWord } from '#components/state-words.ts';
import { KIND_NAMES } from '#lib/movements/kinds.ts';
import { STATES } from '#lib/movements/state.ts';

const RETURNS = ['REPORTED', 'CONFIRMED'] as const;

/**
 * Every word that a state of any kind of movement has on screens, with one movement that has it.
 */
export function shownStates(): [StateWord, Shown][] {
  const all = KIND_NAMES.flatMap((kind): Shown[] => [
    ...STATES.map((state) => ({ state, returned: 'NONE' as const, kind })),
    { state: 'CANCELLED', returned: 'NONE', kind, isSentBack: true },
    ...RETURNS.map((returned) => ({ state: 'COMPLETED' as const, returned, kind })),
  ]);
  return [...new Map(all.map((shown) => [wordOf(shown), shown]))];
}
