import type { Row, Tx } from './store.ts';

/** What keeps the first send of a row back: IS_BATCH_HELD_M of lib/movements/batch-hold.ts. */
export function isBatchHeld(tx: Tx, { id, everAmbiguous }: Row): boolean {
  if (everAmbiguous) return false;
  return tx
    .batches()
    .some(
      ({ hold, stopped, rows }) => (hold !== null || stopped) && rows.some((one) => one.id === id),
    );
}
