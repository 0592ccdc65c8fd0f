import 'server-only';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { linkQueue } from '#lib/audit/append.ts';
import { ENTRIES_DUE, ENTRY_QUEUED, linkDue } from '#lib/audit/link-due.ts';
import { chainWatch } from '#lib/send-control/watch-audit.ts';
import { CARD_PAYMENTS, verifyOneDuePayment } from '#lib/cards/payments/verify-due.ts';
import { remindOfAuthorizations } from '#lib/cards/reminders/remind.ts';
import { mailReminders } from '#lib/cards/reminders/send-mail.ts';
import { announceReady, toldToBegin } from '#lib/runtime/begin.ts';
import { actAs, disconnect, inTransaction, listen } from '#lib/runtime/db.ts';
import { env, envOrEnd } from '#lib/runtime/env.ts';
import { EXPORTS_DUE } from '#lib/exports/claim.ts';
import { makeOneExport } from '#lib/exports/make.ts';
import { createFaultLog } from '#lib/runtime/fault-log.ts';
import { log } from '#lib/runtime/log.ts';
import { gauges } from '#lib/runtime/metrics.ts';
import { startTelemetry } from '#lib/runtime/otlp.ts';
import { serveMetrics } from '#lib/runtime/serve-metrics.ts';
import { mailerHere } from '#lib/runtime/mailer.ts';
import type { Mailer } from '#lib/runtime/mailer.ts';
import { whoWantsNoMail } from '#lib/notifications/choices.ts';
import { makeNotifications } from '#lib/notifications/make.ts';
import { mailInvitations } from '#lib/people/mail-invitations.ts';
import { pushNotifications } from '#lib/notifications/push/send.ts';
import { pushService } from '#lib/notifications/push/service.ts';
import { DELIVERIES, deliverOne } from '#lib/programs/outgoing/deliver.ts';
import { noteExpiredBatches } from '#lib/programs/outgoing/expired-batches.ts';
import { mailNotifications } from '#lib/notifications/send-mail.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { advanceOne } from '#lib/movements/advance.ts';
import { movementsDue } from '#lib/movements/claim.ts';
import type { Ports } from '#lib/movements/advance.ts';
import type { BeginPorts } from '#lib/movements/begin.ts';
import { endOnFault, guardOutput } from '#lib/runtime/output.ts';
import { workerKinds } from '#lib/movements/kind.ts';
import { expediteHeld } from '#lib/movements/expedite.ts';
import { checkTotals, foldTotals } from '#lib/movements/keep-totals.ts';
import { dayReader, daysDue } from '#lib/provider-records/read-days.ts';
import { compareOneDay } from '#lib/reports/reconciliation/compare-day.ts';
import { keepCheckpoint } from '#lib/send-control/recovery/keep-checkpoint.ts';
import { CHARGES_DUE, chargeOneDuePlan } from '#lib/cards/recurring/charge-due.ts';
import { PLANS, verifyOneDuePlan } from '#lib/cards/recurring/verify-due.ts';
import { scanProvider } from '#lib/send-control/recovery/scan.ts';
import { convertOneDueReceipt, PRINTS } from '#lib/receipts/conversion/convert-due.ts';
import { findBrowser } from '#lib/receipts/conversion/find-browser.ts';
import { fetchOneDueReceipt, RECEIPTS } from '#lib/receipts/fetch-due.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import { openSendJournal } from '#lib/begin-check/send-journal.ts';
import { environmentOf, gatewayOf } from '#lib/begin-check/provider-account.ts';
import { keepIdentity } from '#lib/send-control/keep-account.ts';
import { firstDue } from '#lib/runtime/take-due.ts';
import { readFigures } from './figures.ts';
import { ownFigures } from './own-figures.ts';
import { runLanes } from './lanes.ts';
import { sweep, sweepJournal, wipeAbandonedChallenges } from './retention.ts';
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
/** Lists read the changes that wait beside the totals: few enough at any rate of payouts. */
const TOTALS_MS = 5_000;
/** The first of these after midnight compares the totals with the movements. */
const TOTALS_CHECK_MS = 10 * 60_000;
/** The bell of an open page rings this long after the fact at the latest. */
const NOTIFICATIONS_MS = 3_000;
const EXPIRED_BATCHES_MS = 60_000;

