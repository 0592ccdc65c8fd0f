import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, freePortPair } from './ports.ts';

test('of a pair of ports both are free, and neither is given again', async () => {
  const first = await freePortPair();
  for (const port of [first, first + 1]) {
    const server = createServer();
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, '127.0.0.1', resolve),
    );
    onTestFinished(() => void server.close());
  }
  const later = await Promise.all(Array.from({ length: 200 }, () => freePort()));
  expect(later.filter((port) => [first, first + 1].includes(port))).toEqual([]);
});
