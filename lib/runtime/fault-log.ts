import 'server-only';
import { errorFields } from './log.ts';
import type { LogFields } from './log.ts';

const SAY_AGAIN_MS = 30_000;

type Write = (message: string, fields: LogFields) => void;
type Logged = { at: number; skipped: number };

/**
 * A log for faults that repeat in many lanes while the database is unavailable. The first of its
 * kind is logged at once, further ones at most every half minute, with their number (`count`).
 */
export function createFaultLog(write: Write, now: () => number = () => performance.now()) {
  const kinds = new Map<string, Logged>();
  return (message: string, error: unknown, fields: LogFields = {}): void => {
    const { errorName, errorCode } = errorFields(error);
    const kind = [message, errorName, errorCode].join(' ');
    const logged = kinds.get(kind);
    if (logged && now() - logged.at < SAY_AGAIN_MS) {
      logged.skipped += 1;
      return;
    }
    kinds.set(kind, { at: now(), skipped: 0 });
    write(message, {
      ...fields,
      ...errorFields(error),
      ...(logged && logged.skipped > 0 ? { count: logged.skipped + 1 } : {}),
    });
  };
}
