import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * The reason why a command does not continue, in words for the person who gave the command. It is
 * printed without a stack trace.
 */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Prints an error: a refusal as its message, any other error with its stack. */
export function printError(error: unknown): void {
  if (error instanceof Refused) console.error(`\n${error.message}\n`);
  else console.error(error);
}

/**
 * Reads the arguments of a command.
 *
 * @throws Refused with one line that names the argument
 */
export function readArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Refused((error as Error).message);
  }
}
