import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { env } from '#lib/runtime/env.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { CardEntry } from '#lib/providers/card/types.ts';
import type { ChargeKind } from './content.ts';
import { waysOf } from './ways.ts';

/**
 * What the form may offer. `answered`: the gateway said which payment modes the merchant's contract
 * allows. `recurring`: a key for recurring webhooks is configured.
 */
export type Offer = { ways: ChargeKind[]; answered: boolean; entry: CardEntry; recurring: boolean };

export async function readOffer(actor: Person): Promise<Offer> {
  assertMay(actor, 'card.charge');
  const mode = await cardClient().paymentMode();
  const { cardEntry: entry, cardHooks } = env();
  return {
    ways: waysOf(mode.kind === 'answered' ? mode.value : 'unknown', entry),
    answered: mode.kind === 'answered',
    entry,
    recurring: cardHooks.recurring !== null,
  };
}
