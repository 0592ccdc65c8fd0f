import 'server-only';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { ClaimOptions } from '#lib/movements/claim.ts';
import { publish } from '#lib/live/publish.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { chargesBeforeRestored } from './restored-charges.ts';
import type { KnownCharge } from '#lib/cards/recurring/plan.ts';
import { CARD_CHARGE, CARD_COMPLETION, PLAN_CHARGE } from '#lib/begin-check/journal-entry.ts';
import { inspectSendJournal } from '#lib/begin-check/send-journal.ts';
import type { SendJournalEntry } from '#lib/begin-check/send-journal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { judgeLine } from './compare-journal.ts';
import type { BookEntry, JournalFacts, LineFinding } from './compare-journal.ts';
import { recallSend, writerOf } from './recall.ts';

/** Journal entries per query. */
const BATCH = 500;
/** The maximum number of sends of each kind that are searched for in the journal. */
const KNOWN_SENDS_MAX = 1_000;

/**
 * What the database has for the reference of a journal entry, with the row locked; `movementId` if
 * it is a movement. `recall` records its lost send.
 */
type Found = { entry: BookEntry; movementId: string | null; recall: () => Promise<void> };

/**
 * Compares our own send journal, with the entries of all writers, with the database since the start
 * of the recovery's window: a lost send is stored for people to see, and one whose row still waits
 * is recorded as unknown. Idempotent.
 *
 * @throws Error when the journal exists and cannot be read
 */
export async function matchJournal(
  options: ClaimOptions,
  recoveryId: string,
  folder: string,
  since: Date,
): Promise<JournalFacts> {
  const { entries, files, unreadable } = await inspectSendJournal(folder, since.getTime());
  for (let from = 0; from < entries.length; from += BATCH) {
    const batch = entries.slice(from, from + BATCH);
    const known = await knownSends(options.merchantId, batch);
    for (const line of batch) {
      if (attemptOf(line) > (known.get(line.reference) ?? 0))
        await matchLine(options, recoveryId, line);
    }
  }
  const references = new Set(entries.map((line) => line.reference));
  return {
    files,
    lines: entries.length,
    unreadable,
    missing: await missingLines(options.merchantId, since, references),
  };
}

/** Counts the sends in the database by reference, to skip the entries that match: most of them. */
async function knownSends(
  merchantId: string,
  lines: readonly SendJournalEntry[],
): Promise<Map<string, number>> {
  const rows = await inTransaction(
    merchantId,
    (tx) =>
      tx.$queryRaw<
        { ext_id: string; sends: number }[]
      >`SELECT ext_id, sends FROM movements WHERE ext_id = ANY(${lines.map((line) => line.reference)})`,
  );
  return new Map(rows.map((row) => [row.ext_id, row.sends]));
}

/**
 * Counts the answered sends within the window that have no journal entry: above zero the journal is
 * another machine's, or damaged.
 */
async function missingLines(
  merchantId: string,
  since: Date,
  references: ReadonlySet<string>,
): Promise<number> {
  const rows = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<{ reference: string }[]>`
    (SELECT ext_id AS reference FROM movements WHERE last_send_at > ${since}
      AND accepted_at IS NOT NULL ORDER BY last_send_at DESC LIMIT ${KNOWN_SENDS_MAX})
    UNION ALL (SELECT id::text FROM plan_charges WHERE sent_at > ${since}
      AND state IN ('APPROVED', 'CHARGED') LIMIT ${KNOWN_SENDS_MAX})
    UNION ALL (SELECT invoice_id FROM card_payments WHERE source = 'made_here'
      AND sent_at > ${since} AND answer = 'approved' LIMIT ${KNOWN_SENDS_MAX})`,
  );
  return rows.filter((row) => !references.has(row.reference)).length;
}

async function matchLine(
  options: ClaimOptions,
  recoveryId: string,
  line: SendJournalEntry,
): Promise<LineFinding> {
  return inTransaction(options.merchantId, async (tx) => {
    const found = await findInBooks(tx, options, line);
    const finding = judgeLine(attemptOf(line), found?.entry ?? null);
    if (finding === 'matched' || (finding === 'lost' && (await isListed(tx, line))))
      return 'matched';
    if (finding === 'recall') await found!.recall();
    await keep(tx, options.merchantId, recoveryId, {
      finding,
      line,
      movementId: found?.movementId ?? null,
    });
    return finding;
  });
}

function attemptOf(line: SendJournalEntry): number {
  return line.attempt ?? 1;
}

