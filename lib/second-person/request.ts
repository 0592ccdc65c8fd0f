import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { standingOf } from './standing.ts';
import type { Standing } from './standing.ts';
import { addWord } from './requests.ts';
import type { Question, Statement } from './requests.ts';

/**
 * Stores a person's statement on a subject that needs two people: a first, changed, contradicting
 * or withdrawn one. Closes nothing. The caller holds the lock on the subject's row, has checked the
 * person's right, and writes the audit entry.
 *
 * @throws Refusal maker_has_no_word
 */
export async function requestSecondPerson(
  tx: Tx,
  actor: Person,
  question: Question,
  statement: Statement,
): Promise<Standing> {
  const { words, now } = await addWord(tx, actor, question, statement);
  return standingOf(words, { ...question, now });
}
