import 'server-only';
import { createHash } from 'node:crypto';
import type { Tx } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import { countWithin, uncount } from '#lib/rate-limit.ts';
import type { Counted } from '#lib/rate-limit.ts';

const QUARTER_HOUR = 15 * 60;
const HALF_HOUR = 30 * 60;
const DAY = 24 * 60 * 60;
/**
 * `codes` go to a phone, so only a right password uses one up; `passwords` are what one address may try at one account,
 * which locks nobody else out of it; `wrongCodes` in a row lock the account for half an hour (PCI DSS 8.3.4 allows ten).
 * Against the sandbox, rehearsals and tests sign in far more often.
 */
const LIMITS = {
  live: { codesQuarter: 3, codesDay: 10, passwords: 10, address: 30, all: 300, guesses: 60, guessesAll: 600, wrongCodes: 10 },
  sandbox: { codesQuarter: 120, codesDay: 5_000, passwords: 1_000, address: 2_000, all: 5_000, guesses: 5_000, guessesAll: 10_000, wrongCodes: 1_000 },
};

/** Who tries: the account as typed, and where from. */
export type Trier = { merchant: string; email: string; ip: string | null };

/** A password is about to be tried. The account comes last: whoever is refused for their address uses up nothing of it. */
export async function countPassword(tx: Tx, { merchant, email, ip }: Trier): Promise<Counted> {
  const max = limits();
  return firstRefusal(tx, merchant, [
    [`sign-in:address:${ip ?? 'unknown'}`, max.address, QUARTER_HOUR],
    [`sign-in:passwords:${account(email)}:${ip ?? 'unknown'}`, max.passwords, HALF_HOUR],
    ['sign-in:all', max.all, QUARTER_HOUR],
    [codesQuarter(email), max.codesQuarter, QUARTER_HOUR],
    [codesDay(email), max.codesDay, DAY],
  ]);
}

/** No code went out. */
export async function giveCodeBack(tx: Tx, { merchant, email }: Trier): Promise<void> {
  await uncount(tx, merchant, codesQuarter(email), QUARTER_HOUR);
  await uncount(tx, merchant, codesDay(email), DAY);
}

/** A code is about to be tried, whether or not there is a challenge for it. */
export async function countGuess(tx: Tx, merchant: string, ip: string | null): Promise<Counted> {
  const max = limits();
  return firstRefusal(tx, merchant, [[`code:address:${ip ?? 'unknown'}`, max.guesses, QUARTER_HOUR], ['code:all', max.guessesAll, QUARTER_HOUR]]);
}

/**
 * Counts a guess at this account as wrong until `forgetGuesses` says otherwise. The one that fills the measure still counts;
 * from then on the account is locked. A refusal must roll back: a locked account's guesses are not counted.
 */
export async function countAgainstAccount(tx: Tx, merchant: string, email: string): Promise<Counted> {
  const [row] = await tx.$queryRaw<[{ count: number }]>`
    INSERT INTO rate_limits (merchant_id, key, window_start, count) VALUES (${merchant}::uuid, ${guesses(email)}, 'infinity', 1)
    ON CONFLICT (merchant_id, key, window_start) DO UPDATE SET count = rate_limits.count + 1 RETURNING count`;
  // Only now: whoever counted before us has committed, and with it the lock that they may have set.
  const [lock] = await tx.$queryRaw<[{ seconds: number | null }]>`
    SELECT ceil(extract(epoch FROM max(window_start)) + ${HALF_HOUR}::int - extract(epoch FROM clock_timestamp()))::int AS seconds
    FROM rate_limits WHERE merchant_id = ${merchant}::uuid AND key = ${lockOf(email)}`;
  if (lock.seconds !== null && lock.seconds > 0) return { ok: false, seconds: lock.seconds };
  if (row.count % limits().wrongCodes === 0) {
    await tx.$executeRaw`INSERT INTO rate_limits (merchant_id, key, window_start, count) VALUES (${merchant}::uuid, ${lockOf(email)}, clock_timestamp(), 1)`;
  }
  return { ok: true };
}

/** The right code: what was counted against the account is forgotten. */
export async function forgetGuesses(tx: Tx, merchant: string, email: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM rate_limits WHERE merchant_id = ${merchant}::uuid AND key IN (${guesses(email)}, ${lockOf(email)})`;
}

async function firstRefusal(tx: Tx, merchant: string, all: [key: string, max: number, seconds: number][]): Promise<Counted> {
  for (const [key, max, seconds] of all) {
    const counted = await countWithin(tx, merchant, key, max, seconds);
    if (!counted.ok) return counted;
  }
  return { ok: true };
}

function limits(): (typeof LIMITS)['live'] {
  return env().sandboxOn ? LIMITS.sandbox : LIMITS.live;
}

/** No e-mail address stands in a counter's name. */
const account = (email: string): string => createHash('sha256').update(email).digest('hex');
const codesQuarter = (email: string): string => `sign-in:codes:${account(email)}`;
const codesDay = (email: string): string => `sign-in:codes-day:${account(email)}`;
const guesses = (email: string): string => `sign-in:guesses:${account(email)}`;
const lockOf = (email: string): string => `sign-in:locked:${account(email)}`;