/** Whether the provider's own record of this send, which has more details, is stored already. */
async function isListed(tx: Tx, line: SendJournalEntry): Promise<boolean> {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM recovered_records WHERE source <> 'journal' AND ext_id = ${line.reference}`;
  return rows.length > 0;
}

async function findInBooks(
  tx: Tx,
  options: ClaimOptions,
  line: SendJournalEntry,
): Promise<Found | null> {
  switch (line.kind) {
    case PLAN_CHARGE:
      return findPlanCharge(tx, options.merchantId, line);
    case CARD_CHARGE:
    case CARD_COMPLETION:
      return findCardCharge(tx, options.merchantId, line);
    default:
      return findMovement(tx, options, line);
  }
}

async function findMovement(
  tx: Tx,
  options: ClaimOptions,
  { reference }: SendJournalEntry,
): Promise<Found | null> {
  const [raw] = await tx.$queryRaw<
    RawMovement[]
  >`SELECT ${MOVEMENT} FROM movements WHERE ext_id = ${reference} FOR UPDATE`;
  if (!raw) return null;
  const movement = fromRaw(raw);
  const isWaiting = movement.state === 'APPROVED';
  const saysNotSent = [
    'DRAFT',
    'AWAITING_APPROVAL',
    'CANCELLED',
    'EXPIRED',
    'REJECTED',
    'FAILED',
  ].includes(movement.state);
  return {
    entry: { sends: movement.sends, isWaiting, saysNotSent },
    movementId: movement.id,
    recall: async () => {
      const now = (await databaseNow(tx)).getTime();
      await recallSend(tx, options, movement, writerOf(tx, options, now));
    },
  };
}

async function findPlanCharge(
  tx: Tx,
  merchantId: string,
  { reference, at }: SendJournalEntry,
): Promise<Found | null> {
  if (!UUID.test(reference)) return null;
  const [row] = await tx.$queryRaw<
    {
      plan_id: string;
      number: number | null;
      state: string;
      sent_at: Date | null;
      charges: KnownCharge[];
    }[]
  >`
    SELECT c.plan_id, c.number, c.state, c.sent_at, p.charges FROM plan_charges c
      JOIN recurring_plans p ON p.id = c.plan_id WHERE c.id = ${reference}::uuid FOR UPDATE OF c`;
  if (!row) return null;
  return {
    entry: {
      sends: row.sent_at === null ? 0 : 1,
      isWaiting: row.state === 'QUEUED',
      saysNotSent: row.state === 'NOT_CHARGED',
    },
    movementId: null,
    recall: async () => {
      // The plan may have been read since the restore, so its record may list this charge already.
      await tx.$executeRaw`
        UPDATE plan_charges SET state = 'SENDING', sent_at = ${new Date(at)},
          charges_before = ${JSON.stringify(chargesBeforeRestored(row.number, row.charges))}::jsonb
          WHERE id = ${reference}::uuid`;
      await tx.$executeRaw`UPDATE plan_charges SET state = 'UNKNOWN', reason = NULL,
        lease_until = NULL WHERE id = ${reference}::uuid`;
      await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
        WHERE id = ${row.plan_id}::uuid`;
      await publish(tx, { merchantId }, { kind: 'card', id: row.plan_id });
    },
  };
}

/**
 * An order that a webhook or a person named is in the database even if it was never sent: its
 * record is read.
 */
async function findCardCharge(
  tx: Tx,
  merchantId: string,
  { reference, at }: SendJournalEntry,
): Promise<Found | null> {
  const [row] = await tx.$queryRaw<
    { id: string; source: string; state: string | null; sent_at: Date | null }[]
  >`
    SELECT id, source, state, sent_at FROM card_payments WHERE invoice_id = ${reference} FOR UPDATE`;
  if (!row) return null;
  const isKnown = row.sent_at !== null || row.source !== 'made_here';
  return {
    entry: { sends: isKnown ? 1 : 0, isWaiting: !isKnown, saysNotSent: false },
    movementId: null,
    recall: async () => {
      await tx.$executeRaw`UPDATE card_payments SET sent_at = ${new Date(at)},
        next_at = clock_timestamp(), tries = 0 WHERE id = ${row.id}::uuid`;
      await publish(tx, { merchantId }, { kind: 'card', id: row.id });
    },
  };
}

const FINDINGS = {
  lost: 'foreign',
  recall: 'brought_forward',
  contradiction: 'contradiction',
} as const;

type Kept = { finding: keyof typeof FINDINGS; line: SendJournalEntry; movementId: string | null };

async function keep(
  tx: Tx,
  merchantId: string,
  recoveryId: string,
  { finding, line, movementId }: Kept,
): Promise<void> {
  const { kind, reference, amountMinor, currency, payeeHash, at, about = null } = line;
  const [kept] = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference,
      movement_id, ext_id, level, amount_minor, currency, made_at, kind, about, payee_hash)
    VALUES (${merchantId}::uuid, ${recoveryId}::uuid, ${FINDINGS[finding]}, 'journal',
      ${`${kind}:${reference}`}, ${movementId}::uuid, ${reference}, 'unknown', ${amountMinor},
      ${currency}, ${new Date(at)},
      ${kind}, ${about}, ${payeeHash})
    ON CONFLICT (merchant_id, source, reference) DO NOTHING RETURNING id`;
  if (!kept) return;
  await audit(
    tx,
    { kind: 'worker', merchantId },
    'sending.record_found',
    movementId === null ? 'sending:all' : `movement:${movementId}`,
    {
      finding: FINDINGS[finding],
      source: 'journal',
      reference,
      extId: reference,
      kind,
      level: 'unknown',
      amountMinor: amountMinor.toString(),
      currency,
    },
  );
}
