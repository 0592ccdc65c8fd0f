import en from '../messages/en/error.json' with { type: 'json' };
import tr from '../messages/tr/error.json' with { type: 'json' };

export type ErrorWords = typeof tr;

/**
 * The words of an error page are part of its bundle: it must not depend on anything that may have
 * failed.
 */
export function errorWords(): ErrorWords {
  return typeof document !== 'undefined' && document.documentElement.lang === 'en' ? en : tr;
}

/** The id under which the server logged the error; null when it happened in the browser. */
export function errorId(error: unknown): string | null {
  return error instanceof Error && 'digest' in error && typeof error.digest === 'string'
    ? error.digest
    : null;
}
