import type { Side } from '../side.ts';

/**
 * One replacement in a file of the product. `find` stands exactly once in it; when it no longer
 * does, the patch has to be written anew.
 */
export type Edit = { file: string; find: string; replace: string };

/**
 * Who has to find a planted bug: the simulator by itself, or one test file (the path from the
 * project's root).
 */
export type Finder = 'simulator' | { test: string };

/**
 * A planted bug: a small patch of the product's own code, at a place where a mistake would cost
 * money or leave a payment without an end. `edits` are several patches at once: where two checks
 * guard the same thing, a bug shows only when both are off.
 */
export type Mutation = {
  name: string;
  about: string;
  /** Absent: the simulator. */
  foundBy?: Finder;
  /**
   * The drill that brings it to light, and in which it stays hidden without the drill's faults. A
   * number is a row of the fault matrix.
   */
  drill?: string;
  /** In which worlds it is searched; absent: those of wallets. */
  side?: Side;
  /**
   * Of a pair: the bugs that it is made of. Each alone has to survive the worlds that find the
   * pair.
   */
  halves?: readonly Mutation[];
} & (Edit | { edits: readonly Edit[] });

export function editsOf(mutation: Mutation): readonly Edit[] {
  if ('edits' in mutation) return mutation.edits;
  const { file, find, replace } = mutation;
  return [{ file, find, replace }];
}

/** The test file that has to find it, or null when the simulator has to. */
export function testOf({ foundBy }: Mutation): string | null {
  return foundBy === undefined || foundBy === 'simulator' ? null : foundBy.test;
}
