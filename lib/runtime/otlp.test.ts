import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { VALID_ENVIRONMENT } from '#lib/testing/valid-environment.ts';
import { startOtlpReceiver } from '#lib/testing/otlp-receiver.ts';
import type { OtlpReceiver } from '#lib/testing/otlp-receiver.ts';
import { createLog } from './log.ts';
import type { Log, LogFields } from './log.ts';
import { counter, gauges, histogram, metricsText } from './metrics.ts';
import { startTelemetry } from './otlp.ts';
import { inStep } from './trace.ts';

/** What a process exports over OTLP, and that it does not depend on who receives it. */

const settings = vi.hoisted(() => ({
  otlpEndpoint: null as string | null,
  metricExportMs: 60_000,
}));
vi.mock('./env.ts', () => ({ env: () => settings }));

/** The flush at the end, and some time for a busy machine. */
const STOP_MS = 1_500 + 5_000;
/** What the processor of records keeps, and one batch that is on its way. */
const RECORDS_MAX = 2_048 + 512;

let closeAll: (() => unknown)[];
beforeEach(() => {
  closeAll = [];
});
afterEach(() => {
  for (const close of closeAll) close();
  Object.assign(settings, { otlpEndpoint: null, metricExportMs: 60_000 });
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
});

function exportTo(url: string): Promise<() => Promise<void>> {
  settings.otlpEndpoint = url;
  // The exporters read it themselves.
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
  return startTelemetry('web');
}

async function receiving(status = 200) {
  const receiver = await startOtlpReceiver(0, status);
  closeAll.push(() => receiver.close());
  return receiver;
}

/** Ends the export, and waits for the last bodies longer than a process that ends would. */
async function flushed(
  end: () => Promise<void>,
  receiver: Pick<OtlpReceiver, 'came'>,
  ...signals: Parameters<OtlpReceiver['came']>[0][]
): Promise<void> {
  const arrived = signals.map((signal) => receiver.came(signal, 1));
  await end();
  await Promise.all(arrived);
}

/** A log and the lines that it wrote, without their time. */
function linedLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    write: (line) => void lines.push(line.replace(/"time":"[^"]*",/, '')),
  });
  return { log, lines };
}

