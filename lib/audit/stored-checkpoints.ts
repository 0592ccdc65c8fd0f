import 'server-only';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Checkpoint } from './checkpoint.ts';
import { hex } from './links.ts';

/** The checkpoints whose entry is missing or no longer has the signed hash, earliest entry first. */
export async function fallenCheckpoints(
  tx: Tx,
  checkpoints: readonly Checkpoint[],
): Promise<Checkpoint[]> {
  const rows = await tx.$queryRaw<
    Row<'audit_entries', 'seq' | 'hash'>[]
  >`SELECT seq, hash FROM audit_entries
    WHERE seq = ANY(${checkpoints.map(({ entries }) => entries)}::bigint[])`;
  const heads = new Map(rows.map(({ seq, hash }) => [Number(seq), hex(hash)]));
  return checkpoints
    .toSorted((a, b) => a.entries - b.entries)
    .filter(({ entries, head }) => heads.get(entries) !== head);
}

/** Checkpoints as they were signed, oldest first. */
export async function storedLines(tx: Tx): Promise<string[]> {
  return (
    await tx.$queryRaw<
      Row<'audit_checkpoints', 'line'>[]
    >`SELECT line FROM audit_checkpoints ORDER BY day`
  ).map((row) => row.line);
}
