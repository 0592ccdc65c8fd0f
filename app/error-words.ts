import en from '../messages/en/error.json' with { type: 'json' };
import tr from '../messages/tr/error.json' with { type: 'json' };

export type ErrorWords = typeof tr;

/**
 * The words of an error page lie in its own bundle: it must not depend on anything that could be
 * what failed.
 */
export function errorWords(): ErrorWords {
  return typeof document !== 'undefined' && document.documentElement.lang === 'en' ? en : tr;
}

/** The number under which the server logged it; null when it happened in the browser. */
export function errorId(error: unknown): string | null {
  return error instanceof Error && 'digest' in error && typeof error.digest === 'string'
    ? error.digest
    : null;
}
