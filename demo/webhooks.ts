/**
 * Takes the sandbox's webhooks at the dashboard's address while the history is written, by the
 * product's own function, because the web is not running yet.
 */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { answerWebhook, webhookAddress } from '#lib/webhooks/answer.ts';
import { control } from './clock.ts';

const SENT_LAST = 8;
const PAUSE_MS = 2;
/**
 * While a delivery is being sent, its next attempt is due within this time in milliseconds, in case
 * its answer is lost.
 */
const DUE_SOON_MS = 30_000;

export type Webhooks = {
  /** The number of webhooks taken so far. */
  taken(): number;
  /** Resolves when the sandbox has delivered everything that is due to be sent. */
  delivered(): Promise<void>;
  close(): Promise<void>;
};

/** Listens until `close` is called. `sandboxUrl`: the sandbox that sends the webhooks. */
export async function takeWebhooks(
  sandboxUrl: string,
  {
    host,
    port,
  }: {
    host: string;
    port: number;
  },
): Promise<Webhooks> {
  let taken = 0;
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (response.statusCode === 200) taken += 1;
    });
    const address = webhookAddress(request.url ?? '');
    if (address === null) response.writeHead(404).end();
    else void answerWebhook(request, response, address);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    taken: () => taken,
    async delivered() {
      while (await isSending(sandboxUrl)) await pause(PAUSE_MS);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether one of the last deliveries is waiting for its answer, or due soon. */
async function isSending(sandboxUrl: string): Promise<boolean> {
  const { deliveries } = (await control(sandboxUrl, `webhooks?limit=${SENT_LAST}`)) as {
    deliveries: { state: string; due_at: string | null }[];
  };
  return deliveries.some(
    ({ state, due_at }) =>
      state === 'waiting' && due_at !== null && Date.parse(due_at) <= Date.now() + DUE_SOON_MS,
  );
}
