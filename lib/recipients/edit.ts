import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { readNickname } from './nickname.ts';

/** The fields of a recipient as texts: as they were typed, or as a form showed them. */
type RecipientTexts = { name: string; taxNumber: string; nickname: string };

/**
 * Changes the name, the nickname and the tax number of a saved recipient. Earlier payments keep the
 * name they were made with. At most one recipient has a nickname, archived ones counted. `shown`: the
 * fields as the form showed them; one that was left as shown keeps what another person has made of
 * it meanwhile.
 *
 * @throws Refusal not_allowed, not_found, recipient_exists, nickname_long, nickname_taken
 */
export async function editRecipient(
  actor: Person,
  id: string,
  typed: RecipientTexts,
  shown: RecipientTexts | null = null,
): Promise<void> {
  assertMay(actor, 'recipient.edit');
  await inTransaction(actor.merchantId, async (tx) => {
    const before = await lockRecipient(tx, id);
    const fieldOf = (field: keyof RecipientTexts, stored: string): string =>
      typed[field] === shown?.[field] ? stored : typed[field];
    const name = fieldOf('name', before.name);
    const taxNumber = fieldOf('taxNumber', before.tax_number);
    const nickname = readNickname(fieldOf('nickname', before.nickname ?? ''));
    if (before.name === name && before.tax_number === taxNumber && before.nickname === nickname)
      return;
    const [twin] = await tx.$queryRaw<
      Row<'recipients', 'id'>[]
    >`SELECT id FROM recipients WHERE name_fold = ${foldForSearch(name)}
      AND tax_number = ${taxNumber} AND id <> ${id}::uuid`;
    if (twin) throw new Refusal('recipient_exists');
    if (nickname !== null) await assertNicknameFree(tx, id, nickname);
    await tx.$executeRaw`UPDATE recipients SET name = ${name}, tax_number = ${taxNumber},
        nickname = ${nickname} WHERE id = ${id}::uuid`;
    await audit(
      tx,
      actor,
      'recipient.edited',
      `recipient:${id}`,
      {},
      {
        nameBefore: before.name,
        nameAfter: name,
        taxNumberBefore: before.tax_number,
        taxNumberAfter: taxNumber,
        nicknameBefore: before.nickname,
        nicknameAfter: nickname,
      },
    );
  });
}

/**
 * Archives a recipient, so that forms no longer offer it, or restores it. Nothing is deleted.
 *
 * @throws Refusal not_allowed, not_found
 */
export async function archiveRecipient(
  actor: Person,
  id: string,
  archived: boolean,
): Promise<void> {
  assertMay(actor, 'recipient.edit');
  await inTransaction(actor.merchantId, async (tx) => {
    const before = await lockRecipient(tx, id);
    if ((before.archived_at !== null) === archived) return;
    await tx.$executeRaw`
      UPDATE recipients SET archived_at = CASE WHEN ${archived}::boolean THEN clock_timestamp() END,
        archived_by = CASE WHEN ${archived}::boolean THEN ${actor.personId}::uuid END
        WHERE id = ${id}::uuid`;
    await audit(
      tx,
      actor,
      archived ? 'recipient.archived' : 'recipient.restored',
      `recipient:${id}`,
      {},
      { recipient: before.name },
    );
  });
}

/** @throws Refusal nickname_taken */
async function assertNicknameFree(tx: Tx, id: string, nickname: string): Promise<void> {
  const [twin] = await tx.$queryRaw<Row<'recipients', 'name'>[]>`
    SELECT name FROM recipients
    WHERE nickname_fold = ${foldForSearch(nickname)} AND id <> ${id}::uuid`;
  if (twin) throw new Refusal('nickname_taken', { name: twin.name });
}

/**
 * Serializes changes to one recipient.
 *
 * @throws Refusal not_found
 */
export async function lockRecipient(
  tx: Tx,
  id: string,
): Promise<Row<'recipients', 'name' | 'nickname' | 'tax_number' | 'archived_at'>> {
  const [row] = await tx.$queryRaw<
    Row<'recipients', 'name' | 'nickname' | 'tax_number' | 'archived_at'>[]
  >`SELECT name, nickname, tax_number, archived_at FROM recipients
    WHERE id = ${id}::uuid FOR UPDATE`;
  if (!row) throw new Refusal('not_found');
  return row;
}
