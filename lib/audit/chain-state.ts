import 'server-only';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { BrokenChain } from './check-chain.ts';
import { readCheckpoint } from './checkpoint.ts';
import { readHead, hex } from './links.ts';
import { fallenCheckpoint, storedLines } from './stored-checkpoints.ts';

/**
 * The state of the whole chain without recomputing it. A page shows it beside the proof of the
 * entries on that page.
 */
export type ChainState = {
  /**
   * The newest entry of the chain, and whether the head still names it. Null while the chain is
   * empty.
   */
  head: { seq: string; hash: string; holds: boolean } | null;
  /** The newest entries that are committed and not linked yet. */
  unlinked: number;
  /** The worker's last full check. Null before the first. */
  lastCheck: { at: string; entries: string; broken: BrokenChain | null } | null;
  /**
   * The newest checkpoint, and whether it has our signature and matches the entry now in the chain.
   * Null before the first.
   */
  checkpoint: { day: string; entries: number; stands: boolean } | null;
};

export async function readChainState(tx: Tx): Promise<ChainState> {
  const [check] = await tx.$queryRaw<
    FoundCheck[]
  >`SELECT at, entries, broken_seq, broken_why FROM audit_checks`;
  const [queue] = await tx.$queryRaw<[{ n: number }]>`SELECT count(*)::int AS n FROM audit_queue`;
  return {
    head: await headState(tx),
    unlinked: queue.n,
    lastCheck: check
      ? { at: check.at.toISOString(), entries: check.entries.toString(), broken: brokenOf(check) }
      : null,
    checkpoint: await newestCheckpoint(tx),
  };
}

/**
 * Where the worker last found the chain broken; null while it is intact. Used by the check that
 * decides whether money may be sent.
 */
export async function auditChainBroken(tx: Tx): Promise<BrokenChain | null> {
  const [check] = await tx.$queryRaw<
    FoundCheck[]
  >`SELECT at, entries, broken_seq, broken_why FROM audit_checks`;
  return check ? brokenOf(check) : null;
}

type FoundCheck = Row<
  'audit_checks',
  'at' | 'entries' | 'broken_seq' | 'broken_why',
  { broken_why: BrokenChain['why'] | null }
>;

function brokenOf(check: FoundCheck): BrokenChain | null {
  return check.broken_seq === null || check.broken_why === null
    ? null
    : { seq: check.broken_seq.toString(), why: check.broken_why };
}

async function headState(tx: Tx): Promise<ChainState['head']> {
  const head = await readHead(tx);
  const [last] = await tx.$queryRaw<
    Row<'audit_entries', 'seq' | 'hash'>[]
  >`SELECT seq, hash FROM audit_entries ORDER BY seq DESC LIMIT 1`;
  if (!head) return null;
  return {
    seq: head.seq.toString(),
    hash: hex(head.hash),
    holds: last?.seq === head.seq && Buffer.compare(last.hash, head.hash) === 0,
  };
}

async function newestCheckpoint(tx: Tx): Promise<ChainState['checkpoint']> {
  const line = (await storedLines(tx)).at(-1);
  if (line === undefined) return null;
  const read = readCheckpoint(line);
  if (read.kind === 'forged') return { day: '', entries: 0, stands: false };
  return {
    day: read.checkpoint.day,
    entries: read.checkpoint.entries,
    stands: (await fallenCheckpoint(tx, [read.checkpoint])) === null,
  };
}
