import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inTransaction, inOne, sql } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { latestWords } from '#lib/second-person/standing.ts';
import { openRequest } from '#lib/second-person/requests.ts';
import { resumeQuestion } from './resume-question.ts';
import { mostSevere } from './stops.ts';
import type { Cause, StoppableKind, Stop } from './stops.ts';

export type SendingView = {
  stops: Stop[];
  /** Payouts that are ready to be sent. */
  waiting: number;
};

/**
 * The current stops, and how many payouts wait. Visible to everybody who may read payouts, so that
 * they know why these wait.
 */
export async function viewSending(actor: Person): Promise<SendingView> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      [{ waiting: number }]
    >`SELECT count(*)::int AS waiting FROM movements WHERE state = 'APPROVED'`;
    return { stops: await stopsOf(tx, null), waiting: row.waiting };
  });
}

/** The stop that would defer a payout of this kind prepared now; null when it would be sent. */
export async function viewStop(actor: Person, kind: StoppableKind): Promise<Stop | null> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, (tx) => stopOf(tx, kind));
}

/** The most severe stop of this kind; null when it may be sent. */
export async function stopOf(tx: Tx, kind: StoppableKind): Promise<Stop | null> {
  return mostSevere(await stopsOf(tx, kind));
}

/**
 * The cause of the most severe stop, for the banner on every page; null while nothing is stopped.
 */
export async function sendingCause(merchantId: string): Promise<Cause | null> {
  return (
    mostSevere(
      await inOne<{ cause: Cause }>(merchantId, sql`SELECT cause FROM send_switches WHERE off`),
    )?.cause ?? null
  );
}

const SWITCH = columns('send_switches', ['kind', 'cause', 'reason', 'changed_at']);
type StopRow = RowOf<typeof SWITCH, { kind: StoppableKind; cause: Cause }> & { by: string | null };

async function stopsOf(tx: Tx, kind: StoppableKind | null): Promise<Stop[]> {
  const rows = await tx.$queryRaw<StopRow[]>`
    SELECT ${SWITCH.of('s')}, o.name AS by FROM send_switches s
      LEFT JOIN people o ON o.id = s.off_by
    WHERE s.off AND (${kind}::text IS NULL OR s.kind IN (${kind}, 'all')) ORDER BY s.changed_at`;
  const stops: Stop[] = [];
  for (const row of rows) {
    const { kind: stopped, cause, reason, by, changed_at: since } = row;
    stops.push({
      kind: stopped,
      cause,
      reason: reason ?? '',
      by,
      since: since.toISOString(),
      release: await resumeRequest(tx, { kind: stopped, cause, since }),
    });
  }
  return stops;
}

/** The latest request to resume from this stop, within the day that a request is valid. */
async function resumeRequest(
  tx: Tx,
  stop: { kind: StoppableKind; cause: Cause; since: Date },
): Promise<Stop['release']> {
  const { subject, boundTo } = resumeQuestion(stop);
  const open = await openRequest(tx, subject);
  if (open === null || open.boundTo !== boundTo) return null;
  const request = latestWords(open.words, open.now).findLast((word) => word.claim !== null);
  return request === undefined
    ? null
    : {
        by: request.name,
        byId: request.personId,
        at: new Date(request.at).toISOString(),
        reason: request.reason,
      };
}
