import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseEnv } from '#lib/env.ts';

const strong = (): string => randomBytes(32).toString('base64');
const LIVE = {
  SANDBOX: 'off', DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/x', APP_ORIGIN: 'https://desk.test', AUTH_SECRET: strong(), DATA_KEY: strong(), WEBHOOK_KEY: strong(),
  LOGIN_BASE_URL: 'https://login.test', WALLET_AUTH_URL: 'https://auth.test', WALLET_API_URL: 'https://api.test', CARD_BASE_URL: 'https://card.test', CARD_APP_ID: 'app', CARD_APP_SECRET: 'given-by-the-gateway', CARD_MERCHANT_KEY: 'merchant', WALLET_CLIENT_ID: 'client', WALLET_CLIENT_SECRET: 'given-by-the-provider',
};
const SECRETS = ['AUTH_SECRET', 'DATA_KEY', 'WEBHOOK_KEY'] as const;
const WEAK = ['', 'short', 'a'.repeat(64), 'ab'.repeat(20), 'abcdefgh1234'.repeat(3), '1234567890'.repeat(4), 'change-me-change-me-change-me-change-me', 'this-is-my-super-secret-key-for-the-desk', `${'x'.repeat(20)}yzuvwSTQ1234567`];

describe('the environment with real providers', () => {
  test('is taken with secrets as a random generator makes them, whatever their alphabet', () => {
    for (let tries = 0; tries < 200; tries += 1) {
      for (const value of [strong(), randomBytes(32).toString('hex'), randomBytes(32).toString('base64url')]) expect(() => parseEnv({ ...LIVE, AUTH_SECRET: value })).not.toThrow();
    }
  });

  test.each(SECRETS)('is refused without a strong %s, in one line that names it and not its value', (name) => {
    for (const value of WEAK) {
      let said = '';
      try {
        parseEnv({ ...LIVE, [name]: value });
      } catch (error) {
        said = (error as Error).message;
      }
      expect(said, value).toMatch(new RegExp(`^Environment: .*${name}`));
      expect(said).not.toContain('\n');
      if (value !== '') expect(said).not.toContain(value);
    }
  });

  test('is refused when two secrets are the same, and when browsers would come without https', () => {
    expect(() => parseEnv({ ...LIVE, DATA_KEY: LIVE.AUTH_SECRET })).toThrow(/DATA_KEY is used twice/);
    expect(() => parseEnv({ ...LIVE, APP_ORIGIN: 'http://desk.test' })).toThrow(/APP_ORIGIN must be an https address/);
    for (const missing of ['DATABASE_URL', 'CARD_BASE_URL', 'CARD_APP_ID', 'CARD_APP_SECRET', 'CARD_MERCHANT_KEY', 'WALLET_CLIENT_SECRET', 'LOGIN_BASE_URL']) expect(() => parseEnv({ ...LIVE, [missing]: undefined })).toThrow(missing);
  });

  test('lets card numbers nowhere near it unless CARD_ENTRY says so; the sandbox shows everything', () => {
    expect(parseEnv(LIVE)).toMatchObject({ cardEntry: 'off', cardFieldPrefix: 'svc_', cardBaseUrl: 'https://card.test' });
    expect(parseEnv({ ...LIVE, CARD_ENTRY: '3d', CARD_FIELD_PREFIX: 'brand_' })).toMatchObject({ cardEntry: '3d', cardFieldPrefix: 'brand_' });
    expect(parseEnv({ ...LIVE, SANDBOX: 'on', CARD_BASE_URL: undefined })).toMatchObject({ cardEntry: 'all', cardBaseUrl: 'http://127.0.0.1:4010/card' });
    for (const [name, value] of [['CARD_ENTRY', 'yes'], ['CARD_FIELD_PREFIX', 'Svc '], ['CARD_BASE_URL', 'http://card.test']] as const) expect(() => parseEnv({ ...LIVE, [name]: value })).toThrow(name);
  });

  test('asks for notices of cards only under the names that the merchant gave them; the sandbox has names of its own', () => {
    const none = { sale: null, recurring: null, refund: null, cashout_reverse: null };
    expect(parseEnv(LIVE).cardHooks).toEqual(none);
    expect(parseEnv({ ...LIVE, CARD_WEBHOOK_KEYS: 'sale=s-1, refund=r_1' }).cardHooks).toEqual({ ...none, sale: 's-1', refund: 'r_1' });
    expect(parseEnv({ ...LIVE, SANDBOX: 'on' }).cardHooks.recurring).toBe('recurring_hook');
    for (const wrong of ['sale', 'sale=', 'sale=a b', 'sale=a=b', 'sale=one,refund=one', 'sale=one,sale=two', 'chargeback=one', 'sale=one,', ',']) {
      expect(() => parseEnv({ ...LIVE, CARD_WEBHOOK_KEYS: wrong }), wrong).toThrow(/^Environment: CARD_WEBHOOK_KEYS is kind=name/);
    }
  });

  test('may name several data keys: the first seals, each must be strong', () => {
    const [fresh, old] = [strong(), strong()];
    expect(parseEnv({ ...LIVE, DATA_KEY: `${fresh}, ${old}` }).dataKeys).toEqual([fresh, old]);
    expect(() => parseEnv({ ...LIVE, DATA_KEY: `${fresh},` })).toThrow(/DATA_KEY/);
    expect(() => parseEnv({ ...LIVE, DATA_KEY: `${fresh},${'a'.repeat(40)}` })).toThrow(/DATA_KEY can be guessed/);
  });
});

/** The two processes as they begin: the worker's entry, and what the framework calls before the first request. */
const PROCESSES = [
  ['a worker', ['lib/worker.ts']],
  ['a web', ['--input-type=module-typescript', '-e', "process.env.NEXT_RUNTIME = 'nodejs'; await (await import('./instrumentation.ts')).register()"]],
] as const;

test.each(PROCESSES)('%s without a strong secret ends at once with code 1, one line and no stack', (_name, program) => {
  const { PATH = '' } = process.env;
  for (const [change, said] of [[{ DATA_KEY: 'a'.repeat(40) }, /^Environment: DATA_KEY can be guessed[^\n]*\n$/], [{ AUTH_SECRET: '' }, /^Environment: AUTH_SECRET [^\n]*\n$/]] as const) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=react-server', ...program], { encoding: 'utf8', env: { PATH, NODE_ENV: 'production', ...LIVE, ...change } });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(said);
  }
});
