import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { lockRecipient } from './edit.ts';

/**
 * Adds the account `number` to a recipient: in place of the account `from`, or beside the others
 * when that is null. An account is never changed into another one: the old one is archived and
 * keeps its payments. The next payer to the new account sees a warning about the change.
 *
 * @throws Refusal not_allowed, not_found, payee_of_other, payee_changed
 */
export async function redirectRecipient(
  actor: Person,
  id: string,
  { from, number }: { from: string | null; number: string },
): Promise<void> {
  assertMay(actor, 'recipient.redirect');
  await inTransaction(actor.merchantId, async (tx) => {
    const { name } = await lockRecipient(tx, id);
    const [there] = await tx.$queryRaw<
      Row<'recipient_payees', 'recipient_id' | 'archived_at'>[]
    >`SELECT recipient_id, archived_at FROM recipient_payees WHERE number = ${number}`;
    if (there && there.recipient_id !== id) throw new Refusal('payee_of_other');
    if (there && there.archived_at === null) throw new Refusal('payee_changed');
    const before = from === null ? null : await retire(tx, actor, id, from);
    const put = await tx.$executeRaw`
      INSERT INTO recipient_payees (merchant_id, recipient_id, number, changed_at, changed_by, replaces)
      VALUES (${actor.merchantId}::uuid, ${id}::uuid, ${number}, clock_timestamp(),
        ${actor.personId}::uuid, ${before})
      ON CONFLICT (merchant_id, number) DO UPDATE SET changed_at = excluded.changed_at,
        changed_by = excluded.changed_by, replaces = excluded.replaces, archived_at = NULL,
        archived_by = NULL
        WHERE recipient_payees.recipient_id = excluded.recipient_id`;
    if (put === 0) throw new Refusal('payee_of_other');
    await audit(
      tx,
      actor,
      before === null ? 'recipient.account_added' : 'recipient.account_changed',
      `recipient:${id}`,
      {},
      { recipient: name, accountBefore: before, accountAfter: number },
    );
  });
}

/**
 * Archives one account of a recipient, or restores it.
 *
 * @throws Refusal not_allowed, not_found
 */
export async function archiveAccount(
  actor: Person,
  id: string,
  payeeId: string,
  archived: boolean,
): Promise<void> {
  assertMay(actor, 'recipient.redirect');
  await inTransaction(actor.merchantId, async (tx) => {
    const { name } = await lockRecipient(tx, id);
    const [payee] = await tx.$queryRaw<
      Row<'recipient_payees', 'number' | 'archived_at'>[]
    >`SELECT number, archived_at FROM recipient_payees WHERE id = ${payeeId}::uuid
      AND recipient_id = ${id}::uuid`;
    if (!payee) throw new Refusal('not_found');
    if ((payee.archived_at !== null) === archived) return;
    if (archived) await retire(tx, actor, id, payeeId);
    else
      await tx.$executeRaw`UPDATE recipient_payees SET archived_at = NULL, archived_by = NULL
        WHERE id = ${payeeId}::uuid`;
    await audit(
      tx,
      actor,
      archived ? 'recipient.account_archived' : 'recipient.account_restored',
      `recipient:${id}`,
      {},
      { recipient: name, account: payee.number },
    );
  });
}

async function retire(tx: Tx, actor: Person, id: string, payeeId: string): Promise<string> {
  const [retired] = await tx.$queryRaw<Row<'recipient_payees', 'number'>[]>`
    UPDATE recipient_payees SET archived_at = clock_timestamp(), archived_by = ${actor.personId}::uuid
    WHERE id = ${payeeId}::uuid AND recipient_id = ${id}::uuid AND archived_at IS NULL RETURNING number`;
  if (!retired) throw new Refusal('payee_changed');
  return retired.number;
}
