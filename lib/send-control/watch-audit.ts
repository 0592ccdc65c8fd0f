import 'server-only';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { dayIn } from '#lib/values/dates.ts';
import { env } from '#lib/runtime/env.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { countFailedCheckpoint } from '#lib/send-control/failed-checkpoints.ts';
import { stopSendingFor } from './stop-for.ts';
import { anchorPath, appendAnchor, readAnchor } from '#lib/audit/anchor-file.ts';
import { readKnownBreaks } from '#lib/audit/chain-state.ts';
import { NOTHING_VERIFIED, checkChain, withMoreBreaks } from '#lib/audit/check-chain.ts';
import type { BrokenChain, Breaks, Verified } from '#lib/audit/check-chain.ts';
import { checkpointLine, readCheckpoint } from '#lib/audit/checkpoint.ts';
import type { Checkpoint } from '#lib/audit/checkpoint.ts';
import { erasePastValues } from '#lib/audit/erase.ts';
import { hex } from '#lib/audit/links.ts';
import { fallenCheckpoints, storedLines } from '#lib/audit/stored-checkpoints.ts';

/**
 * The worker's check of the audit chain. Each call verifies the entries since the last call; the
 * first call of a day, and every call while breaks are known, the whole chain. Then it compares the
 * chain with every checkpoint, makes the day's own, and ensures that the file outside the database
 * contains it. `day` and `path` are for tests.
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
    // What a worker wrote down as broken is looked at again whole, whoever found it.
    const { count } = await inTransaction(merchantId, readKnownBreaks);
    const isKept = day === lastDay && count === 0;
    const checked = await checkChain(merchantId, isKept ? verified : NOTHING_VERIFIED);
    const anchored = await anchoredLines(merchantId, path);
    const breaks = withMoreBreaks(
      checked.breaks,
      await inTransaction(merchantId, (tx) => contradictions(tx, anchored)),
    );
    await inTransaction(merchantId, async (tx) => {
      const added = firstNotIn(await readKnownBreaks(tx), breaks);
      if (added)
        await stopSendingFor(
          tx,
          { kind: 'worker', merchantId },
          'audit',
          `${added.seq} (${added.why})`,
        );
      await writeDown(tx, merchantId, checked.verified, breaks);
    });
    const [broken] = breaks.first;
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

/**
 * The checkpoints, in the table or outside, that contradict the chain or their copy: each entry
 * once, and 0 for lines of the table that were not signed here.
 */
async function contradictions(tx: Tx, anchored: readonly string[]): Promise<BrokenChain[]> {
  const stored = new Set(await storedLines(tx));
  const read = [...new Set([...anchored, ...stored])].map(readCheckpoint);
  const checkpoints = read.flatMap((one) => (one.kind === 'forged' ? [] : [one.checkpoint]));
  const places = new Set([
    ...(checkpoints.length < read.length ? ['0'] : []),
    ...(await fallenCheckpoints(tx, checkpoints)).map(({ entries }) => String(entries)),
    ...anchored.filter((line) => !stored.has(line)).map(entriesOf),
  ]);
  return [...places].map((seq) => ({ seq, why: 'checkpoint' }));
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
 * The first break that is not among the known ones. A broken chain stays broken: breaks that two
 * people have reviewed before they resumed sending must not stop it again a minute later.
 */
function firstNotIn(known: Breaks, found: Breaks): BrokenChain | undefined {
  const keyOf = ({ seq, why }: BrokenChain): string => `${seq} ${why}`;
  const keys = new Set(known.first.map(keyOf));
  return (
    found.first.find((one) => !keys.has(keyOf(one))) ??
    (found.count > known.count ? found.first.at(-1) : undefined)
  );
}

async function writeDown(
  tx: Tx,
  merchantId: string,
  verified: Verified,
  breaks: Breaks,
): Promise<void> {
  const [first] = breaks.first;
  await tx.$executeRaw`
    INSERT INTO audit_checks (merchant_id, at, entries, broken_seq, broken_why, breaks)
    VALUES (${merchantId}::uuid, clock_timestamp(), ${verified.seq},
      ${first ? BigInt(first.seq) : null}, ${first?.why ?? null}, ${JSON.stringify(breaks)}::jsonb)
    ON CONFLICT (merchant_id) DO UPDATE SET at = excluded.at, entries = excluded.entries,
      broken_seq = excluded.broken_seq, broken_why = excluded.broken_why, breaks = excluded.breaks`;
}
