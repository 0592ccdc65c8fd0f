import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { Row, RowOf, Tx } from '#lib/runtime/db.ts';
import { NO_BREAKS } from './check-chain.ts';
import type { BrokenChain, Breaks } from './check-chain.ts';
import { readCheckpoint } from './checkpoint.ts';
import { hex } from './links.ts';
import { fallenCheckpoints, storedLines } from './stored-checkpoints.ts';

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
  /** The worker's last check, with the breaks that it found. Null before the first. */
  lastCheck: { at: string; entries: string; broken: BrokenChain[] } | null;
  /**
   * The newest checkpoint, and whether it has our signature and matches the entry now in the chain:
   * `stands` is null when it matches but names a key that this installation does not have (the key
   * was replaced, or invented). Null before the first.
   */
  checkpoint: { day: string; entries: number; stands: boolean | null } | null;
};

export async function readChainState(tx: Tx): Promise<ChainState> {
  const [check] = await tx.$queryRaw<FoundCheck[]>`SELECT ${CHECK} FROM audit_checks`;
  const [queue] = await tx.$queryRaw<[{ n: number }]>`SELECT count(*)::int AS n FROM audit_queue`;
  return {
    head: await headState(tx),
    unlinked: queue.n,
    lastCheck: check
      ? {
          at: check.at.toISOString(),
          entries: check.entries.toString(),
          broken: breaksOf(check).first,
        }
      : null,
    checkpoint: await newestCheckpoint(tx),
  };
}

/** The breaks that the worker's last check found. */
export async function readKnownBreaks(tx: Tx): Promise<Breaks> {
  const [check] = await tx.$queryRaw<FoundCheck[]>`SELECT ${CHECK} FROM audit_checks`;
  return check ? breaksOf(check) : NO_BREAKS;
}

const CHECK = columns('audit_checks', ['at', 'entries', 'broken_seq', 'broken_why', 'breaks']);
type FoundCheck = RowOf<
  typeof CHECK,
  { broken_why: BrokenChain['why'] | null; breaks: Breaks | null }
>;

/**
 * The former version writes the first break alone, and leaves in `breaks` what an earlier check
 * found: they count only while they begin with the same break.
 */
function breaksOf({ broken_seq: seq, broken_why: why, breaks }: FoundCheck): Breaks {
  if (seq === null || why === null) return NO_BREAKS;
  const first = { seq: seq.toString(), why };
  const known = breaks?.first[0];
  return breaks && known?.seq === first.seq && known.why === why
    ? breaks
    : { first: [first], count: 1 };
}

async function headState(tx: Tx): Promise<ChainState['head']> {
  // One statement sees one moment: between two of them another entry may be linked.
  const [head] = await tx.$queryRaw<(Row<'audit_heads', 'seq' | 'hash'> & { holds: boolean })[]>`
    SELECT h.seq, h.hash, coalesce((SELECT e.seq = h.seq AND e.hash = h.hash FROM audit_entries e
      WHERE e.merchant_id = h.merchant_id ORDER BY e.seq DESC LIMIT 1), FALSE) AS holds
    FROM audit_heads h WHERE h.seq > 0`;
  return head ? { seq: head.seq.toString(), hash: hex(head.hash), holds: head.holds } : null;
}

async function newestCheckpoint(tx: Tx): Promise<ChainState['checkpoint']> {
  const line = (await storedLines(tx)).at(-1);
  if (line === undefined) return null;
  const read = readCheckpoint(line);
  if (read.kind === 'forged') return { day: '', entries: 0, stands: false };
  const isFallen = (await fallenCheckpoints(tx, [read.checkpoint])).length > 0;
  return {
    day: read.checkpoint.day,
    entries: read.checkpoint.entries,
    stands: isFallen ? false : read.kind === 'signed' || null,
  };
}
