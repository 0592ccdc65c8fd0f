import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storedPayment } from '#lib/cards/operations/testing/payments.ts';
import { minor } from '#lib/values/money.ts';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { cardOrder } from '#lib/providers/card/bank-page-fixture.ts';
import { TypedCard } from '#lib/providers/card/typed-card.ts';
import { freshIban, startSandbox, WALLET } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { readSendJournal } from '#lib/begin-check/send-journal.ts';
import { openProcess, ownerPool, testMerchant, unbind } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { startWorker } from '#lib/testing/worker.ts';
import type { WorkerProcess } from '#lib/testing/worker.ts';
import { migrate } from '../../../prisma/migrate.ts';

/**
 * A database is restored to an earlier state, with the worker in a process of its own, the sandbox
 * as the provider, and a real copy of the database. The provider's ledger decides what is right.
 */

const ALL = { kind: 'all', cause: 'recovery' } as const;
const SERVER = process.env.TEST_DATABASE_URL ?? '';
const AMOUNT = minor(12_300n);
const PATIENCE_MS = 40_000;
/** PostgreSQL's code of a missing right. */
const NOT_ALLOWED = '42501';

let box: Sandbox;
let dataDir: string;
let live: string;
let merchant: TestMerchant;
let web: Process;
let worker: WorkerProcess | null = null;

