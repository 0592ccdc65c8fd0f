import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { vi } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import type { DatabaseRole } from '#lib/runtime/db.ts';
import { TEST_IDENTITY } from './test-identity.ts';

/**
 * Tests on a real PostgreSQL: the one in TEST_DATABASE_URL, migrated, with an owner who may do
 * anything but what a trigger forbids. Each file uses a merchant of its own, so that tenant
 * isolation separates the files too.
 */

export type TestMerchant = {
  merchantId: string;
  /** Connections as the database owner, without row-level security: for set-up and checks. */
  owner: pg.Pool;
  person(role: Role): Person;
  close(): Promise<void>;
};

/**
 * Sets the product's environment for this file and creates a merchant with one person of each role.
 * `merchantKey`: the card gateway's.
 */
export async function testMerchant(merchantKey: string = randomUUID()): Promise<TestMerchant> {
  const databaseUrl = process.env.TEST_DATABASE_URL;
  if (!databaseUrl)
    throw new Error(
      'TEST_DATABASE_URL is not set: run these tests by `npm test`, or name a migrated PostgreSQL.',
    );
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    CARD_MERCHANT_KEY: merchantKey,
    CARD_APP_ID: 'test',
    CARD_APP_SECRET: 'test',
    SANDBOX: 'on',
    LOG_LEVEL: 'silent',
    WALLET_CLIENT_ID: 'test',
    WALLET_CLIENT_SECRET: 'test',
    AUTH_SECRET: 'a'.repeat(32),
    DATA_KEY: 'd'.repeat(32),
    WEBHOOK_KEY: 'w'.repeat(32),
  });
  const { merchantIdOf } = await import('#lib/access/merchant.ts');
  const merchantId = merchantIdOf(merchantKey);
  const owner = ownerPool(databaseUrl);
  await owner.query(`INSERT INTO merchants (id, key_fingerprint, name) VALUES ($1, $2, 'Test')`, [
    merchantId,
    merchantKey,
  ]);
  await owner.query(
    `INSERT INTO installations (merchant_id, environment, sender, gateway) VALUES ($1, $2, $3, $4)`,
    [merchantId, TEST_IDENTITY.environment, TEST_IDENTITY.sender, TEST_IDENTITY.gateway],
  );
  const people = new Map<Role, string>();
  for (const role of ['clerk', 'approver', 'owner', 'support', 'auditor'] as const) {
    const { rows } = await owner.query<{ id: string }>(
      `INSERT INTO people (merchant_id, email, name, role) VALUES ($1, $2, $2, $3) RETURNING id`,
      [merchantId, `${role}@test`, role],
    );
    people.set(role, rows[0]!.id);
  }
  return {
    merchantId,
    owner,
    person: (role) => ({
      kind: 'person',
      merchantId,
      personId: people.get(role)!,
      sessionId: randomUUID(),
      name: role,
      email: `${role}@test`,
      role,
      standsInFor: null,
      ip: '203.0.113.7',
    }),
    close: () => owner.end(),
  };
}

/**
 * As in `lib/runtime/db.ts`: a connection that ends while its database is dropped must not end the
 * process.
 */
export function ownerPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4 });
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  return pool;
}

/** Links the merchant's queued audit entries, as a worker would. */
export async function linkAudit({ owner, merchantId }: TestMerchant): Promise<void> {
  await owner.query(`SELECT set_config('app.merchant_id', $1, true), audit_link($1::uuid, 1000)`, [
    merchantId,
  ]);
}

/**
 * Removes the provider account binding from the database: a worker process then asks the provider
 * for its account and binds the database to it.
 */
export async function unbind(merchant: TestMerchant): Promise<void> {
  await merchant.owner.query(
    'UPDATE installations SET environment = NULL, sender = NULL, gateway = NULL WHERE merchant_id = $1',
    [merchant.merchantId],
  );
}

/** The product's modules as one process loads them: its own pool, with its own role. */
export async function openProcess(role: DatabaseRole) {
  vi.resetModules();
  const db = await import('#lib/runtime/db.ts');
  db.actAs(role);
  return {
    db,
    claim: await import('#lib/movements/claim.ts'),
    advance: await import('#lib/movements/advance.ts'),
    pull: await import('#lib/movements/expedite.ts'),
    row: await import('#lib/movements/row.ts'),
    audit: await import('#lib/audit/append.ts'),
    receive: await import('#lib/webhooks/receive.ts'),
    submit: await import('#lib/payouts/submit.ts'),
    cancel: await import('#lib/movements/cancel.ts'),
    checkNow: await import('#lib/movements/check-now.ts'),
    receipts: await import('#lib/receipts/fetch-due.ts'),
    stop: await import('#lib/send-control/stop.ts'),
    acknowledge: await import('#lib/send-control/recovery/acknowledge.ts'),
    recovery: await import('#lib/send-control/recovery/view.ts'),
    release: await import('#lib/send-control/resume.ts'),
    confirmSend: await import('#lib/send-control/confirm-send.ts'),
    heldSends: await import('#lib/send-control/list-held.ts'),
    sending: await import('#lib/send-control/view.ts'),
    verifyCards: await import('#lib/cards/payments/verify-due.ts'),
    addCards: await import('#lib/cards/payments/add.ts'),
    cards: await import('#lib/cards/payments/list.ts'),
    cardHolds: await import('#lib/cards/payments/authorizations.ts'),
    cardView: await import('#lib/cards/payments/view.ts'),
    seeCardProblem: await import('#lib/cards/payments/see-problem.ts'),
    cardKinds: await import('#lib/cards/operations/kind.ts'),
    startCard: await import('#lib/cards/operations/start.ts'),
    cardBalance: await import('#lib/payouts/card-balance/kind.ts'),
    close: await import('#lib/movements/close.ts'),
    cardLeft: await import('#lib/cards/operations/remaining-amounts.ts'),
    cardOperations: await import('#lib/cards/operations/list.ts'),
    nameDay: await import('#lib/cards/payments/enter-authorized-day.ts'),
    remind: await import('#lib/cards/reminders/remind.ts'),
    reminders: await import('#lib/cards/reminders/view.ts'),
    seeReminder: await import('#lib/cards/reminders/mark-seen.ts'),
    remindByMail: await import('#lib/cards/reminders/send-mail.ts'),
    hashKeys: await import('#lib/cards/tools/hash-key.ts'),
    keepIdentity: await import('#lib/send-control/keep-account.ts'),
    batches: {
      ...(await import('#lib/batches/run/submit.ts')),
      ...(await import('#lib/batches/run/feed.ts')),
      ...(await import('#lib/batches/run/control.ts')),
      ...(await import('#lib/batches/run/view.ts')),
    },
  };
}

export type Process = Awaited<ReturnType<typeof openProcess>>;

/** A merchant, a web and `count` workers (`worker` is the first), each with modules of its own. */
export async function openProduct(count = 1): Promise<{
  merchant: TestMerchant;
  web: Process;
  worker: Process;
  workers: Process[];
  close(): Promise<void>;
}> {
  const merchant = await testMerchant();
  const web = await openProcess('dashboard_web');
  const workers: Process[] = [];
  for (let n = 0; n < count; n++) workers.push(await openProcess('dashboard_worker'));
  const close = async (): Promise<void> => {
    await Promise.all([web, ...workers].map((side) => side.db.disconnect()));
    await merchant.close();
  };
  return { merchant, web, worker: workers[0]!, workers, close };
}
