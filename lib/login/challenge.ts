import 'server-only';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { counter } from '#lib/runtime/metrics.ts';
import type { Locale } from '#lib/values/locale.ts';
import { ensureMerchant, merchantId } from '#lib/access/merchant.ts';
import { loginClient } from '#lib/providers/login/configured-client.ts';
import type { LoginUser } from '#lib/providers/login/types.ts';
import type { Counted } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { seal, unseal } from '#lib/runtime/seal.ts';
import { openSession } from './session.ts';
import { joinAtSignIn } from './join.ts';
import { readDevice, readKnown, rememberDevice } from './device.ts';
import {
  countAgainstAccount,
  countGuess,
  countPassword,
  endTry,
  forgetGuess,
  forgetGuesses,
  queueForTurn,
} from './limits.ts';
import type { Trier } from './limits.ts';

export const CHALLENGE_SECONDS = 180;
export const RESEND_SECONDS = 30;
const MAX_TRIES = 5;
const MAX_RESENDS = 2;
const SECRET_BYTES = 32;

const countRefusal = counter(
  'dashboard_sign_in_refused_total',
  'Sign-ins that were refused, by step and reason.',
);

/** `device`: the browser's cookie, unverified. */
export type Caller = {
  ip: string | null;
  userAgent: string | null;
  locale: Locale;
  device: string | null;
};
export type Challenge = { secret: string; expiresAt: string; resendAt: string };
export type SignInProblem =
  | {
      code:
        | 'wrong_credentials'
        | 'code_expired'
        | 'unavailable'
        | 'other_merchant'
        | 'disabled'
        | 'bad_input';
    }
  | { code: 'wrong_code'; attemptsLeft: number }
  | { code: 'too_many'; seconds: number }
  /** The code that was sent is valid; another one may be sent in some seconds, or not at all. */
  | { code: 'resend_later'; seconds: number }
  | { code: 'resend_no_more' };

/**
 * Step one: a correct password sends a code to the person's phone. The provider's data about the
 * person stay in our row; the browser has only a secret that finds it. `stepUpId`: the challenge of
 * a step-up that the code answers; such a code signs nobody in.
 */
export async function startChallenge(
  input: { email: string; password: string },
  caller: Caller,
  stepUpId: string | null = null,
): Promise<Challenge | SignInProblem> {
  const email = input.email.trim().toLowerCase();
  const merchant = merchantId();
  // Roles must exist before the first person does: otherwise the first person to sign in would
  // become the owner.
  await ensureMerchant();
  const trier = await trierOf(merchant, email, caller);
  const limited = await countedPassword(trier);
  if (limited) return refused('password', limited);

  const answer = await loginClient().startLogin({
    email,
    password: input.password,
    locale: caller.locale,
  });
  if (answer.kind !== 'code_sent') {
    await inTransaction(merchant, async (tx) => {
      await endTry(tx, trier, false);
      if (answer.kind === 'wrong_credentials')
        await audit(
          tx,
          { kind: 'provider', merchantId: merchant },
          'session.refused',
          'session:none',
          { reason: 'wrong_credentials' },
        );
    });
    return refused('password', { code: answer.kind });
  }
  await inTransaction(merchant, (tx) => endTry(tx, trier, true));
  if (!answer.merchantKeys.includes(env().merchantKey))
    return refused('password', { code: 'other_merchant' });

  const id = randomUUID();
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return inTransaction(merchant, async (tx) => {
    const [row] = await tx.$queryRaw<ChallengeTimes[]>`
      INSERT INTO login_challenges (id, merchant_id, secret_hash, email, password_sealed,
        provider_user_id, step_up_challenge_id, expires_at)
      VALUES (${id}::uuid, ${merchant}::uuid, ${hash(secret)}, ${email},
        ${seal('challenge-password', id, input.password)}, ${answer.userId}, ${stepUpId}::uuid,
        clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS}))
      RETURNING expires_at, sent_at`;
    return { secret, ...times(row!) };
  });
}

/**
 * Sends another code for the same challenge. The challenge's expiry restarts, its count of wrong
 * codes does not. The time is stored before the provider is called, so that of two concurrent
 * requests only one gets a code; the other is refused, and its challenge stays valid.
 */
