import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { windowLasts } from '#lib/testing/limit-window.ts';
import type * as Session from './session.ts';
import type * as Challenge from './challenge.ts';
import type * as Device from './device.ts';
import type { Caller } from './challenge.ts';

/**
 * An attacker who guesses passwords or codes gains little, with any identity and any number of
 * concurrent attempts, and does not lock out other people.
 */

const RIGHT = { password: 'right', code: '424242' };
/** A code whose check at the provider fails. */
const OUTAGE = '503503';
/** How long the provider takes to reject a password or meets an outage, and whether it is down. */
const slow = { ms: 0, untilDone: Promise.resolve(), isDown: false };
const asked: { startLogin: string[]; verifyCode: { userId: string; code: string }[] } = {
  startLogin: [],
  verifyCode: [],
};

/** The cookies of the browser that asks who is signed in. */
const jar = new Map<string, { value: string }>();
/** The headers of the request under way. */
let sent = new Headers();

let merchant: TestMerchant;
let web: Process;
let signIn: typeof Challenge;
let session: typeof Session;
let device: typeof Device;

beforeAll(async () => {
  merchant = await testMerchant();
  // The strict limits apply only against a real provider.
  const key = () => randomBytes(32).toString('base64');
  Object.assign(process.env, {
    AUTH_SECRET: key(),
    DATA_KEY: key(),
    WEBHOOK_KEY: key(),
    SANDBOX: 'off',
    APP_ORIGIN: 'https://desk.test',
    LOGIN_BASE_URL: 'https://login.test',
    WALLET_AUTH_URL: 'https://auth.test',
    WALLET_API_URL: 'https://api.test',
    CARD_BASE_URL: 'https://card.test',
    CARD_APP_ID: 'app',
    CARD_APP_SECRET: 'given-by-the-gateway',
  });
  const { env } = await import('#lib/runtime/env.ts');
  const user = (id: string) => ({
    id,
    name: 'Somebody',
    firstName: null,
    lastName: null,
    email: null,
    userType: null,
    accountStatus: null,
  });
  vi.doMock('#lib/providers/login/configured-client.ts', () => ({
    loginClient: () => ({
      startLogin: async ({ email, password }: { email: string; password: string }) => {
        asked.startLogin.push(email);
        await slow.untilDone;
        if (slow.isDown) return { kind: 'unavailable' };
        if (slow.ms > 0 && password !== RIGHT.password)
          await new Promise((done) => setTimeout(done, slow.ms));
        return password === RIGHT.password
          ? {
              kind: 'code_sent',
              userId: `id of ${email}`,
              user: user('1'),
              merchantKeys: [env().merchantKey],
            }
          : { kind: 'wrong_credentials' };
      },
      verifyCode: async ({ userId, code }: { userId: string; code: string }) => {
        asked.verifyCode.push({ userId, code });
        if (code === OUTAGE) {
          await slow.untilDone;
          return { kind: 'unavailable' };
        }
        return code === RIGHT.code
          ? {
              kind: 'signed_in',
              token: 'provider-token',
              // One id for each account, as the provider has: an id of a disabled person is refused.
              user: user(userId),
              merchants: [{ id: '1', merchantKey: env().merchantKey, siteUrl: null }],
            }
          : { kind: 'wrong_code' };
      },
    }),
  }));
  // Mocks code that needs the running framework; no test here depends on it.
  vi.doMock('next/navigation', () => ({ redirect: () => undefined }));
  vi.doMock('next/headers', () => ({
    headers: async () => sent,
    cookies: async () => jar,
  }));
  web = await openProcess('dashboard_web');
  signIn = await import('./challenge.ts');
  session = await import('./session.ts');
  device = await import('./device.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});
beforeEach(async () => {
  // The longest of these tests takes most of a minute.
  await windowLasts(15 * 60, 60_000);
  slow.untilDone = Promise.resolve();
  asked.startLogin.length = 0;
  asked.verifyCode.length = 0;
  await merchant.owner.query('DELETE FROM rate_limits WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
}, 120_000);

const from = (ip: string): Caller => ({ ip, userAgent: 'test', locale: 'tr', device: null });
const start = (email: string, password: string, ip = '85.0.0.1') =>
  signIn.startChallenge({ email, password }, from(ip));
const answer = (secret: string, code: string, ip = '85.0.0.1') =>
  signIn.answerChallenge(secret, code, from(ip));
/** As many as the pool has connections: one more would wait for one, and fail after three seconds. */
const AT_ONCE = 10;
async function times<T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let from = 0; from < n; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, n - from);
    done.push(...(await Promise.all(Array.from({ length: count }, (_, at) => work(from + at)))));
  }
  return done;
}
/**
 * Runs the attempts one after the other: among concurrent ones, pending attempts would be refused
 * before those beyond the limit.
 */
async function inTurn<T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let index = 0; index < n; index++) done.push(await work(index));
  return done;
}
const codesOf = (answers: object[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const one of answers) {
    const code = 'code' in one ? String(one.code) : 'good';
    found[code] = (found[code] ?? 0) + 1;
  }
  return found;
};
async function challenge(email: string, ip?: string): Promise<string> {
  const made = await start(email, RIGHT.password, ip);
  if (!('secret' in made)) throw new Error(`no challenge: ${JSON.stringify(made)}`);
  return made.secret;
}

