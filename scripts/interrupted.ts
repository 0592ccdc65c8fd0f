import { Refused } from './refused.ts';

/**
 * Aborts when a signal ends this command, or when the process that started it is gone. For commands
 * that stop what they have started before they end.
 */
export function watchInterruption(): AbortController {
  const interrupted = new AbortController();
  const abort = (): void => interrupted.abort(new Refused('Interrupted.'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, abort);
  process.on('disconnect', abort);
  return interrupted;
}
