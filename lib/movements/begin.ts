import 'server-only';
import { inTransaction, kept, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { isMovementConfirmed } from '#lib/begin-check/confirmed.ts';
import { movementEntry } from '#lib/begin-check/journal-entry.ts';
import type { SendJournal, SendJournalEntry } from '#lib/begin-check/send-journal.ts';
import { bindingOf } from '#lib/begin-check/provider-account.ts';
import type { Binding, OwnIdentity } from '#lib/begin-check/provider-account.ts';
import { standingRefusal } from '#lib/begin-check/begin-check.ts';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import { holdsCheckpoint } from './checkpoint-held.ts';
import type { KnownEntry } from './checkpoint-held.ts';
import { IS_BATCH_HELD_M } from './batch-hold.ts';
import { IS_FAMILY_CONTRADICTED_M } from './family-hold.ts';
import { kindOf } from './kinds.ts';
import type { MovementRow } from './row.ts';

/** What every process that sends money knows about itself and the world outside the database. */
export type BeginPorts = {
  /**
   * The newest audit entry stored outside the database; null while none is known or none can be
   * written.
   */
  mark: () => KnownEntry | null;
  /** Resolves true when a checkpoint that includes everything committed so far is on disk. */
  checkpointWritten: () => Promise<boolean>;
  /** The provider and account this process sends with. */
  identity: () => OwnIdentity;
  journal: Pick<SendJournal, 'append'>;
};

/**
 * The request about to be sent. `kind`: the name that the stop switches use. `readRow`: whether
 * lease and state still belong to the caller; `isHeld`: its batch is paused or stopped, or a payment
 * in whose place it was made may have been paid.
 */
export type BeginSubject = {
  kind: string;
  ofGateway: boolean;
  entry: () => SendJournalEntry;
  readRow: (tx: Tx) => Promise<{ isOwn: boolean; isConfirmed: boolean; isHeld?: boolean }>;
};

/**
 * The conditions that apply to every request of this kind, independent of its row. Runs in the
 * caller's transaction.
 */
export async function readStanding(
  tx: Tx,
  ports: BeginPorts,
  { kind, ofGateway }: Pick<BeginSubject, 'kind' | 'ofGateway'>,
): Promise<Pick<Begun, 'stopped' | 'checkpoint' | 'account'> & { readAt: Date }> {
  const [found] = await tx.$queryRaw<
    [{ known: boolean; stopped: boolean; binding: Binding | null; now: Date }]
  >(
    kept(sql`
    SELECT ${holdsCheckpoint(ports.mark())} AS known, clock_timestamp() AS now,
      EXISTS (SELECT FROM send_switches s WHERE s.off AND s.kind IN (${kind}, 'all')) AS stopped,
      (SELECT jsonb_build_object('environment', i.environment, 'sender', i.sender, 'gateway',
        i.gateway) FROM installations i) AS binding`),
  );
  return {
    stopped: found.stopped,
    checkpoint: found.known ? 'present' : 'missing',
    account: bindingOf(found.binding, ports.identity(), ofGateway),
    readAt: found.now,
  };
}

/**
 * Reads the facts of the begin check in one transaction directly before the request, then writes
 * the journal entry. Throws what the database throws.
 */
export async function readBegin(
  merchantId: string,
  ports: BeginPorts,
  subject: BeginSubject,
): Promise<Begun> {
  const isOnDisk = await ports.checkpointWritten();
  let at = new Date();
  const facts = await inTransaction(merchantId, async (tx): Promise<Begun> => {
    const { readAt, ...standing } = await readStanding(tx, ports, subject);
    at = readAt;
    const { isOwn, isConfirmed, isHeld = false } = await subject.readRow(tx);
    return {
      ...standing,
      stopped: standing.stopped || isHeld,
      checkpoint: isOnDisk ? standing.checkpoint : 'missing',
      row: isOwn ? 'own' : 'changed',
      confirmed: isConfirmed,
      journal: 'written',
    };
  });
  // A request that may not begin gets no journal entry.
  if (standingRefusal(facts) !== null) return facts;
  // By the database's clock: after a restore, entries are looked for from a moment of it on.
  const entry = { ...subject.entry(), at: at.toISOString() };
  const isWritten = await ports.journal.append(entry);
  return { ...facts, journal: isWritten ? 'written' : 'failed' };
}

/** The facts of a claimed movement. */
export async function beginMovement(
  merchantId: string,
  ports: BeginPorts,
  { movement, leaseToken }: { movement: MovementRow; leaseToken: string },
): Promise<Begun> {
  return readBegin(merchantId, ports, {
    kind: movement.kind,
    ofGateway: kindOf(movement.kind).provider === 'card',
    entry: () => movementEntry(movement),
    readRow: async (tx) => {
      const [row] = await tx.$queryRaw<{ held: boolean }[]>(
        kept(sql`
        SELECT ${IS_BATCH_HELD_M} OR ${IS_FAMILY_CONTRADICTED_M} AS held FROM movements m
        WHERE id = ${movement.id}::uuid
          AND state = 'SUBMITTING' AND lease_token = ${leaseToken}::uuid
          AND lease_until > clock_timestamp()`),
      );
      return {
        isOwn: row !== undefined,
        isConfirmed: await isMovementConfirmed(tx, movement.id),
        isHeld: row?.held ?? false,
      };
    },
  });
}
