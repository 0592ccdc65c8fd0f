import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countApart } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { ofArchive, requestPdfs } from '../conversion/request.ts';
import { findArchive } from './view.ts';

const GUARD_SECONDS = 15;

/**
 * Has all missing receipts of an archive fetched now instead of on schedule; the schedule of
 * receipts that were given up begins again. A movement whose ledger entry is not visible keeps its
 * own poll schedule. For one PDF, documents that were not printed are tried anew. Returns the
 * number of fetches and prints requested.
 *
 * @throws Refusal `not_allowed`, `not_found`, `asked_too_often`
 */
export async function askForGaps(actor: Person, id: string): Promise<number> {
  assertMay(actor, 'movement.ask');
  return inTransaction(actor.merchantId, async (tx) => {
    const archive = await findArchive(tx, actor, id);
    if (archive === null) throw new Refusal('not_found');
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`archive:${id}`}, 0))`;
    const guard = await countApart(tx, actor.merchantId, `archive-ask:${id}`, GUARD_SECONDS);
    if (!guard.ok) throw new Refusal('asked_too_often', { seconds: guard.seconds });
    const asked = await tx.$executeRaw`
      WITH gaps AS (
        SELECT r.id FROM receipt_archive_items i JOIN receipts r ON r.id = i.receipt_id
        WHERE i.archive_id = ${id}::uuid
          AND (r.state = 'FAILED' OR (r.state = 'WAITING' AND r.next_at > clock_timestamp()))
          ORDER BY r.id FOR UPDATE OF r)
      UPDATE receipts r SET state = 'WAITING', tries = CASE WHEN r.state = 'FAILED' THEN 0
        ELSE r.tries END, next_at = clock_timestamp() FROM gaps WHERE r.id = gaps.id`;
    const printed = archive.fileType === 'pdf' ? await requestPdfs(tx, ofArchive(id)) : 0;
    await wakeWorkers(tx);
    await audit(tx, actor, 'receipt.asked', `archive:${id}`, { receipts: asked + printed });
    await publish(tx, actor, { kind: 'receipt', id });
    return asked + printed;
  });
}
