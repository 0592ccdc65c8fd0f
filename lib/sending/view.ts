import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { inTransaction, inOne, sql } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import { gravest } from './stops.ts';
import type { Cause, RailChoice, Stop } from './stops.ts';

export type SendingView = {
  stops: Stop[];
  /** Payouts that are ready to leave. */
  waiting: number;
};

/** What holds sending now, and how much waits. Everybody who may look at payouts may know why they wait. */
export async function viewSending(actor: Person): Promise<SendingView> {
  require(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<[{ waiting: number }]>`SELECT count(*)::int AS waiting FROM movements WHERE state = 'APPROVED'`;
    return { stops: await stopsOf(tx, null), waiting: row.waiting };
  });
}

/** What would keep a payout of this rail that is prepared now; null while it would leave. */
export async function viewHold(actor: Person, rail: RailChoice): Promise<Stop | null> {
  require(actor, 'movement.read');
  return inTransaction(actor.merchantId, (tx) => heldBy(tx, rail));
}

/** What holds this rail, the gravest of it; null while it may send. */
export async function heldBy(tx: Tx, rail: RailChoice): Promise<Stop | null> {
  return gravest(await stopsOf(tx, rail));
}

/** Only the cause, for the band on every page. */
export async function sendingCause(merchantId: string): Promise<Cause | null> {
  return gravest(await inOne<{ cause: Cause }>(merchantId, sql`SELECT cause FROM send_switches WHERE off`))?.cause ?? null;
}

type RawStop = {
  rail: RailChoice; cause: Cause; reason: string | null; by: string | null; changed_at: Date;
  asker: string | null; asker_id: string | null; release_asked_at: Date | null; release_reason: string | null;
};

async function stopsOf(tx: Tx, rail: RailChoice | null): Promise<Stop[]> {
  const rows = await tx.$queryRaw<RawStop[]>`
    SELECT s.rail, s.cause, s.reason, o.name AS by, s.changed_at, a.name AS asker, a.id AS asker_id, s.release_asked_at, s.release_reason
    FROM send_switches s LEFT JOIN people o ON o.id = s.off_by LEFT JOIN people a ON a.id = s.release_asked_by
    WHERE s.off AND (${rail}::text IS NULL OR s.rail IN (${rail}, 'all')) ORDER BY s.changed_at`;
  return rows.map((row) => ({
    rail: row.rail, cause: row.cause, reason: row.reason ?? '', by: row.by, since: row.changed_at.toISOString(),
    release: row.asker_id === null || row.release_asked_at === null ? null : { by: row.asker ?? '', byId: row.asker_id, at: row.release_asked_at.toISOString(), reason: row.release_reason ?? '' },
  }));
}
