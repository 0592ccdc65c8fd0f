import type { Alert, Movement, State } from '#lib/movements/state.ts';

/**
 * Which rows of a batch that is over go into the draft that pays them again. Pure: shared with the
 * simulator.
 */

const UNPAID: readonly State[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];

/** `made`: it became a movement, with this state; null where a restore has lost the movement. */
export type RunRow = {
  n: number;
  refused: boolean;
  made: boolean;
  state: State | null;
  returned: Movement['returned'] | null;
  alert: Alert | null;
};

/** `sentBack`: the rows that an approver asked to leave out; null: the batch was not sent back. */
export function rowsOfRetry(
  rows: readonly RunRow[],
  sentBack: readonly number[] | null,
): { unpaid: number[]; leftOut: number[] } {
  return { unpaid: rows.filter(isUnpaid).map(({ n }) => n), leftOut: [...(sentBack ?? [])] };
}

/**
 * Whether a row provably was not paid, or its money came back. A row whose record contradicts its end
 * may have been paid: paying it again is locked, as on its own page.
 */
function isUnpaid({ refused, made, state, returned, alert }: RunRow): boolean {
  if (refused || !made) return true;
  if (alert === 'contradiction') return false;
  if (state === 'COMPLETED') return returned === 'CONFIRMED';
  return state !== null && UNPAID.includes(state);
}