describe('a code', () => {
  it('guessed fifty times at once reaches the provider five times, and the right one comes too late', async () => {
    const secret = await challenge('fifty@test');
    const answers = await times(50, (index) => answer(secret, String(100_000 + index)));
    expect(codesOf(answers)).toEqual({ wrong_code: 4, code_expired: 46 });
    expect(asked.verifyCode).toHaveLength(5);
    expect(await answer(secret, RIGHT.code)).toEqual({ code: 'code_expired' });
    expect(asked.verifyCode).toHaveLength(5);
  });

  it('opens one session, once, for the person of its own challenge and for nobody the browser names', async () => {
    const secret = await challenge('one@test');
    const answers = await times(2, () => answer(secret, RIGHT.code));
    expect(answers.filter((one) => 'sessionId' in one)).toHaveLength(1);
    expect(new Set(asked.verifyCode.map(({ userId }) => userId))).toEqual(
      new Set(['id of one@test']),
    );
    expect(await answer(secret, RIGHT.code)).toEqual({ code: 'code_expired' });
    const { rows } = await merchant.owner.query(
      `SELECT length(password_sealed) AS length FROM login_challenges WHERE email = 'one@test'`,
    );
    expect(rows, 'the password is kept no longer').toEqual([{ length: 0 }]);
  });

  it('that nobody could check is not counted as wrong: an outage locks no account', async () => {
    for (let round = 0; round < 4; round++) {
      await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
      const secret = await challenge('outage@test');
      for (let n = 0; n < 4; n++)
        expect(await answer(secret, OUTAGE)).toEqual({ code: 'unavailable' });
    }
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    expect(await answer(await challenge('outage@test'), RIGHT.code)).toHaveProperty('sessionId');
  });

  it('after nine wrong ones and an outage signs in: the guess that nobody checked leaves no lock', async () => {
    const [one, two, three] = [
      await challenge('unlucky@test'),
      await challenge('unlucky@test'),
      await challenge('unlucky@test'),
    ];
    for (let n = 0; n < 5; n++) await answer(one, '000000');
    for (let n = 0; n < 4; n++) await answer(two, '000000');
    expect(asked.verifyCode).toHaveLength(9);
    expect(await answer(three, OUTAGE)).toEqual({ code: 'unavailable' });
    expect(await answer(three, RIGHT.code)).toHaveProperty('sessionId');
  });

  it('is not used up by an outage: after five of them the right one signs in', async () => {
    const secret = await challenge('patient@test');
    for (let n = 0; n < 5; n++)
      expect(await answer(secret, OUTAGE)).toEqual({ code: 'unavailable' });
    expect(await answer(secret, RIGHT.code)).toHaveProperty('sessionId');
  });

  const wrongOnes = () => asked.verifyCode.filter(({ code }) => code !== OUTAGE).length;
  it('is tried no more often because of outages: five times, and ten times for its account', async () => {
    const [one, two, three] = [
      await challenge('outages@test'),
      await challenge('outages@test'),
      await challenge('outages@test'),
    ];
    for (let n = 0; n < 5; n++) {
      expect(await answer(one, OUTAGE)).toEqual({ code: 'unavailable' });
      await answer(one, String(100_000 + n));
    }
    expect(await answer(one, OUTAGE), 'five wrong ones').toEqual({ code: 'code_expired' });
    expect(await answer(two, OUTAGE)).toEqual({ code: 'unavailable' });
    for (let n = 0; n < 4; n++) await answer(two, String(200_000 + n));
    expect(await answer(three, OUTAGE), 'sets a lock and takes it back').toEqual({
      code: 'unavailable',
    });
    expect(await answer(three, '300000'), 'the tenth').toMatchObject({ code: 'wrong_code' });
    expect(wrongOnes()).toBe(10);
    expect(await answer(three, OUTAGE)).toMatchObject({ code: 'too_many' });
    expect(await answer(three, RIGHT.code)).toMatchObject({ code: 'too_many' });
    expect(wrongOnes()).toBe(10);
  });

  it('that meets an outage takes back no lock that another guess has set', async () => {
    const [one, two] = [await challenge('slow@test'), await challenge('slow@test')];
    for (let n = 0; n < 5; n++) await answer(one, '000000');
    for (let n = 0; n < 3; n++) await answer(two, '000000');
    let done = (): void => undefined;
    slow.untilDone = new Promise((resolve) => (done = resolve));
    const ninth = answer(two, OUTAGE);
    await vi.waitUntil(() => asked.verifyCode.length === 9, { timeout: 15_000 });
    await answer(two, '000000');
    done();
    expect(await ninth).toEqual({ code: 'unavailable' });
    expect(await answer(two, RIGHT.code)).toMatchObject({ code: 'too_many' });
  });

  it('is tried ten times at most among concurrent tries, some of which meet an outage', async () => {
    const secrets = [
      await challenge('crowd@test'),
      await challenge('crowd@test'),
      await challenge('crowd@test'),
    ];
    for (let wave = 0; wave < 3; wave++)
      await times(30, (n) =>
        answer(
          secrets[n % 3]!,
          n % 4 === 0 ? OUTAGE : String(100_000 + wave * 100 + n),
          `85.0.${wave}.${n}`,
        ),
      );
    for (const secret of secrets)
      for (let n = 0; n < 5; n++) await answer(secret, String(200_000 + n));
    expect(wrongOnes()).toBeLessThanOrEqual(10);
    for (const secret of secrets)
      expect(await answer(secret, RIGHT.code)).not.toHaveProperty('sessionId');
  });

  it('is worth nothing after three minutes, nor with another browser’s secret', async () => {
    const secret = await challenge('late@test');
    const { rows } = await merchant.owner.query(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS life FROM login_challenges
        WHERE email = 'late@test'`,
    );
    expect(rows).toEqual([{ life: 180 }]);
    await merchant.owner.query(
      `UPDATE login_challenges SET expires_at = expires_at - interval '181 seconds' WHERE email = 'late@test'`,
    );
    expect(await answer(secret, RIGHT.code)).toEqual({ code: 'code_expired' });
    expect(await answer('guessed', RIGHT.code)).toEqual({ code: 'code_expired' });
    expect(asked.verifyCode).toEqual([]);
  });

  it('wrong ten times in a row, over any number of challenges, locks the account for half an hour', async () => {
    const secrets = [
      await challenge('locked@test'),
      await challenge('locked@test'),
      await challenge('locked@test'),
    ];
    const answers = await times(15, (index) =>
      answer(secrets[index % 3]!, String(100_000 + index), `85.0.1.${index}`),
    );
    expect(codesOf(answers)).toMatchObject({ too_many: 5 });
    expect(asked.verifyCode).toHaveLength(10);
    const locked = answers.find((one) => 'seconds' in one) as { seconds: number };
    expect(locked.seconds).toBeGreaterThan(29 * 60);
    // The refusal also covers other challenges, but not permanently.
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    const fresh = await challenge('locked@test');
    expect(await answer(fresh, RIGHT.code)).toMatchObject({ code: 'too_many' });
    await merchant.owner.query(
      `UPDATE rate_limits SET window_start = window_start - interval '31 minutes'
        WHERE key LIKE 'sign-in:locked:%'`,
    );
    expect(await answer(fresh, RIGHT.code)).toHaveProperty('sessionId');
    // The refusal does not affect another account.
    expect(await answer(await challenge('bystander@test'), RIGHT.code)).toHaveProperty('sessionId');
  });

  it('that is right forgives the wrong ones before it', async () => {
    for (let round = 0; round < 3; round++) {
      await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
      const secret = await challenge('clumsy@test');
      for (let wrong = 0; wrong < 4; wrong++)
        expect(await answer(secret, '000000')).toMatchObject({ code: 'wrong_code' });
      expect(await answer(secret, RIGHT.code)).toHaveProperty('sessionId');
    }
  });
});

describe('a phone', () => {
  it('gets three codes in a quarter of an hour and ten a day, also when all are asked for at once', async () => {
    expect(codesOf(await times(8, () => start('phone@test', RIGHT.password)))).toEqual({
      good: 3,
      too_many: 5,
    });
    expect(asked.startLogin).toHaveLength(3);
    let day = 3;
    for (let quarter = 0; quarter < 5; quarter++) {
      await merchant.owner.query(`DELETE FROM rate_limits WHERE key NOT LIKE 'sign-in:codes-day%'`);
      day += codesOf(await times(4, () => start('phone@test', RIGHT.password))).good ?? 0;
    }
    expect(day).toBe(10);
  });

  it('gets one code where it is asked for again twice at the same time', async () => {
    const secret = await challenge('twice@test');
    await merchant.owner.query(
      `UPDATE login_challenges SET sent_at = sent_at - interval '31 seconds' WHERE email = 'twice@test'`,
    );
    let done = (): void => undefined;
    slow.untilDone = new Promise((resolve) => (done = resolve));
    // The provider answers only when each of the five requests has reached it or was refused
    // before.
    let answered = 0;
    const again = times(5, () =>
      signIn.resendChallenge(secret, from('85.0.0.1')).finally(() => ++answered),
    );
    await vi.waitUntil(() => answered + asked.startLogin.length - 1 === 5, { timeout: 15_000 });
    done();
    expect(codesOf(await again)).toEqual({ good: 1, resend_later: 4 });
    expect(asked.startLogin).toHaveLength(2);
  });

  it('gets no more by asking for the code again: that is a code like any other, thirty seconds apart', async () => {
    const resend = async (secret: string) => {
      await merchant.owner.query(
        `UPDATE login_challenges SET sent_at = sent_at - interval '31 seconds' WHERE email = 'again@test'`,
      );
      return signIn.resendChallenge(secret, from('85.0.0.1'));
    };
    const first = await challenge('again@test');
    expect(await signIn.resendChallenge(first, from('85.0.0.1')), 'too soon').toMatchObject({
      code: 'resend_later',
    });
    expect(await resend(first)).toHaveProperty('secret');
    const second = await challenge('again@test');
    expect(asked.startLogin).toHaveLength(3);
    // All three codes of this quarter of an hour are used up: neither a new sign-in nor a resend
    // gets a fourth code.
    expect(await start('again@test', RIGHT.password)).toMatchObject({ code: 'too_many' });
    expect(await resend(second)).toMatchObject({ code: 'too_many' });
    expect(asked.startLogin).toHaveLength(3);
    // A refused resend does not count as one of the two resends that a challenge may have.
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes:%'`);
    expect([await resend(second), await resend(second)]).toEqual([
      expect.objectContaining({ secret: second }),
      expect.objectContaining({ secret: second }),
    ]);
    expect(await resend(second)).toEqual({ code: 'resend_no_more' });
    expect(asked.startLogin).toHaveLength(5);
  });

  it('keeps its code when no further one is sent, and says whether and when there is another one', async () => {
    const secret = await challenge('third@test');
    const again = () => signIn.resendChallenge(secret, from('85.0.0.1'));
    const secondsOf = (problem: object) => ('seconds' in problem ? Number(problem.seconds) : null);
    const later = (seconds: number) =>
      merchant.owner.query(
        `UPDATE login_challenges SET sent_at = sent_at - make_interval(secs => $1),
          expires_at = expires_at - make_interval(secs => $1) WHERE email = 'third@test'`,
        [seconds],
      );
    const soon = await again();
    expect([soon, secondsOf(soon)! > 20 && secondsOf(soon)! <= 30], 'too soon').toEqual([
      { code: 'resend_later', seconds: expect.any(Number) },
      true,
    ]);
    for (let n = 0; n < 2; n++) {
      await later(31);
      expect(await again()).toHaveProperty('secret');
    }
    await later(31);
    expect(await again(), 'the third').toEqual({ code: 'resend_no_more' });
    expect(await answer(secret, RIGHT.code)).toHaveProperty('sessionId');
    expect(await again(), 'answered').toEqual({ code: 'code_expired' });
    expect(await signIn.resendChallenge('guessed', from('85.0.0.1'))).toEqual({
      code: 'code_expired',
    });
  });

  it('that did not come does not make anybody wait for the next one', async () => {
    const secret = await challenge('lost@test');
    await merchant.owner.query(
      `UPDATE login_challenges SET sent_at = sent_at - interval '31 seconds' WHERE email = 'lost@test'`,
    );
    const again = () => signIn.resendChallenge(secret, from('85.0.0.1'));
    await challenge('lost@test');
    await challenge('lost@test');
    expect(await again(), 'the quarter hour is used up').toMatchObject({ code: 'too_many' });
    await merchant.owner.query('DELETE FROM rate_limits');
    slow.isDown = true;
    expect(await again(), 'the provider is down').toEqual({ code: 'unavailable' });
    slow.isDown = false;
    expect(await again()).toHaveProperty('secret');
    expect(await again(), 'now a code was sent').toEqual({ code: 'resend_no_more' });
  });
});

