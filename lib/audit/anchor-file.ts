import 'server-only';
import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { env } from '#lib/runtime/env.ts';

/**
 * Who owns the database has no rights on this file: a chain that was made anew there contradicts
 * it.
 */
export function anchorPath(): string {
  return join(env().dataDir, 'audit', 'checkpoints.jsonl');
}

/**
 * The lines of the file, oldest first; none when there is no file yet. A last line that a crash cut
 * off is left out.
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

/** Appends whole lines and returns when the disk has them, the name of a new file included. */
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
