import 'server-only';
import { createHash } from 'node:crypto';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { countWithin, readCount, uncount } from '#lib/access/rate-limit.ts';
import type { Counted } from '#lib/access/rate-limit.ts';
import type { Known } from './device.ts';
import { networkOf } from './networks.ts';

const QUARTER_HOUR = 15 * 60;
const HALF_HOUR = 30 * 60;
const DAY = 24 * 60 * 60;
/**
 * `codes` are texted to a phone, so only a correct password uses one up. `passwords` limits one
 * network at one account, and `sitePasswords` one /48, which locks out nobody outside it. `site`
 * and `strangers` are totals over all accounts: beyond them callers are not refused permanently but
 * get turns, `turns` a minute for one /48. `wrongCodes` in a row lock the account for half an hour
 * (PCI DSS 8.3.4 allows ten). Against the sandbox, rehearsals and tests sign in far more often.
 */
const LIMITS = {
  live: {
    codesQuarter: 3,
    codesDay: 10,
    passwords: 10,
    sitePasswords: 30,
    subnet: 30,
    site: 120,
    strangers: 300,
    turns: 5_000,
    guesses: 60,
    wrongCodes: 10,
  },
  sandbox: {
    codesQuarter: 120,
    codesDay: 5_000,
    passwords: 1_000,
    sitePasswords: 2_000,
    subnet: 2_000,
    site: 2_000,
    strangers: 5_000,
    turns: 5_000,
    guesses: 5_000,
    wrongCodes: 1_000,
  },
};
/**
 * How long a network that never signed in waits for its own turn while strangers, all of them or
 * those of its /48, have used up their attempts.
 */
const TURN_SECONDS = 60;
/** An unused turn expires after this. */
const TURN_LIFE_SECONDS = 5 * 60;

/**
 * The caller: the account as typed, and the network. A known caller (this device or network has
 * signed in to this account before) has separate counters throughout: strangers never use up its
 * share, and its network never uses up a device's.
 */
export type Trier = { merchant: string; email: string; ip: string | null; known: Known };

/**
 * `crowded`: no limit of this caller's own is exceeded, but strangers together, or those of its
 * /48, have made too many attempts.
 */
type PasswordCounted = Counted & { crowded?: true };

/**
 * Counts a password attempt. The account comes last: a caller refused because of its network uses
 * up nothing of it.
 */
export async function countPassword(tx: Tx, trier: Trier): Promise<PasswordCounted> {
  const { merchant, email, ip, known } = trier;
  const max = limits();
  const { subnet, site } = networkOf(ip);
  const own: Record<'device' | 'network' | 'strangers', Limit[]> = {
    device: [[`sign-in:device:${account(email)}`, max.passwords, HALF_HOUR]],
    network: [[`sign-in:known:${account(email)}:${subnet}`, max.passwords, HALF_HOUR]],
    strangers: [
      [`sign-in:subnet:${subnet}`, max.subnet, QUARTER_HOUR],
      [`sign-in:passwords:${account(email)}:${subnet}`, max.passwords, HALF_HOUR],
      ...ofSite(site, (it) => [
        `sign-in:passwords:${account(email)}:${it}`,
        max.sitePasswords,
        HALF_HOUR,
      ]),
    ],
  };
  const refused = await firstRefusal(tx, merchant, own[share(known)]);
  if (!refused.ok) return refused;
  if (known === null && !(await takeTurn(tx, merchant, subnet))) {
    const totals: Limit[] = [
      ...ofSite(site, (it) => [`sign-in:site:${it}`, max.site, QUARTER_HOUR]),
      ['sign-in:strangers', max.strangers, QUARTER_HOUR],
    ];
    const total = await firstRefusal(tx, merchant, totals);
    if (!total.ok) return { ...total, crowded: true };
  }
  return reserveCode(tx, trier);
}

/**
 * Reserves a code to be sent. Only sent codes count for the account. Pending ones count for their
 * own network, so that wrong passwords from elsewhere, however slowly they are answered, use up
 * nobody else's share.
 */