guardOutput();
endOnFault();
await toldToBegin();
envOrEnd();
actAs('dashboard_worker');
const endTelemetry = await startTelemetry('worker');
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
const figures = ownFigures(env().dataDir);
/** Nothing is late before the lanes run. */
let lateQueues: ReadonlyMap<string, number> = new Map();
const stopping = new AbortController();
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
const card = cardClient();
const lanes = runLanes(
  merchant,
  {
    movements: {
      lanes: LANES,
      due: movementsDue(ports.kinds),
      work: async () => (await advanceOne(ports)).kind === 'moved',
    },
    receipts: {
      lanes: RECEIPT_LANES,
      due: firstDue(RECEIPTS),
      work: () => fetchOneDueReceipt(merchant, wallet),
    },
    // Receipts are printed one at a time: a Chromium needs a processor and some hundred megabytes.
    prints: {
      lanes: 1,
      due: firstDue(PRINTS),
      work: () => convertOneDueReceipt(merchant, findBrowser()),
    },
    payments: {
      lanes: 1,
      due: firstDue(CARD_PAYMENTS),
      work: () => verifyOneDuePayment(merchant, card),
    },
    plans: {
      lanes: 1,
      due: firstDue(PLANS),
      work: () => verifyOneDuePlan(merchant, card, policy.quietMs),
    },
    charges: { lanes: 1, due: CHARGES_DUE, work: () => chargeOneDuePlan(merchant, planPorts) },
    auditEntries: {
      lanes: 1,
      due: ENTRIES_DUE,
      work: () => linkDue(merchant, stopping.signal),
    },
    deliveries: { lanes: 1, due: firstDue(DELIVERIES), work: () => deliverOne(merchant) },
    exports: {
      lanes: 1,
      due: EXPORTS_DUE,
      work: () => makeOneExport(merchant, stopping.signal),
    },
    ledgerDays: {
      lanes: 1,
      due: daysDue('ledger'),
      work: dayReader(merchant, 'ledger', wallet),
    },
    withdrawalDays: {
      lanes: 1,
      due: daysDue('withdrawals'),
      work: dayReader(merchant, 'withdrawals', wallet),
    },
  },
  {
    stopping: stopping.signal,
    fault: (what, error) => sayFault(what, error, { worker: workerName }),
  },
);
lateQueues = lanes.late();
gauges(() => readFigures(merchant, { dataDir: env().dataDir, late: lanes.late() }));
const metrics = await serveMetrics();
await Promise.all([
  lanes.ended,
  every('worker status', HEARTBEAT_MS, heartbeat),
  every('provider account', HEARTBEAT_MS, introduce),
  every('scan of the provider', SCAN_MS, () => scanProvider(ports, wallet, sendsFolder)),
  every('reconciliation', RECONCILE_MS, reconcile),
  every('sweep of old data', SWEEP_MS, () => sweep(merchant)),
  every('sweep of the send journal', SWEEP_MS, () => sweepJournal(merchant, sendsFolder)),
  every('abandoned challenges', WIPE_MS, () => wipeAbandonedChallenges(merchant)),
  every('audit chain', WATCH_MS, chainWatch(merchant)),
  every('failed top-ups', CASES_MS, () => closeArrivedCases(merchant)),
  every('expired batches', EXPIRED_BATCHES_MS, () => noteExpiredBatches(merchant)),
  every('balances', BALANCES_MS, () => keepBalances(merchant, wallet)),
  every('totals', TOTALS_MS, () => foldTotals(merchant)),
  every('check of the totals', TOTALS_CHECK_MS, () => checkTotals(merchant)),
  every('reminders', REMINDERS_MS, () =>
    remindOfAuthorizations(merchant, { mails: mailer !== null }),
  ),
  every('notifications', NOTIFICATIONS_MS, () =>
    makeNotifications(merchant, { mails: mailer !== null }),
  ),
  every('messages to devices', NOTIFICATIONS_MS, () =>
    pushNotifications(merchant, push, stopping.signal),
  ),
  ...(mailer === null ? [] : [every('mails', REMINDERS_MS, () => mailAll(mailer))]),
  stayWoken(),
]);
// What was written down during the stop.
await linkQueue(merchant).catch(faultOf('queued audit entries were not linked'));
metrics?.close();
await endTelemetry();
await disconnect();
// An export that nobody answers would keep the process until its own limit.
process.exit(0);

async function every(task: string, ms: number, work: () => Promise<unknown>): Promise<void> {
  while (!stopping.signal.aborted) {
    await work().catch(faultOf(`a periodic task failed: ${task}`));
    await rest(ms, stopping.signal);
  }
}

function faultOf(what: string): (error: unknown) => void {
  return (error) => sayFault(what, error, { worker: workerName });
}

async function heartbeat(): Promise<void> {
  const first = marks.known() === null;
  await marks.look();
  const own = await figures(lateQueues);
  await inTransaction(merchant, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO worker_heartbeats (merchant_id, worker, at, provider, figures)
        VALUES (${merchant}::uuid, ${workerName}, clock_timestamp(),
        ${JSON.stringify(identity.own().sender === null ? {} : identity.own())}::jsonb, ${JSON.stringify(own)}::jsonb)
      ON CONFLICT (merchant_id, worker) DO UPDATE SET at = excluded.at, provider = excluded.provider,
        figures = excluded.figures`;
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

/**
 * All kinds of mail, one after the other; a fault of one does not keep the next back. None is begun
 * during a stop: a slow mail server must not keep the process beyond its grace.
 */
async function mailAll(mailer: Mailer): Promise<void> {
  await mailReminders(merchant, mailer, (tx) => whoWantsNoMail(tx, 'authorization_lapses')).catch(
    faultOf('reminders were not mailed'),
  );
  if (stopping.signal.aborted) return;
  await mailInvitations(merchant, mailer, stopping.signal).catch(
    faultOf('invitations were not mailed'),
  );
  await mailNotifications(merchant, mailer, stopping.signal);
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
      const listener = await listen('due', (what) =>
        what === ENTRY_QUEUED ? lanes.wake('auditEntries') : lanes.look(),
      );
      const ended = new Promise<void>((resolve) =>
        listener.once('end', () => resolve()).once('error', () => resolve()),
      );
      lanes.look();
      await Promise.race([ended, rest(2 ** 31 - 1, stopping.signal)]);
      await listener.end().catch(() => undefined);
    } catch {
      await rest(RECONNECT_MS, stopping.signal);
    }
  }
}

function stopNow(): void {
  log.info('worker stops after the steps in progress', { worker: workerName });
  stopping.abort();
}

async function rest(ms: number, until: AbortSignal): Promise<void> {
  if (!stopping.signal.aborted)
    await pause(ms, undefined, { signal: until }).catch(() => undefined);
}