export async function resendChallenge(
  secret: string,
  caller: Caller,
): Promise<Challenge | SignInProblem> {
  const merchant = merchantId();
  const [row] = await inTransaction(
    merchant,
    (tx) => tx.$queryRaw<
      (Row<'login_challenges', 'id' | 'email' | 'password_sealed'> & { sent_at: Date })[]
    >`
    UPDATE login_challenges c SET resends = c.resends + 1, sent_at = clock_timestamp()
    FROM (SELECT id, sent_at FROM login_challenges
      WHERE secret_hash = ${hash(secret)} AND consumed_at IS NULL AND expires_at > clock_timestamp()
        AND resends < ${MAX_RESENDS}
        AND sent_at < clock_timestamp() - make_interval(secs => ${RESEND_SECONDS}) FOR UPDATE) was
    WHERE c.id = was.id RETURNING c.id, c.email, c.password_sealed, was.sent_at`,
  );
  if (!row) return notResent(merchant, secret);
  const trier = await trierOf(merchant, row.email, caller);
  const limited = await countedPassword(trier);
  if (limited) {
    await inTransaction(
      merchant,
      (tx) =>
        tx.$executeRaw`UPDATE login_challenges SET resends = resends - 1, sent_at = ${row.sent_at}
          WHERE id = ${row.id}::uuid`,
    );
    return limited;
  }
  const answer = await loginClient().startLogin({
    email: row.email,
    password: unseal('challenge-password', row.id, row.password_sealed),
    locale: caller.locale,
  });
  await inTransaction(merchant, async (tx) => {
    await endTry(tx, trier, answer.kind === 'code_sent');
    if (answer.kind !== 'code_sent')
      await tx.$executeRaw`UPDATE login_challenges SET sent_at = ${row.sent_at} WHERE id = ${row.id}::uuid`;
  });
  if (answer.kind !== 'code_sent')
    return { code: answer.kind === 'unavailable' ? 'unavailable' : 'wrong_credentials' };
  return inTransaction(merchant, async (tx) => {
    const [sent] = await tx.$queryRaw<ChallengeTimes[]>`
      UPDATE login_challenges SET sent_at = clock_timestamp(),
        expires_at = clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS}),
        provider_user_id = ${answer.userId}
      WHERE id = ${row.id}::uuid RETURNING expires_at, sent_at`;
    return { secret, ...times(sent!) };
  });
}

/**
 * Why no other code was sent. A challenge that can still be answered stays so: the code that the
 * person has is valid.
 */
async function notResent(merchant: string, secret: string): Promise<SignInProblem> {
  const [row] = await inTransaction(
    merchant,
    (tx) => tx.$queryRaw<{ more: boolean; seconds: number }[]>`
    SELECT resends < ${MAX_RESENDS} AS more, ceil(extract(epoch FROM
        sent_at + make_interval(secs => ${RESEND_SECONDS}) - clock_timestamp()))::int AS seconds
    FROM login_challenges WHERE secret_hash = ${hash(secret)} AND ${answerable()}`,
  );
  if (!row) return { code: 'code_expired' };
  return row.more
    ? { code: 'resend_later', seconds: Math.max(1, row.seconds) }
    : { code: 'resend_no_more' };
}

/** The condition that a challenge can still be answered. */
function answerable(): Prisma.Sql {
  return sql`consumed_at IS NULL AND expires_at > clock_timestamp() AND attempts < ${MAX_TRIES}`;
}

/**
 * Step two: the code. Returns the new session's id, and the value of the cookie that identifies this
 * device from now on.
 */
export async function answerChallenge(
  secret: string,
  code: string,
  caller: Caller,
): Promise<{ sessionId: string; device: string } | SignInProblem> {
  const merchant = merchantId();
  const verified = await verifyCode(secret, code, caller, null);
  if ('code' in verified) return refused('code', verified);
  return inTransaction(merchant, async (tx) => {
    if (!(await consume(tx, verified))) return { code: 'code_expired' } as const;
    const person = await joinAtSignIn(tx, merchant, verified.email, verified.user);
    if (!person) return { code: 'disabled' } as const;
    const device = await rememberDevice(tx, merchant, person.id, readDevice(caller.device));
    return {
      device: device.cookie,
      sessionId: await openSession(tx, person, {
        providerToken: verified.token,
        ip: caller.ip,
        userAgent: caller.userAgent,
        deviceId: device.id,
      }),
    };
  });
}

/**
 * The code of a step-up: it proves that the person behind `email` is there, and opens no session.
 */
export async function confirmByCode(
  given: { secret: string; code: string; email: string; stepUpId: string },
  caller: Caller,
): Promise<'confirmed' | SignInProblem> {
  const verified = await verifyCode(given.secret, given.code, caller, given.stepUpId);
  if ('code' in verified) return verified;
  if (verified.email !== given.email.toLowerCase()) return { code: 'code_expired' };
  const isFirst = await inTransaction(merchantId(), (tx) => consume(tx, verified));
  return isFirst ? 'confirmed' : { code: 'code_expired' };
}

function refused(step: 'password' | 'code', problem: SignInProblem): SignInProblem {
  countRefusal({ step, reason: problem.code });
  return problem;
}

type Verified = { id: string; email: string; token: string; user: LoginUser; trier: Trier };

/** Of two answers to one challenge only the first counts. */
async function consume(tx: Tx, { id, trier }: Verified): Promise<boolean> {
  const consumed = await tx.$executeRaw`
    UPDATE login_challenges SET consumed_at = clock_timestamp(), password_sealed = ''::bytea
      WHERE id = ${id}::uuid AND consumed_at IS NULL`;
  if (consumed === 1) await forgetGuesses(tx, trier);
  return consumed === 1;
}

