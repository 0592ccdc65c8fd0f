import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { approveMovement } from './approve.ts';
import { isFlagged, MANY_MAX } from './flags.ts';
import { waitingMovements } from './list.ts';

/** `refused`: the code of the refusal; the others are approved all the same. */
export type ManyGiven = { id: string; refused: string | null }[];

/**
 * Approves several movements, each in a transaction of its own. None of them may be unusual: what
 * is unusual is read on its own page. `stepUpId`: one answer that signs all of them.
 *
 * @throws Refusal not_allowed, nothing_ticked, too_many_picked, flagged_unseen
 */
export async function approveMany(
  actor: Person,
  picked: readonly { id: string; seenHash: string }[],
  stepUpId: string | null = null,
): Promise<ManyGiven> {
  assertMay(actor, 'movement.approve');
  if (picked.length === 0) throw new Refusal('nothing_ticked');
  if (picked.length > MANY_MAX) throw new Refusal('too_many_picked', { max: MANY_MAX });
  // Exactly these: the queue may be longer than what its page shows.
  const ids = picked.map(({ id }) => id).filter((id) => UUID.test(id));
  const unusual = (await waitingMovements(actor, { ids })).filter((one) => isFlagged(one.flags));
  if (unusual.length > 0) throw new Refusal('flagged_unseen', { count: unusual.length });
  const given: ManyGiven = [];
  for (const seen of picked) {
    const refused = await approveMovement(actor, seen, { overrideReason: null, stepUpId }).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refusal) return error.code;
        throw error;
      },
    );
    given.push({ id: seen.id, refused });
  }
  return given;
}