beforeAll(async () => {
  box = await startSandbox();
});
afterAll(() => box.stop());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'restore-'));
  live = `live_${randomUUID().replaceAll('-', '')}`;
  await server(`CREATE DATABASE ${live}`);
  process.env.TEST_DATABASE_URL = addressOf(live);
  await migrate(addressOf(live));
  merchant = await testMerchant(box.cardCredentials.merchant_key);
  await unbind(merchant);
  Object.assign(process.env, box.environment, { DATA_DIR: dataDir });
  web = await openProcess('dashboard_web');
});
afterEach(async () => {
  await worker?.kill();
  worker = null;
  await leave();
  process.env.TEST_DATABASE_URL = SERVER;
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a restored older database', () => {
  it('sends nothing twice, shows what it had forgotten, and sends again only after two people agree', async () => {
    await work();
    const a = await pay();
    const [d] = (await readyMovements(merchant, 1, { ...payable(), dueInMs: 3_600_000 })) as [
      string,
    ];
    await backUp();
    await work();
    const [b, c] = [await pay(), await pay('PENDING')];
    await merchant.owner.query(`UPDATE movements SET next_at = clock_timestamp() WHERE id = $1`, [
      d,
    ]);
    await until('D was sent and paid', async () => (await rowOf(merchant, d)).state === 'PENDING');
    await box.bank(await extIdOf(d), 'complete');
    const [extA, extB, extC, extD] = await Promise.all([a, b, c, d].map(extIdOf));
    const ibanB = (await rowOf(merchant, b)).iban as string;
    await restore();

    const [e] = (await readyMovements(merchant, 1, payable())) as [string];
    await merchant.owner.query(`UPDATE movements SET next_at = clock_timestamp() WHERE id = $1`, [
      d,
    ]);
    await work();
    await until("the provider's records were read", async () => (await view())?.scannedAt != null);
    await until(
      'D is where the provider says it is',
      async () => (await rowOf(merchant, d)).state === 'COMPLETED',
    );
    // The sandbox's merchant has payments of its own; those of this test have references in our
    // form.
    expect(
      (await view())?.found
        .filter((one) => /^[0-9A-F]{20}$/.test(one.extId ?? ''))
        .map((one) => [one.finding, one.source, one.extId])
        .toSorted(),
    ).toEqual(
      [
        ['brought_forward', 'withdrawal', extD],
        ['foreign', 'withdrawal', extB],
        ['foreign', 'withdrawal', extC],
      ].toSorted(),
    );
    expect((await sending()).stops).toContainEqual(
      expect.objectContaining({ kind: 'all', cause: 'recovery', by: null }),
    );
    expect((await rowOf(merchant, e)).state, 'what is new waits').toBe('APPROVED');
    expect(await Promise.all([extA, extB, extC, extD].map((extId) => box.posts(extId!)))).toEqual([
      1, 1, 1, 1,
    ]);
    expect(await payAgainFindings(ibanB)).toContain('foreign_same_amount');
    await merchant.owner.query(
      `UPDATE recovered_records SET iban = lower(regexp_replace(iban, '(....)', '\\1 ', 'g'))
        WHERE iban = $1`,
      [ibanB],
    );
    expect(await payAgainFindings(ibanB), 'as the provider may write it').toContain(
      'foreign_same_amount',
    );

    const { requestResume: askRelease, confirmResume: confirmRelease } = web.release;
    await until(
      'the time for late records is over',
      async () => (await view())?.blockedBy !== 'recovery_not_read',
    );
    await expect(askRelease(merchant.person('owner'), ALL, 'looked at it')).rejects.toMatchObject({
      code: 'recovery_unseen',
    });
    for (const one of (await view())!.found)
      if (one.finding === 'foreign')
        await web.acknowledge.acknowledgeRecord(
          merchant.person('owner'),
          one.id,
          'paid before the restore',
        );
    await askRelease(merchant.person('owner'), ALL, 'all of them are known');
    await pause(6_000);
    expect((await rowOf(merchant, e)).state, 'matched, and still nobody has confirmed').toBe(
      'APPROVED',
    );
    await confirmRelease(merchant.person('approver'), ALL);
    // The checkpoint outside the database contradicts the restored chain, too. That stop is lifted
    // separately.
    await until('nothing holds sending any more', async () => {
      const also = { kind: 'all', cause: 'audit' } as const;
      await askRelease(merchant.person('owner'), also, 'restored from a backup')
        .then(() => confirmRelease(merchant.person('approver'), also))
        .catch(() => undefined);
      return (await sending()).stops.length === 0;
    });
    await pause(3_000);
    expect(
      (await rowOf(merchant, e)).state,
      'older than the recovery, so a person has to say "send it"',
    ).toBe('APPROVED');
    await web.confirmSend.confirmSend(merchant.person('approver'), e);
    await until(
      'what was confirmed has left',
      async () => (await rowOf(merchant, e)).state === 'PENDING',
    );
    expect(await payAgainFindings(ibanB)).toContain('foreign_known');
    expect(await Promise.all([extA, extB, extC, extD].map((extId) => box.posts(extId!)))).toEqual([
      1, 1, 1, 1,
    ]);
    expect((await rowOf(merchant, d)).sends, 'the forgotten send is in the books again').toBe(1);

    await worker!.stop();
    await work();
    await pause(1_000);
    expect(await view(), 'once over, it is over').toBeNull();
  }, 180_000);

  it('is found out under a running worker too, before anything is claimed in it', async () => {
    await work();
    await pay();
    await backUp();
    await work();
    await pay();
    await restore({ underWorker: true });
    const [id] = (await readyMovements(merchant, 1, payable())) as [string];
    await until('recovery begins', async () => (await view()) !== null);
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'APPROVED', sends: 0 });
    expect(await box.posts(await extIdOf(id))).toBe(0);
  }, 120_000);

  it('without any mark beside it is not trusted; the database that was worked with is', async () => {
    await work();
    await pay();
    await worker!.stop();
    await work();
    await pay();
    expect(await view(), 'a restart is no restore').toBeNull();
    await worker!.kill();
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
    await merchant.owner.query(`UPDATE worker_heartbeats SET at = at - interval '1 minute'`);
    const [id] = (await readyMovements(merchant, 1, payable())) as [string];
    await work();
    await until('recovery begins', async () => (await view())?.why === 'no_mark');
    expect(await box.posts(await extIdOf(id))).toBe(0);
  }, 120_000);

  it('a mark that cannot be written keeps every send back, and reads go on', async () => {
    await work();
    const earlier = await pay('PENDING');
    // The worker writes to the folder every few seconds.
    worker!.child.kill('SIGSTOP');
    rmSync(join(dataDir, 'marks'), { recursive: true });
    writeFileSync(join(dataDir, 'marks'), 'a file where the folder was');
    worker!.child.kill('SIGCONT');
    const [id] = (await readyMovements(merchant, 1, payable())) as [string];
    await until('the row was looked at, and put off', async () => {
      const { state, next_at: next } = await rowOf(merchant, id);
      return state === 'APPROVED' && next!.getTime() > Date.now() + 5_000;
    });
    expect(await box.posts(await extIdOf(id))).toBe(0);
    await box.bank(await extIdOf(earlier), 'complete');
    await until(
      'what was on its way is followed to its end',
      async () => (await rowOf(merchant, earlier)).state === 'COMPLETED',
    );
    expect([(await rowOf(merchant, id)).state, await box.posts(await extIdOf(id))]).toEqual([
      'APPROVED',
      0,
    ]);
  }, 120_000);
});

