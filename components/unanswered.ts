import { errorWords } from './error-words.ts';

/**
 * What a press without an answer means. `reload`: the page has to be read again before another
 * press. `again`: a second press stores the same or is refused, so it may follow at once.
 * `decision`: the same about a payment that waits. `nothing`: the press changes nothing by itself.
 */
export type Unanswered = 'reload' | 'again' | 'decision' | 'nothing';

const WORDS = {
  reload: 'unanswered',
  again: 'unansweredAgain',
  decision: 'unansweredDecision',
  nothing: 'unansweredNothing',
} as const;

type NoAnswer = { ok: false; text: string };

/** The sentence for a press whose answer was lost, in the page's language. */
export function unanswered(kind: Unanswered): NoAnswer {
  return { ok: false, text: errorWords()[WORDS[kind]] };
}

/**
 * The result of a server action; where the connection broke, that it is not known whether the press
 * arrived. What the server itself has answered, a redirect or a fault with its id, is thrown on.
 */
export async function orUnanswered<T>(call: Promise<T>, kind: Unanswered): Promise<T | NoAnswer> {
  return call.catch((error: unknown) => {
    if (hasAnswered(error)) throw error;
    return unanswered(kind);
  });
}

/** The framework marks what comes from the server with a digest. */
export function hasAnswered(error: unknown): boolean {
  return error instanceof Error && 'digest' in error;
}
