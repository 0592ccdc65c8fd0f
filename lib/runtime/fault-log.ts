import 'server-only';
import { errorFields } from './log.ts';
import type { LogFields } from './log.ts';

const SAY_AGAIN_MS = 30_000;

type Write = (message: string, fields: LogFields) => void;
type Said = { at: number; unsaid: number };

/**
 * A log for faults that repeat in many lanes while the database is unavailable. The first of its
 * kind is logged at once, further ones at most every half minute, with their number (`count`).
 */
export function createFaultLog(write: Write, now: () => number = () => performance.now()) {
  const kinds = new Map<string, Said>();
  return (message: string, error: unknown, fields: LogFields = {}): void => {
    const { errorName, errorCode } = errorFields(error);
    const kind = [message, errorName, errorCode].join(' ');
    const said = kinds.get(kind);
    if (said && now() - said.at < SAY_AGAIN_MS) {
      said.unsaid += 1;
      return;
    }
    kinds.set(kind, { at: now(), unsaid: 0 });
    write(message, {
      ...fields,
      ...errorFields(error),
      ...(said && said.unsaid > 0 ? { count: said.unsaid + 1 } : {}),
    });
  };
}