/**
 * Asks the provider whether the code is right. An attempt is counted before the provider is called,
 * in one statement: fifty concurrent guesses are five attempts. It is taken back only after the
 * provider could not check the code, so that what is checked or under way is never more than that.
 */
async function verifyCode(
  secret: string,
  code: string,
  caller: Caller,
  stepUpId: string | null,
): Promise<Verified | SignInProblem> {
  const merchant = merchantId();
  const email = await accountOf(merchant, secret);
  if (email === null) return { code: 'code_expired' };
  const trier = await trierOf(merchant, email, caller);
  const limited = await countedOrNot(merchant, (tx) => countGuess(tx, trier));
  if (limited) return limited;
  const [row] = await inTransaction(
    merchant,
    (tx) => tx.$queryRaw<
      Row<'login_challenges', 'id' | 'email' | 'provider_user_id' | 'attempts'>[]
    >`
    UPDATE login_challenges SET attempts = attempts + 1
    WHERE secret_hash = ${hash(secret)} AND ${answerable()}
      AND step_up_challenge_id IS NOT DISTINCT FROM ${stepUpId}::uuid
    RETURNING id, email, provider_user_id, attempts`,
  );
  if (!row) return { code: 'code_expired' };
  let lockedSince: string | null = null;
  const locked = await countedOrNot(merchant, async (tx) => {
    const counted = await countAgainstAccount(tx, trier);
    lockedSince = counted.lockedSince ?? null;
    return counted;
  });
  if (locked) return locked;
  const answer = await loginClient().verifyCode({
    userId: row.provider_user_id,
    code,
    locale: caller.locale,
  });
  if (answer.kind === 'unavailable') {
    await inTransaction(merchant, async (tx) => {
      await tx.$executeRaw`UPDATE login_challenges SET attempts = attempts - 1
        WHERE id = ${row.id}::uuid AND attempts > 0`;
      await forgetGuess(tx, trier, lockedSince);
    });
    return { code: 'unavailable' };
  }
  if (answer.kind === 'wrong_code') {
    await inTransaction(merchant, (tx) =>
      audit(
        tx,
        { kind: 'provider', merchantId: merchant },
        'session.refused',
        `challenge:${row.id}`,
        { reason: 'wrong_code', attempt: row.attempts },
      ),
    );
    return row.attempts >= MAX_TRIES
      ? { code: 'code_expired' }
      : { code: 'wrong_code', attemptsLeft: MAX_TRIES - row.attempts };
  }
  if (!answer.merchants.some((one) => one.merchantKey === env().merchantKey))
    return { code: 'other_merchant' };
  return { id: row.id, email: row.email, token: answer.token, user: answer.user, trier };
}

/** Adds whether this device, or its network, has signed in to this account before. */
async function trierOf(merchant: string, email: string, { device, ip }: Caller): Promise<Trier> {
  const known = await inTransaction(merchant, (tx) =>
    readKnown(tx, email, { deviceId: readDevice(device), ip }),
  );
  return { merchant, email, ip, known };
}

/**
 * The account of a challenge; null for an invented one, and for one that can no longer be answered.
 */
async function accountOf(merchant: string, secret: string): Promise<string | null> {
  const [row] = await inTransaction(
    merchant,
    (tx) => tx.$queryRaw<Row<'login_challenges', 'email'>[]>`
    SELECT email FROM login_challenges WHERE secret_hash = ${hash(secret)} AND ${answerable()}`,
  );
  return row?.email ?? null;
}

/**
 * Counts a password attempt. Where only strangers' attempts are used up, the caller gets a turn of
 * its own instead of a refusal.
 */
async function countedPassword(trier: Trier): Promise<SignInProblem | null> {
  let crowded = false;
  const limited = await countedOrNot(trier.merchant, async (tx) => {
    const counted = await countPassword(tx, trier);
    crowded = counted.crowded === true;
    return counted;
  });
  if (limited === null || !crowded) return limited;
  const turn = await inTransaction(trier.merchant, (tx) =>
    queueForTurn(tx, trier.merchant, trier.ip),
  );
  return { code: 'too_many', seconds: turn.seconds };
}

type Tx = Parameters<Parameters<typeof inTransaction>[1]>[0];
type ChallengeTimes = Row<'login_challenges', 'expires_at' | 'sent_at'>;

/**
 * Counts in a transaction of its own. A refusal rolls it back, so that refused attempts are not
 * counted.
 */
async function countedOrNot(
  merchant: string,
  count: (tx: Tx) => Promise<Counted>,
): Promise<SignInProblem | null> {
  try {
    await inTransaction(merchant, async (tx) => {
      const counted = await count(tx);
      if (!counted.ok) throw new Refusal('too_many', { seconds: counted.seconds });
    });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: 'too_many', seconds: Number(error.params.seconds) };
  }
}

function times(row: ChallengeTimes): { expiresAt: string; resendAt: string } {
  return {
    expiresAt: row.expires_at.toISOString(),
    resendAt: new Date(row.sent_at.getTime() + RESEND_SECONDS * 1000).toISOString(),
  };
}

function hash(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(secret).digest());
}
