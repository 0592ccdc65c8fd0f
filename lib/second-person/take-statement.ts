import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { confirmSecondPerson } from './confirm.ts';
import { requestSecondPerson } from './request.ts';
import { isSecondWord } from './standing.ts';
import type { Standing } from './standing.ts';
import { openRequest } from './requests.ts';
import type { Question, Statement } from './requests.ts';

/**
 * Takes a statement from a form that the first and the second person share: confirms when another
 * person has made the same one, requests otherwise. `carriesOut`: two people agree, the request is
 * closed, and the caller ends the subject now.
 *
 * @throws Refusal maker_has_no_word
 */
export async function takeStatement(
  tx: Tx,
  actor: Person,
  question: Question,
  statement: Statement & { claim: string },
): Promise<{ standing: Standing; carriesOut: boolean }> {
  const open = await openRequest(tx, question.subject);
  const isSecond =
    open !== null &&
    open.boundTo === question.boundTo &&
    isSecondWord(open.words, { personId: actor.personId, claim: statement.claim }, open.now);
  const standing = isSecond
    ? await confirmSecondPerson(tx, actor, question, statement)
    : await requestSecondPerson(tx, actor, question, statement);
  return { standing, carriesOut: isSecond && standing.kind === 'agreed' };
}
