/**
 * Why a command does not go on, in words for the person who gave it: printed without a stack trace.
 */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/**
 * Prints an error as its kind deserves: a refusal in its own words, anything unforeseen with its
 * stack.
 */
export function printError(error: unknown): void {
  if (error instanceof Refused) console.error(`\n${error.message}\n`);
  else console.error(error);
}
