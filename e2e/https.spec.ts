import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../scripts/ports.ts';
import { expect, test } from './story.ts';
import { readBuild } from './build.ts';
import { rows } from './database.ts';
import { sandbox } from './sandbox.ts';
import { emailOf, PASSWORD } from './sign-in.ts';
import { DATA_DIR, DATABASE_URL, SANDBOX_URL } from './surroundings.ts';

/** The production setup: browsers connect by https to a proxy, and the proxy connects to a web. */
const ORIGIN = 'https://pay.merchant.test';

test.describe('behind https', () => {
  let web: ChildProcess;
  let inside: string;

  test.beforeAll(async () => {
    const port = await freePort();
    const credentials = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
      card: { app_id: string; app_secret: string; merchant_key: string };
      wallet: { client_id: string; client_secret: string };
    };
    const { AUTH_SECRET, DATA_KEY, WEBHOOK_KEY } = JSON.parse(
      readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8'),
    ) as Record<string, string>;
    inside = `http://127.0.0.1:${port}`;
    web = spawn(process.execPath, ['server.ts'], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        BUILD_DIR: (await readBuild()).folder,
        DATABASE_URL,
        AUTH_SECRET,
        DATA_KEY,
        WEBHOOK_KEY,
        PORT: String(port),
        APP_ORIGIN: ORIGIN,
        SANDBOX: 'on',
        SANDBOX_PORT: new URL(SANDBOX_URL).port,
        CARD_APP_ID: credentials.card.app_id,
        CARD_APP_SECRET: credentials.card.app_secret,
        CARD_MERCHANT_KEY: credentials.card.merchant_key,
        WALLET_CLIENT_ID: credentials.wallet.client_id,
        WALLET_CLIENT_SECRET: credentials.wallet.client_secret,
      } as unknown as NodeJS.ProcessEnv,
    });
    await expect
      .poll(async () => (await fetch(`${inside}/api/health/live`).catch(() => null))?.status, {
        timeout: 60_000,
      })
      .toBe(200);
  });
  test.afterAll(() => {
    web.kill();
  });

  test('the session is a __Host- cookie for https only, and signing out makes the browser drop it all', async () => {
    const jar = new Map<string, string>();
    const set: string[] = [];
    const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        origin: ORIGIN,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': '6.6.6.6, 85.1.2.3',
        'x-forwarded-proto': 'https',
        ...init.headers,
      };
      const answer = await fetch(`${inside}${path}`, { ...init, headers, redirect: 'manual' });
      for (const one of answer.headers.getSetCookie()) {
        set.push(one);
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
        if (value === '') jar.delete(name!);
        else jar.set(name!, value!);
      }
      return answer;
    };
    const json = (body: object): RequestInit => ({
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    const started = await ask(
      '/api/sign-in',
      json({ step: 'start', email: emailOf('deniz'), password: PASSWORD }),
    );
    expect(await started.json()).toMatchObject({ step: 'code' });
    expect(set.find((one) => one.startsWith('__Host-challenge='))).toMatch(
      /; Path=\/;.*Secure; HttpOnly; SameSite=strict/i,
    );
    const { csrfToken } = (await (await ask('/api/auth/csrf')).json()) as { csrfToken: string };
    const code = (await sandbox.code(emailOf('deniz')))!;
    const confirmed = await ask('/api/auth/callback/credentials', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, code, json: 'true', callbackUrl: '/' }),
    });
    expect(confirmed.status).toBe(200);

    expect(
      set.filter((one) => !one.startsWith('__Host-')),
      'cookies that another host could plant',
    ).toEqual([]);
    expect(set.find((one) => one.startsWith('__Host-challenge=;'))).toMatch(
      /Path=\/;.*Max-Age=0;.*Secure/i,
    );
    expect(set.find((one) => one.startsWith('__Host-device='))).toMatch(
      /; Path=\/;.*Secure; HttpOnly; SameSite=strict/i,
    );

    const session = set.find((one) => one.startsWith('__Host-sid='))!;
    for (const attribute of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax'])
      expect(session.toLowerCase().split('; ')).toContain(attribute.toLowerCase());
    expect(session).not.toMatch(/domain=/i);
    expect((await ask('/settings')).status).toBe(200);
    const [row] = await rows<{ ip: string }>(
      `SELECT s.ip FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = $1
        ORDER BY s.created_at DESC LIMIT 1`,
      [emailOf('deniz')],
    );
    // The stored IP address is the one that the proxy saw; what the caller prepended is not
    // trusted.
    expect(row).toEqual({ ip: '85.1.2.3' });

    set.length = 0;
    const stolen = jar.get('__Host-sid')!;
    const out = await ask('/api/sign-out', json({ everywhere: false }));
    expect([
      out.status,
      out.headers.get('clear-site-data'),
      out.headers.get('cache-control'),
    ]).toEqual([204, '"cache", "storage"', 'no-store']);
    expect(set.find((one) => one.startsWith('__Host-sid=;'))).toMatch(
      /Path=\/;.*Max-Age=0;.*Secure/i,
    );
    jar.set('__Host-sid', stolen);
    expect((await ask('/api/movements/00000000-0000-4000-8000-000000000000')).status).toBe(401);
    // The cookie name of plain http is ignored here.
    jar.clear();
    jar.set('sid', stolen);
    expect((await ask('/settings')).status).toBe(307);
  });
});
