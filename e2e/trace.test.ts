import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rowOf } from '#lib/movements/testing/stored.ts';
import { freshIban, startSandbox, WALLET } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { testMerchant, unbind } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import { startOtlpReceiver } from '#lib/testing/otlp-receiver.ts';
import type { OtlpReceiver, ReceivedSpan } from '#lib/testing/otlp-receiver.ts';
import { startWorker } from '#lib/testing/worker.ts';
import type { WorkerProcess } from '#lib/testing/worker.ts';
import { freePort } from '../scripts/ports.ts';

/**
 * One payout of known personal data, from the press to its outcome: the server action runs in this
 * process, the worker in its own, and both export to a real receiver of OTLP.
 */

const PAYEE = {
  name: 'Kanarya Deneyoğlu',
  iban: freshIban(),
  taxNumber: '10000000146',
  phone: '5321239876',
  mail: 'kanarya@deneme.example',
};
const AMOUNT_MINOR = 7_654_321;
const STEPS_MS = 30_000;

let box: Sandbox;
let merchant: TestMerchant;
let receiver: OtlpReceiver;
let worker: WorkerProcess;
let dataDir: string;
let metricsPort: number;
/** What the payout left behind. */
const seen = { id: '', extId: '', spans: [] as ReceivedSpan[], metrics: '', log: '' };

