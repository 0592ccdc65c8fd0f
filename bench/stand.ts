/**
 * Starts the product for a measurement: production build, a database and ports of its own, and a
 * sandbox that answers at once.
 */
import pg from 'pg';
import { freePort } from '../scripts/ports.ts';
import { SUPERUSER } from '../scripts/postgres.ts';
import { startStack, type Stack } from '../scripts/stack.ts';
import { inThrowawayFolder } from '../scripts/throwaway.ts';

export type Stand = {
  stack: Stack;
  origin: string;
  /** A pool of the product's database, signed in as its owner. */
  owner: pg.Pool;
  /** The address of the database for PostgreSQL's superuser. */
  superuserUrl: string;
  /** How many payouts the part `growth` makes at most. */
  rows: number;
  merchantId: string;
  makerId: string;
  /** Calls the sandbox's control interface. */
  sandbox<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The folder of the product's secrets and logs. */
  dataDir: string;
  /** Aborted when a person interrupts the run. */
  signal: AbortSignal;
};

const BALANCE = '50000000.00';
const WALLET = '4410270001';

export async function withStand<T>(
  options: {
    signal: AbortSignal;
    webs?: number;
    workers: number;
    rows?: number;
    say: (line: string) => void;
  },
  work: (stand: Stand) => Promise<T>,
): Promise<T> {
  return inThrowawayFolder(async (dataDir) => {
    const ports = { port: await freePort(), sandboxPort: await freePort() };
    const stack = await startStack({
      host: '127.0.0.1',
      ...ports,
      sandbox: true,
      dataDir,
      databaseUrl: undefined,
      env: { LOG_LEVEL: 'warn' },
      ...options,
    });
    const owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 4 });
    const superuser = new URL(stack.databaseUrl);
    superuser.username = SUPERUSER;
    // At the end the database server stops, which breaks the connections of the pool.
    owner.on('error', () => undefined);
    try {
      if (stack.notReady !== undefined)
        throw new Error(`The product did not become ready: ${stack.notReady}`);
      const sandbox = <T>(method: string, path: string, body?: unknown) =>
        control<T>(stack.sandboxUrl!, method, path, body);
      await sandbox('POST', 'bank/mode', { mode: 'auto', delayMs: 0 });
      await sandbox('POST', 'questions', { ledger_lag_min_ms: 0, ledger_lag_max_ms: 0 });
      await sandbox('POST', `wallets/${WALLET}/topup`, { amount: BALANCE });
      const { rows } = await owner.query<{ merchant: string; maker: string }>(
        `SELECT merchant_id AS merchant, id AS maker FROM people WHERE email = 'ayse@demo.test'`,
      );
      return await work({
        stack,
        origin: stack.origins[0]!,
        owner,
        superuserUrl: superuser.href,
        rows: options.rows ?? Infinity,
        merchantId: rows[0]!.merchant,
        makerId: rows[0]!.maker,
        sandbox,
        dataDir,
        signal: options.signal,
      });
    } finally {
      await owner.end();
      await stack.stop();
    }
  });
}

async function control<T>(
  sandboxUrl: string,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const answer = await fetch(`${sandboxUrl}/sandbox/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!answer.ok)
    throw new Error(
      `the sandbox answered ${method} ${path} with ${answer.status}: ${await answer.text()}`,
    );
  return (await answer.json()) as T;
}
