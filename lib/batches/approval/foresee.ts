import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { readApprovers } from '#lib/approvals/approvers.ts';
import { eligible, lacksPeople } from '#lib/approvals/eligible.ts';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { CheckedDraft } from '../draft/read.ts';
import { formOf } from '../draft/read.ts';
import { judgeBatch } from './judge.ts';

/**
 * What the policy and the person's own limits would ask for now of all rows together. Only said, not
 * promised: the submit judges again in its own transaction.
 */
export async function foreseeBatch(
  actor: Person,
  { batch, rows }: Pick<CheckedDraft, 'batch' | 'rows'>,
): Promise<Foreseen> {
  assertMay(actor, 'payout.prepare');
  const { id, wallet, currency } = batch;
  const judged = rows.flatMap((row) => formOf(row)?.content ?? []);
  return inTransaction(actor.merchantId, async (tx) => {
    const of = { id, makerId: actor.personId, wallet, currency, rows: judged };
    const { needed, roles } = (await judgeBatch(tx, of)).judgement;
    if (needed === 0) return { needed, names: [], lacksPeople: false };
    const makers = await tx.$queryRaw<{ maker: string }[]>`
      SELECT maker::text FROM batch_makers(${id}::uuid) AS maker`;
    const standing = {
      needed,
      ownersOnly: !roles.includes('approver'),
      makers: makers.map(({ maker }) => maker),
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
