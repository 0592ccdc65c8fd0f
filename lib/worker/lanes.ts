import 'server-only';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { inOne, join, kept, literal, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';

/**
 * Work that becomes due in the database: `lanes` pieces of it at a time. `due`: when the first is
 * due, as SQL. `work`: does one piece, and is false when nothing was due.
 */
export type Queue = { lanes: number; due: Prisma.Sql; work: () => Promise<boolean> };

/** Finds what became due without a message, or while no message could be received. */
const POLL_MS = 2_000;
const FAULT_PAUSE_MS = 1_000;

export type Lanes = {
  /** Something may be due now: the queues are looked at. */
  look(): void;
  /** A queue has something to do now; no look is needed. */
  wake(name: string): void;
  /** By how many milliseconds the first row of each queue was late at the latest look. */
  late(): ReadonlyMap<string, number>;
  /** Resolves when every lane has finished its step after the stop. */
  ended: Promise<unknown>;
};

/**
 * Runs the queues until `stopping`. An idle worker makes one query for all of them, which finds the
 * first due time of each; a lane claims only then, or directly after another piece of work.
 */
export function runLanes(
  merchantId: string,
  queues: Readonly<Record<string, Queue>>,
  { stopping, fault }: { stopping: AbortSignal; fault: (what: string, error: unknown) => void },
): Lanes {
  const { wakeOne, untilDue, wakeAll } = restingLanes(Object.keys(queues));
  let wake = signalOf();
  const lateMs = new Map(Object.keys(queues).map((name) => [name, 0]));

  const look = (): void => {
    wake.abort();
    wake = signalOf();
  };
  const rest = async (ms: number, until: AbortSignal): Promise<void> => {
    if (!stopping.aborted) await pause(ms, undefined, { signal: until }).catch(() => undefined);
  };
  async function lane(name: string, { work }: Queue): Promise<void> {
    let hasWorked = false;
    while (!stopping.aborted) {
      try {
        if (await work()) {
          hasWorked = true;
          wakeOne(name);
          continue;
        }
        // What this lane did may be due again before the next look.
        if (hasWorked) look();
        hasWorked = false;
        if (!stopping.aborted) await untilDue(name);
      } catch (error) {
        fault('a step failed; its lease will run out', error);
        await rest(FAULT_PAUSE_MS, stopping);
      }
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.aborted) {
      const before = wake.signal;
      let nextMs = POLL_MS;
      try {
        const due = new Map(await dueIn(merchantId, queues));
        for (const name of lateMs.keys()) lateMs.set(name, Math.max(0, -(due.get(name) ?? 0)));
        for (const [name, ms] of due) {
          if (ms <= 0) wakeOne(name);
          else nextMs = Math.min(nextMs, ms);
        }
      } catch (error) {
        fault('the queues were not looked at', error);
      }
      await rest(nextMs, before);
    }
  }

  stopping.addEventListener('abort', () => {
    look();
    wakeAll();
  });
  const lanes = Object.entries(queues).flatMap(([name, queue]) =>
    Array.from({ length: queue.lanes }, () => lane(name, queue)),
  );
  return { look, wake: wakeOne, late: () => lateMs, ended: Promise.all([...lanes, keepLooking()]) };
}

/** The lanes that rest, by the name of their queue. */
function restingLanes(names: readonly string[]): {
  wakeOne(name: string): void;
  untilDue(name: string): Promise<void>;
  wakeAll(): void;
} {
  const resting = new Map<string, (() => void)[]>(names.map((name) => [name, []]));
  /** Queues with work that no lane was free for: the next one to rest takes it. */
  const waiting = new Set<string>();
  return {
    wakeOne(name) {
      const resume = resting.get(name)!.pop();
      if (resume) resume();
      else waiting.add(name);
    },
    async untilDue(name) {
      if (waiting.delete(name)) return;
      await new Promise<void>((resolve) => void resting.get(name)!.push(resolve));
    },
    wakeAll() {
      for (const resumes of resting.values()) for (const resume of resumes.splice(0)) resume();
    },
  };
}

/** In how many milliseconds the first row of each queue is due; at most 0 when it is due now. */
async function dueIn(
  merchantId: string,
  queues: Readonly<Record<string, Queue>>,
): Promise<[name: string, ms: number][]> {
  const columns = Object.entries(queues).map(
    ([name, { due }]) =>
      sql`ceil(extract(epoch FROM (${due}) - clock_timestamp()) * 1000)::float8
        AS ${literal(`"${name}"`)}`,
  );
  const [row] = await inOne<Record<string, number | null>>(
    merchantId,
    kept(sql`SELECT ${join(columns, ', ')}`),
  );
  return Object.entries(row!).filter((one): one is [string, number] => one[1] !== null);
}

/** Every lane waits on one signal: more listeners than Node's default warning limit. */
function signalOf(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