describe('a restore drill', () => {
  it('sends nothing before people decide, and the journal names every send of the lost future', async () => {
    await work();
    const [refundable, held] = [await paidByCard(), await paidByCard({ hold: true })];
    const plan = await newPlan();
    await worker!.stop();
    // These rows wait when the backup is made. In the time that the restore loses, the worker sends
    // `sent`, the refund and the charge, and a person cancels `cancelled`; `waiting` still waits.
    const one = async (): Promise<string> => (await readyMovements(merchant, 1, payable()))[0]!;
    const [sent, cancelled, waiting] = [await one(), await one(), await one()];
    await merchant.owner.query(
      `UPDATE movements SET next_at = clock_timestamp() + interval '1 hour' WHERE id = ANY($1)`,
      [[cancelled, waiting]],
    );
    const refund = await started(
      web.startCard.startRefund(
        clerk(),
        { id: randomUUID(), paymentId: refundable, amountMinor: 4_000n, reason: 'geri geldi' },
        box.card,
      ),
    );
    const charge = randomUUID();
    await (
      await import('#lib/cards/recurring/start-charge.ts')
    ).startPlanCharge(clerk(), {
      id: charge,
      planId: plan,
      number: 2,
      amountMinor: 12_340n,
      taken: 1,
    });
    await backUp();

    await work();
    await web.cancel.cancelMovement(clerk(), cancelled);
    const [payout] = (await readyMovements(merchant, 1, payable())) as [string];
    const [transfer] = (await readyMovements(merchant, 1, {
      kind: 'transfer_own',
      wallet: WALLET,
      toWallet: OTHER_WALLET,
      amountMinor: AMOUNT,
    })) as [string];
    const capture = await started(
      web.startCard.startCapture(
        clerk(),
        { id: randomUUID(), paymentId: held, amountMinor: 12_340n },
        box.card,
      ),
    );
    const cashout = await newCashout();
    const cardCharge = await chargeCard();
    for (const id of [sent, refund, payout, transfer, capture, cashout])
      await until(
        `${id} has left`,
        async () => !['APPROVED', 'SUBMITTING'].includes((await rowOf(merchant, id)).state),
      );
    await until('the plan was charged', async () =>
      ['APPROVED', 'CHARGED'].includes(await chargeState(charge)),
    );
    const lines = await readSendJournal(join(dataDir, 'sends', merchant.merchantId));
    expect(lines.map((line) => line.kind).toSorted()).toEqual([
      'card_capture',
      'card_charge',
      'card_refund',
      'cashout',
      'payout',
      'payout',
      'plan_charge',
      'transfer_own',
    ]);
    expect(lines.map((line) => line.reference)).toEqual(
      expect.arrayContaining([charge, cardCharge]),
    );
    const before = await moneyRequests();
    await restore();

    await merchant.owner.query(
      `UPDATE movements SET next_at = clock_timestamp() WHERE state = 'APPROVED'`,
    );
    await work();
    await until(
      'all was compared',
      async () => (await view())?.scannedAt != null && (await view())?.journal.state === 'complete',
    );
    const found = (await view())!.found;
    expect(
      lines.filter((line) => !found.some((one) => one.extId === line.reference)),
      'each is named',
    ).toEqual([]);
    // The gateway has no list of sends, so that only our journal has the sends of these kinds.
    expect(
      found
        .filter((one) => one.source === 'journal' && one.finding === 'foreign')
        .map((one) => one.kind),
    ).toEqual(expect.arrayContaining(['card_capture', 'card_charge', 'cashout']));
    expect((await view())!.notCompared).toEqual([]);
    expect(['QUEUED', 'NOT_CHARGED']).not.toContain(await chargeState(charge));
    await until(
      'the refund ended by its record',
      async () => (await rowOf(merchant, refund)).state === 'COMPLETED',
    );
    await until(
      'the charge ended by its record',
      async () => (await chargeState(charge)) === 'CHARGED',
    );
    expect([
      (await rowOf(merchant, cancelled)).state,
      (await rowOf(merchant, waiting)).state,
    ]).toEqual(['APPROVED', 'APPROVED']);
    expect(await moneyRequests(), 'nothing left').toEqual(before);

    await until(
      'the time for late records is over',
      async () => (await view())?.blockedBy === 'recovery_unseen',
    );
    for (const one of (await view())!.found)
      if (one.finding !== 'brought_forward')
        await web.acknowledge.acknowledgeRecord(
          merchant.person('owner'),
          one.id,
          'sent after the backup',
        );
    await until('nothing holds sending any more', async () => {
      for (const cause of ['recovery', 'audit'] as const) {
        const stop = { kind: 'all', cause } as const;
        await web.release
          .requestResume(merchant.person('owner'), stop, 'the drill')
          .then(() => web.release.confirmResume(merchant.person('approver'), stop))
          .catch(() => undefined);
      }
      return (await sending()).stops.length === 0;
    });
    await pause(4_000);
    expect(await moneyRequests(), 'released, and nobody has said "send it"').toEqual(before);
    expect((await web.heldSends.listHeldSends(clerk())).map((one) => one.id).toSorted()).toEqual(
      [cancelled, waiting].toSorted(),
    );
    await web.cancel.cancelMovement(clerk(), cancelled);
    await web.confirmSend.confirmSend(merchant.person('approver'), waiting);
    await until(
      'what was confirmed has left',
      async () => (await rowOf(merchant, waiting)).state === 'PENDING',
    );
    expect(await moneyRequests()).toEqual({
      ...before,
      SendMoneyToBankAccount: before.SendMoneyToBankAccount! + 1,
    });
    await box.bank(await extIdOf(sent), 'complete');
    await until(
      'what was sent in the lost future ends right',
      async () => (await rowOf(merchant, sent)).state === 'COMPLETED',
    );
    expect(await rowOf(merchant, cancelled)).toMatchObject({ state: 'CANCELLED', sends: 0 });
  }, 300_000);
});

