import 'server-only';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Checkpoint } from './checkpoint.ts';

/**
 * Checkpoints lie beside the database, never in it: `<folder>/<worker>.json`, written atomically.
 */

/**
 * A worker writes every few seconds: one that has not written for this long has ended, and its
 * checkpoint is older than ours.
 */
const GONE_MS = 10 * 60_000;
/**
 * How often a file is opened anew that was replaced while it was read: a file server then answers
 * ESTALE, and the next opening finds the new file.
 */
const OPENED_MAX = 10;
const SUFFIX = '.json';
const DRAFT_SUFFIX = '.new';

const schema: z.ZodType<Checkpoint> = z.object({
  seq: z.string().regex(/^\d{1,19}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  database: z.object({ system: z.string(), timeline: z.number().int(), oid: z.number().int() }),
  // Absent in a checkpoint of an earlier version.
  successors: z.array(z.string()).default([]),
  at: z.iso.datetime(),
});

/**
 * Every checkpoint of the folder. `unreadable`: at least one file could not be parsed, so its
 * content is unknown.
 */
export async function readCheckpoints(
  folder: string,
): Promise<{ marks: Checkpoint[]; unreadable: boolean }> {
  const names = (await readdir(folder).catch(nothingThere)).filter((name) => name.endsWith(SUFFIX));
  const texts = await Promise.all(
    names.map((name) => readNow(join(folder, name)).catch(goneMeanwhile)),
  );
  const read = texts.filter((text) => text !== null).map(readMark);
  return { marks: read.filter((mark) => mark !== null), unreadable: read.includes(null) };
}

/** Writes this worker's checkpoint. The file is on disk when this resolves; a send waits for it. */
export async function writeCheckpoint(
  folder: string,
  worker: string,
  mark: Checkpoint,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${worker}${DRAFT_SUFFIX}`);
  await writeFile(draft, JSON.stringify(mark), { mode: 0o600, flush: true });
  await rename(draft, join(folder, `${worker}${SUFFIX}`));
}

/**
 * Removes the checkpoints of workers that have ended; with `all`, those of every other worker,
 * because their database no longer exists.
 */
export async function forgetCheckpoints(
  folder: string,
  worker: string,
  all: boolean,
): Promise<void> {
  for (const name of await readdir(folder).catch(nothingThere)) {
    // Skip the folder of the web processes, which lies here too; they remove their own checkpoints.
    if (name === `${worker}${SUFFIX}` || !(name.endsWith(SUFFIX) || name.endsWith(DRAFT_SUFFIX)))
      continue;
    const path = join(folder, name);
    const writtenAt = await stat(path).then(
      (file) => file.mtimeMs,
      () => Date.now(),
    );
    if (all || Date.now() - writtenAt > GONE_MS) await rm(path, { force: true });
  }
}

async function readNow(path: string, opened = 1): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isReplaced = (error as NodeJS.ErrnoException).code === 'ESTALE';
    if (!isReplaced || opened === OPENED_MAX) throw error;
    return readNow(path, opened + 1);
  }
}

function readMark(text: string): Checkpoint | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * The content of a checkpoint that cannot be read: null after ENOENT, because another worker
 * removed the file just now; '' after any other error, which makes it an unreadable checkpoint.
 */
function goneMeanwhile(error: NodeJS.ErrnoException): string | null {
  return error.code === 'ENOENT' ? null : '';
}

function nothingThere(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
