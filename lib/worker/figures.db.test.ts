import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { madePayment } from '#lib/cards/operations/testing/payments.ts';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Figures from './figures.ts';

/**
 * The figures of a worker for the person on call, and the alarms that are made of them
 * (docs/monitoring/alerts.yml).
 */

const ROOT = join(import.meta.dirname, '..', '..');
const ALARMS = readFileSync(join(ROOT, 'docs/monitoring/alerts.yml'), 'utf8');
const HOUR_SECONDS = 3_600;

let merchant: TestMerchant;
let worker: Process;
let figures: typeof Figures;

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  figures = await import('./figures.ts');
});
afterAll(async () => {
  await Promise.all([worker.db.disconnect(), merchant.close()]);
});

type Values = readonly [Readonly<Record<string, string | number>>, number][];

async function read(): Promise<Map<string, Values>> {
  const late = new Map([['movements', 2_500]]);
  const gauges = await figures.readFigures(merchant.merchantId, { dataDir: ROOT, late });
  return new Map(gauges.map(({ name, values }) => [name, values]));
}

function only(values: Values | undefined): number {
  expect(values).toHaveLength(1);
  return values![0]![1];
}

/** Stores a plan's charge that was sent `hours` ago and whose outcome is unknown. */
async function unknownCharge(hours: number): Promise<void> {
  const { owner, merchantId } = merchant;
  const plan = randomUUID();
  await owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source) VALUES ($1, $2, $3, 'person')`,
    [plan, merchantId, `plan-${plan}`],
  );
  await owner.query('ALTER TABLE plan_charges DISABLE TRIGGER USER');
  await owner.query(
    `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, amount_minor, currency, state,
        sent_at)
      VALUES ($1, $2, $3, $4, 12340, 'TRY', 'UNKNOWN', now() - make_interval(hours => $5))`,
    [randomUUID(), merchantId, plan, merchant.person('clerk').personId, hours],
  );
  await owner.query('ALTER TABLE plan_charges ENABLE TRIGGER USER');
}

it('an installation at rest has no figure that raises an alarm, but the audit chain is unchecked', async () => {
  const at = await read();
  for (const name of ['unknown_movements', 'unknown_oldest_seconds', 'ready_movements', 'workers'])
    expect(only(at.get(`dashboard_${name}`)), name).toBe(0);
  expect(at.get('dashboard_sending_stopped')).toEqual([]);
  expect(only(at.get('dashboard_audit_check_age_seconds'))).toBe(Number.POSITIVE_INFINITY);
  expect(only(at.get('dashboard_disk_free_bytes'))).toBeGreaterThan(0);
});

it('unknown outcomes, waiting movements, stops and silent workers are counted with their ages', async () => {
  const hourAgo = new Date(Date.now() - HOUR_SECONDS * 1_000);
  const unknown = await storedMovement(merchant, 'SUBMITTING');
  await setColumns(merchant, unknown, {
    state: 'UNKNOWN',
    ever_ambiguous: true,
    unclear_since: hourAgo,
  });
  const newer = await storedMovement(merchant, 'SUBMITTING');
  await setColumns(merchant, newer, {
    state: 'UNKNOWN',
    ever_ambiguous: true,
    unclear_since: new Date(),
  });
  await unknownCharge(2);
  await madePayment(merchant, 181);
  await madePayment(merchant, 60, { state: 'pending', problem: 'no_answer' });
  // These were just sent, have ended, were looked into by a person, and were never sent.
  await madePayment(merchant, 0);
  await madePayment(merchant, 540, { state: 'failed' });
  await madePayment(merchant, 540, { problem: 'not_found', problem_seen_at: new Date() });
  await madePayment(merchant, null);
  await storedMovement(merchant, 'COMPLETED');
  await storedMovement(merchant, 'APPROVED', { state_since: hourAgo });
  await storedMovement(merchant, 'APPROVED');
  const query = (text: string): Promise<unknown> =>
    merchant.owner.query(text, [merchant.merchantId]);
  await query(
    `INSERT INTO worker_heartbeats (merchant_id, worker, at)
       VALUES ($1, 'here', now()), ($1, 'gone', now() - interval '1 minute')`,
  );
  await query(
    `INSERT INTO audit_checks (merchant_id, at, entries, broken_seq, broken_why)
       VALUES ($1, now() - interval '1 hour', 9, 7, 'hash')`,
  );
  await query(
    `INSERT INTO record_days (merchant_id, list, day, problem)
       VALUES ($1, 'ledger', '2026-11-20', 'no_answer'), ($1, 'ledger', '2026-11-21', NULL)`,
  );
  await query(
    `INSERT INTO send_switches (merchant_id, kind, cause, off) VALUES ($1, 'all', 'audit', true)
       ON CONFLICT (merchant_id, kind, cause) DO UPDATE SET off = true`,
  );
  const at = await read();
  expect(only(at.get('dashboard_unknown_movements'))).toBe(5);
  const oldest = only(at.get('dashboard_unknown_oldest_seconds'));
  expect(oldest).toBeGreaterThanOrEqual(3 * HOUR_SECONDS);
  expect(oldest).toBeLessThan(9 * HOUR_SECONDS);
  expect(only(at.get('dashboard_ready_movements'))).toBe(2);
  expect(only(at.get('dashboard_ready_oldest_seconds'))).toBeGreaterThanOrEqual(HOUR_SECONDS);
  expect(only(at.get('dashboard_workers'))).toBe(1);
  expect(at.get('dashboard_sending_stopped')).toEqual([[{ cause: 'audit' }, 1]]);
  expect(only(at.get('dashboard_audit_broken'))).toBe(1);
  const age = only(at.get('dashboard_audit_check_age_seconds'));
  expect(age).toBeGreaterThanOrEqual(HOUR_SECONDS);
  expect(age).toBeLessThan(2 * HOUR_SECONDS);
  expect(only(at.get('dashboard_record_days_failed'))).toBe(1);
  expect(at.get('dashboard_queue_late_seconds')).toEqual([[{ queue: 'movements' }, 2.5]]);
  expect(at.get('dashboard_movements')).toContainEqual([{ state: 'APPROVED' }, 2]);
  expect(at.get('dashboard_records_age_seconds')).toEqual([[{ list: 'ledger' }, Infinity]]);
});

/** Requires that each metric in these expressions is one that a process has. */
function expectKnown(expressions: readonly string[]): void {
  const code = [...filesBelow('lib')].map((file) => readFileSync(file, 'utf8')).join('\n');
  const known = new Set(code.match(/(?<=')dashboard_\w+(?=')/g));
  expect(expressions.length).toBeGreaterThan(10);
  for (const expression of expressions) {
    const names = expression.match(/dashboard_\w+/g) ?? [];
    expect(names, expression).not.toEqual([]);
    for (const name of names)
      expect([...known], expression).toContain(name.replace(/_bucket$/, ''));
  }
}

it('every query of the board is made of metrics that a process has, and each alarm is named on it', () => {
  const text = readFileSync(join(ROOT, 'docs/monitoring/board.json'), 'utf8');
  const { panels } = JSON.parse(text) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expectKnown(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
  for (const [name] of ALARMS.matchAll(/(?<=alert: )\w+/g)) expect(text).toContain(name);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});

it('every alarm is made of metrics that a process has, and links to a heading that exists', () => {
  const expressions = ALARMS.match(/(?<=expr: ).+/g) ?? [];
  expectKnown(expressions);
  const pages = ALARMS.match(/(?<=page: )docs.+/g) ?? [];
  expect(pages).toHaveLength(expressions.length);
  for (const page of pages) {
    const [file, anchor] = page.split('#');
    const headings = readFileSync(join(ROOT, file!), 'utf8').match(/(?<=^#+ ).+/gm) ?? [];
    expect(headings.map(anchorOf), page).toContain(anchor);
  }
});

it('every alarm is explained in docs/operations.md', () => {
  const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  for (const [name] of ALARMS.matchAll(/(?<=alert: )\w+/g))
    expect(operations).toContain(`\`${name}\``);
});

/** The anchor of a heading, as the hosts of Markdown make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
      yield join(entry.parentPath, entry.name);
}