describe('passwords', () => {
  it('guessed from one address are cut off there; the person at another address signs in as ever', async () => {
    const guesses = await inTurn(25, (index) => start('victim@test', `guess ${index}`, '66.6.6.6'));
    expect(codesOf(guesses)).toEqual({ wrong_credentials: 10, too_many: 15 });
    expect(asked.startLogin).toHaveLength(10);
    expect(await start('victim@test', RIGHT.password, '66.6.6.6')).toMatchObject({
      code: 'too_many',
    });
    expect(await answer(await challenge('victim@test', '85.0.0.9'), RIGHT.code)).toHaveProperty(
      'sessionId',
    );
  });

  it('of many accounts are limited by address and in total, and a refused try is not counted', async () => {
    expect(
      codesOf(await times(45, (index) => start(`many${index}@test`, 'guess', '66.6.6.7'))),
    ).toEqual({ wrong_credentials: 30, too_many: 15 });
    const { rows } = await merchant.owner.query(
      `SELECT count FROM rate_limits WHERE merchant_id = $1 AND key = 'sign-in:strangers'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ count: 30 }]);
    const everywhere: object[] = [];
    for (let wave = 0; wave < 10; wave++)
      everywhere.push(
        ...(await times(30, (index) =>
          start(`all${wave}-${index}@test`, 'guess', `66.7.${wave}.${index}`),
        )),
      );
    expect(codesOf(everywhere)).toEqual({ wrong_credentials: 270, too_many: 30 });
  });

  it('for an unknown person and for a known one are answered alike, to the last try', async () => {
    const of = async (email: string, ip: string) => {
      const codes: unknown[] = [];
      for (let n = 0; n < 12; n++)
        codes.push(((await start(email, 'guess', ip)) as { code: string }).code);
      return codes;
    };
    await challenge('known@test');
    expect(await of('known@test', '66.6.6.8')).toEqual(await of('nobody@test', '66.6.6.9'));
  });
});

/** The addresses of a rented botnet, a third of them IPv6. */
const FLEET = 4_096;
const FLEET_AT_ONCE = 8;
type Place = {
  fleet: (index: number) => string;
  home: string;
  onTheMove: (n: number) => string;
  fresh: string;
};
const fleetAddress = (index: number): string =>
  index % 3 === 0 ? `2001:db8:${index.toString(16)}:1::1` : `66.${index >> 8}.${index & 255}.1`;

describe('while strangers guess', () => {
  const signInAs = (email: string, ip: string, device: string | null = null) =>
    signIn.startChallenge({ email, password: RIGHT.password }, { ...from(ip), device });

  it('addresses of one network are one: a host with a whole /64 gets no further than one with an address', async () => {
    const guesses = await times(60, (index) =>
      start(`six${index}@test`, 'guess', `2001:db8:0:1::${(index + 1).toString(16)}`),
    );
    expect(codesOf(guesses)).toEqual({ wrong_credentials: 30, too_many: 30 });
    const site: object[] = [];
    for (let subnet = 2; subnet < 8; subnet++)
      site.push(
        ...(await times(25, (index) =>
          start(`site${subnet}-${index}@test`, 'guess', `2001:db8:0:${subnet}::${index + 1}`),
        )),
      );
    expect(codesOf(site), 'a /48 of many /64').toEqual({ wrong_credentials: 90, too_many: 60 });
    expect(await start('elsewhere@test', RIGHT.password, '2001:db8:1:1::1')).toHaveProperty(
      'secret',
    );
  });

  it('codes for challenges that somebody invented use up nothing: not of an address, not of anybody else', async () => {
    for (let round = 0; round < 10; round++)
      expect(codesOf(await times(70, () => answer('invented', '123456', '66.6.7.7')))).toEqual({
        code_expired: 70,
      });
    expect(
      await answer(await challenge('same-address@test', '66.6.7.7'), RIGHT.code, '66.6.7.7'),
    ).toHaveProperty('sessionId');
    expect(asked.verifyCode).toHaveLength(1);
  });

  /**
   * The botnet guesses once from each address; a minute later each address guesses again, in the
   * turn that it was given.
   */
  async function drill(place: Place): Promise<{ knownMs: number; seconds: number }> {
    const known = (await answer(
      await challenge('known-person@test', place.home),
      RIGHT.code,
      place.home,
    )) as { device: string };
    let next = 0;
    const guess = (until: number) =>
      times(FLEET_AT_ONCE, async () => {
        for (let index = next++; index < until; index = next++)
          await start(
            index % 2 === 0 ? 'known-person@test' : `fleet${index}@test`,
            'guess',
            place.fleet(index),
          );
      });
    let knownMs = 0;
    const fleet = guess(FLEET);
    for (const n of [0, 1, 2]) {
      expect(next, 'the fleet is still guessing').toBeLessThan(FLEET);
      const begun = performance.now();
      // A person on the move has a new address, and a browser that has signed in before.
      expect(await signInAs('known-person@test', place.onTheMove(n), known.device)).toHaveProperty(
        'secret',
      );
      knownMs = Math.max(knownMs, performance.now() - begun);
    }
    await fleet;
    // A person at home has a new browser, and an address that has signed in before.
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    expect(await signInAs('known-person@test', place.home)).toHaveProperty('secret');

    const refused = await signInAs('new-person@test', place.fresh);
    expect(refused).toMatchObject({ code: 'too_many' });
    const { seconds } = refused as { seconds: number };
    expect(seconds).toBeLessThanOrEqual(60);
    // Another attempt during the wait does not make the wait longer.
    expect(await signInAs('new-person@test', place.fresh)).toMatchObject({
      code: 'too_many',
      seconds: expect.toSatisfy((again: number) => again <= seconds),
    });
    await merchant.owner.query(
      `UPDATE rate_limits SET window_start = window_start - make_interval(secs => $1)
        WHERE key LIKE 'sign-in:turn:%'`,
      [seconds],
    );
    next = 0;
    const again = guess(FLEET / 4);
    expect(
      await signInAs('new-person@test', place.fresh),
      'while the fleet takes its turns too',
    ).toHaveProperty('secret');
    await again;
    expect(knownMs).toBeLessThan(5_000);
    return { knownMs: Math.round(knownMs), seconds };
  }

  it(`a fleet of ${FLEET} addresses delays a known person by seconds at most, and a new one by a minute`, async () => {
    const { knownMs, seconds } = await drill({
      fleet: fleetAddress,
      home: '85.0.0.20',
      onTheMove: (n) => `85.0.9.${n}`,
      fresh: '85.0.0.30',
    });
    console.log(
      `lock-out drill: ${FLEET} addresses guess; a known person's password was taken within ` +
        `${knownMs} ms, a new one's after ${seconds} s`,
    );
  }, 180_000);

  it(`a fleet of ${FLEET} networks in the users’ own /48 delays them no longer than any other fleet`, async () => {
    const { knownMs, seconds } = await drill({
      fleet: (index) => `2001:db8:77:${index.toString(16)}::1`,
      home: '2001:db8:77:f000::20',
      onTheMove: (n) => `2001:db8:77:f10${n}::1`,
      fresh: '2001:db8:77:f777::30',
    });
    console.log(
      `lock-out drill: ${FLEET} networks of one /48 guess; a known person's password was taken within ` +
        `${knownMs} ms, a new one's after ${seconds} s`,
    );
  }, 180_000);

  it('one account gets at most 30 passwords in half an hour from a /48, and nobody can add turns', async () => {
    const guesses: object[] = [];
    for (let wave = 0; wave < 4; wave++)
      guesses.push(
        ...(await times(10, (index) =>
          start('one-account@test', 'guess', `2001:db8:78:${(wave * 10 + index).toString(16)}::1`),
        )),
      );
    expect(codesOf(guesses)).toEqual({ wrong_credentials: 30, too_many: 10 });
    expect(await signInAs('one-account@test', '2001:db8:79:1::1'), 'another /48').toHaveProperty(
      'secret',
    );
    await merchant.owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count)
        SELECT $1, key, to_timestamp(floor(extract(epoch FROM now()) / life) * life + skip * life), count
      FROM (VALUES ('sign-in:site:2001:db8:78::/48', 900, 120),
        ('sign-in:turns:2001:db8:78::/48', 60, 5000)) AS full_one (key, life, count),
        generate_series(0, 1) AS skip ON CONFLICT (merchant_id, key, window_start) DO UPDATE
        SET count = excluded.count`,
      [merchant.merchantId],
    );
    const refused = (await signInAs('late-comer@test', '2001:db8:78:aaaa::1')) as {
      seconds: number;
    };
    expect(refused.seconds).toBeLessThanOrEqual(60);
    const { rows } = await merchant.owner.query(
      `SELECT FROM rate_limits WHERE merchant_id = $1 AND key = 'sign-in:turn:2001:db8:78:aaaa::/64'`,
      [merchant.merchantId],
    );
    expect(rows, 'no place of its own').toEqual([]);
  });

  it('tries of one network at many accounts that are known there use up no colleague’s', async () => {
    await merchant.owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count)
        SELECT $1, key, to_timestamp(floor(extract(epoch FROM now()) / 900) * 900), 300
        FROM (VALUES ('sign-in:known'), ('sign-in:devices')) AS total (key)`,
      [merchant.merchantId],
    );
    const known = (await answer(
      await challenge('colleague-one@test', '85.0.0.80'),
      RIGHT.code,
      '85.0.0.80',
    )) as { device: string };
    expect(await signInAs('colleague-one@test', '85.0.0.80')).toHaveProperty('secret');
    expect(await signInAs('colleague-one@test', '85.0.0.81', known.device)).toHaveProperty(
      'secret',
    );
  });

  it('what one of an account’s networks uses up is not the other’s', async () => {
    for (const ip of ['85.0.0.90', '85.0.0.91'])
      await answer(await challenge('two-homes@test', ip), RIGHT.code, ip);
    expect(codesOf(await inTurn(14, () => start('two-homes@test', 'guess', '85.0.0.90')))).toEqual({
      wrong_credentials: 10,
      too_many: 4,
    });
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    expect(await signInAs('two-homes@test', '85.0.0.90')).toMatchObject({ code: 'too_many' });
    expect(await signInAs('two-homes@test', '85.0.0.91')).toHaveProperty('secret');
  });

  it('wrong codes of strangers with the right password lock out strangers, not the known browser', async () => {
    const known = (await answer(
      await challenge('locked-out@test', '85.0.0.100'),
      RIGHT.code,
      '85.0.0.100',
    )) as { device: string };
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    const secrets = [
      await challenge('locked-out@test', '66.8.0.1'),
      await challenge('locked-out@test', '66.8.0.1'),
      await challenge('locked-out@test', '66.8.0.1'),
    ];
    await times(12, (index) => answer(secrets[index % 3]!, '000000', `66.8.0.${index}`));
    expect(await answer(secrets[0]!, RIGHT.code, '66.8.0.1'), 'strangers').toMatchObject({
      code: 'too_many',
    });
    const byDevice = (await signInAs('locked-out@test', '85.0.1.100', known.device)) as {
      secret: string;
    };
    expect(
      await signIn.answerChallenge(byDevice.secret, RIGHT.code, {
        ...from('85.0.1.100'),
        device: known.device,
      }),
    ).toHaveProperty('sessionId');
    expect(
      await answer(await challenge('locked-out@test', '85.0.0.100'), RIGHT.code, '85.0.0.100'),
    ).toHaveProperty('sessionId');
    expect(
      await answer(secrets[1]!, RIGHT.code, '66.8.0.1'),
      'what is forgiven to whom is known stays with strangers',
    ).toMatchObject({ code: 'too_many' });
  });

  it('wrong passwords that are still being answered take no place of anybody else', async () => {
    slow.ms = 400;
    const guessing = times(8, (index) => start('slow@test', 'guess', `66.9.0.${index}`));
    await new Promise((done) => setImmediate(done));
    const own = await signInAs('slow@test', '85.0.0.40');
    slow.ms = 0;
    expect(own).toHaveProperty('secret');
    expect(codesOf(await guessing)).toEqual({ wrong_credentials: 8 });
  });

  it('behind the same address they use up the address, not the browser that has signed in before', async () => {
    const known = (await answer(
      await challenge('office@test', '85.0.0.50'),
      RIGHT.code,
      '85.0.0.50',
    )) as { device: string };
    expect(codesOf(await inTurn(14, () => start('office@test', 'guess', '85.0.0.50')))).toEqual({
      wrong_credentials: 10,
      too_many: 4,
    });
    expect(await signInAs('office@test', '85.0.0.50')).toMatchObject({ code: 'too_many' });
    expect(await signInAs('office@test', '85.0.0.50', known.device)).toHaveProperty('secret');
  });

  it('a challenge that no code answers any more uses up nothing of its address', async () => {
    const spent = await challenge('spent@test', '85.0.0.60');
    for (let n = 0; n < 70; n++) await answer(spent, '000000', '85.0.0.60');
    expect(
      await answer(await challenge('colleague@test', '85.0.0.60'), RIGHT.code, '85.0.0.60'),
    ).toHaveProperty('sessionId');
  });

  it('a turn is its own network’s, and is used up', async () => {
    await merchant.owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count)
        SELECT $1, 'sign-in:strangers', to_timestamp(floor(extract(epoch FROM now()) / 900) * 900), 300`,
      [merchant.merchantId],
    );
    expect(await start('turn@test', 'guess', '85.0.0.70')).toMatchObject({ code: 'too_many' });
    await merchant.owner.query(
      `UPDATE rate_limits SET window_start = window_start - interval '60 seconds'
        WHERE key = 'sign-in:turn:85.0.0.70'`,
    );
    expect(await start('turn@test', 'guess', '85.0.0.71'), 'another network').toMatchObject({
      code: 'too_many',
    });
    expect(await start('turn@test', 'guess', '85.0.0.70')).toEqual({ code: 'wrong_credentials' });
    expect(await start('turn@test', 'guess', '85.0.0.70'), 'a second try').toMatchObject({
      code: 'too_many',
    });
    await merchant.owner.query(
      `UPDATE rate_limits SET window_start = window_start - interval '6 minutes'
        WHERE key = 'sign-in:turn:85.0.0.70'`,
    );
    expect(
      await start('turn@test', 'guess', '85.0.0.70'),
      'a turn that nobody took for five minutes',
    ).toMatchObject({ code: 'too_many' });
  });

  const knownAs = (
    email: string,
    { cookie = null, ip = '66.1.1.1' }: { cookie?: string | null; ip?: string },
  ) =>
    web.db.inTransaction(merchant.merchantId, async (tx) =>
      device.readKnown(tx, email, { deviceId: device.readDevice(cookie), ip }),
    );
  const signedIn = async (email: string, ip: string, cookie: string | null = null) =>
    (await signIn.answerChallenge(await challenge(email, ip), RIGHT.code, {
      ...from(ip),
      device: cookie,
    })) as { device: string; sessionId: string };
  const actorOf = async (email: string) => {
    const person = (
      await merchant.owner.query(
        `SELECT p.id, p.name, p.email, p.role, s.id AS session_id FROM people p
          JOIN sessions s ON s.person_id = p.id WHERE email = $1 ORDER BY s.created_at DESC LIMIT 1`,
        [email],
      )
    ).rows[0];
    return {
      kind: 'person' as const,
      merchantId: merchant.merchantId,
      personId: person.id,
      sessionId: person.session_id,
      name: person.name,
      email: person.email,
      role: person.role,
      standsInFor: null,
      ip: null,
    };
  };

  it('a device cookie that was invented, signed for another or revoked makes nobody known', async () => {
    const one = await signedIn('device-one@test', '85.0.0.1');
    await signedIn('device-two@test', '85.0.0.1');
    const [id, signature] = one.device.split('.') as [string, string];
    expect(await knownAs('device-one@test', { cookie: one.device })).toBe('device');
    expect(await knownAs('device-two@test', { cookie: one.device }), 'another person').toBeNull();
    for (const forged of [
      null,
      '',
      id,
      `${id}.`,
      `${id}.${signature.slice(1)}`,
      `${id.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))}.${signature}`,
      `.${signature}`,
    ])
      expect(await knownAs('device-one@test', { cookie: forged }), String(forged)).toBeNull();
    await session.endSessions(await actorOf('device-one@test'), 'all');
    expect(
      await knownAs('device-one@test', { cookie: one.device }),
      'after "sign out everywhere"',
    ).toBeNull();
    const anew = await signedIn('device-one@test', '85.0.0.2', one.device);
    expect(anew.device, 'the revoked cookie stays revoked').not.toBe(one.device);
    expect([
      await knownAs('device-one@test', { cookie: one.device }),
      await knownAs('device-one@test', { cookie: anew.device }),
    ]).toEqual([null, 'device']);
  });

  it('a second person of one browser gets a device of their own, and the first one keeps theirs', async () => {
    const first = await signedIn('browser-one@test', '85.0.2.1');
    const second = await signedIn('browser-two@test', '85.0.2.1', first.device);
    expect(second.device).not.toBe(first.device);
    expect(await knownAs('browser-two@test', { cookie: second.device })).toBe('device');
    expect(await knownAs('browser-one@test', { cookie: first.device })).toBe('device');
    expect(
      (await signedIn('browser-one@test', '85.0.2.1', first.device)).device,
      'the same browser again',
    ).toBe(first.device);
  });

  it('a network is known by exactly its IPv4 address or its /64, for 30 days; a device for 180', async () => {
    const { device: cookie } = await signedIn('networks@test', '85.0.3.20');
    await signedIn('networks@test', '2001:db8:5:1::1');
    for (const ip of ['85.0.3.20', '2001:db8:5:1::1', '2001:db8:5:1:ffff::9'])
      expect(await knownAs('networks@test', { ip }), ip).toBe('network');
    for (const ip of [
      '85.0.3.21',
      '85.0.3.19',
      '85.0.3.0',
      '2001:db8:5:2::1',
      '2001:db8:5::1',
      '2001:db8:5:0::1',
    ])
      expect(await knownAs('networks@test', { ip }), ip).toBeNull();
    expect(await knownAs('nobody-there@test', { ip: '85.0.3.20' })).toBeNull();
    const age = (days: string) =>
      merchant.owner.query(
        `UPDATE sessions SET created_at = now() - $1::interval
          WHERE person_id = (SELECT id FROM people WHERE email = 'networks@test')`,
        [days],
      );
    await age('29 days 23 hours');
    expect(await knownAs('networks@test', { ip: '85.0.3.20' })).toBe('network');
    await age('30 days 1 hour');
    expect(await knownAs('networks@test', { ip: '85.0.3.20' })).toBeNull();
    const unused = (days: string) =>
      merchant.owner.query(
        `UPDATE known_devices SET last_used_at = now() - $1::interval
          WHERE person_id = (SELECT id FROM people WHERE email = 'networks@test')`,
        [days],
      );
    await unused('179 days 23 hours');
    expect(await knownAs('networks@test', { cookie })).toBe('device');
    await unused('180 days 1 hour');
    expect(await knownAs('networks@test', { cookie })).toBeNull();
  });

  it('signing out everywhere forgets all networks, and ending a session forgets those of its device', async () => {
    const email = 'leaves@test';
    const lost = await signedIn(email, '85.0.4.1');
    const kept = await signedIn(email, '85.0.4.2');
    const actor = await actorOf(email);
    const {
      rows: [other],
    } = await merchant.owner.query(
      `SELECT id FROM sessions WHERE person_id = $1 AND ip = '85.0.4.1'`,
      [actor.personId],
    );
    expect(await session.endSessions(actor, other.id)).toBe(1);
    expect(
      [await knownAs(email, { cookie: lost.device }), await knownAs(email, { ip: '85.0.4.1' })],
      'the session that was ended',
    ).toEqual([null, null]);
    expect(
      [await knownAs(email, { cookie: kept.device }), await knownAs(email, { ip: '85.0.4.2' })],
      'the other one',
    ).toEqual(['device', 'network']);
    await session.endSessions(actor, actor.sessionId);
    expect(
      [await knownAs(email, { cookie: kept.device }), await knownAs(email, { ip: '85.0.4.2' })],
      'signed out here',
    ).toEqual(['device', 'network']);
    await session.endSessions(actor, 'all');
    expect(
      [await knownAs(email, { cookie: kept.device }), await knownAs(email, { ip: '85.0.4.2' })],
      'signed out everywhere',
    ).toEqual([null, null]);
  });

  it('of a person who is disabled nothing is known', async () => {
    const { device: cookie } = await signedIn('disabled@test', '85.0.5.1');
    await merchant.owner.query(
      `UPDATE people SET disabled_at = now() WHERE email = 'disabled@test'`,
    );
    expect([
      await knownAs('disabled@test', { cookie }),
      await knownAs('disabled@test', { ip: '85.0.5.1' }),
    ]).toEqual([null, null]);
  });
});

describe('an e-mail address', () => {
  it('belongs to one person of a merchant in any letter case, also when it was added in capitals', async () => {
    const add = (email: string) =>
      merchant.owner.query(
        `INSERT INTO people (merchant_id, email, name, role) VALUES ($1, $2, 'Mixed', 'approver')`,
        [merchant.merchantId, email],
      );
    await add('Mixed.Case@Test');
    await expect(add('mixed.case@TEST')).rejects.toMatchObject({ code: '23505' });
    const one = await answer(await challenge(' MIXED.case@test '), RIGHT.code, '66.2.2.2');
    expect(one).toHaveProperty('sessionId');
    const { rows } = await merchant.owner.query(
      `SELECT role, (SELECT count(*)::int FROM sessions s WHERE s.person_id = p.id) AS sessions
        FROM people p WHERE merchant_id = $1 AND lower(email) = 'mixed.case@test'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ role: 'approver', sessions: 1 }]);
    const { readKnown, readDevice } = await import('./device.ts');
    const known = (ip: string, cookie: string | null) =>
      web.db.inTransaction(merchant.merchantId, (tx) =>
        readKnown(tx, 'mixed.case@test', { deviceId: readDevice(cookie), ip }),
      );
    expect([
      await known('66.2.2.2', null),
      await known('66.3.3.3', (one as { device: string }).device),
    ]).toEqual(['network', 'device']);
  });
});

