import 'server-only';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { errorFields, log } from '#lib/runtime/log.ts';

/**
 * The send journal: one line of JSON for each request that may move money, on disk before its first
 * byte. It lies beside the database, never in it, so that after a restore it shows what the
 * restored records have lost. Files: `<folder>/<writer>.ndjson`, continued in `<writer>.2.ndjson`,
 * `<writer>.3.ndjson`…; a writer is one process.
 */

/**
 * `amountMinor`: minor units. `payeeHash`: keyed hash of the payee or payer. `at`: ISO. `about`:
 * the order or plan at the provider. `attempt`: which send of its reference this is, from 1; 1 when
 * it is absent.
 */
export type SendJournalEntry = {
  kind: string;
  reference: string;
  amountMinor: bigint;
  currency: string;
  payeeHash: string;
  at: string;
  about?: string;
  attempt?: number;
};

export type SendJournal = {
  /**
   * Resolves true when the entry is on disk (fsync of the file, and of the folder when the file is
   * new). False: it may not be on disk, and nothing may be sent. Never throws.
   */
  append(entry: SendJournalEntry): Promise<boolean>;
};

/**
 * `unreadable`: lines that cannot be parsed, not counting the last line of a file; a torn last line
 * belongs to a send that never began.
 */
export type JournalReading = { entries: SendJournalEntry[]; files: number; unreadable: number };

/** A file is closed at this size and continued in the next one. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/**
 * How many days a file is kept: longer than the age of any backup that may be restored for work, as
 * `docs/operations.md` requires.
 */
export const JOURNAL_RETENTION_DAYS = 100;
const DAY_MS = 24 * 60 * 60 * 1000;
const SUFFIX = '.ndjson';
const TEXT_MAX = 200;

const lineSchema = z.object({
  kind: z.string().min(1).max(TEXT_MAX),
  reference: z.string().min(1).max(TEXT_MAX),
  amountMinor: z
    .string()
    .regex(/^\d{1,18}$/)
    .transform(BigInt),
  currency: z.string().min(1).max(TEXT_MAX),
  payeeHash: z.string().max(TEXT_MAX),
  at: z.iso.datetime(),
  about: z.string().max(TEXT_MAX).optional(),
  attempt: z.number().int().min(1).optional(),
}) satisfies z.ZodType<SendJournalEntry, unknown>;

type Waiting = { line: string; done: (written: boolean) => void };
type OpenFile = { handle: FileHandle; bytes: number };

/**
 * Appends that arrive during one fsync share the next one. `close` closes the file; a later append
 * begins another.
 */
export function openSendJournal({
  folder,
  writer,
}: {
  folder: string;
  writer: string;
}): SendJournal & { close(): Promise<void> } {
  let file: OpenFile | null = null;
  let opened = 0;
  let waiting: Waiting[] = [];
  let isWriting = false;

  const write = async (lines: string): Promise<void> => {
    // A file that was removed while open (swept, or with its folder) would take lines that are
    // never read.
    if (file !== null && (file.bytes >= FILE_BYTES_MAX || (await file.handle.stat()).nlink === 0))
      file = await closeFile(file);
    if (file === null) {
      opened += 1;
      file = await createFile(
        folder,
        opened === 1 ? `${writer}${SUFFIX}` : `${writer}.${opened}${SUFFIX}`,
      );
    }
    const bytes = Buffer.from(lines);
    await file.handle.appendFile(bytes);
    await file.handle.datasync();
    file.bytes += bytes.length;
  };

  const drain = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const written = await write(batch.map(({ line }) => line).join('')).then(
        () => true,
        (error: unknown) => {
          log.error('the send journal cannot be written: nothing is sent', {
            worker: writer,
            ...errorFields(error),
          });
          return false;
        },
      );
      // After a failed write the file holds an unknown part of the entry: leave the file as it is
      // and begin a new one.
      if (!written && file !== null) file = await closeFile(file);
      for (const { done } of batch) done(written);
    }
    isWriting = false;
  };

  return {
    append: (entry) =>
      new Promise((done) => {
        waiting.push({ line: lineOf(entry), done });
        if (!isWriting) void drain();
      }),
    async close() {
      if (file !== null) file = await closeFile(file);
    },
  };
}

/** The entries of all writers in the folder, oldest first; empty when there is no folder. */
export async function readSendJournal(folder: string): Promise<SendJournalEntry[]> {
  return (await inspectSendJournal(folder)).entries;
}

/**
 * The entries since a time (milliseconds), and how many lines could not be read. `files` counts
 * every file, so that zero means that there is no journal.
 *
 * @throws Error when the folder exists and cannot be read
 */
export async function inspectSendJournal(folder: string, since = 0): Promise<JournalReading> {
  const reading: JournalReading = { entries: [], files: 0, unreadable: 0 };
  for (const name of await journalNames(folder)) {
    reading.files += 1;
    if ((await stat(join(folder, name))).mtimeMs < since) continue;
    let isTorn = false;
    for await (const line of createInterface({
      input: createReadStream(join(folder, name)),
      crlfDelay: Infinity,
    })) {
      if (isTorn) reading.unreadable += 1;
      const entry = readLine(line);
      isTorn = entry === null;
      if (entry !== null && Date.parse(entry.at) >= since) reading.entries.push(entry);
    }
  }
  reading.entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return reading;
}

/** Removes files whose last entry is older than the retention. */
export async function sweepSendJournal(folder: string, now: number): Promise<void> {
  for (const name of await journalNames(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > JOURNAL_RETENTION_DAYS * DAY_MS) await rm(path, { force: true });
  }
}

async function createFile(path: string, name: string): Promise<OpenFile> {
  const folder = resolve(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(join(folder, name), 'ax', 0o600);
  try {
    await syncFolder(folder);
    // A new folder is an entry of its parent, which must be synced as well.
    if (made !== undefined) await syncParents(folder, resolve(made));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { handle, bytes: 0 };
}

/** Syncs from the folder up to the parent of the topmost folder that was created. */
async function syncParents(folder: string, topmost: string): Promise<void> {
  for (let path = folder; path.length >= topmost.length; path = dirname(path))
    await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

async function closeFile({ handle }: OpenFile): Promise<null> {
  await handle.close().catch(() => undefined);
  return null;
}

function lineOf({ amountMinor, ...entry }: SendJournalEntry): string {
  return `${JSON.stringify({ ...entry, amountMinor: amountMinor.toString() })}\n`;
}

function readLine(text: string): SendJournalEntry | null {
  try {
    return lineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function journalNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(SUFFIX)).toSorted();
}
