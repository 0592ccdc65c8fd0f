import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { waitForHealth } from './health.ts';
import { freePort } from './ports.ts';

test('a start interrupted while the dashboard answers "ready" sees it and does not continue', async () => {
  const interrupted = new AbortController();
  const server = createServer((_request, response) => {
    interrupted.abort(new Error('interrupted'));
    response.end('{"ready":true}');
  });
  onTestFinished(() => void server.close());
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await expect(
    waitForHealth(`http://127.0.0.1:${port}`, 5_000, interrupted.signal),
  ).rejects.toThrow('interrupted');
});