describe('the first person of a merchant', () => {
  it('is its only owner, also when two sign in at once', async () => {
    const { joinAtSignIn } = await import('./join.ts');
    const empty = randomUUID();
    await merchant.owner.query(
      `INSERT INTO merchants (id, key_fingerprint, name) VALUES ($1, $2, 'Empty')`,
      [empty, empty],
    );
    const user = (id: string) => ({ id, name: `${id}\u0000` });
    let backend = 0;
    let second: Promise<string | undefined> = Promise.resolve(undefined);
    const first = await web.db.inTransaction(empty, async (tx) => {
      const joined = await joinAtSignIn(tx, empty, 'first@test', user('first'));
      [{ backend }] = await tx.$queryRaw<[{ backend: number }]>`SELECT pg_backend_pid() AS backend`;
      second = web.db.inTransaction(
        empty,
        async (other) => (await joinAtSignIn(other, empty, 'second@test', user('second')))?.role,
      );
      // The second sign-in waits for this one, which has not committed yet.
      await vi.waitUntil(
        async () => {
          const { rowCount } = await merchant.owner.query(
            'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
            [backend],
          );
          return rowCount === 1;
        },
        { interval: 5, timeout: 15_000 },
      );
      return joined?.role;
    });
    expect([first, await second]).toEqual(['owner', 'support']);
    // The provider's own texts may hold what the database cannot.
    const { rows } = await merchant.owner.query<{ name: string }>(
      'SELECT name FROM people WHERE merchant_id = $1 ORDER BY name',
      [empty],
    );
    expect(rows.map(({ name }) => name)).toEqual(['first', 'second']);
  });
});

