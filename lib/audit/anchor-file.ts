import 'server-only';
import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { env } from '#lib/runtime/env.ts';

/**
 * The path of the anchor file, which keeps the signed checkpoints outside the database. The
 * database owner cannot write this file, so a chain rebuilt in the database contradicts it.
 */
export function anchorPath(): string {
  return join(env().dataDir, 'audit', 'checkpoints.jsonl');
}

/**
 * The lines of the file, oldest first; empty when the file does not exist. A last line cut off by a
 * crash is dropped.
 */
export async function readAnchor(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Appends whole lines and returns after the file and its folder are synced to disk. */
export async function appendAnchor(path: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = await readFile(path, 'utf8').catch(() => '');
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${gap}${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
