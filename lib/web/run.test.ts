import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { VALID_ENVIRONMENT } from '#lib/testing/valid-environment.ts';

/** A process that serves, with ports that somebody else has. */

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** A port below those that the kernel gives away, which it could give to another test meanwhile. */
async function freePort(): Promise<string> {
  const server = createServer().listen(randomInt(10_240, 32_768), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

/** Resolves with the first line of its log; rejects when it ends before. */
async function startWebhooks(variables: Record<string, string>): Promise<string> {
  child = spawn(process.execPath, ['--conditions=react-server', 'lib/web/webhooks.ts'], {
    env: {
      PATH: process.env['PATH'],
      ...VALID_ENVIRONMENT,
      ...variables,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  for (const output of [child.stdout!, child.stderr!])
    output.on('data', (text) => lines.push(String(text)));
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(lines.join('')))),
  ]);
  return lines.join('');
}

test('a port of metrics that is the process’s own port costs the metrics and nothing else', async () => {
  const port = await freePort();
  await startWebhooks({ PORT: port, METRICS_PORT: port });
  const answer = await fetch(`http://127.0.0.1:${port}/api/health/live`);
  expect(await answer.json()).toEqual({ live: true });
});