const OTHER_WALLET = '4410270002';
const SENDING = { beforeWrite: () => true };
const clerk = () => merchant.person('clerk');
const aCard = () =>
  new TypedCard({
    holder: 'Işık Öğüt',
    number: '4508034508034509',
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode: '000',
  });

/** How many requests that move money the providers have received, by operation. */
async function moneyRequests(): Promise<Record<string, number>> {
  const operations = [
    'SendMoneyToBankAccount',
    'TransferToVirement',
    'confirmPayment',
    'returned',
    'process',
    'tobank',
    'paySmart2D',
  ];
  const counts = await Promise.all(
    operations.map(
      async (operation) =>
        [
          operation,
          (await box.control<unknown[]>('GET', `requests?operation=${operation}&limit=1000`))
            .length,
        ] as const,
    ),
  );
  return Object.fromEntries(counts);
}

/** Creates a card payment whose record was read: captured at once, or only authorized. */
async function paidByCard(more: { hold?: boolean } = {}): Promise<string> {
  const order = cardOrder(more);
  expect(await box.card.payByCard(order, aCard(), SENDING)).toMatchObject({ kind: 'approved' });
  const isHeld = more.hold ?? false;
  return storedPayment(merchant, {
    invoice_id: order.invoiceId,
    amount_minor: order.amountMinor,
    state: isHeld ? 'held' : 'completed',
    held_seen: isHeld,
    held_since: isHeld ? new Date() : null,
  });
}

