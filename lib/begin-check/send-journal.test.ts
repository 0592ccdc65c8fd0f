import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  inspectSendJournal,
  JOURNAL_RETENTION_DAYS,
  openSendJournal,
  readSendJournal,
  sweepSendJournal,
} from './send-journal.ts';
import type { SendJournalEntry } from './send-journal.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'journal-'));
  folder = join(root, 'sends', 'merchant');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((journal) => journal.close()));
  rmSync(root, { recursive: true, force: true });
});

const entry = (n: number, more: Partial<SendJournalEntry> = {}): SendJournalEntry => ({
  kind: 'payout',
  reference: `REF${n}`,
  amountMinor: 12_345n,
  currency: 'TRY',
  payeeHash: 'k:h',
  at: new Date(1_700_000_000_000 + n).toISOString(),
  ...more,
});
const open: ReturnType<typeof openSendJournal>[] = [];
function opened(writer: string): ReturnType<typeof openSendJournal> {
  const journal = openSendJournal({ folder, writer });
  open.push(journal);
  return journal;
}
const references = async (): Promise<string[]> =>
  (await readSendJournal(folder)).map((one) => one.reference);

it('a line is in the file, whole and readable, when its append has resolved', async () => {
  const journal = opened('a');
  expect(await journal.append(entry(1, { about: 'ORDER-1' }))).toBe(true);
  expect(readFileSync(join(folder, 'a.ndjson'), 'utf8').endsWith('\n')).toBe(true);
  expect(await readSendJournal(folder)).toEqual([entry(1, { about: 'ORDER-1' })]);
});

it('only the owner of the process may read it', async () => {
  await opened('a').append(entry(1));
  expect(
    [statSync(folder).mode, statSync(join(folder, 'a.ndjson')).mode].map((mode) => mode & 0o777),
  ).toEqual([0o700, 0o600]);
});

it('appends at the same time share an fsync, and each of them is on disk before it resolves', async () => {
  let syncs = 0;
  const journal = opened('a');
  await journal.append(entry(0));
  const probe = await fs.open(join(folder, 'a.ndjson'), 'r');
  const shape = Object.getPrototypeOf(probe) as { datasync(): Promise<void> };
  await probe.close();
  const { datasync } = shape;
  vi.spyOn(shape, 'datasync').mockImplementation(async function counted(this: typeof shape) {
    syncs += 1;
    return datasync.call(this);
  });
  const all = Array.from({ length: 100 }, async (_one, n) => {
    expect(await journal.append(entry(n + 1))).toBe(true);
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8')).toContain(`"REF${n + 1}"`);
  });
  await Promise.all(all);
  expect(await readSendJournal(folder)).toHaveLength(101);
  expect(syncs).toBeGreaterThan(0);
  expect(syncs).toBeLessThan(10);
});

it('an append whose fsync fails resolves false, and what follows goes to another file', async () => {
  const journal = opened('a');
  await journal.append(entry(1));
  const probe = await fs.open(join(folder, 'a.ndjson'), 'r');
  const shape = Object.getPrototypeOf(probe) as { datasync(): Promise<void> };
  await probe.close();
  vi.spyOn(shape, 'datasync').mockRejectedValueOnce(
    Object.assign(new Error('no space'), { code: 'ENOSPC' }),
  );
  expect(await journal.append(entry(2))).toBe(false);
  expect(await journal.append(entry(3))).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['a.2.ndjson', 'a.ndjson']);
});

it('an append to a folder that cannot be made resolves false, and true again when it can', async () => {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'sends'), 'a file where the folder should be');
  const journal = opened('a');
  expect(await journal.append(entry(1))).toBe(false);
  rmSync(join(root, 'sends'));
  expect(await journal.append(entry(2))).toBe(true);
  expect(await references()).toEqual(['REF2']);
});

it('a torn last line is passed over; a damaged line before it is counted', async () => {
  await opened('a').append(entry(1));
  appendFileSync(join(folder, 'a.ndjson'), '{"kind":"payout","refer');
  expect(await inspectSendJournal(folder)).toEqual({
    entries: [entry(1)],
    files: 1,
    unreadable: 0,
  });
  writeFileSync(
    join(folder, 'b.ndjson'),
    `{"kind":"pay\n${readFileSync(join(folder, 'a.ndjson'), 'utf8')}`,
  );
  expect(await inspectSendJournal(folder)).toEqual({
    entries: [entry(1), entry(1)],
    files: 2,
    unreadable: 1,
  });
});

it('the lines of all writers are read, in the order of their time', async () => {
  await opened('b').append(entry(1));
  await opened('a').append(entry(2));
  await opened('c').append(entry(0));
  expect(await references()).toEqual(['REF0', 'REF1', 'REF2']);
});

it('a file of before the time that is asked for counts, so that the journal is not taken for absent', async () => {
  await opened('a').append(entry(1));
  const then = new Date(1_700_000_000_000);
  utimesSync(join(folder, 'a.ndjson'), then, then);
  expect(await inspectSendJournal(folder, then.getTime() + 60_000)).toEqual({
    entries: [],
    files: 1,
    unreadable: 0,
  });
});

it('without a folder there are no lines; a folder that cannot be read is an error', async () => {
  expect(await inspectSendJournal(folder)).toEqual({ entries: [], files: 0, unreadable: 0 });
  mkdirSync(join(root, 'sends'));
  writeFileSync(folder, '');
  await expect(readSendJournal(folder)).rejects.toThrow();
});

it('a file at its largest size is continued in the next one', async () => {
  const journal = opened('a');
  const about = 'x'.repeat(190);
  for (let turn = 0; turn < 4; turn++)
    await Promise.all(
      Array.from({ length: 10_000 }, (_one, n) =>
        journal.append(entry(turn * 10_000 + n, { about })),
      ),
    );
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  expect(await readSendJournal(folder)).toHaveLength(40_000);
});

it('a file is removed after the retention, and not a day before', async () => {
  await opened('old').append(entry(1));
  await opened('young').append(entry(2));
  const now = Date.now();
  const ago = (days: number): Date => new Date(now - days * 86_400_000);
  utimesSync(
    join(folder, 'old.ndjson'),
    ago(JOURNAL_RETENTION_DAYS + 1),
    ago(JOURNAL_RETENTION_DAYS + 1),
  );
  utimesSync(
    join(folder, 'young.ndjson'),
    ago(JOURNAL_RETENTION_DAYS - 1),
    ago(JOURNAL_RETENTION_DAYS - 1),
  );
  await sweepSendJournal(folder, now);
  expect(await references()).toEqual(['REF2']);
});

it('a file that was swept under an idle process is begun anew: its next line is read', async () => {
  const journal = openSendJournal({ folder, writer: 'web' });
  open.push(journal);
  await journal.append(entry(1));
  const old = new Date(Date.now() - (JOURNAL_RETENTION_DAYS + 1) * 24 * 60 * 60_000);
  utimesSync(join(folder, 'web.ndjson'), old, old);
  await sweepSendJournal(folder, Date.now());
  expect(await journal.append(entry(2))).toBe(true);
  expect((await readSendJournal(folder)).map(({ reference }) => reference)).toEqual(['REF2']);
});

it('a folder that was removed under a process is made again, or nothing is sent', async () => {
  const journal = openSendJournal({ folder, writer: 'worker' });
  open.push(journal);
  await journal.append(entry(1));
  rmSync(folder, { recursive: true });
  const written = await journal.append(entry(2));
  expect(written).toBe(
    (await readSendJournal(folder)).some(({ reference }) => reference === 'REF2'),
  );
});
