import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
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
import type {
  OtlpReceiver,
  ReceivedMetric,
  ReceivedRecord,
  ReceivedSpan,
} from '#lib/testing/otlp-receiver.ts';
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
/** How long a process that stops waits for its exporters, and some time for what else it ends. */
const STOP_MS = 1_500 + 6_000;
/** Figures that never rest. */
const OF_PROCESS = /(?:^|[ ])(?:process|nodejs)_/;

let box: Sandbox;
let merchant: TestMerchant;
let receiver: OtlpReceiver;
let worker: WorkerProcess;
let dataDir: string;
let metricsPort: number;
/** What the payout left behind. */
const seen = {
  id: '',
  extId: '',
  spans: [] as ReceivedSpan[],
  records: [] as ReceivedRecord[],
  ofWeb: '',
  ofWorker: '',
  log: '',
};

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
  const { startTelemetry } = await import('#lib/runtime/otlp.ts');
  const { metricsText } = await import('#lib/runtime/metrics.ts');
  const { sendPayout } = await import('#app/payouts/new/actions.ts');
  const { takeWebhook } = await import('#lib/webhooks/endpoint.ts');
  const endTelemetry = await startTelemetry('web');
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
  seen.ofWorker = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  seen.ofWeb = await metricsText();
  await Promise.all([endTelemetry(), worker.stop()]);
  await db.disconnect();
  seen.log = worker.output();
  seen.spans = receiver.spans();
  seen.records = receiver.records();
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

test('every log line of the worker is exported as a record with the ids of the same span', () => {
  const lines = seen.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, string | undefined>);
  const records = seen.records.filter(({ service }) => service === 'dashboard-worker');
  expect(
    records.map(({ body, traceId, spanId, attributes }) => ({
      body,
      traceId,
      spanId,
      movement: attributes['movement.id'],
    })),
  ).toEqual(
    lines.map(({ msg, trace_id: traceId = '', span_id: spanId = '', movement }) => ({
      body: msg,
      traceId,
      spanId,
      movement,
    })),
  );
  for (const [at, { time }] of lines.entries())
    expect(Math.abs(records[at]!.time - Date.parse(time!))).toBeLessThan(1_000);
  const ofMovement = records.filter(({ traceId }) => traceId === seen.id.replaceAll('-', ''));
  expect(ofMovement.length).toBeGreaterThan(1);
});

test('the metrics that arrive are those of the Prometheus text', () => {
  const ofWeb = lines(receiver.metrics('dashboard-web'));
  expect(ofWeb).toEqual(valued(seen.ofWeb));
  expect(ofWeb).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^dashboard_provider_requests_total\{provider="wallet".* [1-9]/),
    ]),
  );
  const arrived = receiver.metrics('dashboard-worker');
  const described = (all: string[]) => all.filter((line) => line.startsWith('#'));
  // Later than the text, a figure may have got its first value.
  expect(described(lines(arrived))).toEqual(
    expect.arrayContaining(described(valued(seen.ofWorker))),
  );
  const states = (all: string[]) =>
    all.filter((line) => line.startsWith('dashboard_movement_states_total'));
  expect(states(lines(arrived))).toEqual(states(valued(seen.ofWorker)));
  expect(states(lines(arrived)).join()).toContain('COMPLETED');
  const names = arrived.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'dashboard_disk_free_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_delay_seconds',
    ]),
  );
  expect(lines(arrived)).toContain('dashboard_figures_read 1');
});

/** Metrics as lines of Prometheus text, without those of the process itself. */
function lines(metrics: ReceivedMetric[]): string[] {
  return metrics
    .flatMap(({ name, help, kind, lines }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...lines,
    ])
    .filter((line) => !OF_PROCESS.test(line));
}

/** The same of a Prometheus text, without the metrics that have no value yet. */
function valued(text: string): string[] {
  return text
    .trim()
    .split(/^(?=# HELP)/m)
    .filter((metric) => /^[^#]/m.test(metric))
    .flatMap((metric) => metric.trim().split('\n'))
    .filter((line) => !OF_PROCESS.test(line));
}

test('a worker stops in time while a receiver accepts everything and answers nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const port = await freePort();
  const other = startWorker({
    DATA_DIR: dataDir,
    METRICS_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  });
  await until(() =>
    fetch(`http://127.0.0.1:${port}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const from = performance.now();
  expect(await other.stop()).toBe(0);
  expect(performance.now() - from).toBeLessThan(STOP_MS);
  silent.close();
}, 60_000);

test('neither traces nor metrics nor logs hold personal data, an amount or a secret', () => {
  expect(seen.spans.length).toBeGreaterThan(8);
  expect(seen.records.length).toBeGreaterThan(2);
  const metrics = seen.ofWeb + seen.ofWorker;
  expect(metrics).toContain('dashboard_provider_requests_total{provider="wallet"');
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
  for (const ofSignal of ['worker.step', 'dashboard_movement_states_total', 'worker stops after'])
    expect(exported.includes(ofSignal), ofSignal).toBe(true);
  for (const [what, text] of Object.entries(forbidden))
    for (const [where, whole] of Object.entries({ exported, metrics, log: seen.log }))
      expect(whole.includes(text), `${what} in the ${where}`).toBe(false);
});