test('figures arrive with the names, labels, bounds and values of the Prometheus text', async () => {
  const receiver = await receiving();
  const count = counter('sends_total', 'Sends.');
  count({ kind: 'payout', status: 200 });
  count({ kind: 'payout', status: 500 }, 2);
  counter('never_total', 'Has no value.');
  const observe = histogram('delay_seconds', 'Delays.', [0.1, 1, 10]);
  for (const value of [0.1, 0.25, 0.25, 11]) observe(value, { kind: 'send' });
  observe(1);
  gauges(async () => [
    { name: 'waiting', help: 'Waits.', values: [[{ queue: 'sends' }, 0.5]] },
    { name: 'endless', help: 'Endless.', values: [[{}, Infinity]] },
  ]);
  const end = await exportTo(receiver.url);
  const text = (await metricsText()).split('\n');
  await flushed(end, receiver, 'metrics');
  const metrics = receiver.metrics('dashboard-web');
  expect(metrics.map(({ name, kind, help }) => [name, kind, help])).toEqual([
    ['sends_total', 'counter', 'Sends.'],
    ['delay_seconds', 'histogram', 'Delays.'],
    ['waiting', 'gauge', 'Waits.'],
    ['endless', 'gauge', 'Endless.'],
    ['dashboard_figures_read', 'gauge', 'Whether every other figure could be read.'],
    ['process_cpu_seconds_total', 'counter', ''],
    ['process_resident_memory_bytes', 'gauge', ''],
    ['nodejs_eventloop_delay_seconds', 'gauge', 'How late timers run since the start.'],
  ]);
  const isOwn = (line: string) => /^(?!process|nodejs|#|$)/.test(line);
  expect(metrics.flatMap(({ lines }) => lines).filter(isOwn)).toEqual(text.filter(isOwn));
  expect(text).toEqual(
    expect.arrayContaining([
      'sends_total{kind="payout",status="500"} 2',
      'delay_seconds_bucket{kind="send",le="+Inf"} 4',
      'endless +Inf',
    ]),
  );
});

test('what is counted is counted since the process began, in each export the same', async () => {
  const receiver = await receiving();
  counter('presses_total', 'Presses.')({ kind: 'send' });
  histogram('presses_seconds', 'Presses.', [1])(0.5);
  const end = await exportTo(receiver.url);
  await flushed(end, receiver, 'metrics');
  const counted = receiver
    .metrics('dashboard-web')
    .filter(({ kind }) => kind === 'counter' || kind === 'histogram');
  expect(counted.length).toBeGreaterThan(2);
  for (const { name, since } of counted)
    for (const ms of since)
      expect(Math.abs(ms - performance.timeOrigin), name).toBeLessThanOrEqual(1);
});

test('a step that fails is exported with the class of its error', async () => {
  const receiver = await receiving();
  const end = await exportTo(receiver.url);
  const failing = () => Promise.reject(new RangeError('TR330006100519786457841326'));
  await expect(inStep({ name: 'send', isRequest: true }, failing)).rejects.toThrow(RangeError);
  await flushed(end, receiver, 'traces');
  expect(receiver.spans()).toMatchObject([
    { name: 'send', attributes: { 'error.type': 'RangeError' } },
  ]);
});

test('a line is exported as it was written: its text, its allowed fields, its span', async () => {
  const receiver = await receiving();
  const end = await exportTo(receiver.url);
  const { log, lines } = linedLog();
  const movement = '0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e';
  log.info('begins');
  inStep({ name: 'send', isRequest: true }, () =>
    log.warn('paid to TR330006100519786457841326', {
      movement,
      ms: 12.6,
      errorName: 'two words',
      iban: 'TR330006100519786457841326',
    } as LogFields),
  );
  const copy = await freshCopy();
  copy.createLog({ write: (line) => void lines.push(line) }).error('of a bundle');
  await flushed(end, receiver, 'traces', 'logs');
  log.info('after the end');
  const [span] = receiver.spans();
  const outside = { attributes: {}, traceId: '', spanId: '' };
  const inside = { traceId: span!.traceId, spanId: span!.spanId };
  expect(receiver.records()).toMatchObject([
    { body: 'begins', severity: 'INFO', severityNumber: 9, ...outside },
    { body: 'paid to [hidden]', severity: 'WARN', severityNumber: 13, ...inside },
    { body: 'of a bundle', severity: 'ERROR', severityNumber: 17, ...outside },
  ]);
  expect(receiver.records()[1]!.attributes).toEqual({
    'movement.id': movement,
    'error.type': '[withheld]',
    ms: '13',
  });
  expect(receiver.bodies.some((body) => body.includes('TR33'))).toBe(false);
  expect(JSON.parse(lines[1]!)).toMatchObject({ trace_id: span!.traceId, span_id: span!.spanId });
});

/** As in the bundle of pages. */
async function freshCopy() {
  vi.resetModules();
  return import('./log.ts');
}

test('a silent receiver changes no line, delays none, and a stop waits for it for a short time', async () => {
  const silent = createServer((socket) => closeAll.push(() => socket.destroy()));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  closeAll.push(() => silent.close());
  const write = ({ log }: ReturnType<typeof linedLog>): void => {
    for (let at = 0; at < 5_000; at += 1) log.info('movement', { count: at });
  };
  const before = linedLog();
  write(before);
  const end = await exportTo(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const after = linedLog();
  inStep({ name: 'step', isRequest: true }, () => after.log.info('in a step'));
  after.lines.pop();
  write(after);
  // Nothing was awaited, so no line waited for the receiver.
  expect(after.lines).toEqual(before.lines);
  const from = performance.now();
  await end();
  expect(performance.now() - from).toBeLessThan(STOP_MS);
});

test('more records than fit are dropped; the lines are all there', async () => {
  const receiver = await receiving();
  const end = await exportTo(receiver.url);
  const { log, lines } = linedLog();
  for (let at = 0; at < 10_000; at += 1) log.info('movement', { count: at });
  expect(lines).toHaveLength(10_000);
  await flushed(end, receiver, 'logs');
  expect(receiver.records().length).toBeGreaterThan(0);
  expect(receiver.records().length).toBeLessThanOrEqual(RECORDS_MAX);
});

test('a receiver that refuses everything is asked again, and nobody writes a line about it', async () => {
  const receiver = await receiving(400);
  settings.metricExportMs = 20;
  const printed = vi.fn<(text: string) => void>();
  for (const to of [process.stdout, process.stderr])
    vi.spyOn(to, 'write').mockImplementation((text) => {
      printed(String(text));
      return true;
    });
  const end = await exportTo(receiver.url);
  // Every log of this process, whoever has it, comes by here.
  const exported = globalThis.dashboardLogRecords!;
  const messages: string[] = [];
  globalThis.dashboardLogRecords = (record) => {
    messages.push(record.message);
    exported(record);
  };
  inStep({ name: 'step', isRequest: true }, () => linedLog().log.info('once'));
  await receiver.came('logs', 1);
  // By then the answer to the records has been seen, too.
  await receiver.came('metrics', 3);
  await end();
  vi.restoreAllMocks();
  expect(receiver.spans()).toHaveLength(1);
  expect(messages).toEqual(['once']);
  expect(printed).not.toHaveBeenCalled();
});

test.each([
  ['', 'none'],
  ['http://127.0.0.1:9', 'some'],
])('with the endpoint "%s" a process loads %s of OpenTelemetry', (endpoint, expected) => {
  const program = `
    import { registerHooks } from 'node:module';
    let loaded = 'none';
    registerHooks({
      load(url, context, next) {
        if (url.includes('@opentelemetry')) loaded = 'some';
        return next(url, context);
      },
    });
    const { startTelemetry } = await import('#lib/runtime/otlp.ts');
    const { log } = await import('#lib/runtime/log.ts');
    await startTelemetry('web');
    // LOG_LEVEL leaves the first one out.
    const records = [];
    globalThis.dashboardLogRecords = ({ message }) => records.push(message);
    log.info('begins');
    log.error('fails');
    console.log(loaded, ...records);
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=react-server', '--input-type=module', '-e', program],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        ...VALID_ENVIRONMENT,
        LOG_LEVEL: 'error',
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      },
    },
  );
  // The log and the console write to the same pipe, each when it can.
  const [line, last] = stdout.trim().split('\n').toSorted().toReversed();
  expect(JSON.parse(line!)).toMatchObject({ msg: 'fails' });
  expect({ last, stderr }).toEqual({ last: `${expected} fails`, stderr: '' });
});
