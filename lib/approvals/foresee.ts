import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { isCardOperation } from '#lib/movements/kinds.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { judgeByPolicy } from '#lib/movements/policy-facts.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { readApprovers } from './approvers.ts';
import { eligible, lacksPeople } from './eligible.ts';

/** A form that is about to be submitted; `retryOf`: the movement that it takes the place of. */
export type AskedForm = {
  id: string;
  kind: KindName;
  wallet: string;
  iban: string;
  toWallet: string | null;
  name: string;
  amountMinor: bigint;
  currency: string;
  retryOf: string | null;
};

/**
 * What would be asked for: how many approvals, and the names of those who could give them.
 * `lacksPeople`: they are fewer than the approvals.
 */
export type Foreseen = { needed: number; names: string[]; lacksPeople: boolean };

/**
 * What the policy and the person's own limit would ask for now. Only said, not promised: the submit
 * judges again in its own transaction.
 */
export async function foreseeApprovals(
  actor: Person,
  { id, kind, retryOf, ...content }: AskedForm,
): Promise<Foreseen> {
  assertMay(actor, isCardOperation(kind) ? 'card.refund' : 'payout.prepare');
  return inTransaction(actor.merchantId, async (tx) => {
    const { judgement } = await judgeByPolicy(tx, { id, kind, makerId: actor.personId, content });
    const { needed, roles } = judgement;
    if (needed === 0) return { needed, names: [], lacksPeople: false };
    const makers = [actor.personId, ...(await makersOf(tx, retryOf))];
    const standing = {
      needed,
      ownersOnly: !roles.includes('approver'),
      makers,
      given: [],
      before: [],
    };
    const people = await readApprovers(tx);
    return {
      needed,
      names: eligible(people, standing).map(({ name }) => name),
      lacksPeople: lacksPeople(people, standing),
    };
  });
}

/** Who made what was sent back or taken back before: none of them approves its copy. */
async function makersOf(tx: Tx, id: string | null): Promise<string[]> {
  if (id === null) return [];
  const rows = await tx.$queryRaw<{ maker: string }[]>`
    SELECT maker::text FROM movement_makers(${id}::uuid) AS maker
    WHERE EXISTS (SELECT FROM movements WHERE id = ${id}::uuid AND sends = 0)`;
  return rows.map(({ maker }) => maker);
}
