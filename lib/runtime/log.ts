import 'server-only';
import pino from 'pino';
import { allowedFields, attributesOf } from './allowed-fields.ts';
import type { PlainFields } from './allowed-fields.ts';
import { scrub } from './scrub.ts';
import { activeIds } from './trace.ts';

const MESSAGE_MAX = 300;

export { errorFields } from './allowed-fields.ts';
export type { PlainFields as LogFields } from './allowed-fields.ts';

/**
 * `lib/runtime/env.ts` refuses an unknown level with a readable line; this module must not throw
 * before that.
 */
const wantedLevel = process.env.LOG_LEVEL ?? '';

export type Log = Record<
  'info' | 'warn' | 'error',
  (message: string, fields?: PlainFields) => void
>;

declare global {
  /** Global, because the framework's bundle has a copy of its own of this module. */
  var dashboardLogRecords: ((record: LogRecord) => void) | undefined;
}

/** A written line, for the exporter of log records: what it says, and nothing else. */
export type LogRecord = {
  level: keyof Log;
  message: string;
  attributes: Record<string, string | number>;
};

/** `to` is the output: this process's own by default, or a test's. */
export function createLog(to?: pino.DestinationStream): Log {
  const options = {
    level: wantedLevel in pino.levels.values || wantedLevel === 'silent' ? wantedLevel : 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: activeIds,
  };
  const logger = to === undefined ? pino(options) : pino({ ...options, level: 'trace' }, to);
  const at =
    (level: keyof Log) =>
    (given: string, fields: PlainFields = {}) => {
      if (!logger.isLevelEnabled(level)) return;
      const message = scrub(given.slice(0, MESSAGE_MAX));
      logger[level](allowedFields(fields), message);
      globalThis.dashboardLogRecords?.({ level, message, attributes: attributesOf(fields) });
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

export const log = createLog();