async function newPlan(): Promise<string> {
  const order = cardOrder({
    recurring: { count: 3, cycle: 'month', interval: 1, hook: 'recurring_hook' },
  });
  await box.card.payByCard(order, aCard(), SENDING);
  const record = await box.card.readRecord(order);
  if (record.kind !== 'found' || record.recurring === null) throw new Error('no plan was made');
  await (await import('#lib/cards/recurring/add.ts')).addPlans(clerk(), record.recurring.planCode);
  const plan = async () =>
    (
      await merchant.owner.query<{ id: string; verified_at: Date | null }>(
        'SELECT id, verified_at FROM recurring_plans',
      )
    ).rows[0]!;
  await until('the plan was read', async () => (await plan()).verified_at !== null);
  return (await plan()).id;
}

async function newCashout(): Promise<string> {
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, approvals_needed, phone)
     SELECT one.id, $1, 'cashout', upper(left(md5(one.id::text), 20)), 'DRAFT', '', $2,
       'Ayşe Yılmaz', '10000000146', 1234, 'TRY', '', 'fatura 1', 'hash', $3, 0, '905330000201'
     FROM (SELECT gen_random_uuid() AS id) AS one RETURNING id`,
    [merchant.merchantId, freshIban(), clerk().personId],
  );
  for (const state of ['AWAITING_APPROVAL', 'APPROVED'])
    await merchant.owner.query(
      'UPDATE movements SET state = $2, next_at = clock_timestamp() WHERE id = $1',
      [rows[0]!.id, state],
    );
  return rows[0]!.id;
}

/** Makes a checkout and sends it; returns its order number. */
async function chargeCard(): Promise<string> {
  const [make, send] = [
    await import('#lib/cards/checkout/make.ts'),
    await import('#lib/cards/checkout/send.ts'),
  ];
  const id = randomUUID();
  await make.makeCharge(clerk(), {
    id,
    way: 'non_secure',
    amountMinor: 12_340n,
    content: {
      currency: 'TRY',
      description: 'Sipariş',
      items: [{ name: 'Çanta', description: '', priceMinor: '6170', quantity: 2 }],
      buyer: { name: 'Işık', surname: 'Öğüt' },
      bill: { email: 'isik@shop.test', phone: '905320000000' },
      installments: 1,
    },
  });
  await send.chargeTypedCard(clerk(), id, aCard());
  return (
    await merchant.owner.query<{ invoice_id: string }>(
      'SELECT invoice_id FROM card_payments WHERE id = $1',
      [id],
    )
  ).rows[0]!.invoice_id;
}

const chargeState = async (id: string): Promise<string> =>
  (
    await merchant.owner.query<{ state: string }>('SELECT state FROM plan_charges WHERE id = $1', [
      id,
    ])
  ).rows[0]!.state;

async function started(
  promise: Promise<Awaited<ReturnType<Process['startCard']['startCapture']>>>,
): Promise<string> {
  const start = await promise;
  if (start.kind !== 'started') throw new Error(`stopped: ${start.why}`);
  return start.id;
}

/** Content that the sandbox accepts. */
const payable = () => ({
  amountMinor: AMOUNT,
  wallet: WALLET,
  paymentType: '06',
  iban: freshIban(),
});

async function work(): Promise<void> {
  worker = startWorker({
    ...box.environment,
    SANDBOX: 'on',
    DATABASE_URL: addressOf(live),
    DATA_DIR: dataDir,
    CARD_MERCHANT_KEY: process.env.CARD_MERCHANT_KEY!,
    RESEND_QUIET_SECONDS: '2',
  });
  await until(
    'the worker beats',
    async () =>
      Number(
        (
          await merchant.owner.query(
            `SELECT count(*) FROM worker_heartbeats WHERE at > clock_timestamp() - interval '2 seconds'`,
          )
        ).rows[0].count,
      ) > 0 || worker!.output().includes('failed'),
  );
}

/**
 * Makes a payout and waits until the provider has accepted it or, by default, until the bank has
 * completed it.
 */
async function pay(until_: 'COMPLETED' | 'PENDING' = 'COMPLETED'): Promise<string> {
  const [id] = (await readyMovements(merchant, 1, payable())) as [string];
  await until('it is accepted', async () => (await rowOf(merchant, id)).state === 'PENDING');
  if (until_ === 'PENDING') return id;
  await box.bank(await extIdOf(id), 'complete');
  await until('it is completed', async () => (await rowOf(merchant, id)).state === 'COMPLETED');
  return id;
}

async function payAgainFindings(iban: string): Promise<string[]> {
  const { recipientFacts } = await import('#lib/payouts/facts.ts');
  const { checkPayout } = await import('#lib/payouts/rules.ts');
  const facts = await recipientFacts(merchant.person('clerk'), {
    iban,
    name: null,
    taxNumber: null,
    wallet: null,
  });
  return checkPayout({
    content: { iban, amountMinor: AMOUNT },
    wallet: null,
    paymentType: null,
    recent: facts.recent,
    foreign: facts.foreign,
    lastSendToIbanAt: null,
    limitLeft: null,
    fee: null,
    now: facts.at,
  }).map((one) => one.code);
}

const sending = () => web.sending.viewSending(merchant.person('auditor'));
const view = () => web.recovery.viewRecovery(merchant.person('owner'));

async function extIdOf(id: string): Promise<string> {
  return (await rowOf(merchant, id)).ext_id as string;
}

/** Copies the whole database; no connection may be open during the copy. */
async function backUp(): Promise<void> {
  await worker!.stop();
  await leave();
  await server(`CREATE DATABASE backup_${live} TEMPLATE ${live}`);
  await comeBack();
}

/**
 * Replaces the database with the copy. The worker is killed first; with `underWorker` it keeps
 * running.
 */
async function restore({ underWorker = false } = {}): Promise<void> {
  if (!underWorker) await worker!.kill();
  await leave();
  await drop(live);
  await server(`CREATE DATABASE ${live} TEMPLATE backup_${live}`);
  await comeBack();
}

/**
 * Drops a database to which a worker may be connected. The forced command may not end an
 * autovacuum worker; the plain one does, and waits for it.
 */
async function drop(database: string): Promise<void> {
  const forced = (): Promise<void> => server(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const error: unknown = await forced().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) return;
    if ((error as { code?: unknown }).code !== NOT_ALLOWED) throw error;
    await server(`DROP DATABASE ${database}`).catch(() => undefined);
  }
  throw new Error(`${database} could not be dropped`);
}

async function leave(): Promise<void> {
  await web.db.disconnect();
  await merchant.owner.end();
}

async function comeBack(): Promise<void> {
  merchant.owner = ownerPool(addressOf(live));
  web = await openProcess('dashboard_web');
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`It did not happen: ${what}\n${worker?.output() ?? ''}`);
    await pause(100);
  }
}

async function server(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function addressOf(database: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${database}`;
  return url.href;
}
