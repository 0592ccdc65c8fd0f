import type { Side } from '../side.ts';

/**
 * One replacement in a file of the product. The text `find` must occur in it exactly once; when it
 * does not, the patch has to be rewritten.
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
 * protect the same thing, a bug shows only when both are off.
 */
export type Mutation = {
  name: string;
  about: string;
  /** When absent, the simulator has to find the bug. */
  foundBy?: Finder;
  /**
   * The drill that finds the bug; without the drill's faults its worlds must not find it. A number
   * is a row of the fault matrix.
   */
  drill?: string;
  /** The kind of worlds in which the bug is searched; worlds of wallets when absent. */
  side?: Side;
  /**
   * The seed of a world that found the bug before, which is tried first: only for bugs that few
   * worlds find. When this world finds it no longer, the search begins at the first seed.
   */
  world?: number;
  /** The two bugs of a pair. Neither alone may be found by the worlds that find the pair. */
  halves?: readonly Mutation[];
} & (Edit | { edits: readonly Edit[] });

export function editsOf(mutation: Mutation): readonly Edit[] {
  if ('edits' in mutation) return mutation.edits;
  const { file, find, replace } = mutation;
  return [{ file, find, replace }];
}

/** The test file that has to find the bug, or null when the simulator has to. */
export function testOf({ foundBy }: Mutation): string | null {
  return foundBy === undefined || foundBy === 'simulator' ? null : foundBy.test;
}
