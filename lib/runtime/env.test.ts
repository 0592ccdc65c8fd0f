import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseEnv } from './env.ts';

let made = 0;
/** As of a random generator, but the same in each run: one text in a million has "passw" by chance. */
const bytes = (): Buffer => createHash('sha256').update(`secret ${made++}`).digest();
const strong = (): string => bytes().toString('base64');
const LIVE = {
  SANDBOX: 'off',
  DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/x',
  APP_ORIGIN: 'https://desk.test',
  AUTH_SECRET: strong(),
  DATA_KEY: strong(),
  WEBHOOK_KEY: strong(),
  LOGIN_BASE_URL: 'https://login.test',
  WALLET_AUTH_URL: 'https://auth.test',
  WALLET_API_URL: 'https://api.test',
  CARD_BASE_URL: 'https://card.test',
  CARD_APP_ID: 'app',
  CARD_APP_SECRET: 'given-by-the-gateway',
  CARD_MERCHANT_KEY: 'merchant',
  WALLET_CLIENT_ID: 'client',
  WALLET_CLIENT_SECRET: 'given-by-the-provider',
};
const ADDRESSES = ['LOGIN_BASE_URL', 'CARD_BASE_URL', 'WALLET_AUTH_URL', 'WALLET_API_URL'] as const;
const SANDBOXED = {
  SANDBOX: 'on',
  APP_ORIGIN: undefined,
  ...Object.fromEntries(ADDRESSES.map((name) => [name, undefined])),
};
const SECRETS = ['AUTH_SECRET', 'DATA_KEY', 'WEBHOOK_KEY'] as const;
const WEAK = [
  '',
  'short',
  'a'.repeat(64),
  'ab'.repeat(20),
  'abcdefgh1234'.repeat(3),
  '1234567890'.repeat(4),
  'change-me-change-me-change-me-change-me',
  'this-is-my-super-secret-key-for-the-desk',
  `${'x'.repeat(20)}yzuvwSTQ1234567`,
];