beforeAll(async () => {
  box = await startSandbox();
  merchant = await testMerchant(box.cardCredentials.merchant_key);
  await unbind(merchant);
  receiver = await startOtlpReceiver();
  dataDir = mkdtempSync(join(tmpdir(), 'trace-'));
  metricsPort = await freePort();
  Object.assign(process.env, box.environment, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  worker = startWorker({
    DATA_DIR: dataDir,
    METRICS_PORT: String(metricsPort),
  });
  await payOnce();
}, 120_000);
afterAll(async () => {
  await worker.kill();
  receiver.close();
  await box.stop();
  await merchant.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The framework needs the complete React for these, which no action needs. */
const navigation = {
  RedirectType: { replace: 'replace' },
  redirect(address: string): never {
    throw Object.assign(new Error(), { digest: `NEXT_REDIRECT;replace;${address};307;` });
  },
  unstable_rethrow(error: { digest?: string }): void {
    if (error.digest?.startsWith('NEXT_REDIRECT') === true) throw error;
  },
};

async function payOnce(): Promise<void> {
  vi.resetModules();
  const actor = merchant.person('clerk');
  vi.doMock('#lib/login/session.ts', () => ({ currentPerson: async () => actor }));
  vi.doMock('#lib/runtime/origin.ts', () => ({ fromOwnOrigin: async () => true }));
  vi.doMock('next/navigation', () => navigation);
  vi.doMock('next-intl/server', () => ({ getLocale: async () => 'tr' }));
  const db = await import('#lib/runtime/db.ts');
  db.actAs('dashboard_web');
  const { startTracing } = await import('#lib/runtime/otlp.ts');
  const { metricsText } = await import('#lib/runtime/metrics.ts');
  const { sendPayout } = await import('#app/payouts/new/actions.ts');
  const { takeWebhook } = await import('#lib/webhooks/endpoint.ts');
  const endTracing = await startTracing('web');
  seen.id = randomUUID();
  await expect(sendPayout(filledForm(seen.id))).rejects.toMatchObject({
    digest: expect.stringContaining(`/payouts/${seen.id}`),
  });
  await reached('PENDING');
  seen.extId = (await rowOf(merchant, seen.id)).ext_id as string;
  await box.bank(seen.extId, 'complete');
  await until(async () => box.notices.some((body) => body.includes(seen.extId)));
  for (const body of box.notices) await takeWebhook('wallet', body);
  await reached('COMPLETED');
  const ofWorker = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  seen.metrics = ofWorker + (await metricsText());
  await Promise.all([endTracing(), worker.stop()]);
  await db.disconnect();
  seen.log = worker.output();
  seen.spans = receiver.spans();
}

function filledForm(id: string): FormData {
  const form = new FormData();
  const fields = {
    id,
    wallet: WALLET,
    iban: PAYEE.iban,
    name: PAYEE.name,
    taxNumber: PAYEE.taxNumber,
    amount: (AMOUNT_MINOR / 100).toFixed(2).replace('.', ','),
    locale: 'tr',
    paymentType: '06',
    description: `Fatura ${PAYEE.phone} ${PAYEE.mail}`,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

async function reached(state: string): Promise<void> {
  await until(async () => (await rowOf(merchant, seen.id)).state === state);
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + STEPS_MS;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`It did not happen.\n${worker.output()}`);
    await pause(50);
  }
}

/** The names from the first span of its trace to this one. */
function wayTo(span: ReceivedSpan): string[] {
  const parent = seen.spans.find(({ spanId }) => spanId === span.parentId);
  return [...(parent === undefined ? [] : wayTo(parent)), span.name];
}

test('one trace leads from the press to the request and the outcome, with the movement as its id', () => {
  const trace = seen.spans.filter(({ traceId }) => traceId === seen.id.replaceAll('-', ''));
  const roots = trace.filter(({ parentId }) => parentId === '');
  expect(roots.map(({ name }) => name)).toEqual(['movement']);
  expect(roots[0]!.attributes).toEqual({ 'movement.id': seen.id, 'movement.kind': 'payout' });
  const ways = trace.map((span) => [span.service, ...wayTo(span)].join(' > '));
  expect(ways).toEqual(
    expect.arrayContaining([
      'dashboard-web > movement > press',
      'dashboard-web > movement > press > getWallet > provider request',
      'dashboard-worker > movement > worker.step > sendPayout > provider request',
      'dashboard-web > movement > webhook',
      'dashboard-worker > movement > worker.step > readPayout > provider request',
    ]),
  );
  const events = new Map(trace.map((span) => [span.name, span.events]));
  expect(events.get('press')).toEqual(['movement.submitted', 'movement.approved']);
  expect(events.get('webhook')).toEqual(['movement.notice']);
  const steps = trace.filter(({ name }) => name === 'worker.step');
  expect(steps.map(({ attributes }) => attributes['step'])).toEqual(
    expect.arrayContaining(['send', 'read']),
  );
});

test('a log line of a step has the ids of its span', () => {
  const lines = seen.log.split('\n').filter((line) => line.includes('"msg":"movement"'));
  const ids = lines.map((line) => JSON.parse(line) as { trace_id?: string; span_id?: string });
  expect(ids.length).toBeGreaterThan(0);
  const known = new Set(seen.spans.map(({ spanId }) => spanId));
  for (const { trace_id: traceId, span_id: spanId } of ids) {
    expect(traceId).toBe(seen.id.replaceAll('-', ''));
    expect([...known]).toContain(spanId);
  }
});

test('neither traces nor metrics nor logs hold personal data, an amount or a secret', () => {
  expect(seen.spans.length).toBeGreaterThan(8);
  expect(seen.metrics).toContain('dashboard_provider_requests_total{provider="wallet"');
  const { email, name: clerk } = merchant.person('clerk');
  const forbidden = {
    ...PAYEE,
    lastName: PAYEE.name.split(' ')[1]!,
    account: PAYEE.iban.slice(8),
    spacedIban: PAYEE.iban.replace(/(.{4})/g, '$1 ').trim(),
    email,
    clerk,
    ip: merchant.person('clerk').ip!,
    wallet: WALLET,
    amountMinor: String(AMOUNT_MINOR),
    amount: String(AMOUNT_MINOR / 100),
    clientSecret: box.environment['WALLET_CLIENT_SECRET']!,
    clientId: box.environment['WALLET_CLIENT_ID']!,
    bearer: 'Bearer',
    address: 'SendMoney',
  };
  const exported = Buffer.concat(receiver.bodies);
  for (const [what, text] of Object.entries(forbidden))
    for (const [where, whole] of Object.entries({ exported, metrics: seen.metrics, log: seen.log }))
      expect(whole.includes(text), `${what} in the ${where}`).toBe(false);
});
