import 'server-only';
import { errorFields, log } from './log.ts';
import { scrub } from './scrub.ts';

/**
 * Guards output that is not ours: the framework prints errors of pages, whose message may quote a
 * row. An error becomes one line with its id, like our own; every other line passes `scrub`. Call
 * it first in a process. In development everything is printed unchanged.
 */
export function guardOutput(): void {
  if (process.env.NODE_ENV === 'development') return;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(
        scrub(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')),
        ...rest,
      );
  }
  Object.assign(console, {
    error: (...given: unknown[]) => logPrinted('error', given),
    warn: (...given: unknown[]) => logPrinted('warn', given),
  });
}

/** `digest` is the framework's id of an error that it hides from the browser. */
function logPrinted(level: 'warn' | 'error', given: unknown[]): void {
  const error = given.find((one) => one instanceof Error) as
    | (Error & { digest?: string })
    | undefined;
  if (error === undefined)
    return log[level](given.filter((one) => typeof one === 'string').join(' '));
  log[level]('not handled', {
    ...errorFields(error),
    ...(typeof error.digest === 'string' ? { errorId: error.digest.split('@')[0]! } : {}),
  });
}

/**
 * Logs an uncaught fault without its text and ends the process. For a process whose supervisor
 * restarts it.
 */
export function endOnFault(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.once(event, (error: unknown) => {
      log.error('a fault that nobody caught ends the process', errorFields(error));
      process.exit(1);
    });
  }
}