describe('a session', () => {
  it('is a fresh 256-bit secret stored as a hash, and the provider’s token is sealed to it', async () => {
    const one = (await answer(await challenge('secret@test'), RIGHT.code)) as { sessionId: string };
    const two = (await answer(await challenge('secret@test'), RIGHT.code)) as { sessionId: string };
    expect(Buffer.from(one.sessionId, 'base64url')).toHaveLength(32);
    expect(one.sessionId).not.toBe(two.sessionId);
    const { rows } = await merchant.owner.query(
      `SELECT s.*, extract(epoch FROM s.expires_at - s.created_at)::int AS life FROM sessions s
        JOIN people p ON p.id = s.person_id WHERE p.email = 'secret@test'`,
    );
    expect(rows.map((row) => row.life)).toEqual([12 * 3600, 12 * 3600]);
    for (const row of rows) {
      const text = Object.values(row)
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
        .join('|');
      for (const secret of [one.sessionId, two.sessionId, 'provider-token'])
        expect(text).not.toContain(secret);
    }
    const { unseal } = await import('#lib/runtime/seal.ts');
    expect(unseal('provider-token', rows[0].id, rows[0].provider_sealed)).toBe('provider-token');
    expect(() => unseal('provider-token', rows[1].id, rows[0].provider_sealed)).toThrow(
      'does not open',
    );
  });

  it('is kept alive by a page that is opened, and not by one that redraws itself', async () => {
    const { encode } = await import('next-auth/jwt');
    const { sessionId } = (await answer(await challenge('idle@test'), RIGHT.code)) as {
      sessionId: string;
    };
    const token = { sid: sessionId };
    jar.set(session.sessionCookie().name, {
      value: await encode({ token, secret: process.env['AUTH_SECRET']! }),
    });
    const idleMinutes = async () => {
      const { rows } = await merchant.owner.query<{ idle: number }>(
        `SELECT extract(epoch FROM clock_timestamp() - last_seen_at)::int / 60 AS idle FROM sessions
          WHERE person_id = (SELECT id FROM people WHERE email = 'idle@test')`,
      );
      return rows.map(({ idle }) => idle);
    };
    await merchant.owner.query(
      `UPDATE sessions SET last_seen_at = clock_timestamp() - interval '10 minutes'
        WHERE person_id = (SELECT id FROM people WHERE email = 'idle@test')`,
    );
    sent = new Headers({ 'x-redraw': '1' });
    expect(await session.currentPerson()).toMatchObject({ email: 'idle@test' });
    expect(await idleMinutes()).toEqual([10]);
    sent = new Headers();
    expect(await session.currentPerson()).toMatchObject({ email: 'idle@test' });
    expect(await idleMinutes()).toEqual([0]);
  });

  it('of somebody else is not ended, and nobody is told that it was', async () => {
    const [own, other] = [merchant.person('auditor'), merchant.person('owner')];
    const opened = { providerToken: 't', ip: null, userAgent: null, deviceId: null };
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      session.openSession(tx, { id: other.personId, name: 'x', email: 'x', role: 'owner' }, opened),
    );
    const {
      rows: [theirs],
    } = await merchant.owner.query(
      `SELECT id FROM sessions WHERE person_id = $1 AND revoked_at IS NULL`,
      [other.personId],
    );
    expect(await session.endSessions(own, theirs.id)).toBe(0);
    expect(await session.endSessions(other, theirs.id)).toBe(1);
    expect(await session.endSessions(other, theirs.id), 'ended already').toBe(0);
  });

  it('ends when any account of its login is disabled, and of nobody else', async () => {
    const { encode } = await import('next-auth/jwt');
    const secret = process.env['AUTH_SECRET']!;
    const whoIs = async (sid: string) => {
      jar.set(session.sessionCookie().name, { value: await encode({ token: { sid }, secret }) });
      return (await session.currentPerson({ touch: false }))?.email ?? null;
    };
    const signedIn = async (email: string) => {
      const one = (await answer(await challenge(email), RIGHT.code)) as { sessionId: string };
      return one.sessionId;
    };
    const [first, second, other] = [
      await signedIn('address-before@test'),
      await signedIn('address-after@test'),
      await signedIn('not-theirs@test'),
    ];
    const without = await web.db.inTransaction(merchant.merchantId, (tx) =>
      session.openSession(
        tx,
        { id: merchant.person('clerk').personId, name: 'x', email: 'clerk@test', role: 'clerk' },
        { providerToken: 't', ip: null, userAgent: null, deviceId: null },
      ),
    );
    const update = (what: string, email: string) =>
      merchant.owner.query(`UPDATE people SET ${what} WHERE merchant_id = $1 AND email = $2`, [
        merchant.merchantId,
        email,
      ]);
    await update(`provider_user_id = 'id of address-before@test'`, 'address-after@test');
    const all = async () => [
      await whoIs(first),
      await whoIs(second),
      await whoIs(other),
      await whoIs(without),
    ];
    expect(await all()).toEqual([
      'address-before@test',
      'address-after@test',
      'not-theirs@test',
      'clerk@test',
    ]);
    // The support account has never signed in: it has no login to share with the clerk.
    await update('disabled_at = now()', 'support@test');
    await update('disabled_at = now()', 'address-before@test');
    expect(await all()).toEqual([null, null, 'not-theirs@test', 'clerk@test']);
    const { rows } = await merchant.owner.query<{ id: string }>(
      `SELECT id FROM people WHERE merchant_id = $1 AND email = 'address-after@test'`,
      [merchant.merchantId],
    );
    const { merchantId } = merchant;
    expect(await session.isDisabled({ merchantId, personId: rows[0]!.id })).toBe(true);
    await update('disabled_at = NULL', 'support@test');
  });

  it('is one of three at most: a fourth ends the one used longest ago', async () => {
    const { personId } = merchant.person('auditor');
    const open = () =>
      web.db.inTransaction(merchant.merchantId, (tx) =>
        session.openSession(
          tx,
          { id: personId, name: 'x', email: 'x', role: 'auditor' },
          { providerToken: 't', ip: null, userAgent: null, deviceId: null },
        ),
      );
    for (let n = 0; n < 5; n++) await open();
    const { rows } = await merchant.owner.query(
      `SELECT revoked_at IS NULL AS live FROM sessions WHERE person_id = $1 ORDER BY created_at`,
      [personId],
    );
    expect(rows.map((row) => row.live)).toEqual([false, false, true, true, true]);
    // Makes the oldest of the three sessions the one that was used last.
    await merchant.owner.query(
      `UPDATE sessions SET last_seen_at = clock_timestamp() + interval '1 second'
        WHERE id = (SELECT id FROM sessions WHERE person_id = $1 AND revoked_at IS NULL
        ORDER BY created_at LIMIT 1)`,
      [personId],
    );
    await open();
    const { rows: after } = await merchant.owner.query(
      `SELECT revoked_at IS NULL AS live FROM sessions WHERE person_id = $1 ORDER BY created_at`,
      [personId],
    );
    expect(after.map((row) => row.live)).toEqual([false, false, true, false, true, true]);
    const trail = () =>
      merchant.owner.query(
        `SELECT e.action FROM audit_entries e JOIN sessions s ON e.subject = 'session:' || s.id
          WHERE s.person_id = $1 AND e.action = 'session.ended'`,
        [personId],
      );
    expect((await trail()).rowCount, 'each that a sign-in ended is in the audit log').toBe(3);
    await merchant.owner.query(
      `UPDATE sessions SET last_seen_at = clock_timestamp() - interval '16 minutes'
        WHERE person_id = $1`,
      [personId],
    );
    await open();
    expect((await trail()).rowCount, 'an idle one had ended before').toBe(3);
  });

  it('that ends is announced to its open streams at once: ended by its person, and by a fourth sign-in', async () => {
    const { listening, subscribe } = await import('#lib/live/subscribe.ts');
    await listening();
    const endedIds: string[] = [];
    let hear = (): void => undefined;
    const stop = subscribe(merchant.merchantId, (event) => {
      if (event.kind === 'session') endedIds.push(event.id);
      hear();
    });
    const person = merchant.person('support');
    const open = () =>
      web.db.inTransaction(merchant.merchantId, (tx) =>
        session.openSession(
          tx,
          { id: person.personId, name: 'x', email: 'x', role: 'support' },
          { providerToken: 't', ip: null, userAgent: null, deviceId: null },
        ),
      );
    for (let n = 0; n < 4; n++) await open();
    await session.endSessions(person, 'all');
    const { rows } = await merchant.owner.query(
      `SELECT id FROM sessions WHERE person_id = $1 AND revoked_at IS NOT NULL`,
      [person.personId],
    );
    const ended = rows.map((row) => row.id);
    await merchant.owner.query(`SELECT pg_notify('dashboard', $1)`, [
      JSON.stringify({ merchantId: merchant.merchantId, kind: 'session', id: 'the last one' }),
    ]);
    await new Promise<void>((done) => (hear = () => endedIds.includes('the last one') && done())());
    stop();
    expect(endedIds.toSorted()).toEqual([...ended, 'the last one'].toSorted());
    expect(ended.length).toBeGreaterThanOrEqual(4);
  });
});
