/** Makes HTTP requests over a fixed number of connections that are kept open. */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

export type Load = {
  url: string;
  connections: number;
  headers?: Record<string, string>;
  /** Returns the body of the n-th request, which is a POST; without it the requests are GETs. */
  body?: (n: number) => string;
  /** The load ends after `count` requests or after `seconds`, whichever comes first. */
  count?: number;
  seconds?: number;
  signal?: AbortSignal;
};
export type Answered = {
  perSecond: number;
  /** The number of answers by status; 0: no answer came. */ statuses: Record<number, number>;
  /** The latency of each answer in milliseconds. */ latencies: number[];
};

export async function load({
  url,
  connections,
  headers = {},
  body,
  count = Infinity,
  seconds = Infinity,
  signal,
}: Load): Promise<Answered> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const statuses: Record<number, number> = {};
  const latencies: number[] = [];
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const stopped = () => signal?.aborted === true || performance.now() >= end;
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count && !stopped()) {
      const text = body?.(next);
      next += 1;
      const sent = performance.now();
      const status = await request(url, agent, headers, text);
      statuses[status] = (statuses[status] ?? 0) + 1;
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return {
    perSecond: (latencies.length * 1_000) / (performance.now() - begun),
    statuses,
    latencies,
  };
}

/**
 * Makes a load of GETs in a thread of its own: what other loads of this process do between two
 * answers does not count as their latency.
 */
export function loadAlone({ signal, ...options }: Omit<Load, 'body'>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./load-thread.ts', import.meta.url), {
      workerData: options,
    });
    signal?.addEventListener('abort', () => thread.postMessage('over'), { once: true });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

function request(
  url: string,
  agent: http.Agent,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<number> {
  return new Promise((resolve) => {
    const post =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const sent = http.request(
      url,
      { method: body === undefined ? 'GET' : 'POST', agent, headers: { ...headers, ...post } },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0)).once('error', () => resolve(0));
      },
    );
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}

/**
 * Throws when a response had another status, because refused requests must not count as throughput.
 */
export function expectAll(what: string, { statuses }: Answered, status: number): void {
  const others = Object.entries(statuses).filter(([one]) => Number(one) !== status);
  if (others.length > 0)
    throw new Error(
      `${what}: answers ${others.map(([one, times]) => `${one} × ${times}`).join(', ')} beside ${status}`,
    );
}
