import { setTimeout as pause } from 'node:timers/promises';
import { payment, type Operation } from '../crash/plan.ts';
import { until } from '../crash/trouble.ts';
import { signIn, submit, type Visitor } from '../crash/web.ts';
import { BASE_URL } from '../surroundings.ts';

/** People who prepare payouts, and pages that are read, all the time and through the proxy. */

const PEOPLE = 2;
const BETWEEN_MS = 600;
const PAGE_MS = 250;
const PAGE_ANSWER_MS = 5_000;
/** A payout of the list. While the database is away the page says so, with status 200. */
const PAYOUT = /\/payouts\/[0-9a-f-]{36}/;

export type Load = {
  /** Payouts that a web has answered to be stored. */
  readonly stored: readonly Operation[];
  /** Times between the first failed page and the next good one, in milliseconds. */
  readonly pageErrors: readonly { at: number; ms: number }[];
  readonly pages: number;
  isPageGood(): boolean;
  /** Stops preparing payouts; every one that was begun is stored when this resolves. */
  end(): Promise<void>;
};

export function startLoad(visitor: Visitor): Load {
  const stored: Operation[] = [];
  const pageErrors: { at: number; ms: number }[] = [];
  const stopping = new AbortController();
  const never = new AbortController().signal;
  let failedSince: number | null = null;
  let pages = 0;

  const person = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const one = payment();
      await submit(visitor, one, Math.random, never);
      stored.push(one);
      await pause(BETWEEN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const reader = async (): Promise<void> => {
    await until('a payout is in the list', () => readPage(visitor));
    while (!stopping.signal.aborted) {
      const at = Date.now();
      const isGood = await readPage(visitor);
      pages += 1;
      if (!isGood) failedSince ??= at;
      else if (failedSince !== null) {
        pageErrors.push({ at: failedSince, ms: Date.now() - failedSince });
        failedSince = null;
      }
      await pause(PAGE_MS);
    }
  };
  const running = Promise.all([...Array.from({ length: PEOPLE }, person), reader()]);
  running.catch(() => undefined);
  return {
    stored,
    pageErrors,
    get pages() {
      return pages;
    },
    isPageGood: () => failedSince === null,
    async end() {
      stopping.abort();
      await running;
    },
  };
}

/** Signs a person in; a cluster that has just started may not answer at once. */
export async function signInAt(email: string): Promise<Visitor> {
  let visitor: Visitor | undefined;
  await until(`${email} is signed in`, async () => {
    visitor = await signIn(email).catch(() => undefined);
    return visitor !== undefined;
  });
  return visitor!;
}

async function readPage({ cookie }: Visitor): Promise<boolean> {
  try {
    const answer = await fetch(`${BASE_URL}/payouts`, {
      headers: { cookie },
      redirect: 'manual',
      signal: AbortSignal.timeout(PAGE_ANSWER_MS),
    });
    const text = await answer.text();
    return answer.status === 200 && PAYOUT.test(text);
  } catch {
    return false;
  }
}
