/**
 * The merchant's people and the worker of the demo's history; both act by the product's own
 * functions.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Person, Role } from '#lib/access/actor.ts';
import { ensureMerchant, merchantId } from '#lib/access/merchant.ts';
import { environmentOf, gatewayOf } from '#lib/begin-check/provider-account.ts';
import { openSendJournal } from '#lib/begin-check/send-journal.ts';
import { verifyOneDuePayment } from '#lib/cards/payments/verify-due.ts';
import { verifyOneDuePlan } from '#lib/cards/recurring/verify-due.ts';
import { advanceOne } from '#lib/movements/advance.ts';
import type { Ports } from '#lib/movements/advance.ts';
import { movementsDue } from '#lib/movements/claim.ts';
import { workerKinds } from '#lib/movements/kind.ts';
import type { WorkerKinds } from '#lib/movements/kind.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { fetchOneDueReceipt } from '#lib/receipts/fetch-due.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { keepIdentity } from '#lib/send-control/keep-account.ts';
import { keepCheckpoint } from '#lib/send-control/recovery/keep-checkpoint.ts';
import { movementKinds } from '#lib/worker/kinds.ts';
import type { Clock } from './clock.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * In a pause longer than this, in milliseconds, `restKnown` postpones the reads of known payments.
 * The payments of one morning are closer together.
 */
const REST_MS = 3_600_000;
/** The worker waits for what is due within this time; the desk's own time comes before the rest. */
const SOON_MS = 5_000;
/** The same while an announced return is looked for in the ledger. */
const RETURN_SOON_MS = 3_600_000;
const OFFICE_IP = '203.0.113.24';

export type Desk = {
  clock: Clock;
  sandboxUrl: string;
  person(role: Role): Person;
  /**
   * Lets the worker do what is due until `at` (milliseconds since 1970) and moves the time there.
   */
  workUntil(at: number): Promise<void>;
};

export async function openDesk(
  clock: Clock,
  sandboxUrl: string,
  webhooks: Webhooks,
): Promise<Desk> {
  await ensureMerchant();
  const people = await readPeople();
  const person = (role: Role): Person => people.find((one) => one.role === role)!;
  const work = await openWorker(clock);
  return {
    clock,
    sandboxUrl,
    person,
    async workUntil(at) {
      for (;;) {
        const before = webhooks.taken();
        const dueAt = await work();
        if (dueAt <= at) {
          await clock.moveTo(Math.max(dueAt, clock.now() + 1));
          continue;
        }
        await webhooks.delivered();
        if (webhooks.taken() === before) break;
      }
      if (at - clock.now() > REST_MS) await restKnown();
      await clock.moveTo(at);
    },
  };
}

/**
 * Spreads the next reads of known payments over the hours after the history's end: otherwise each
 * paid payout and each card payment would be read again twice a day.
 */
async function restKnown(): Promise<void> {
  const later = sql`pg_catalog.clock_timestamp() + make_interval(secs => hashtext(id::text) & 32767)`;
  await inTransaction(merchantId(), async (tx) => {
    await tx.$executeRaw`UPDATE movements SET next_at = ${later}
      WHERE state = 'COMPLETED' AND ledger_seen_at < clock_timestamp() - interval '1 hour'
        AND next_at < pg_catalog.clock_timestamp()`;
    await tx.$executeRaw`UPDATE card_payments SET next_at = ${later}
      WHERE verified_at IS NOT NULL AND next_at < pg_catalog.clock_timestamp()`;
  });
}

async function readPeople(): Promise<Person[]> {
  const rows = await inTransaction(
    merchantId(),
    (tx) => tx.$queryRaw<Row<'people', 'id' | 'name' | 'email' | 'role', { role: Role }>[]>`
      SELECT id, name, email, role FROM people`,
  );
  return rows.map((row) => ({
    kind: 'person',
    merchantId: merchantId(),
    personId: row.id,
    sessionId: randomUUID(),
    name: row.name,
    email: row.email,
    role: row.role,
    standsInFor: null,
    ip: OFFICE_IP,
  }));
}

/**
 * Returns a function that does all due work of a worker and resolves with the time at which its
 * next work is due.
 */
async function openWorker(clock: Clock): Promise<() => Promise<number>> {
  const merchant = merchantId();
  const wallet = walletClient();
  const card = cardClient();
  const worker = randomUUID();
  const { dataDir } = env();
  const quietMs = env().resendQuietSeconds * 1_000;
  const marks = keepCheckpoint({
    merchantId: merchant,
    worker,
    folder: join(dataDir, 'marks', merchant),
    quietMs,
    isWorker: true,
    companyWatchMs: 0,
  });
  await marks.look();
  const identity = keepIdentity({
    merchantId: merchant,
    environment: environmentOf(env()),
    gateway: gatewayOf(env()),
    provider: wallet,
  });
  await identity.look();
  const ports: Ports = {
    merchantId: merchant,
    policy: {
      quietMs,
      manualAfterMs: env().manualReviewSeconds * 1_000,
      autoResend: env().autoResend,
    },
    random: () => 0.5,
    monotonicNow: () => performance.now(),
    kinds: workerKinds(movementKinds(merchant, wallet, card)),
    rest: (ms) => clock.moveTo(clock.now() + ms),
    mark: marks.known,
    checkpointWritten: marks.written,
    identity: identity.own,
    journal: openSendJournal({ folder: join(dataDir, 'sends', merchant), writer: worker }),
  };
  return async () => {
    for (;;) {
      if ((await advanceOne(ports)).kind === 'moved') continue;
      if (await fetchOneDueReceipt(merchant, wallet)) continue;
      if (await verifyOneDuePayment(merchant, card)) continue;
      if (await verifyOneDuePlan(merchant, card, quietMs)) continue;
      return Date.now() + (await soonDue(merchant, ports.kinds));
    }
  };
}

/** In how many milliseconds the next movement is due, if that is soon; infinity otherwise. */
async function soonDue(merchant: string, kinds: WorkerKinds): Promise<number> {
  const [row] = await inOne<{ ms: number | null; returning: boolean }>(
    merchant,
    sql`SELECT ceil(extract(epoch FROM (${movementsDue(kinds)}) - clock_timestamp()) * 1000)::float8
      AS ms, EXISTS (SELECT FROM movements WHERE returned = 'REPORTED') AS returning`,
  );
  const ms = row?.ms ?? null;
  const soon = row?.returning ? RETURN_SOON_MS : SOON_MS;
  return ms === null || ms > soon ? Infinity : Math.max(1, ms);
}
