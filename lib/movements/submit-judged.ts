import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { RefusalCode } from '#lib/access/refusal.ts';
import { contentHash } from './content.ts';
import type { MovementContent } from './content-text.ts';
import { findMovement, lockSubmissions, storeIntent } from './intent.ts';
import type { Intent } from './intent.ts';
import { parentMayBePaidAgain } from './parent.ts';
import type { MovementRow } from './row.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';

/** The movement that an earlier submission of the same form stored. */
export type Earlier = Pick<MovementRow, 'id' | 'contentHash' | 'currency' | 'name' | 'foundName'>;

/** What the facts say about one form. */
export type Verdict<Found> =
  /** Stored before, with the same content. */
  | { kind: 'earlier'; id: string }
  | { kind: 'refused'; code: RefusalCode; params?: Record<string, string> }
  /** Findings that block it, or that need a tick and a reason. */
  | { kind: 'findings'; findings: Found[] }
  | { kind: 'new'; content: MovementContent };

export type SubmitResult<Found> =
  /** The movement's page; for a second submission of the same form, the page of the first. */
  | { kind: 'submitted'; id: string }
  /** Not stored. */
  | { kind: 'findings'; findings: Found[] };

/** A form as the store needs it; `retryOf`: the movement that it pays again. */
type Submission = Omit<Intent, 'content'>;

/**
 * Judges a form with facts of its own transaction and stores one intent with its reference, content
 * hash and audit entries, ready to be sent. No request is made here: the worker claims the row.
 *
 * @throws Refusal the verdict's; parent_alive, already_paid_again
 */
export async function submitJudged<Found>(
  actor: Person,
  submission: Submission,
  judge: (tx: Tx, earlier: Earlier | null) => Promise<Verdict<Found>>,
): Promise<SubmitResult<Found>> {
  const { id, rail, retryOf } = submission;
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const verdict = await judge(tx, await findMovement(tx, id));
    switch (verdict.kind) {
      case 'refused':
        throw new Refusal(verdict.code, verdict.params);
      case 'findings':
        return verdict;
      case 'earlier':
        return { kind: 'submitted', id: verdict.id };
      case 'new':
        if (retryOf !== null) await parentMayBePaidAgain(tx, retryOf, rail);
        await storeIntent(tx, actor, { ...submission, content: verdict.content });
        return { kind: 'submitted', id };
    }
  });
}

/** The verdict on a form that was submitted before: the same movement, or a refusal. */
export function judgeEarlier(
  earlier: Earlier,
  rail: string,
  content: MovementContent,
): Verdict<never> {
  return earlier.contentHash === contentHash(rail, content)
    ? { kind: 'earlier', id: earlier.id }
    : { kind: 'refused', code: 'same_id_other_content', params: { id: earlier.id } };
}