async function reserveCode(tx: Tx, trier: Trier): Promise<Counted> {
  const { merchant } = trier;
  const { codesQuarter: quarterMax, codesDay: dayMax } = limits();
  // Count this attempt first: the statement waits for the lock of another attempt of this network
  // that is ending, so that the counts read below include that attempt.
  const own = await countWithin(tx, merchant, underWay(trier), quarterMax, QUARTER_HOUR);
  if (!own.ok) return own;
  const { count: open } = await readCount(tx, merchant, underWay(trier), QUARTER_HOUR);
  const quarter = await readCount(tx, merchant, codesQuarter(trier), QUARTER_HOUR);
  const day = await readCount(tx, merchant, codesDay(trier), DAY);
  if (day.count + open > dayMax) return { ok: false, seconds: day.seconds };
  return quarter.count + open > quarterMax ? { ok: false, seconds: quarter.seconds } : own;
}

/**
 * Queues a network for which strangers' attempts leave no room. Its next attempt after the returned
 * seconds is accepted independently of the others; asking again meanwhile changes nothing. A /48
 * has 65,536 networks: only a limited number of them gets a turn in one minute.
 */
export async function queueForTurn(
  tx: Tx,
  merchant: string,
  ip: string | null,
): Promise<{ ok: false; seconds: number }> {
  const { subnet, site } = networkOf(ip);
  const key = turnOf(subnet);
  await tx.$executeRaw`
    DELETE FROM rate_limits WHERE merchant_id = ${merchant}::uuid AND key = ${key}
      AND window_start < clock_timestamp() - make_interval(secs => ${TURN_LIFE_SECONDS})`;
  const place = await secondsOfPlace(tx, merchant, key);
  if (place !== null) return { ok: false, seconds: Math.max(1, place) };
  const given = await firstRefusal(
    tx,
    merchant,
    ofSite(site, (it) => [`sign-in:turns:${it}`, limits().turns, TURN_SECONDS]),
  );
  if (!given.ok) return given;
  await tx.$executeRaw`
    INSERT INTO rate_limits (merchant_id, key, window_start, count)
      VALUES (${merchant}::uuid, ${key}, clock_timestamp() + make_interval(secs => ${TURN_SECONDS}), 1)`;
  return { ok: false, seconds: TURN_SECONDS };
}

async function secondsOfPlace(tx: Tx, merchant: string, key: string): Promise<number | null> {
  const [row] = await tx.$queryRaw<[{ seconds: number | null }]>`
    SELECT ceil(extract(epoch FROM min(window_start) - clock_timestamp()))::int AS seconds
      FROM rate_limits WHERE merchant_id = ${merchant}::uuid AND key = ${key}`;
  return row.seconds;
}

async function takeTurn(tx: Tx, merchant: string, subnet: string): Promise<boolean> {
  const taken = await tx.$executeRaw`
    DELETE FROM rate_limits WHERE merchant_id = ${merchant}::uuid AND key = ${turnOf(subnet)}
      AND window_start <= clock_timestamp()
        AND window_start > clock_timestamp() - make_interval(secs => ${TURN_LIFE_SECONDS})`;
  return taken > 0;
}

/**
 * Ends an attempt once its password check has ended. `isSent`: a code is on its way to the phone,
 * and is counted.
 */
export async function endTry(tx: Tx, trier: Trier, isSent: boolean): Promise<void> {
  await uncount(tx, trier.merchant, underWay(trier), QUARTER_HOUR);
  if (!isSent) return;
  await countWithin(tx, trier.merchant, codesQuarter(trier), limits().codesQuarter, QUARTER_HOUR);
  await countWithin(tx, trier.merchant, codesDay(trier), limits().codesDay, DAY);
}

/**
 * Counts a code attempt at a challenge that can still be answered: invented challenges use up
 * nothing.
 */
export async function countGuess(tx: Tx, { merchant, email, ip, known }: Trier): Promise<Counted> {
  const caller = known === null ? `subnet:${networkOf(ip).subnet}` : `${known}:${account(email)}`;
  return countWithin(tx, merchant, `code:${caller}`, limits().guesses, QUARTER_HOUR);
}

/**
 * Takes back the count of a guess as wrong, because the provider could not check the code, and with
 * it the lock that this guess has set. The count first: a guess that waits for it finds no lock.
 */
