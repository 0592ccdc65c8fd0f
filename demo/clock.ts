/**
 * The time of the demo's history: this process, its database sessions and the sandbox share one
 * time, which only moves forward.
 */
import pg from 'pg';

export type Clock = {
  now(): number;
  /** Moves this time forward to `at`, in milliseconds since 1970; an earlier time is ignored. */
  moveTo(at: number): Promise<void>;
  /** Sets this process, the database sessions and the sandbox back to the real time. */
  end(): Promise<void>;
};

const RealDate = Date;
let behindMs = 0;
/** The sum of all moves of `moveTo`, in milliseconds. */
let movedMs = 0;

/**
 * Replaces `Date` and `performance.now` for all modules of this process, so it must be called
 * before they are loaded. A provider's token expires by both clocks.
 */
export function replaceTime(): void {
  const realMonotonic = performance.now.bind(performance);
  performance.now = () => realMonotonic() + movedMs;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      if (given.length === 0) super(RealDate.now() - behindMs);
      else super(...(given as [number]));
    }

    static override now(): number {
      return RealDate.now() - behindMs;
    }
  } as DateConstructor;
}

/**
 * Opens the clock at `from`, in milliseconds since 1970: resets the sandbox, whose clock begins
 * there too.
 */
export async function openClock(
  from: number,
  { databaseUrl, sandboxUrl }: { databaseUrl: string; sandboxUrl: string },
): Promise<Clock> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const setDatabase = (ms: number) =>
    database.query(`UPDATE demo_past.clock SET behind = make_interval(secs => $1)`, [ms / 1000]);
  behindMs = RealDate.now() - from;
  await setDatabase(behindMs);
  await control(sandboxUrl, 'reset', { now: new RealDate(from).toISOString() });
  return {
    now: () => RealDate.now() - behindMs,
    async moveTo(at) {
      const forward = at - (RealDate.now() - behindMs);
      if (forward <= 0) return;
      behindMs -= forward;
      movedMs += forward;
      await setDatabase(behindMs);
      await control(sandboxUrl, 'clock', { advance: `${Math.ceil(forward)}ms` });
    },
    async end() {
      behindMs = 0;
      await setDatabase(0);
      await database.end();
      await control(sandboxUrl, 'clock', { now: 'real' });
    },
  };
}

/** Makes one request to the sandbox's control interface; throws when it is refused. */
export async function control(
  sandboxUrl: string,
  path: string,
  fields?: Record<string, unknown>,
): Promise<unknown> {
  const answer = await fetch(`${sandboxUrl}/sandbox/${path}`, {
    ...(fields === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(fields),
        }),
  });
  if (!answer.ok)
    throw new Error(`/sandbox/${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
