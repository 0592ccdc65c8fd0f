import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Session from '#lib/session.ts';
import type * as Challenge from './challenge.ts';
import type { Caller } from './challenge.ts';

/** What somebody who guesses gets: little, whoever they pretend to be, however many at once, and at nobody else's cost. */

const RIGHT = { password: 'right', code: '424242' };
const asked: { startLogin: string[]; verifyCode: { userId: string; code: string }[] } = { startLogin: [], verifyCode: [] };

let merchant: TestMerchant;
let web: Process;
let signIn: typeof Challenge;
let session: typeof Session;

beforeAll(async () => {
  merchant = await testMerchant();
  // Against a real provider the strict limits hold.
  const key = () => randomBytes(32).toString('base64');
  Object.assign(process.env, { AUTH_SECRET: key(), DATA_KEY: key(), WEBHOOK_KEY: key(), SANDBOX: 'off', LOGIN_BASE_URL: 'https://login.test', WALLET_AUTH_URL: 'https://auth.test', WALLET_API_URL: 'https://api.test', CARD_BASE_URL: 'https://card.test', CARD_APP_ID: 'app', CARD_APP_SECRET: 'given-by-the-gateway' });
  const { env } = await import('#lib/env.ts');
  const user = (id: string) => ({ id, name: 'Somebody', firstName: null, lastName: null, email: null, userType: null, accountStatus: null });
  vi.doMock('#lib/providers/login/here.ts', () => ({
    loginClient: () => ({
      startLogin: async ({ email, password }: { email: string; password: string }) => {
        asked.startLogin.push(email);
        return password === RIGHT.password ? { kind: 'code_sent', userId: `id of ${email}`, user: user('1'), merchantKeys: [env().merchantKey] } : { kind: 'wrong_credentials' };
      },
      verifyCode: async ({ userId, code }: { userId: string; code: string }) => {
        asked.verifyCode.push({ userId, code });
        return code === RIGHT.code ? { kind: 'signed_in', token: 'provider-token', user: user('1'), merchants: [{ id: '1', merchantKey: env().merchantKey, siteUrl: null }] } : { kind: 'wrong_code' };
      },
    }),
  }));
  // What belongs to the framework needs the framework around it; nothing of it is asked for here.
  vi.doMock('next/navigation', () => ({ redirect: () => undefined }));
  vi.doMock('next/headers', () => ({ headers: async () => new Headers(), cookies: async () => new Map() }));
  web = await openProcess('dashboard_web');
  signIn = await import('./challenge.ts');
  session = await import('#lib/session.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});
beforeEach(async () => {
  asked.startLogin.length = 0;
  asked.verifyCode.length = 0;
  await merchant.owner.query('DELETE FROM rate_limits WHERE merchant_id = $1', [merchant.merchantId]);
});

const from = (ip: string): Caller => ({ ip, userAgent: 'test', locale: 'tr' });
const start = (email: string, password: string, ip = '85.0.0.1') => signIn.startChallenge({ email, password }, from(ip));
const answer = (secret: string, code: string, ip = '85.0.0.1') => signIn.answerChallenge(secret, code, from(ip));
const times = <T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: n }, (_, index) => work(index)));
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
  it('guessed fifty times at once is tried five times at the provider, and even the right one comes too late', async () => {
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
    expect(new Set(asked.verifyCode.map(({ userId }) => userId))).toEqual(new Set(['id of one@test']));
    expect(await answer(secret, RIGHT.code)).toEqual({ code: 'code_expired' });
  });

  it('is worth nothing after three minutes, nor with another browser’s secret', async () => {
    const secret = await challenge('late@test');
    const { rows } = await merchant.owner.query(`SELECT extract(epoch FROM expires_at - created_at)::int AS life FROM login_challenges WHERE email = 'late@test'`);
    expect(rows).toEqual([{ life: 180 }]);
    await merchant.owner.query(`UPDATE login_challenges SET expires_at = expires_at - interval '181 seconds' WHERE email = 'late@test'`);
    expect(await answer(secret, RIGHT.code)).toEqual({ code: 'code_expired' });
    expect(await answer('guessed', RIGHT.code)).toEqual({ code: 'code_expired' });
    expect(asked.verifyCode).toEqual([]);
  });

  it('wrong ten times in a row, over any number of challenges and all at once, locks the account for half an hour', async () => {
    const secrets = [await challenge('locked@test'), await challenge('locked@test'), await challenge('locked@test')];
    const answers = await times(15, (index) => answer(secrets[index % 3]!, String(100_000 + index), `85.0.1.${index}`));
    expect(codesOf(answers)).toMatchObject({ too_many: 5 });
    expect(asked.verifyCode).toHaveLength(10);
    const locked = answers.find((one) => 'seconds' in one) as { seconds: number };
    expect(locked.seconds).toBeGreaterThan(29 * 60);
    // Not only for those challenges, and not for ever.
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    const fresh = await challenge('locked@test');
    expect(await answer(fresh, RIGHT.code)).toMatchObject({ code: 'too_many' });
    await merchant.owner.query(`UPDATE rate_limits SET window_start = window_start - interval '31 minutes' WHERE key LIKE 'sign-in:locked%'`);
    expect(await answer(fresh, RIGHT.code)).toHaveProperty('sessionId');
    // Somebody else was never touched.
    expect(await answer(await challenge('bystander@test'), RIGHT.code)).toHaveProperty('sessionId');
  });

  it('that is right forgives the wrong ones before it', async () => {
    for (let round = 0; round < 3; round++) {
      await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
      const secret = await challenge('clumsy@test');
      for (let wrong = 0; wrong < 4; wrong++) expect(await answer(secret, '000000')).toMatchObject({ code: 'wrong_code' });
      expect(await answer(secret, RIGHT.code)).toHaveProperty('sessionId');
    }
  });
});

