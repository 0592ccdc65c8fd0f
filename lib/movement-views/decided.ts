import type { State } from '#lib/movements/state.ts';

/**
 * Who has approved a movement, or sent it back. `of`: the person for whom a deputy did it.
 * `overrideReason`: an owner released it alone. `lapsed`: it counts no longer, because one of the two
 * was disabled before anything left.
 */
export type Decided = {
  given: {
    by: string;
    of: string | null;
    at: string;
    overrideReason: string | null;
    lapsed: boolean;
  }[];
  sentBack: { by: string; of: string | null; at: string; reason: string } | null;
};

/** Changes whenever a panel that shows these decisions has to be drawn again. */
export function decisionKey({ state, decided }: { state: State; decided: Decided }): string {
  return JSON.stringify([
    state === 'AWAITING_APPROVAL',
    decided.given.map(({ by, of, at, lapsed }) => [by, of, at, lapsed]),
    decided.sentBack?.at ?? null,
  ]);
}
