import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Prisma, PrismaClient } from '#lib/generated/prisma/client.ts';
import { env } from '#lib/env.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
const TRANSACTION_WAIT_MS = 5_000;
const TRANSACTION_TIMEOUT_MS = 10_000;
/**
 * Locks and statements that take longer than this are a fault, not a wait (money-movement 3). UTC, because the driver writes
 * and reads times without their zone: in another one every time would be off, and an hour a year would happen twice.
 */
const SESSION_LIMITS = '-c TimeZone=UTC -c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000';
/** Under row-level security the merchant is an index condition or a function call per row: plans that read an index whole are worth more than the defaults think. */
const SESSION_PLANS = '-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0';

export type DatabaseRole = 'dashboard_web' | 'dashboard_worker';
export type Tx = Prisma.TransactionClient;
export const sql = Prisma.sql;
export const join = Prisma.join;
export { Prisma };

let client: PrismaClient | undefined;
let role: DatabaseRole = 'dashboard_web';

/** The worker says who it is before its first query; everything else is the web. */
export function actAs(next: DatabaseRole): void {
  if (client) throw new Error('the database role is chosen before the first query');
  role = next;
}

function connection(): PrismaClient {
  client ??= new PrismaClient({
    adapter: new PrismaPg({
      connectionString: env().databaseUrl,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: `-c role=${role} ${SESSION_LIMITS} ${SESSION_PLANS}`,
    }),
  });
  return client;
}

/**
 * Runs `work` in one transaction in which only this merchant's rows exist. Throwing rolls back.
 * Never hold it open across a request to a provider.
 */
export async function inTransaction<T>(merchantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return connection().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT set_config('app.merchant_id', ${merchantId}, true)`;
      return work(tx);
    },
    { maxWait: TRANSACTION_WAIT_MS, timeout: TRANSACTION_TIMEOUT_MS },
  );
}

/** The database's own clock: the only one that decides about money. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}

/** A connection of its own that listens; Prisma has no LISTEN. The caller reconnects when it ends. */
export async function listen(channel: string, onMessage: (payload: string) => void): Promise<pg.Client> {
  const listener = new pg.Client({ connectionString: env().databaseUrl, options: `-c role=${role}`, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
  listener.on('notification', (message) => onMessage(message.payload ?? ''));
  // Without a listener of its own a broken connection would end the process; its `end` is what the caller waits for.
  listener.on('error', () => undefined);
  try {
    await listener.connect();
    await listener.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    return listener;
  } catch (error) {
    // Callers try again every second: what was half open must not pile up.
    await listener.end().catch(() => undefined);
    throw error;
  }
}

export async function disconnect(): Promise<void> {
  await client?.$disconnect();
  client = undefined;
}
