import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isSecondWord, standingOf } from './standing.ts';
import type { Standing } from './standing.ts';
import { addWord, closeRequest, openRequest } from './requests.ts';
import type { Question, Statement } from './requests.ts';

/**
 * A second person makes the same statement as the first. When the latest statements of both agree
 * and no other one contradicts them, the request is closed with that outcome, and the caller
 * carries it out in this transaction, after reading the facts again under the subject's lock.
 * Otherwise the statement is stored and the standing says what is missing.
 *
 * @throws Refusal maker_has_no_word, release_not_asked, second_person_needed
 */
export async function confirmSecondPerson(
  tx: Tx,
  actor: Person,
  question: Question,
  statement: Statement & { claim: string },
): Promise<Standing> {
  const before = await openRequest(tx, question.subject);
  const open = before !== null && before.boundTo === question.boundTo ? before : null;
  if (
    open === null ||
    !isSecondWord(open.words, { personId: actor.personId, claim: statement.claim }, open.now)
  ) {
    const own =
      open?.words.some(
        (word) => word.personId === actor.personId && word.claim === statement.claim,
      ) ?? false;
    throw new Refusal(own ? 'second_person_needed' : 'release_not_asked');
  }
  const { id, words, now } = await addWord(tx, actor, question, statement);
  const standing = standingOf(words, { ...question, now });
  if (standing.kind === 'agreed') await closeRequest(tx, id, standing.claim);
  return standing;
}
