import 'server-only';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chainWatch } from '#lib/send-control/watch-audit.ts';
import { verifyOneDuePayment } from '#lib/cards/payments/verify-due.ts';
import { remindOfAuthorizations } from '#lib/cards/reminders/remind.ts';
import { mailReminders } from '#lib/cards/reminders/send-mail.ts';
import { announceReady, toldToBegin } from '#lib/runtime/begin.ts';
import { actAs, disconnect, inTransaction, listen } from '#lib/runtime/db.ts';
import { env, envOrEnd } from '#lib/runtime/env.ts';
import { makeOneExport } from '#lib/exports/make.ts';
import { createFaultLog } from '#lib/runtime/fault-log.ts';
import { log } from '#lib/runtime/log.ts';
import { mailerHere } from '#lib/runtime/mailer.ts';
import type { Mailer } from '#lib/runtime/mailer.ts';
import { whoWantsNoMail } from '#lib/notifications/choices.ts';
import { makeNotifications } from '#lib/notifications/make.ts';
import { mailInvitations } from '#lib/people/mail-invitations.ts';
import { pushNotifications } from '#lib/notifications/push/send.ts';
import { pushService } from '#lib/notifications/push/service.ts';
import { deliverOne } from '#lib/programs/outgoing/deliver.ts';
import { mailNotifications } from '#lib/notifications/send-mail.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { advanceOne } from '#lib/movements/advance.ts';
import type { Ports } from '#lib/movements/advance.ts';
import type { BeginPorts } from '#lib/movements/begin.ts';
import { endOnFault, guardOutput } from '#lib/runtime/output.ts';
import { workerKinds } from '#lib/movements/kind.ts';
import { expediteHeld } from '#lib/movements/expedite.ts';
import { dayReader } from '#lib/provider-records/read-days.ts';
import { compareOneDay } from '#lib/reports/reconciliation/compare-day.ts';
import { keepCheckpoint } from '#lib/send-control/recovery/keep-checkpoint.ts';
import { chargeOneDuePlan } from '#lib/cards/recurring/charge-due.ts';
import { verifyOneDuePlan } from '#lib/cards/recurring/verify-due.ts';
import { scanProvider } from '#lib/send-control/recovery/scan.ts';
import { convertOneDueReceipt } from '#lib/receipts/conversion/convert-due.ts';
import { findBrowser } from '#lib/receipts/conversion/find-browser.ts';
import { fetchOneDueReceipt } from '#lib/receipts/fetch-due.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { openSendJournal, sweepSendJournal } from '#lib/begin-check/send-journal.ts';
import { environmentOf, gatewayOf } from '#lib/begin-check/provider-account.ts';
import { keepIdentity } from '#lib/send-control/keep-account.ts';
import { sweep, wipeAbandonedChallenges } from './retention.ts';
import { movementKinds } from './kinds.ts';
import { keepBalances } from '#lib/reports/day-close/keep-balances.ts';
import { closeArrivedCases } from '#lib/money-in/close-arrived.ts';

/**
 * Process entry: advances what is due, in a few lanes, until stopped; steps in progress are
 * finished first.
 */

const LANES = 8;
/**
 * Receipts are requested in parallel: a month has a thousand of them, and each takes the provider
 * some time.
 */
const RECEIPT_LANES = 4;
const POLL_MS = 2_000;
const FAULT_PAUSE_MS = 1_000;
const RECONNECT_MS = 1_000;
const HEARTBEAT_MS = 5_000;
/** The first sends wait this long for a provider that is slow to report its account. */
const INTRODUCE_MS = 2_000;
/** The interval of the recovery scan. While no recovery is open, a scan is one short query. */
const SCAN_MS = 5_000;
const SWEEP_MS = 10 * 60_000;
const WIPE_MS = 20_000;
const WATCH_MS = 60_000;
const CASES_MS = 5_000;
/** The interval between checks for closed days that are to be compared. */
const RECONCILE_MS = 15_000;
const BALANCES_MS = 10 * 60_000;
const REMINDERS_MS = 60_000;
/** The bell of an open page rings this long after the fact at the latest. */
const NOTIFICATIONS_MS = 3_000;

