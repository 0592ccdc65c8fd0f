import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a reading waits for a database that restarts. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 500;
/**
 * SQLSTATEs of a server that stops, starts or has no connection left, and Node's codes of a
 * connection that does not come about or breaks.
 */
const CODES =
  /^(?:08...|53300|57P0[1-3]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver and its pool say without a code. */
const MESSAGES =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * Whether a statement failed because the database could not be reached, or was lost while it ran. A
 * statement that writes may have been carried out all the same.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && CODES.test(String(error.code))) || MESSAGES.test(error.message);
}

/**
 * What `read` gives, once the database is there: a download goes on where it was when the database
 * restarts. Only for statements that write nothing.
 *
 * @throws Error of `read` that has another cause, or after a minute without a database
 */
export async function onceThere<T>(
  read: () => Promise<T>,
  patienceMs: number = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() >= end) throw error;
      await pause(AGAIN_MS);
    }
  }
}
