import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { standingOf } from './standing.ts';
import type { Standing } from './standing.ts';
import { addWord } from './requests.ts';
import type { Question, Said } from './requests.ts';

/**
 * A person says what they know of something that needs two: the first word, another word than
 * before, a word against somebody else's, or a word taken back. It closes nothing. The caller holds
 * the subject's row, has asked for the right to speak, and writes the audit entry.
 *
 * @throws Refusal maker_has_no_word
 */
export async function requestSecondPerson(
  tx: Tx,
  actor: Person,
  question: Question,
  said: Said,
): Promise<Standing> {
  const { words, now } = await addWord(tx, actor, question, said);
  return standingOf(words, { ...question, now });
}