guardOutput();
endOnFault();
await toldToBegin();
envOrEnd();
actAs('dashboard_worker');
const merchant = merchantId();
const wallet = walletClient();
const mailer = mailerHere();
const push = pushService();
const workerName = randomUUID();
const sayFault = createFaultLog(log.error);
const policy = {
  quietMs: env().resendQuietSeconds * 1_000,
  manualAfterMs: env().manualReviewSeconds * 1_000,
  autoResend: env().autoResend,
};
const marks = keepCheckpoint({
  merchantId: merchant,
  worker: workerName,
  folder: join(env().dataDir, 'marks', merchant),
  quietMs: policy.quietMs,
  isWorker: true,
});
const sendsFolder = join(env().dataDir, 'sends', merchant);
const journal = openSendJournal({ folder: sendsFolder, writer: workerName });
const environment = environmentOf(env());
const identity = keepIdentity({
  merchantId: merchant,
  environment,
  gateway: gatewayOf(env()),
  provider: wallet,
});
/** The checks before every send of this process, for all movement kinds. */
const begin: BeginPorts = {
  mark: marks.known,
  checkpointWritten: marks.written,
  identity: identity.own,
  journal,
};
const ports: Ports = {
  merchantId: merchant,
  policy,
  random: Math.random,
  monotonicNow: () => performance.now(),
  kinds: workerKinds(movementKinds(merchant, wallet, cardClient())),
  rest: async (ms) => void (await pause(ms)),
  ...begin,
};
const planPorts = {
  card: cardClient(),
  quietMs: policy.quietMs,
  begin,
  monotonicNow: ports.monotonicNow,
  rest: ports.rest,
};
const stopping = new AbortController();
let wake = wakeUp();
let announced = false;
setMaxListeners(0, stopping.signal);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopNow());

// Nothing is sent before the database has been compared with the checkpoints; if that fails now,
// the next heartbeat tries again.
await heartbeat().catch(faultOf('the first heartbeat failed'));
await Promise.race([
  introduce().catch(faultOf('the provider account was not checked')),
  rest(INTRODUCE_MS, stopping.signal),
]);
await Promise.all([
  ...Array.from({ length: LANES }, () => lane(advance)),
  ...Array.from({ length: RECEIPT_LANES }, () =>
    lane(async () => ((await fetchOneDueReceipt(merchant, wallet)) ? 0 : POLL_MS)),
  ),
  // Receipts are printed one at a time: a Chromium needs a processor and some hundred megabytes.
  lane(async () => ((await convertOneDueReceipt(merchant, findBrowser())) ? 0 : POLL_MS)),
  lane(async () => ((await verifyOneDuePayment(merchant, cardClient())) ? 0 : POLL_MS)),
  lane(async () =>
    (await verifyOneDuePlan(merchant, cardClient(), policy.quietMs)) ? 0 : POLL_MS,
  ),
  lane(async () => ((await chargeOneDuePlan(merchant, planPorts)) ? 0 : POLL_MS)),
  lane(async () => ((await deliverOne(merchant)) ? 0 : POLL_MS)),
  lane(async () => ((await makeOneExport(merchant, stopping.signal)) ? 0 : POLL_MS)),
  lane(dayReader(merchant, 'ledger', wallet)),
  lane(dayReader(merchant, 'withdrawals', wallet)),
  every(HEARTBEAT_MS, heartbeat),
  every(HEARTBEAT_MS, introduce),
  every(SCAN_MS, () => scanProvider(ports, wallet, sendsFolder)),
  every(RECONCILE_MS, reconcile),
  every(SWEEP_MS, () => sweep(merchant)),
  every(SWEEP_MS, () => sweepSendJournal(sendsFolder, Date.now())),
  every(WIPE_MS, () => wipeAbandonedChallenges(merchant)),
  every(WATCH_MS, chainWatch(merchant)),
  every(CASES_MS, () => closeArrivedCases(merchant)),
  every(BALANCES_MS, () => keepBalances(merchant, wallet)),
  every(REMINDERS_MS, () => remindOfAuthorizations(merchant, { mails: mailer !== null })),
  every(NOTIFICATIONS_MS, () => makeNotifications(merchant, { mails: mailer !== null })),
  every(NOTIFICATIONS_MS, () => pushNotifications(merchant, push)),
  ...(mailer === null ? [] : [every(REMINDERS_MS, () => mailAll(mailer))]),
  stayWoken(),
]);
await disconnect();

