import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import type { PersonFound } from './person.ts';
import type { PersonKey } from '#lib/values/person-key.ts';

/**
 * Queries now whose wallet a transfer to a person would credit. Rate-limited, because it could be
 * used to try one number after another.
 *
 * @throws Refusal not_allowed, too_many
 */
export async function checkPerson(
  actor: Person,
  key: PersonKey,
  currency: string,
): Promise<PersonFound> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'person.check');
  return askPerson(key, currency);
}

/**
 * Queries the person like `checkPerson`, without the rate limit: the submitting verb has its own.
 */
export async function askPerson(key: PersonKey, currency: string): Promise<PersonFound> {
  const answer = await walletClient().findPersonalWallet({ ...key, currency });
  if (answer.kind === 'no_answer') return { kind: 'unchecked' };
  return answer.kind === 'nobody'
    ? answer
    : { kind: 'found', wallet: answer.wallet, name: storable(answer.name) };
}
