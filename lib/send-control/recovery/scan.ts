import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import type { ClaimOptions } from '#lib/movements/claim.ts';
import { publish } from '#lib/live/publish.ts';
import type { Page, Reply } from '#lib/providers/outcome.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import type { PageAsked } from '#lib/providers/wallet/types.ts';
import { matchRecord } from './match.ts';
import { matchJournal } from './match-journal.ts';
import { ofLedgerLine, ofWithdrawal } from './record.ts';
import type { ProviderRecord } from './record.ts';

const PAGE_SIZE = 200;
/** A month of a busy merchant; above it the scan reports that it is incomplete. */
const PAGES_MAX = 500;
/** The provider's clock may be ahead of ours. */
const AHEAD_MS = 24 * 60 * 60 * 1000;
const SCAN_SECONDS = 10 * 60;
/** Pending records are read again until people resume sending. */
const AGAIN_SECONDS = 5 * 60;

type Lists = Pick<WalletClient, 'listWithdrawals' | 'listTransactions'>;

/**
 * Reads the provider's records since the last entry of this database, and our own send journal
 * (`sendsFolder`), and matches both. One worker at a time; does nothing while no recovery is open
 * or the last scan is recent. Never resumes sending.
 */
export async function scanProvider(
  options: ClaimOptions,
  lists: Lists,
  sendsFolder: string,
): Promise<void> {
  const due = await takeScan(options.merchantId);
  if (!due) return;
  const window = {
    from: due.scan_from.toISOString(),
    to: new Date(due.now.getTime() + AHEAD_MS).toISOString(),
  };
  const seen = { records: 0, matched: 0 };
  const match = async (found: ProviderRecord | null): Promise<void> => {
    if (found === null) return;
    const finding = await matchRecord(options, due.id, found);
    if (finding === 'incoming') return;
    seen.records += 1;
    if (finding !== 'foreign') seen.matched += 1;
  };
  // Payout requests first: they name the payee, which the ledger does not.
  const unread =
    (await everyRow(
      (page) => lists.listWithdrawals(window, page),
      async (row) => match(ofWithdrawal(row)),
    )) ??
    (await everyRow(
      (page) => lists.listTransactions(window, page),
      async (row) => match(ofLedgerLine(row)),
    ));
  const journal = await matchJournal(options, due.id, sendsFolder, due.scan_from).catch(
    (error: unknown) => {
      log.error('the send journal could not be compared', errorFields(error));
      return null;
    },
  );
  const problem = unread ?? (journal === null ? 'journal_unread' : null);
  if (problem !== null)
    log.warn("the provider's records could not be read to the end", { reason: problem });
  await inTransaction(options.merchantId, async (tx) => {
    // A recovery that was begun again meanwhile is another comparison: this scan says nothing of it.
    await tx.$executeRaw`
      UPDATE recoveries SET scan_until = NULL, problem = ${problem}, records = ${seen.records},
        matched = ${seen.matched}, journal = ${journal === null ? null : JSON.stringify(journal)}::jsonb,
        scanned_at = CASE WHEN ${problem}::text IS NULL THEN ${due.now} ELSE scanned_at END
      WHERE id = ${due.id}::uuid AND ended_at IS NULL
        AND scan_until = ${due.scan_until}::timestamptz`;
    await publish(tx, options, { kind: 'sending', id: 'all' });
  });
}

/** `scan_until` as PostgreSQL prints it: a `Date` would lose its microseconds. */
type Due = { id: string; scan_from: Date; scan_until: string; now: Date };

async function takeScan(merchantId: string): Promise<Due | undefined> {
  const [row] = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<Due[]>`
    UPDATE recoveries SET scan_until = clock_timestamp() + make_interval(secs => ${SCAN_SECONDS})
    WHERE ended_at IS NULL AND (scan_until IS NULL OR scan_until < clock_timestamp())
      AND (scanned_at IS NULL OR problem IS NOT NULL OR scanned_at < listed_by
        OR scanned_at < clock_timestamp() - make_interval(secs => ${AGAIN_SECONDS}))
    RETURNING id, scan_from, scan_until::text, clock_timestamp() AS now`,
  );
  return row;
}

/**
 * Oldest first, so that rows added during the scan come at the end. Null when every page was read;
 * otherwise the reason why not.
 */
async function everyRow<Row>(
  readPage: (page: PageAsked) => Promise<Reply<Page<Row>>>,
  take: (row: Row) => Promise<void>,
): Promise<string | null> {
  for (let index = 0; index < PAGES_MAX; index++) {
    const reply = await readPage({ index, size: PAGE_SIZE, order: 'oldest' });
    if (reply.kind !== 'answered') return reply.kind === 'no_answer' ? reply.why : 'not_found';
    for (const row of reply.value.rows) await take(row);
    if (index + 1 >= reply.value.pageCount) return null;
  }
  return 'too_many_pages';
}
