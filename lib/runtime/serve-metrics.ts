import 'server-only';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { env } from './env.ts';
import { errorFields, log } from './log.ts';
import { metricsText, watchEventLoop } from './metrics.ts';

/**
 * Serves `GET /metrics` on HOST and METRICS_PORT; null when there is no METRICS_PORT. Figures never
 * keep payments waiting: when the port is busy, that is logged, and the process works without them.
 */
export async function serveMetrics(): Promise<Server | null> {
  const { host, metricsPort } = env();
  if (metricsPort === null) return null;
  watchEventLoop();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error('the metrics were not answered', errorFields(error));
      response.destroy();
    });
  });
  try {
    server.listen(metricsPort, host);
    await once(server, 'listening');
    return server;
  } catch (error) {
    log.error('the metrics are not served', errorFields(error));
    return null;
  }
}

async function answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url !== '/metrics') return void response.writeHead(404).end();
  const text = await metricsText();
  response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
}
