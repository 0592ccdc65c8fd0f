import { editsOf } from './mutation.ts';
import type { Mutation } from './mutation.ts';

/**
 * Two planted bugs at once: each removes one of two checks that protect the same thing, so that
 * neither alone changes anything that a world shows.
 */

type Pair = Pick<Mutation, 'name' | 'about' | 'side'> & { halves: readonly [string, string] };

const PAIRS: readonly Pair[] = [
  {
    name: 'older-rows-leave-unsaid',
    about: 'rows older than a recovery are neither held nor asked for a word',
    side: 'wallet',
    halves: ['begins-before-a-word', 'older-rows-leave'],
  },
  {
    name: 'every-word-for-ever',
    about: 'every word that people ever said counts, the withdrawn and the old',
    side: 'card',
    halves: ['any-word-counts', 'words-for-ever'],
  },
  {
    name: 'first-word-in-an-hour',
    about: 'the first word of each person counts, an hour after the send',
    side: 'card',
    halves: ['closed-in-an-hour', 'card-first-word-counts'],
  },
];

/** `singles`: every planted bug that stands alone. Throws when a half is not among them. */
export function pairsAmong(singles: readonly Mutation[]): Mutation[] {
  const named = (name: string): Mutation => {
    const single = singles.find((one) => one.name === name);
    if (single === undefined) throw new Error(`there is no planted bug ${name}`);
    return single;
  };
  return PAIRS.map((pair) => {
    const halves = pair.halves.map(named);
    return { ...pair, halves, edits: halves.flatMap(editsOf) };
  });
}
