import 'server-only';
import type { Tx } from '#lib/db.ts';
import type { Checkpoint } from './checkpoint.ts';
import { hex } from './links.ts';

/** Whether the entry that a checkpoint names still has the hash that was signed. */
export async function stands(tx: Tx, { entries, head }: Checkpoint): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ hash: Uint8Array }[]>`SELECT hash FROM audit_entries WHERE seq = ${BigInt(entries)}`;
  return row !== undefined && hex(row.hash) === head;
}

/** Checkpoints as they were signed, oldest first. */
export async function storedLines(tx: Tx): Promise<string[]> {
  return (await tx.$queryRaw<{ line: string }[]>`SELECT line FROM audit_checkpoints ORDER BY day`).map((row) => row.line);
}