export async function forgetGuess(
  tx: Tx,
  { merchant, email, known }: Trier,
  lockedSince: string | null,
): Promise<void> {
  await tx.$executeRaw`UPDATE rate_limits SET count = count - 1
    WHERE merchant_id = ${merchant}::uuid AND key = ${guesses(email, known)} AND count > 0`;
  await tx.$executeRaw`DELETE FROM rate_limits
    WHERE merchant_id = ${merchant}::uuid AND key = ${lockOf(email, known)}
      AND window_start = ${lockedSince}::timestamptz`;
}

/** `lockedSince`: the guess has locked the account; the lock is the one of this time. */
type GuessCounted = Counted & { lockedSince?: string };

/**
 * Counts a guess at this account as wrong until `forgetGuesses` says otherwise. The guess that
 * reaches the limit is still allowed; from then on the account is locked. A refusal must roll back:
 * a locked account's guesses are not counted.
 */
export async function countAgainstAccount(
  tx: Tx,
  { merchant, email, known }: Trier,
): Promise<GuessCounted> {
  const [row] = await tx.$queryRaw<[{ count: number }]>`
    INSERT INTO rate_limits (merchant_id, key, window_start, count)
      VALUES (${merchant}::uuid, ${guesses(email, known)}, 'infinity', 1)
    ON CONFLICT (merchant_id, key, window_start) DO UPDATE SET count = rate_limits.count + 1
      RETURNING count`;
  // Read the account's lock only after the statement above: it waits for concurrent guesses, so
  // these are committed by now, and so is a lock that they set.
  const [lock] = await tx.$queryRaw<[{ seconds: number | null }]>`
    SELECT ceil(extract(epoch FROM max(window_start)) + ${HALF_HOUR}::int - extract(epoch
      FROM clock_timestamp()))::int AS seconds
    FROM rate_limits WHERE merchant_id = ${merchant}::uuid AND key = ${lockOf(email, known)}`;
  if (lock.seconds !== null && lock.seconds > 0) return { ok: false, seconds: lock.seconds };
  if (row.count % limits().wrongCodes !== 0) return { ok: true };
  const [{ since }] = await tx.$queryRaw<[{ since: string }]>`
    INSERT INTO rate_limits (merchant_id, key, window_start, count)
    VALUES (${merchant}::uuid, ${lockOf(email, known)}, clock_timestamp(), 1)
    RETURNING window_start::text AS since`;
  return { ok: true, lockedSince: since };
}

/** After a correct code: forgets the wrong guesses of this caller, or of others in its class. */
export async function forgetGuesses(tx: Tx, { merchant, email, known }: Trier): Promise<void> {
  await tx.$executeRaw`DELETE FROM rate_limits WHERE merchant_id = ${merchant}::uuid
    AND key IN (${guesses(email, known)}, ${lockOf(email, known)})`;
}

type Limit = [key: string, max: number, seconds: number];

async function firstRefusal(tx: Tx, merchant: string, all: Limit[]): Promise<Counted> {
  for (const [key, max, seconds] of all) {
    const counted = await countWithin(tx, merchant, key, max, seconds);
    if (!counted.ok) return counted;
  }
  return { ok: true };
}

/** The limits of a /48, for IPv6 only: an IPv4 address does not reveal a customer's network. */
function ofSite(site: string | null, limit: (site: string) => Limit): Limit[] {
  return site === null ? [] : [limit(site)];
}

function limits(): (typeof LIMITS)['live'] {
  return env().sandboxOn ? LIMITS.sandbox : LIMITS.live;
}

/** A counter's name contains no e-mail address. */
const account = (email: string): string => createHash('sha256').update(email).digest('hex');
const share = (known: Known): 'device' | 'network' | 'strangers' => known ?? 'strangers';
const codesQuarter = ({ email, known }: Trier): string =>
  `sign-in:codes:${account(email)}:${share(known)}`;
const codesDay = ({ email, known }: Trier): string =>
  `sign-in:codes-day:${account(email)}:${share(known)}`;
const underWay = (trier: Trier): string => `${codesQuarter(trier)}:${networkOf(trier.ip).subnet}`;
const guesses = (email: string, known: Known): string =>
  `sign-in:guesses:${account(email)}:${share(known)}`;
const lockOf = (email: string, known: Known): string =>
  `sign-in:locked:${account(email)}:${share(known)}`;
const turnOf = (subnet: string): string => `sign-in:turn:${subnet}`;
