import type { ActionMessage } from './action-button.tsx';
import { errorWords } from './error-words.ts';

/**
 * What a press without an answer means. `reload`: the page has to be read again before another
 * press. `decision`: about a payment that waits, where a second press can add nothing. `nothing`:
 * the press changes nothing by itself.
 */
export type Unanswered = 'reload' | 'decision' | 'nothing';

const WORDS = {
  reload: 'unanswered',
  decision: 'unansweredDecision',
  nothing: 'unansweredNothing',
} as const;

/** The sentence for a press whose answer was lost, in the page's language. */
export function unanswered(kind: Unanswered): NonNullable<ActionMessage> {
  return { ok: false, text: errorWords()[WORDS[kind]] };
}

/**
 * The result of a server action; where the connection broke, that it is not known whether the press
 * arrived. What the server itself has answered, a redirect or a fault with its id, is thrown on.
 */
export async function orUnanswered(
  call: Promise<ActionMessage>,
  kind: Unanswered,
): Promise<ActionMessage> {
  return call.catch((error: unknown) => {
    if (hasAnswered(error)) throw error;
    return unanswered(kind);
  });
}

/** The framework marks what comes from the server with a digest. */
export function hasAnswered(error: unknown): boolean {
  return error instanceof Error && 'digest' in error;
}
