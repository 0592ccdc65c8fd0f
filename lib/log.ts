import 'server-only';
import pino from 'pino';

/**
 * What a log line may carry. An allow-list by type: amounts, names, IBANs, bodies and secrets have no field here.
 * Errors are logged by name and id only; their text may quote what a person typed.
 */
export type LogFields = {
  movement?: string;
  notice?: string;
  state?: string;
  to?: string;
  step?: string;
  reason?: string;
  errorId?: string;
  errorName?: string;
  errorCode?: string;
  worker?: string;
  ms?: number;
  count?: number;
};

/** A level that does not exist is `lib/env.ts`'s to refuse, in one sentence; until then it must not throw here. */
const asked = process.env.LOG_LEVEL ?? '';
const logger = pino({ level: asked in pino.levels.values || asked === 'silent' ? asked : 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime });

export const log = {
  info: (message: string, fields: LogFields = {}) => logger.info(fields, message),
  warn: (message: string, fields: LogFields = {}) => logger.warn(fields, message),
  error: (message: string, fields: LogFields = {}) => logger.error(fields, message),
};

/** What may be said of a thrown value: its class and, for a database error, its code. */
export function errorFields(error: unknown): Pick<LogFields, 'errorName' | 'errorCode'> {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const code = (error as { code?: unknown }).code;
  return { errorName: error.name, ...(typeof code === 'string' ? { errorCode: code } : {}) };
}
