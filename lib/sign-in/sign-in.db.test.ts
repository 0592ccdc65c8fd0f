import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Session from '#lib/session.ts';
import type * as Challenge from './challenge.ts';
import type { Caller } from './challenge.ts';

/** What somebody who guesses gets: little, whoever they pretend to be, however many at once, and at nobody else's cost. */

const RIGHT = { password: 'right', code: '424242' };
/** How long the provider takes to say that a password is wrong. */
const slow = { ms: 0 };
const asked: { startLogin: string[]; verifyCode: { userId: string; code: string }[] } = { startLogin: [], verifyCode: [] };

let merchant: TestMerchant;
let web: Process;
let signIn: typeof Challenge;
let session: typeof Session;

beforeAll(async () => {
  merchant = await testMerchant();
  // Against a real provider the strict limits hold.
  const key = () => randomBytes(32).toString('base64');
  Object.assign(process.env, { AUTH_SECRET: key(), DATA_KEY: key(), WEBHOOK_KEY: key(), SANDBOX: 'off', APP_ORIGIN: 'https://desk.test', LOGIN_BASE_URL: 'https://login.test', WALLET_AUTH_URL: 'https://auth.test', WALLET_API_URL: 'https://api.test', CARD_BASE_URL: 'https://card.test', CARD_APP_ID: 'app', CARD_APP_SECRET: 'given-by-the-gateway' });
  const { env } = await import('#lib/env.ts');
  const user = (id: string) => ({ id, name: 'Somebody', firstName: null, lastName: null, email: null, userType: null, accountStatus: null });
  vi.doMock('#lib/providers/login/here.ts', () => ({
    loginClient: () => ({
      startLogin: async ({ email, password }: { email: string; password: string }) => {
        asked.startLogin.push(email);
        if (slow.ms > 0 && password !== RIGHT.password) await new Promise((done) => setTimeout(done, slow.ms));
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

const from = (ip: string): Caller => ({ ip, userAgent: 'test', locale: 'tr', device: null });
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
    await merchant.owner.query(`UPDATE rate_limits SET window_start = window_start - interval '31 minutes' WHERE key LIKE 'sign-in:locked:%'`);
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
    const { rows } = await merchant.owner.query(`SELECT count FROM rate_limits WHERE merchant_id = $1 AND key = 'sign-in:strangers'`, [merchant.merchantId]);
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

/** The fleet of a rented botnet, a third of it with IPv6. */
const FLEET = 4_096;
const FLEET_AT_ONCE = 24;
const fleetAddress = (index: number): string => (index % 3 === 0 ? `2001:db8:${index.toString(16)}:1::1` : `66.${index >> 8}.${index & 255}.1`);

describe('while strangers guess', () => {
  const signInAs = (email: string, ip: string, device: string | null = null) => signIn.startChallenge({ email, password: RIGHT.password }, { ...from(ip), device });

  it('addresses of one network are one: a host with a whole /64 gets no further than one with an address', async () => {
    const guesses = await times(60, (index) => start(`six${index}@test`, 'guess', `2001:db8:0:1::${(index + 1).toString(16)}`));
    expect(codesOf(guesses)).toEqual({ wrong_credentials: 30, too_many: 30 });
    const site: object[] = [];
    for (let subnet = 2; subnet < 8; subnet++) site.push(...(await times(25, (index) => start(`site${subnet}-${index}@test`, 'guess', `2001:db8:0:${subnet}::${index + 1}`))));
    expect(codesOf(site), 'a /48 of many /64').toEqual({ wrong_credentials: 90, too_many: 60 });
    expect(await start('elsewhere@test', RIGHT.password, '2001:db8:1:1::1')).toHaveProperty('secret');
  });

  it('codes for challenges that somebody invented use up nothing: not of an address, not of anybody else', async () => {
    for (let round = 0; round < 10; round++) expect(codesOf(await times(70, () => answer('invented', '123456', '66.6.7.7')))).toEqual({ code_expired: 70 });
    expect(await answer(await challenge('same-address@test', '66.6.7.7'), RIGHT.code, '66.6.7.7')).toHaveProperty('sessionId');
    expect(asked.verifyCode).toHaveLength(1);
  });

  it(`a fleet of ${FLEET} addresses delays a known person by seconds at most, and a new one by a minute`, async () => {
    const known = (await answer(await challenge('known-person@test', '85.0.0.20'), RIGHT.code, '85.0.0.20')) as { device: string };
    let next = 0;
    let slowestMs = 0;
    const fleet = times(FLEET_AT_ONCE, async () => {
      for (let index = next++; index < FLEET; index = next++) await start(index % 2 === 0 ? 'known-person@test' : `fleet${index}@test`, 'guess', fleetAddress(index));
    });
    for (const n of [0, 1, 2]) {
      expect(next, 'the fleet is still guessing').toBeLessThan(FLEET);
      const begun = performance.now();
      // On the move: an address that nobody has seen, the browser that has signed in before.
      expect(await signInAs('known-person@test', `85.0.9.${n}`, known.device)).toHaveProperty('secret');
      slowestMs = Math.max(slowestMs, performance.now() - begun);
    }
    await fleet;
    // At home: another browser, the address that has signed in before.
    await merchant.owner.query(`DELETE FROM rate_limits WHERE key LIKE 'sign-in:codes%'`);
    expect(await signInAs('known-person@test', '85.0.0.20')).toHaveProperty('secret');

    const refused = await signInAs('new-person@test', '85.0.0.30');
    expect(refused).toMatchObject({ code: 'too_many' });
    const { seconds } = refused as { seconds: number };
    expect(seconds).toBeLessThanOrEqual(60);
    // Asking again meanwhile neither helps nor costs.
    expect(await signInAs('new-person@test', '85.0.0.30')).toMatchObject({ code: 'too_many' });
    await merchant.owner.query(`UPDATE rate_limits SET window_start = window_start - make_interval(secs => $1) WHERE key = 'sign-in:turn:85.0.0.30'`, [seconds]);
    expect(await signInAs('new-person@test', '85.0.0.30')).toHaveProperty('secret');
    expect(slowestMs).toBeLessThan(5_000);
    console.log(`lock-out drill: ${FLEET} addresses guess; a known person's password was taken within ${Math.round(slowestMs)} ms, a new one's after ${seconds} s`);
  }, 180_000);

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
    const known = (await answer(await challenge('office@test', '85.0.0.50'), RIGHT.code, '85.0.0.50')) as { device: string };
    expect(codesOf(await times(14, () => start('office@test', 'guess', '85.0.0.50')))).toEqual({ wrong_credentials: 10, too_many: 4 });
    expect(await signInAs('office@test', '85.0.0.50')).toMatchObject({ code: 'too_many' });
    expect(await signInAs('office@test', '85.0.0.50', known.device)).toHaveProperty('secret');
  });

  it('a challenge that no code answers any more uses up nothing of its address', async () => {
    const spent = await challenge('spent@test', '85.0.0.60');
    for (let n = 0; n < 70; n++) await answer(spent, '000000', '85.0.0.60');
    expect(await answer(await challenge('colleague@test', '85.0.0.60'), RIGHT.code, '85.0.0.60')).toHaveProperty('sessionId');
  });

  it('a turn is its own network’s, and is used up', async () => {
    await merchant.owner.query(`INSERT INTO rate_limits (merchant_id, key, window_start, count) SELECT $1, 'sign-in:strangers', to_timestamp(floor(extract(epoch FROM now()) / 900) * 900), 300`, [merchant.merchantId]);
    expect(await start('turn@test', 'guess', '85.0.0.70')).toMatchObject({ code: 'too_many' });
    await merchant.owner.query(`UPDATE rate_limits SET window_start = window_start - interval '60 seconds' WHERE key = 'sign-in:turn:85.0.0.70'`);
    expect(await start('turn@test', 'guess', '85.0.0.71'), 'another network').toMatchObject({ code: 'too_many' });
    expect(await start('turn@test', 'guess', '85.0.0.70')).toEqual({ code: 'wrong_credentials' });
    expect(await start('turn@test', 'guess', '85.0.0.70'), 'a second try').toMatchObject({ code: 'too_many' });
  });

  it('a device cookie that was invented, signed for another or revoked makes nobody known', async () => {
    const one = (await answer(await challenge('device-one@test'), RIGHT.code)) as { device: string; sessionId: string };
    await answer(await challenge('device-two@test'), RIGHT.code);
    const { readKnown, readDevice } = await import('./device.ts');
    const isKnown = (email: string, cookie: string | null) => web.db.inTransaction(merchant.merchantId, async (tx) => (await readKnown(tx, email, { deviceId: readDevice(cookie), ip: '66.1.1.1' })) !== null);
    const [id, signature] = one.device.split('.') as [string, string];
    expect(await isKnown('device-one@test', one.device)).toBe(true);
    expect(await isKnown('device-two@test', one.device), 'another person').toBe(false);
    for (const forged of [null, '', id, `${id}.`, `${id}.${signature.slice(1)}`, `${id.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))}.${signature}`, `.${signature}`]) expect(await isKnown('device-one@test', forged), String(forged)).toBe(false);
    const person = (await merchant.owner.query(`SELECT id, name, email, role FROM people WHERE email = 'device-one@test'`)).rows[0];
    await session.endSessions({ kind: 'person', merchantId: merchant.merchantId, personId: person.id, sessionId: id, name: person.name, email: person.email, role: person.role, ip: null }, 'all');
    expect(await isKnown('device-one@test', one.device), 'after "sign out everywhere"').toBe(false);
  });
});

describe('an e-mail address', () => {
  it('is one person’s in a merchant, in whatever case it is written, and who was added in capitals signs in as that person', async () => {
    const add = (email: string) => merchant.owner.query(`INSERT INTO people (merchant_id, email, name, role) VALUES ($1, $2, 'Mixed', 'approver')`, [merchant.merchantId, email]);
    await add('Mixed.Case@Test');
    await expect(add('mixed.case@TEST')).rejects.toMatchObject({ code: '23505' });
    const one = await answer(await challenge(' MIXED.case@test '), RIGHT.code, '66.2.2.2');
    expect(one).toHaveProperty('sessionId');
    const { rows } = await merchant.owner.query(`SELECT role, (SELECT count(*)::int FROM sessions s WHERE s.person_id = p.id) AS sessions FROM people p WHERE merchant_id = $1 AND lower(email) = 'mixed.case@test'`, [merchant.merchantId]);
    expect(rows).toEqual([{ role: 'approver', sessions: 1 }]);
    const { readKnown, readDevice } = await import('./device.ts');
    const known = (ip: string, cookie: string | null) => web.db.inTransaction(merchant.merchantId, (tx) => readKnown(tx, 'mixed.case@test', { deviceId: readDevice(cookie), ip }));
    expect([await known('66.2.2.2', null), await known('66.3.3.3', (one as { device: string }).device)]).toEqual(['network', 'device']);
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

  it('of somebody else is not ended, and nobody is told that it was', async () => {
    const [own, other] = [merchant.person('auditor'), merchant.person('owner')];
    const opened = { providerToken: 't', ip: null, userAgent: null };
    await web.db.inTransaction(merchant.merchantId, (tx) => session.openSession(tx, { id: other.personId, name: 'x', email: 'x', role: 'owner' }, opened));
    const { rows: [theirs] } = await merchant.owner.query(`SELECT id FROM sessions WHERE person_id = $1 AND revoked_at IS NULL`, [other.personId]);
    expect(await session.endSessions(own, theirs.id)).toBe(0);
    expect(await session.endSessions(other, theirs.id)).toBe(1);
    expect(await session.endSessions(other, theirs.id), 'ended already').toBe(0);
  });

  it('is one of three at most: a fourth ends the one used longest ago', async () => {
    const { personId } = merchant.person('auditor');
    const open = () => web.db.inTransaction(merchant.merchantId, (tx) => session.openSession(tx, { id: personId, name: 'x', email: 'x', role: 'auditor' }, { providerToken: 't', ip: null, userAgent: null }));
    for (let n = 0; n < 5; n++) await open();
    const { rows } = await merchant.owner.query(`SELECT revoked_at IS NULL AS live FROM sessions WHERE person_id = $1 ORDER BY created_at`, [personId]);
    expect(rows.map((row) => row.live)).toEqual([false, false, true, true, true]);
  });
});
