import { CLOSE_EVIDENCE, closeRefusal, isLookFresh } from '#lib/movements/closable.ts';
import type { CloseClaim } from '#lib/movements/closable.ts';
import { closeQuestion } from '#lib/movements/close-question.ts';
import { isSecondWord, standingOf } from '#lib/second-person/standing.ts';
import { No, pull, says } from './desk.ts';
import type { Row, Tx } from './store.ts';

/**
 * Does what lib/movements/close.ts does: two people who have the provider's written answer end a
 * movement that no record ends, by the product's own rules.
 */

export type CloseWord = { personId: string; claim: CloseClaim };
export type Closed = 'closed' | 'asked' | 'contradicted' | 'look_first';

export function closeMovement(
  tx: Tx,
  id: string,
  { personId, claim }: CloseWord,
  quietMs: number,
): Closed {
  const row = tx.row(id)!;
  const look = tx.look(id);
  const refusal = closeRefusal(row, claim, look, tx.now, quietMs);
  const isHeld = row.leaseUntil !== null && row.leaseUntil > tx.now;
  if (refusal !== 'close_not_a_day' && (!isLookFresh(row, look, tx.now) || isHeld)) {
    pull(tx, row, 0);
    return 'look_first';
  }
  if (refusal !== null) throw new No(refusal);
  return say(tx, row, { personId, claim });
}

function say(tx: Tx, row: Row, { personId, claim }: CloseWord): Closed {
  const { boundTo, makerId, needs } = closeQuestion(row);
  // The product refuses a claim of the maker before it stores one. Here it is stored, so that the
  // rule itself has to ignore it.
  const earlier = tx.words(row.id).filter((word) => word.boundTo === boundTo);
  const isSecond = isSecondWord(earlier, { personId, claim }, tx.now);
  const word = {
    personId,
    name: personId,
    role: 'approver' as const,
    claim,
    reason: 'the provider wrote',
    reference: 'letter 1',
    at: tx.now,
    boundTo,
  };
  tx.say(row.id, word);
  const standing = standingOf([...earlier, word], { now: tx.now, makerId, needs });
  if (standing.kind === 'contradicted') return 'contradicted';
  if (standing.kind !== 'agreed' || !isSecond) return 'asked';
  says(tx, row, 'closeMovement', CLOSE_EVIDENCE[claim]);
  return 'closed';
}
