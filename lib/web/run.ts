import 'server-only';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { announceReady } from '#lib/runtime/begin.ts';
import { disconnect } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { createGuardedServer } from '#lib/runtime/http-server.ts';
import { startTelemetry } from '#lib/runtime/otlp.ts';
import { serveMetrics } from '#lib/runtime/serve-metrics.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { handleLeft } from '#lib/webhooks/receive.ts';
import type { Front } from './answer.ts';

/** How long a stop waits for the requests that are being answered. */
const DRAIN_MS = 3_000;
/** How soon the webhooks that another process stored, and did not handle, are looked for. */
const HANDLE_LEFT_MS = 5_000;

/**
 * Listens on HOST and PORT, and on METRICS_PORT if there is one, until a signal stops the process.
 * Resolves when it listens, and announces that to the process that started it. `close`: called
 * after the last answer.
 *
 * @throws Error when PORT is busy
 */
export async function run(
  front: Front,
  {
    service,
    upgrades = false,
    close = async () => {},
  }: { service: 'web' | 'webhooks'; upgrades?: boolean; close?(): Promise<void> },
): Promise<void> {
  const { port, host } = env();
  let stopping = false;
  const server = createGuardedServer(
    (request, response) => {
      // A client that keeps its connection open would send its next request to a closed server.
      if (stopping) response.setHeader('Connection', 'close');
      front.answer(request, response);
    },
    { upgrades },
  );
  const endTelemetry = await startTelemetry(service);
  await listen(server, port, host);
  // After PORT, so that a METRICS_PORT that is the same one costs the figures only.
  const metrics = await serveMetrics();
  announceReady();
  const handling = setInterval(() => void handleLeft(merchantId()), HANDLE_LEFT_MS);
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // No new connection is taken; answers that are being made are waited for, streams are not.
    server.close();
    metrics?.close();
    clearInterval(handling);
    await Promise.race([front.idle(), pause(DRAIN_MS)]);
    server.closeAllConnections();
    await close();
    await endTelemetry();
    await disconnect();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}