/**
 * One step of one movement. Resolves with the time to rest before the next: exactly until the next
 * one is due, if that is soon.
 */
async function advance(): Promise<number> {
  const advanced = await advanceOne(ports);
  return advanced.kind === 'moved' ? 0 : Math.min(advanced.dueInMs ?? POLL_MS, POLL_MS);
}

/**
 * Runs `work` repeatedly while something is due; otherwise rests until a wake-up or the next poll.
 */
async function lane(work: () => Promise<number>): Promise<void> {
  while (!stopping.signal.aborted) {
    const before = wake.signal;
    try {
      const restMs = await work();
      if (restMs > 0) await rest(restMs, before);
    } catch (error) {
      sayFault('a step failed; its lease will run out', error, { worker: workerName });
      await rest(FAULT_PAUSE_MS, stopping.signal);
    }
  }
}

async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
  while (!stopping.signal.aborted) {
    await work().catch(faultOf('a periodic task failed'));
    await rest(ms, stopping.signal);
  }
}

function faultOf(what: string): (error: unknown) => void {
  return (error) => sayFault(what, error, { worker: workerName });
}

async function heartbeat(): Promise<void> {
  const first = marks.known() === null;
  await marks.look();
  await inTransaction(merchant, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO worker_heartbeats (merchant_id, worker, at, provider)
        VALUES (${merchant}::uuid, ${workerName}, clock_timestamp(),
        ${JSON.stringify(identity.own().sender === null ? {} : identity.own())}::jsonb)
      ON CONFLICT (merchant_id, worker) DO UPDATE SET at = excluded.at, provider = excluded.provider`;
    if (first) await expediteHeld(tx);
  });
  if (!announced) announceReady();
  announced = true;
}

/**
 * Checks the provider account separately from the heartbeat: an unavailable provider must not make
 * this worker look dead.
 */
async function introduce(): Promise<void> {
  await identity.look();
}

/** All kinds of mail, one after the other; a fault of one does not keep the next back. */
async function mailAll(mailer: Mailer): Promise<void> {
  await mailReminders(merchant, mailer, (tx) => whoWantsNoMail(tx, 'authorization_lapses')).catch(
    faultOf('reminders were not mailed'),
  );
  await mailInvitations(merchant, mailer).catch(faultOf('invitations were not mailed'));
  await mailNotifications(merchant, mailer);
}

async function reconcile(): Promise<void> {
  while (!stopping.signal.aborted && (await compareOneDay(merchant)));
}

/**
 * LISTEN keeps latency low; the poll finds what was published while this process did not listen.
 */
async function stayWoken(): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      const listener = await listen('due', wakeLanes);
      const ended = new Promise<void>((resolve) =>
        listener.once('end', () => resolve()).once('error', () => resolve()),
      );
      wakeLanes();
      await Promise.race([ended, rest(2 ** 31 - 1, stopping.signal)]);
      await listener.end().catch(() => undefined);
    } catch {
      await rest(RECONNECT_MS, stopping.signal);
    }
  }
}

function wakeLanes(): void {
  wake.abort();
  wake = wakeUp();
}

/** Every lane waits on this one signal: more listeners than Node's default warning limit. */
function wakeUp(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function stopNow(): void {
  log.info('worker stops after the steps in progress', { worker: workerName });
  stopping.abort();
  wakeLanes();
}

async function rest(ms: number, until: AbortSignal): Promise<void> {
  if (!stopping.signal.aborted)
    await pause(ms, undefined, { signal: until }).catch(() => undefined);
}
