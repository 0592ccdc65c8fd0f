import 'server-only';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { ClaimOptions } from '#lib/movements/claim.ts';
import { capabilitiesOf } from '#lib/movements/kinds.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import type { Evidence } from '#lib/movements/state.ts';
import { changedVisibly, applyEvidence } from '#lib/movements/apply-evidence.ts';
import { CAME_IN } from '#lib/provider-records/direction.ts';
import { compactIban } from '#lib/providers/wallet/wire.ts';
import { storableFields } from '#lib/runtime/stored-text.ts';
import { recallSend, writerOf } from './recall.ts';
import type { ProviderRecord } from './record.ts';

/** `incoming`: money that somebody else sent to an own wallet; nothing to compare. */
export type Finding = 'foreign' | 'brought_forward' | 'contradiction' | 'matched' | 'incoming';

/**
 * Compares one record of the provider with the database. A movement in an older state is brought
 * forward by the same evidence as any read; a record without a movement is stored for people to
 * see.
 */
export async function matchRecord(
  options: ClaimOptions,
  recoveryId: string,
  found: ProviderRecord,
): Promise<Finding> {
  return inTransaction(options.merchantId, async (tx) => {
    const [raw] =
      found.extId === null
        ? []
        : await tx.$queryRaw<
            RawMovement[]
          >`SELECT ${MOVEMENT} FROM movements WHERE ext_id = ${found.extId} FOR UPDATE`;
    if (!raw && found.source === 'ledger') {
      if (await isKnownLine(tx, found)) return 'matched';
      if (await hasComeIn(tx, found)) return 'incoming';
    }
    const finding = raw ? await bringForward(tx, options, fromRaw(raw), found) : 'foreign';
    if (finding !== 'matched')
      await keep(tx, options.merchantId, recoveryId, finding, raw?.id ?? null, found);
    return finding;
  });
}

/**
 * The ledger lists a payout again under its own number: of a known movement, or of an unknown one
 * whose request was stored already.
 */
async function isKnownLine(tx: Tx, { extId, reference }: ProviderRecord): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ known: boolean }]>`
    SELECT EXISTS (SELECT FROM movements WHERE transaction_id = ${reference})
      OR EXISTS (SELECT FROM recovered_records WHERE source = 'withdrawal' AND ext_id = ${extId}) AS known`;
  return row.known;
}

/** A ledger entry with a sender is outgoing by itself, also one from somebody else's wallet. */
async function hasComeIn(tx: Tx, { wallet, toWallet }: ProviderRecord): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ incoming: boolean | null }]>`
    SELECT ${CAME_IN} AS incoming FROM (SELECT 'out' AS direction, ${wallet}::text AS from_wallet,
      ${toWallet}::text AS to_wallet) l`;
  return row.incoming === true;
}

async function bringForward(
  tx: Tx,
  options: ClaimOptions,
  movement: MovementRow,
  found: ProviderRecord,
): Promise<Finding> {
  const now = (await databaseNow(tx)).getTime();
  const write = writerOf(tx, options, now);
  const before =
    movement.state === 'APPROVED' ? await recallSend(tx, options, movement, write) : movement;
  const read: Evidence = {
    source: 'read',
    kind: 'read',
    outcome: readOutcome(movement, found),
    late: true,
  };
  // A transfer has no other record than its ledger entry.
  const isRecord =
    found.source === 'withdrawal' || capabilitiesOf(movement.kind).record === 'ledger_entry';
  if (isRecord && changedVisibly(before, applyEvidence(before, read, now))) {
    const after = await write(before, read);
    return after.alert === 'contradiction' || after.alert === 'mismatch'
      ? 'contradiction'
      : 'brought_forward';
  }
  return before === movement ? 'matched' : 'brought_forward';
}

function readOutcome(
  movement: MovementRow,
  found: ProviderRecord,
): Extract<Evidence, { kind: 'read' }>['outcome'] {
  const { level, amountMinor, currency, iban, toWallet, reference, reason } = found;
  const isOtherMoney = amountMinor !== movement.amountMinor || currency !== movement.currency;
  const isOtherWallet =
    movement.toWallet !== null && toWallet !== null && toWallet !== movement.toWallet;
  // Same comparison as in the normal read of this kind.
  const isOtherIban = iban !== null && compactIban(iban) !== compactIban(movement.iban);
  if (isOtherMoney || isOtherWallet || isOtherIban)
    return { kind: 'no_answer', why: 'mismatch', raw: null };
  if (level === 'unknown') return { kind: 'no_answer', why: 'unknown_level', raw: null };
  return {
    kind: 'found',
    level,
    extId: movement.extId,
    amountMinor,
    currency,
    iban,
    requestId: reference,
    reason,
    updatedAt: null,
    raw: null,
  };
}

async function keep(
  tx: Tx,
  merchantId: string,
  recoveryId: string,
  finding: Finding,
  movementId: string | null,
  found: ProviderRecord,
): Promise<void> {
  const {
    source,
    reference,
    extId,
    level,
    amountMinor,
    currency,
    wallet,
    toWallet,
    iban,
    name,
    madeAt,
  } = storableFields(found);
  const madeDate = madeAt === null ? null : new Date(madeAt);
  // If our own journal named it first, update that entry: it is the same payment, and the
  // provider's record has more details.
  const named =
    extId === null
      ? 0
      : await tx.$executeRaw`
    UPDATE recovered_records r SET source = ${source}, reference = ${reference}, level = ${level},
      wallet = ${wallet}, to_wallet = ${toWallet}, iban = ${iban}, name = ${name},
      made_at = coalesce(${madeDate}, made_at)
    WHERE r.source = 'journal' AND r.finding = ${finding} AND r.ext_id = ${extId}
      AND NOT EXISTS (SELECT FROM recovered_records o WHERE o.source = ${source}
      AND o.reference = ${reference})`;
  if (named > 0) return;
  const [row] = await tx.$queryRaw<[{ first: boolean }]>`
    INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference,
      movement_id, ext_id, level, amount_minor, currency, wallet, to_wallet, iban, name, made_at)
    VALUES (${merchantId}::uuid, ${recoveryId}::uuid, ${finding}, ${source}, ${reference},
      ${movementId}::uuid, ${extId}, ${level}, ${amountMinor}, ${currency}, ${wallet}, ${toWallet},
      ${iban}, ${name}, ${madeDate})
    ON CONFLICT (merchant_id, source, reference) DO UPDATE SET level = excluded.level
      RETURNING (xmax = 0) AS first`;
  if (!row.first) return;
  await audit(
    tx,
    { kind: 'worker', merchantId },
    'sending.record_found',
    movementId === null ? 'sending:all' : `movement:${movementId}`,
    {
      finding,
      source,
      reference,
      extId,
      level,
      amountMinor: amountMinor.toString(),
      currency,
    },
  );
}
