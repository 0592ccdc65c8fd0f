/**
 * Measures the export of the payouts list, from the request to the last byte: with permission
 * checks, cells guarded against formulas, and the stored and compressed pieces. The baseline is the
 * least that this machine can do with the same rows (`floor/export.ts`).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { FRAME } from '../lib/exports/testing/frame.ts';
import { answers } from '../scripts/health.ts';
import { freePort } from '../scripts/ports.ts';
import { nodeProgram, supervise, type Supervised } from '../scripts/processes.ts';
import { absolute, against, median, rounded, type Figure } from './figures.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const ROWS = 100_000;
const ROUNDS = 3;
const READY_MS = 20_000;
const MEGABYTE = 1_024;
const PROFILES = ['csv', 'csv-excel', 'xlsx'] as const;
const FLOORS = ['copy', 'cursor', 'xlsx'] as const;

type Taken = { perSecond: number; firstByteMs: number };
type Measured = {
  ours: Record<string, Taken[]>;
  floors: Record<string, number[]>;
  grown: Record<'worker' | 'web', number[]>;
};

export async function measureExports(stand: Stand): Promise<Figure[]> {
  const {
    rows: [there],
  } = await stand.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM movements');
  await seedCompleted(stand, Math.max(0, ROWS - there!.n));
  const floor = await startFloor(stand);
  const cookie = cookieHeader(await signIn(stand));
  const measured: Measured = { ours: {}, floors: {}, grown: { worker: [], web: [] } };
  const { ours, floors, grown } = measured;
  try {
    // The sides take turns, so that a disturbance of the machine hits all of them; the first round
    // only warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of FLOORS) {
        const taken = await take(`${floor.origin}/${name}`, {}, performance.now());
        if (round > 0) (floors[name] ??= []).push(taken.perSecond);
      }
      for (const profile of PROFILES) {
        stand.signal.throwIfAborted();
        const watched = { worker: watch(stand.stack.workers), web: watch(stand.stack.webs) };
        const begun = performance.now();
        const taken = await take(
          `${stand.origin}/reports/exports/${await ask(stand, profile)}/file`,
          { cookie },
          begun,
        );
        if (round === 0) continue;
        (ours[profile] ??= []).push(taken);
        for (const name of ['worker', 'web'] as const) grown[name].push(watched[name]());
      }
    }
  } finally {
    await floor.process.stop();
  }
  return figuresOf(measured);
}

function figuresOf({ ours, floors, grown }: Measured): Figure[] {
  const rate = (profile: string) => median(ours[profile]!.map((one) => one.perSecond));
  const cursor = median(floors['cursor']!);
  return [
    against(
      `export of ${ROWS} × 20, rows a second: CSV for programs, stored and packed / cursor, formatted here`,
      rate('csv'),
      cursor,
      '',
      { atLeast: 0.8 },
      `COPY → HTTP ${rounded(median(floors['copy']!))}`,
    ),
    against('the same: CSV for Excel / cursor, formatted here', rate('csv-excel'), cursor, ''),
    against(
      'the same: workbook / bare workbook from a cursor',
      rate('xlsx'),
      median(floors['xlsx']!),
      '',
      { atLeast: 0.7 },
    ),
    absolute(
      'first byte of a file that is taken as it is made',
      median(PROFILES.flatMap((profile) => ours[profile]!.map((one) => one.firstByteMs))),
      'ms',
      { atMost: 25 },
    ),
    absolute(
      'memory of the worker that makes it, above its rest',
      median(grown.worker),
      'MB',
      { atMost: 32 },
      `most ${rounded(Math.max(...grown.worker))}`,
    ),
    absolute(
      'memory of the web that hands it out, above its rest',
      median(grown.web),
      'MB',
      { atMost: 32 },
      `most ${rounded(Math.max(...grown.web))}`,
    ),
  ];
}

async function startFloor(stand: Stand): Promise<{ origin: string; process: Supervised }> {
  const port = String(await freePort());
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: stand.stack.databaseUrl,
    PORT: port,
  };
  const running = supervise(
    nodeProgram(
      'floor-export',
      ['bench/floor/export.ts'],
      env,
      join(stand.dataDir, 'logs', 'floor-export.log'),
    ),
    () => undefined,
  );
  await running.ready(() => answers(`http://127.0.0.1:${port}/`), READY_MS);
  return { origin: `http://127.0.0.1:${port}`, process: running };
}

/** Stores the export job as `lib/exports/ask.ts` does, without the form. */
export async function ask(
  stand: Stand,
  profile: string,
  { source, filter } = { source: 'payouts', filter: '' },
): Promise<string> {
  const { rows } = await stand.owner.query<{ id: string }>(
    `WITH asked AS
      (INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expected,
      expires_at) VALUES ($1, $2, $6, $3, $7, $4, $5, now() + interval '1 day') RETURNING id)
     SELECT id, pg_notify('due', '') FROM asked`,
    [
      stand.merchantId,
      stand.makerId,
      profile,
      JSON.stringify({ ...FRAME, role: 'clerk', by: 'Bench', zone: 'Europe/Istanbul' }),
      ROWS,
      source,
      filter,
    ],
  );
  return rows[0]!.id;
}

/**
 * Reads a file to its end and discards it. The time to the first byte counts from the request, the
 * rate from `begun`.
 */
export function take(url: string, headers: Record<string, string>, begun: number): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const asked = performance.now();
    let firstByteMs: number | undefined;
    get(url, { headers }, (answer) => {
      if (answer.statusCode !== 200)
        return reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.on('data', () => (firstByteMs ??= performance.now() - asked));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          perSecond: (ROWS * 1_000) / (performance.now() - begun),
          firstByteMs: firstByteMs ?? Number.NaN,
        }),
      );
    }).on('error', reject);
  });
}

/**
 * Resets the peak memory of these processes. The returned function gives the largest growth of one
 * of them since then, in megabytes, from its memory at the reset to its peak.
 */
export function watch(processes: readonly Supervised[]): () => number {
  // One that is stopped has no memory.
  const pids = processes.flatMap(({ pid }) => pid ?? []);
  const before = pids.map((pid) => {
    // Writing 5 resets the process's peak memory (proc(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return memory(pid, 'VmRSS');
  });
  return () => Math.max(...pids.map((pid, at) => memory(pid, 'VmHWM') - before[at]!)) / MEGABYTE;
}

/** Returns the memory of a process in kilobytes, as Linux reports it. */
export function memory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return Number(
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )![1],
  );
}