describe('the environment with real providers', () => {
  test('is taken with secrets as a random generator makes them, whatever their alphabet', () => {
    for (let tries = 0; tries < 200; tries += 1) {
      for (const value of [strong(), bytes().toString('hex'), bytes().toString('base64url')])
        expect(() => parseEnv({ ...LIVE, AUTH_SECRET: value })).not.toThrow();
    }
  });

  test.each(SECRETS)(
    'is refused without a strong %s, in one line that names it and not its value',
    (name) => {
      for (const value of WEAK) {
        let message = '';
        try {
          parseEnv({ ...LIVE, [name]: value });
        } catch (error) {
          message = (error as Error).message;
        }
        expect(message, value).toMatch(new RegExp(`^Environment: .*${name}`));
        expect(message).not.toContain('\n');
        if (value !== '') expect(message).not.toContain(value);
      }
    },
  );

  test('is refused when two secrets are the same, and when browsers would come without https', () => {
    expect(() => parseEnv({ ...LIVE, DATA_KEY: LIVE.AUTH_SECRET })).toThrow(
      /DATA_KEY is used twice/,
    );
    expect(() => parseEnv({ ...LIVE, APP_ORIGIN: 'http://desk.test' })).toThrow(
      /APP_ORIGIN must be an https address/,
    );
    for (const missing of [
      'DATABASE_URL',
      'CARD_BASE_URL',
      'CARD_APP_ID',
      'CARD_APP_SECRET',
      'CARD_MERCHANT_KEY',
      'WALLET_CLIENT_SECRET',
      'LOGIN_BASE_URL',
    ])
      expect(() => parseEnv({ ...LIVE, [missing]: undefined })).toThrow(missing);
  });

  test.each(ADDRESSES)(
    'sends nothing in clear: %s is an https address, and nothing else',
    (name) => {
      expect(() => parseEnv({ ...LIVE, [name]: `https://provider.test/v1/path` })).not.toThrow();
      for (const clear of [
        'http://provider.test',
        'http://127.0.0.1:4010/login',
        'http://localhost',
        'ftp://provider.test',
      ]) {
        expect(() => parseEnv({ ...LIVE, [name]: clear }), clear).toThrow(
          new RegExp(`^Environment: ${name} must be an https address outside the sandbox$`),
        );
      }
      for (const odd of [
        'https://user:secret@provider.test',
        'https://provider.test/?key=1',
        'https://provider.test/#part',
      ]) {
        expect(() => parseEnv({ ...LIVE, [name]: odd }), odd).toThrow(
          new RegExp(`^Environment: ${name} is an address without user, query or fragment$`),
        );
      }
      expect(() => parseEnv({ ...LIVE, [name]: undefined })).toThrow(
        `${name} is needed when SANDBOX is off`,
      );
    },
  );

  test('is reached by browsers at one https origin, written exactly as browsers send it', () => {
    for (const odd of [
      'https://desk.test/',
      'https://desk.test/app',
      'https://desk.test:443',
      'https://DESK.test',
      'https://desk.test?x=1',
      'https://user@desk.test',
    ]) {
      expect(() => parseEnv({ ...LIVE, APP_ORIGIN: odd }), odd).toThrow(
        /^Environment: APP_ORIGIN is an origin exactly/,
      );
    }
    expect(() => parseEnv({ ...LIVE, APP_ORIGIN: undefined })).toThrow(
      'APP_ORIGIN is needed when SANDBOX is off',
    );
    expect(() => parseEnv({ ...LIVE, APP_ORIGIN: 'http://127.0.0.1:3000' })).toThrow(
      'APP_ORIGIN must be an https address outside the sandbox',
    );
    expect(parseEnv({ ...LIVE, APP_ORIGIN: 'https://desk.test:8443' }).appOrigin).toBe(
      'https://desk.test:8443',
    );
  });

  test.each(ADDRESSES)(
    'is never mixed with the sandbox: with SANDBOX=on, %s is on this machine or nowhere',
    (name) => {
      for (const own of [
        'http://127.0.0.1:4010/x',
        'http://localhost:1',
        'http://[::1]:9/x',
        'https://127.0.0.5',
      ])
        expect(() => parseEnv({ ...LIVE, ...SANDBOXED, [name]: own }), own).not.toThrow();
      for (const foreign of [
        'https://provider.test',
        'http://10.0.0.1',
        'http://127.0.0.1.provider.test',
        'http://localhost.provider.test',
        'http://0.0.0.0:4010',
      ]) {
        expect(() => parseEnv({ ...LIVE, ...SANDBOXED, [name]: foreign }), foreign).toThrow(
          new RegExp(`^Environment: ${name} must be on this machine while SANDBOX is on$`),
        );
      }
    },
  );

  test('lets card numbers nowhere near it unless CARD_ENTRY says so; the sandbox shows everything', () => {
    expect(parseEnv(LIVE)).toMatchObject({
      cardEntry: 'off',
      cardFieldPrefix: 'svc_',
      cardBaseUrl: 'https://card.test',
    });
    expect(parseEnv({ ...LIVE, CARD_ENTRY: '3d', CARD_FIELD_PREFIX: 'brand_' })).toMatchObject({
      cardEntry: '3d',
      cardFieldPrefix: 'brand_',
    });
    expect(parseEnv({ ...LIVE, ...SANDBOXED })).toMatchObject({
      cardEntry: 'all',
      cardBaseUrl: 'http://127.0.0.1:4010/card',
    });
    for (const [name, value] of [
      ['CARD_ENTRY', 'yes'],
      ['CARD_FIELD_PREFIX', 'Svc '],
      ['CARD_BASE_URL', 'http://card.test'],
    ] as const)
      expect(() => parseEnv({ ...LIVE, [name]: value })).toThrow(name);
  });

  test('accepts card webhooks only under the merchant’s own names; the sandbox has names of its own', () => {
    const none = { sale: null, recurring: null, refund: null, cashout_reverse: null };
    expect(parseEnv(LIVE).cardHooks).toEqual(none);
    expect(parseEnv({ ...LIVE, CARD_WEBHOOK_KEYS: 'sale=s-1, refund=r_1' }).cardHooks).toEqual({
      ...none,
      sale: 's-1',
      refund: 'r_1',
    });
    expect(parseEnv({ ...LIVE, ...SANDBOXED }).cardHooks.recurring).toBe('recurring_hook');
    for (const wrong of [
      'sale',
      'sale=',
      'sale=a b',
      'sale=a=b',
      'sale=one,refund=one',
      'sale=one,sale=two',
      'chargeback=one',
      'sale=one,',
      ',',
    ]) {
      expect(() => parseEnv({ ...LIVE, CARD_WEBHOOK_KEYS: wrong }), wrong).toThrow(
        /^Environment: CARD_WEBHOOK_KEYS is kind=name/,
      );
    }
  });

  test('says in milliseconds how often metrics are exported, and nothing that a timer cannot wait', () => {
    expect(parseEnv(LIVE).metricExportMs).toBe(60_000);
    expect(parseEnv({ ...LIVE, OTEL_METRIC_EXPORT_INTERVAL: '5000' }).metricExportMs).toBe(5_000);
    for (const wrong of ['0', '-1', 'often', '1.5', String(2 ** 31)])
      expect(() => parseEnv({ ...LIVE, OTEL_METRIC_EXPORT_INTERVAL: wrong }), wrong).toThrow(
        /^Environment: OTEL_METRIC_EXPORT_INTERVAL /,
      );
  });

  test('names a time zone that exists', () => {
    expect(parseEnv({ ...LIVE, TZ_WORKSPACE: 'Europe/Berlin' }).timeZone).toBe('Europe/Berlin');
    expect(() => parseEnv({ ...LIVE, TZ_WORKSPACE: 'Europe/Istambul' })).toThrow(
      /^Environment: TZ_WORKSPACE is a time zone/,
    );
  });

  test('may name several data keys: the first seals, each must be strong', () => {
    const [fresh, old] = [strong(), strong()];
    expect(parseEnv({ ...LIVE, DATA_KEY: `${fresh}, ${old}` }).dataKeys).toEqual([fresh, old]);
    expect(() => parseEnv({ ...LIVE, DATA_KEY: `${fresh},` })).toThrow(/DATA_KEY/);
    expect(() => parseEnv({ ...LIVE, DATA_KEY: `${fresh},${'a'.repeat(40)}` })).toThrow(
      /DATA_KEY can be guessed/,
    );
  });
});

/** How the processes start. */
const PROCESSES = [
  ['a worker', ['--conditions=react-server', 'lib/worker/main.ts']],
  ['a web', ['server.ts']],
  ['a process of webhooks alone', ['--conditions=react-server', 'lib/web/webhooks.ts']],
] as const;
const REFUSED = [
  [{ DATA_KEY: 'a'.repeat(40) }, /^Environment: DATA_KEY can be guessed[^\n]*\n$/],
  [{ AUTH_SECRET: '' }, /^Environment: AUTH_SECRET [^\n]*\n$/],
] as const;

test.each(
  PROCESSES.flatMap(([name, program]) =>
    REFUSED.map(([change, message]) => [name, program, change, message] as const),
  ),
)(
  '%s without a strong secret ends at once with code 1, one line and no stack',
  (_name, program, change, message) => {
    const { PATH = '' } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program], {
      encoding: 'utf8',
      env: { PATH, NODE_ENV: 'production', ...LIVE, ...change },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(message);
  },
);
