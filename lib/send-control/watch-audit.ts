import 'server-only';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { dayIn } from '#lib/values/dates.ts';
import { env } from '#lib/runtime/env.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { countFailedCheckpoint } from '#lib/send-control/failed-checkpoints.ts';
import { stopSendingFor } from './stop-for.ts';
import { anchorPath, appendAnchor, readAnchor } from '#lib/audit/anchor-file.ts';
import { auditChainBroken } from '#lib/audit/chain-state.ts';
import { NOTHING_VERIFIED, checkChain } from '#lib/audit/check-chain.ts';
import type { BrokenChain, Verified } from '#lib/audit/check-chain.ts';
import { checkpointLine, readCheckpoint } from '#lib/audit/checkpoint.ts';
import type { Checkpoint } from '#lib/audit/checkpoint.ts';
import { erasePastValues } from '#lib/audit/erase.ts';
import { hex } from '#lib/audit/links.ts';
import { fallenCheckpoint, storedLines } from '#lib/audit/stored-checkpoints.ts';

/**
 * The worker's check of the audit chain. Each call verifies the entries since the last call, the
 * first call of a day the whole chain; then it compares the chain with every checkpoint, makes the
 * day's own, and ensures that the file outside the database contains it. `day` and `path` are for
 * tests.
 */
export function chainWatch(
  merchantId: string,
  path: string = anchorPath(),
): (day?: string) => Promise<BrokenChain | null> {
  let verified: Verified = NOTHING_VERIFIED;
  let lastDay = '';
  return async (given) => {
    const now = await inTransaction(merchantId, databaseNow);
    const day = given ?? dayIn(now.toISOString(), env().timeZone);
    const checked = await checkChain(merchantId, day === lastDay ? verified : NOTHING_VERIFIED);
    const anchored = await anchoredLines(merchantId, path);
    const broken =
      checked.broken ?? (await inTransaction(merchantId, (tx) => contradiction(tx, anchored)));
    await inTransaction(merchantId, async (tx) => {
      if (broken && !(await isKnown(tx, broken)))
        await stopSendingFor(
          tx,
          { kind: 'worker', merchantId },
          'audit',
          `${broken.seq} (${broken.why})`,
        );
      await writeDown(tx, merchantId, checked.verified, broken);
    });
    if (broken) {
      log.error('the audit chain is broken at the entry with this number', {
        count: Number(broken.seq),
        reason: broken.why,
      });
      return broken;
    }
    ({ verified } = checked);
    if (day !== lastDay) await erasePastValues(merchantId);
    lastDay = day;
    if (verified.seq > 0n)
      await inTransaction(merchantId, (tx) => makeCheckpoint(tx, merchantId, day, now, verified));
    await copyToAnchor(merchantId, path, anchored).catch((error: unknown) => {
      countFailedCheckpoint({ file: 'audit' });
      log.error('the checkpoint is not outside the database yet', errorFields(error));
    });
    return null;
  };
}

/** The lines of this merchant that we signed; other lines prove nothing. */
async function anchoredLines(merchantId: string, path: string): Promise<string[]> {
  return (await readAnchor(path)).filter((line) => {
    const read = readCheckpoint(line);
    if (read.kind === 'forged') log.warn('a line of the checkpoint file was not signed here');
    return read.kind !== 'forged' && read.checkpoint.merchant === merchantId;
  });
}

/** The first checkpoint, in the table or outside, that contradicts the chain or its copy. */
async function contradiction(tx: Tx, anchored: readonly string[]): Promise<BrokenChain | null> {
  const stored = await storedLines(tx);
  const checkpoints: Checkpoint[] = [];
  for (const line of new Set([...anchored, ...stored])) {
    const read = readCheckpoint(line);
    if (read.kind === 'forged') return { seq: '0', why: 'checkpoint' };
    checkpoints.push(read.checkpoint);
  }
  const fallen = await fallenCheckpoint(tx, checkpoints);
  if (fallen) return { seq: String(fallen.entries), why: 'checkpoint' };
  const removed = anchored.find((line) => !stored.includes(line));
  return removed === undefined ? null : { seq: entriesOf(removed), why: 'checkpoint' };
}

function entriesOf(line: string): string {
  const { entries }: Checkpoint = JSON.parse(line);
  return String(entries);
}

async function makeCheckpoint(
  tx: Tx,
  merchant: string,
  day: string,
  now: Date,
  { seq, hash }: Verified,
): Promise<void> {
  const line = checkpointLine({
    merchant,
    day,
    at: now.toISOString(),
    entries: Number(seq),
    head: hex(hash),
  });
  await tx.$executeRaw`INSERT INTO audit_checkpoints (merchant_id, day, line)
    VALUES (${merchant}::uuid, ${day}, ${line}) ON CONFLICT DO NOTHING`;
}

/**
 * Copies the checkpoints that the file lacks from the table to the file. The table is written
 * first, so whatever a crash between the two left out is copied by the next call on any machine.
 */
async function copyToAnchor(
  merchantId: string,
  path: string,
  anchored: readonly string[],
): Promise<void> {
  const stored = await inTransaction(merchantId, storedLines);
  await appendAnchor(
    path,
    stored.filter((line) => !anchored.includes(line)),
  );
}

/**
 * A broken chain stays broken: a break that two people have reviewed before they resumed sending
 * must not stop it again a minute later.
 */
async function isKnown(tx: Tx, broken: BrokenChain): Promise<boolean> {
  const known = await auditChainBroken(tx);
  return known?.seq === broken.seq && known.why === broken.why;
}

async function writeDown(
  tx: Tx,
  merchantId: string,
  verified: Verified,
  broken: BrokenChain | null,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_checks (merchant_id, at, entries, broken_seq, broken_why)
    VALUES (${merchantId}::uuid, clock_timestamp(), ${verified.seq},
      ${broken === null ? null : BigInt(broken.seq)}, ${broken?.why ?? null})
    ON CONFLICT (merchant_id) DO UPDATE SET at = excluded.at, entries = excluded.entries,
      broken_seq = excluded.broken_seq, broken_why = excluded.broken_why`;
}