describe('a phone', () => {
  it('gets three codes in a quarter of an hour and ten a day, also when all are asked for at once', async () => {
    expect(codesOf(await times(8, () => start('phone@test', RIGHT.password)))).toEqual({ good: 3, too_many: 5 });
    expect(asked.startLogin).toHaveLength(3);
    let day = 3;
    for (let quarter = 0; quarter < 5; quarter++) {
      await merchant.owner.query(`DELETE FROM rate_limits WHERE key NOT LIKE 'sign-in:codes-day%'`);
      day += codesOf(await times(4, () => start('phone@test', RIGHT.password))).good ?? 0;
    }
    expect(day).toBe(10);
  });
});

describe('passwords', () => {
  it('guessed from one address are cut off there; the person at another address signs in as ever', async () => {
    const guesses = await times(25, (index) => start('victim@test', `guess ${index}`, '66.6.6.6'));
    expect(codesOf(guesses)).toEqual({ wrong_credentials: 10, too_many: 15 });
    expect(asked.startLogin).toHaveLength(10);
    expect(await start('victim@test', RIGHT.password, '66.6.6.6')).toMatchObject({ code: 'too_many' });
    expect(await answer(await challenge('victim@test', '85.0.0.9'), RIGHT.code)).toHaveProperty('sessionId');
  });

  it('of many accounts are cut off by address, and by their number in all; what is refused is not counted for the others', async () => {
    expect(codesOf(await times(45, (index) => start(`many${index}@test`, 'guess', '66.6.6.7')))).toEqual({ wrong_credentials: 30, too_many: 15 });
    const { rows } = await merchant.owner.query(`SELECT count FROM rate_limits WHERE merchant_id = $1 AND key = 'sign-in:all'`, [merchant.merchantId]);
    expect(rows).toEqual([{ count: 30 }]);
    const everywhere: object[] = [];
    for (let wave = 0; wave < 10; wave++) everywhere.push(...(await times(30, (index) => start(`all${wave}-${index}@test`, 'guess', `66.7.${wave}.${index}`))));
    expect(codesOf(everywhere)).toEqual({ wrong_credentials: 270, too_many: 30 });
  });

  it('for an unknown person and for a known one are answered alike, to the last try', async () => {
    const of = async (email: string, ip: string) => {
      const heard: unknown[] = [];
      for (let n = 0; n < 12; n++) heard.push(((await start(email, 'guess', ip)) as { code: string }).code);
      return heard;
    };
    await challenge('known@test');
    expect(await of('known@test', '66.6.6.8')).toEqual(await of('nobody@test', '66.6.6.9'));
  });
});

describe('a session', () => {
  it('is a fresh 256-bit secret of which only the hash is kept, and the provider’s token is sealed to it', async () => {
    const one = (await answer(await challenge('secret@test'), RIGHT.code)) as { sessionId: string };
    const two = (await answer(await challenge('secret@test'), RIGHT.code)) as { sessionId: string };
    expect(Buffer.from(one.sessionId, 'base64url')).toHaveLength(32);
    expect(one.sessionId).not.toBe(two.sessionId);
    const { rows } = await merchant.owner.query(`SELECT s.*, extract(epoch FROM s.expires_at - s.created_at)::int AS life FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = 'secret@test'`);
    expect(rows.map((row) => row.life)).toEqual([12 * 3600, 12 * 3600]);
    for (const row of rows) {
      const text = Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))).join('|');
      for (const secret of [one.sessionId, two.sessionId, 'provider-token']) expect(text).not.toContain(secret);
    }
    const { unseal } = await import('#lib/seal.ts');
    expect(unseal('provider-token', rows[0].id, rows[0].provider_sealed)).toBe('provider-token');
    expect(() => unseal('provider-token', rows[1].id, rows[0].provider_sealed)).toThrow('does not open');
  });

  it('is one of three at most: a fourth ends the one used longest ago', async () => {
    const { personId } = merchant.person('auditor');
    const open = () => web.db.inTransaction(merchant.merchantId, (tx) => session.openSession(tx, { id: personId, name: 'x', email: 'x', role: 'auditor' }, { providerToken: 't', ip: null, userAgent: null }));
    for (let n = 0; n < 5; n++) await open();
    const { rows } = await merchant.owner.query(`SELECT revoked_at IS NULL AS live FROM sessions WHERE person_id = $1 ORDER BY created_at`, [personId]);
    expect(rows.map((row) => row.live)).toEqual([false, false, true, true, true]);
  });
});
