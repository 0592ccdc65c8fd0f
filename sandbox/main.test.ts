import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox, levelOf } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());

/** Runs a second sandbox with this environment until it ends. */
function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })));
}

/** Makes a control call with headers that fetch does not allow. */
function withHeaders(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(box.base);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end('{}');
  });
}

describe('the program', () => {
  it('keeps everything it acknowledged over kill -9 [service: durable]', async () => {
    await box.post('reset');
    await box.post('bank/mode', { mode: 'manual' });
    await box.post('clock', { advance: '30m' });
    const credentials = await box.get('credentials');
    const wanted = Array.from({ length: 40 }, (_, i) => `kill-${i}`);
    const acknowledged: string[] = [];
    const sending = (async (): Promise<void> => {
      for (const extId of wanted) {
        const response = await box.pay(extId).catch(() => null);
        if (response?.json.code === '100') acknowledged.push(extId);
        if (!response) return;
      }
    })();
    await box.until(() => acknowledged.length > 10);
    await box.end('SIGKILL');
    await sending;
    await box.boot();
    for (const extId of acknowledged) expect(await box.ledgerOf(extId)).toHaveLength(1);
    expect(((await box.get('books')) as { agrees: boolean }).agrees).toBe(true);
    expect(await box.get('bank')).toMatchObject({ mode: 'manual' });
    expect(((await box.get('clock')) as { offset_ms: number }).offset_ms).toBe(1_800_000);
    expect(await box.get('credentials')).toEqual(credentials);
  });

  it('finishes after a restart what the bank had begun, and delivers what was not delivered', async () => {
    await box.post('reset');
    box.notices.length = 0;
    await box.post('bank/mode', { mode: 'auto', delayMs: 400 });
    await box.pay('across-1');
    await box.end('SIGKILL');
    await box.boot();
    await box.until(async () => levelOf(await box.read('across-1')) === 1);
    const notice = await box.until(() =>
      box.notices.find((one) => one.json.ext_transaction_id === 'across-1'),
    );
    expect(notice.json.after_process_status).toBe(1);
  });

  it('ends cleanly on SIGTERM and SIGINT and starts again', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      expect(await box.end(signal)).toBe(0);
      await box.boot();
    }
    expect((await box.raw('/sandbox/health')).status).toBe(200);
  });

  it('says in one line that its port is busy, and names SANDBOX_PORT', async () => {
    const { code, output } = await run({
      SANDBOX_PORT: new URL(box.base).port,
      DATA_DIR: `${box.folder}/other`,
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain('SANDBOX_PORT');
  });

  it('refuses a data folder that another sandbox is using, and a port that is none', async () => {
    const second = await run({ SANDBOX_PORT: '0', DATA_DIR: box.folder });
    expect(second.code).toBe(1);
    expect(second.output).toContain('DATA_DIR');
    expect((await run({ SANDBOX_PORT: 'abc' })).output).toContain('SANDBOX_PORT');
  });

  it('does not let pages of other origins drive the control interface', async () => {
    const own = new URL(box.base).host;
    expect(await withHeaders('/sandbox/reset', { host: own, origin: 'http://evil.test' })).toBe(
      403,
    );
    expect(await withHeaders('/sandbox/reset', { host: own, origin: 'null' })).toBe(403);
    expect(
      await withHeaders('/sandbox/reset', { host: own, origin: 'http://127.0.0.1:3000' }),
    ).toBe(403);
    expect(await withHeaders('/sandbox/reset', { host: own, 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    );
    expect(await withHeaders('/sandbox/reset', { host: 'rebound.evil.test' })).toBe(403);
    expect(await withHeaders('/sandbox/clock', { host: own, origin: `http://${own}` })).toBe(400);
  });

  it('answers wrong control calls with JSON that says what is wrong', async () => {
    for (const [path, method, body, status] of [
      ['nothing', 'GET', undefined, 404],
      ['clock', 'DELETE', undefined, 405],
      ['clock', 'POST', '{', 400],
      ['clock', 'POST', '{"advance":"soon"}', 400],
      ['clock', 'POST', '{"now":"2001-01-01T00:00:00Z"}', 400],
      ['reset', 'POST', '{"seed":"x"}', 400],
    ] as const) {
      const response = await box.raw(`/sandbox/${path}`, { method, body });
      expect([path, response.status]).toEqual([path, status]);
      expect(typeof response.json.error).toBe('string');
    }
  });

  it('moves its clock forward by durations and to a time', async () => {
    await box.post('reset');
    await box.post('clock', { advance: '1d2h' });
    const target = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const { now } = await box.post('clock', { now: target });
    expect(Math.abs(Date.parse(String(now)) - Date.parse(target))).toBeLessThan(2000);
  });

  it('tells what it covers: every row of the contracts, with its source and its tests', async () => {
    const { rows, implemented, missing, proven } = (await box.get('coverage')) as {
      rows: { area: string; source: string; says: string; tests: string[] }[];
      implemented: number;
      missing: number;
      proven: number;
    };
    expect(new Set(rows.map((row) => row.area))).toEqual(new Set(['card', 'login', 'wallet']));
    expect([implemented, missing, proven]).toEqual([rows.length, 0, rows.length]);
    expect(rows.find((row) => row.source === 'assumed' && row.says !== '')).toBeDefined();
  });

  it('serves its console with a policy that lets nothing else run', async () => {
    const page = await box.raw('/');
    const policy = page.headers.get('content-security-policy') ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(policy).toContain("default-src 'none'");
    expect(page.text).toContain(`<script nonce="${nonce}" type="module">`);
    expect((await box.raw('/')).headers.get('content-security-policy')).not.toBe(policy);
    expect(page.text).not.toMatch(/\son\w+=/);
    expect(page.text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
  });
});
