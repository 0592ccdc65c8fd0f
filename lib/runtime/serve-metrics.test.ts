import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { counter, gauges, metricsText } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';

/** What a process serves at METRICS_PORT, and that it works without it. */

const port = vi.hoisted(() => ({ metricsPort: null as number | null, host: '127.0.0.1' }));
vi.mock('./env.ts', () => ({ env: () => port }));
afterEach(() => {
  port.metricsPort = null;
});

test('a process whose metrics port is busy goes on without its metrics', async () => {
  const other = createServer().listen(0, port.host);
  await once(other, 'listening');
  port.metricsPort = (other.address() as AddressInfo).port;
  expect(await serveMetrics()).toBeNull();
  other.close();
});

test('the metrics are served at HOST alone, under one path', async () => {
  port.metricsPort = 0;
  const server = (await serveMetrics())!;
  try {
    const { address, port: at } = server.address() as AddressInfo;
    expect(address).toBe(port.host);
    const answer = await fetch(`http://${port.host}:${at}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringMatching(/^process_resident_memory_bytes \d+$/m),
    ]);
    expect((await fetch(`http://${port.host}:${at}/`)).status).toBe(404);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a figure that cannot be read is left out and counted; an endless one is written as +Inf', async () => {
  gauges(async () => [{ name: 'endless', help: 'Endless.', values: [[{}, Infinity]] }]);
  expect(await metricsText()).toMatch(/^endless \+Inf$/m);
  expect(await metricsText()).toMatch(/^dashboard_figures_read 1$/m);
  gauges(() => Promise.reject(new Error('the database is away')));
  expect(await metricsText()).toMatch(/^endless \+Inf$/m);
  expect(await metricsText()).toMatch(/^dashboard_figures_read 0$/m);
});

test('what a second copy of the module counts, as in the bundle of pages, is in the same text', async () => {
  counter('presses', 'Presses.')({ kind: 'send' });
  vi.resetModules();
  const copy = await import('./metrics.ts');
  copy.counter('presses', 'Presses.')({ kind: 'send' }, 2);
  expect(await metricsText()).toMatch(/^presses{kind="send"} 3$/m);
});
