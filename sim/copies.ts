import type { World } from './world.ts';

/**
 * A proxy sent an accepted request once more, and the provider may have taken it again or refused it. No rule of ours can
 * prevent what follows within the minutes in which nothing tells: but it has to be found, and people have to be told (end.ts).
 */
export function isDoubled({ lives, knobs }: World, extId: string): boolean {
  const { dedupe, knowsIdsFirst } = knobs.questions;
  return !(dedupe === 'atomic' && knowsIdsFirst) && lives.of(extId).met.has('request doubled');
}
