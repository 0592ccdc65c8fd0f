import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBuild } from '../build.ts';
import { agreeOnPolicy, approveSome, readApproved, signInApprovers } from '../crash/approvals.ts';
import type { Approved, Approvers } from '../crash/approvals.ts';
import { hurry, progress, readBooks, type Book } from '../crash/books.ts';
import { isExecutedRightly, readProviders, statesBy, type ProviderBooks } from '../crash/judge.ts';
import { payment, type Operation } from '../crash/plan.ts';
import { until } from '../crash/trouble.ts';
import { signIn, submit, type Visitor } from '../crash/web.ts';
import { sandbox, type LedgerLine } from '../sandbox.ts';
import { BASE_URL, BASE_URL_2, CONTROL_URL, DATA_DIR, SANDBOX_URL } from '../surroundings.ts';
import { answers, countAnswers, nowIn } from './answers.ts';
import { openCrowd, type Crowd } from './crowd.ts';

/**
 * A rolling upgrade while money moves: the former version alone, then on the migrated database,
 * then beside the present version, then the present version alone. Processes and steps:
 * scripts/upgrade/. Payments are requested and approved, and webhooks arrive, all the time.
 */

const OPERATIONS = Number(process.env['UPGRADE_OPERATIONS'] ?? 30);
const SEED = Number(process.env['UPGRADE_SEED'] ?? 1);
const BANK_MS = 300;
const CALM_MS = 6 * 60_000;
const HURRY_MS = 1_000;
const REST_MS = 200;
const PARTS = ['former alone', 'former, migrated', 'side by side', 'present alone'] as const;
const FORMER = [BASE_URL];
const PRESENT = [BASE_URL_2];
/** Pages that together read nearly every table. */
const PAGES = [
  '/ /payouts /payouts/new /transfers /transfers/new /approvals /wallets /recipients /money-in',
  '/cards/payments /cards/authorizations /cards/recurring /batches /people /policy /receipts',
  '/reports/reconciliation /reports/day-close /webhooks /audit /settings /notifications',
  '/developers /search?q=Işıl',
].flatMap((line) => line.split(' '));
const LINE_SHOWN = 100;
const LOGS = ['web-former', 'worker-former', 'web-present', 'worker-present'];

type Delivery = { state: string; tries: number };

let crowd: Crowd;
let books: Book[];
let providers: ProviderBooks;
let transferLines: LedgerLine[];
let approved: Approved[];
let deliveries: Delivery[];
let audit: string;
let webhookAnswers: Record<string, number>;
/** What the present web answered to a press of a page of the former one. */
let outdated: string;
/** Pages that were answered by the sign-in. */
const signedOut: string[] = [];
const took: string[] = [];
const taken: string[] = [];

beforeAll(async () => {
  countAnswers(
    new Map([
      [BASE_URL, 'former'],
      [BASE_URL_2, 'present'],
    ]),
  );
  nowIn(PARTS[0]);
  await sandbox.calm();
  await sandbox.questions({ dedupe: 'ledger', ledger_lag_min_ms: 500, ledger_lag_max_ms: 1_500 });
  await sandbox.bankMode('auto', BANK_MS);
  const clerk = await signIn('ayse@demo.test', FORMER);
  const [owner, approver] = await signInApprovers(FORMER);
  await agreeOnPolicy([owner, approver], 1);
  crowd = openCrowd(SEED, [clerk]);
  const desk = {
    approvers: [owner, approver] as Approvers,
    readers: [owner],
    rounds: [0, 0],
    isOver: false,
  };
  const others = Promise.all([
    keepOn(desk, 0, () => approveSome(desk.approvers)),
    keepOn(desk, 1, () => readPages(desk.readers)),
  ]);
  // A failure there is reported below, when this hook waits for them.
  others.catch(() => undefined);
  await part(0);
  nowIn(PARTS[1]);
  await step('migrate');
  await part(1);
  await step('join');
  nowIn(PARTS[2]);
  const { actions } = await readBuild(BASE_URL_2);
  // The same sessions at the present web, whose pages know other ids of the actions.
  const atPresent = ({ cookie }: Visitor): Visitor => ({ cookie, actions, origins: PRESENT });
  const clerkThere = atPresent(clerk);
  const [ownerThere, approverThere] = [atPresent(owner), atPresent(approver)];
  // The password is typed at one version, and the code at the other.
  const newcomer = await signIn('ayse@demo.test', [...FORMER, ...PRESENT]);
  desk.approvers = [owner, approverThere];
  desk.readers = [owner, ownerThere];
  await crowd.use([clerk, clerkThere, { ...newcomer, origins: FORMER }]);
  await part(2);
  await crowd.use([clerkThere]);
  Object.assign(desk, { approvers: [ownerThere, approverThere], readers: [ownerThere] });
  // A round that has begun may still use the former web.
  const begun = [...desk.rounds];
  await until('everybody uses the present web', () =>
    desk.rounds.every((round, nth) => round >= begun[nth]! + 2),
  );
  await step('leave');
  nowIn(PARTS[3]);
  outdated = await pressFormerPage(clerk, clerkThere);
  await part(3);
  await crowd.end();
  desk.isOver = true;
  await others;
  await settle(desk.approvers);
  await collect();
});

afterAll(() => process.stdout.write(`\n${report().join('\n')}\n\n`));

describe('an upgrade of a running installation', () => {
  test('loses no payment and makes none twice, by the books of the provider', () => {
    expect(books.map(({ id }) => id).toSorted()).toEqual(
      crowd.payouts.map(({ id }) => id).toSorted(),
    );
    const isWrong = (one: Operation): boolean =>
      !isExecutedRightly(one, executedOf(one), bookOf(one), bookOf(one).waits);
    expect(crowd.payouts.filter(isWrong)).toEqual([]);
    expect(providers.strange).toEqual([]);
    expect(transferLines.map(({ amount }) => amount).toSorted()).toEqual(
      crowd.transfers.map(({ amountMinor }) => (amountMinor / 100).toFixed(2)).toSorted(),
    );
  });

  test('leaves every payment in the state that the provider has it in', () => {
    const isWrong = (one: Operation): boolean =>
      !statesBy(one, executedOf(one), bookOf(one)).includes(bookOf(one).state);
    expect(crowd.payouts.filter(isWrong).map((one) => [one, bookOf(one)])).toEqual([]);
  });

  test('makes no web answer with an error of its own, before, during and after the migration', () => {
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(new Set(answers.map(({ web, part: name }) => `${name}: ${web}`))).toEqual(
      new Set([
        `${PARTS[0]}: former`,
        `${PARTS[1]}: former`,
        `${PARTS[2]}: former`,
        `${PARTS[2]}: present`,
        `${PARTS[3]}: present`,
      ]),
    );
  });

  test('asks the database for nothing that is not there', () => {
    const missing = databaseErrors(/does not exist|permission denied|null value in column/);
    // The first migration of all looks for the table of migrations.
    expect(missing.filter((line) => !line.includes('_prisma_migrations'))).toEqual([]);
  });

  test('keeps every session: who signed in at one version is signed in at the other', () =>
    expect(signedOut).toEqual([]));

  test('loses no webhook: each is acknowledged, and both versions took some', () => {
    expect(deliveries.length).toBeGreaterThan(0);
    expect(deliveries.filter(({ state }) => state !== 'delivered')).toEqual([]);
    for (const web of [BASE_URL, BASE_URL_2])
      expect(webhookAnswers[`${web} 200`]).toBeGreaterThan(0);
    expect(Object.keys(webhookAnswers).filter((key) => / 5\d\d$/.test(key))).toEqual([]);
  });

  test('lets nothing leave without the approvals that the policy asks for', () => {
    expect(approved.length).toBeGreaterThan(0);
    const lacks = ({ people, maker }: Approved): boolean =>
      people.every((person) => person === maker);
    expect(approved.filter(lacks)).toEqual([]);
  });

  test('keeps the audit log whole: each step has its row, and the chain verifies', () => {
    expect(books.filter((book) => book.steps !== book.audited)).toEqual([]);
    expect(audit).toMatch(/^OK: \d+ entries, the chain is whole/);
  });

  test('answers a press of a page of the former version by storing it, or as outdated', () =>
    expect(outdated).toMatch(/^taken$|last answer was 409 /));
});

/** Until as many payments more were taken as asked for. */
async function part(nth: number): Promise<void> {
  const [began, before] = [Date.now(), crowd.payouts.length + crowd.transfers.length];
  await crowd.taken(OPERATIONS);
  const count = crowd.payouts.length + crowd.transfers.length - before;
  taken.push(`${PARTS[nth]} ${count} in ${seconds(Date.now() - began)}`);
}

async function step(name: 'migrate' | 'join' | 'leave'): Promise<void> {
  const began = Date.now();
  const answer = await fetch(`${CONTROL_URL}/${name}`, { method: 'POST' });
  const { done, error } = (await answer.json()) as { done?: string; error?: string };
  if (!answer.ok) throw new Error(`${name}: ${error}`);
  took.push(`${name} ${seconds(Date.now() - began)}${done ? ` (${done})` : ''}`);
}

async function keepOn(
  desk: { isOver: boolean; rounds: number[] },
  nth: number,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!desk.isOver) {
    desk.rounds[nth]! += 1;
    await work();
    await pause(REST_MS);
  }
}

/** Reads the next page at each web that a reader uses. */
async function readPages(readers: readonly Visitor[]): Promise<void> {
  const page = PAGES[(nextPage += 1) % PAGES.length]!;
  for (const { cookie, origins } of readers) {
    const answer = await fetch(`${origins[0]}${page}`, {
      headers: { cookie },
      redirect: 'manual',
    }).catch(() => null);
    if (answer?.headers.get('location')?.includes('/login') === true) signedOut.push(page);
    await answer?.text();
  }
}
let nextPage = 0;

/**
 * A form that was opened at the former web is pressed at the present one, once, and then on the
 * page that was loaded again: the form has the same id.
 */
async function pressFormerPage(former: Visitor, there: Visitor): Promise<string> {
  const one = payment();
  crowd.payouts.push(one);
  const page = { ...former, origins: PRESENT };
  const first = await submit(page, one, () => 0, AbortSignal.timeout(1)).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  await submit(there, one, () => 0, AbortSignal.timeout(CALM_MS));
  return first;
}

/** Waits until everything has ended, or waits for people. */
async function settle(approvers: Approvers): Promise<void> {
  for (const end = Date.now() + CALM_MS; Date.now() < end; await pause(HURRY_MS)) {
    await approveSome(approvers);
    await hurry();
    if ((await progress()).open === 0 && (await readDeliveries()).every(isDone)) return;
  }
}

async function collect(): Promise<void> {
  books = await readBooks();
  approved = await readApproved();
  providers = await readProviders(crowd.payouts, new Map());
  transferLines = await sandbox.ledger('to_business');
  deliveries = await readDeliveries();
  webhookAnswers = (await (await fetch(CONTROL_URL)).json()) as Record<string, number>;
  audit = await verifiedAudit();
}

const isDone = ({ state }: Delivery): boolean => state !== 'waiting';

async function readDeliveries(): Promise<Delivery[]> {
  const answer = await fetch(`${SANDBOX_URL}/sandbox/webhooks?limit=10000`);
  return ((await answer.json()) as { deliveries: Delivery[] }).deliveries;
}

/** What the stand-alone verifier says of the whole trail. */
async function verifiedAudit(): Promise<string> {
  const { cookie, origins } = await signIn('deniz@demo.test', PRESENT);
  const answer = await fetch(`${origins[0]}/audit/export?format=ndjson`, { headers: { cookie } });
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-audit-'));
  const verify = (...args: string[]): string =>
    execFileSync(process.execPath, ['scripts/verify-audit.mjs', ...args], { encoding: 'utf8' });
  try {
    const [trail, key] = [join(folder, 'audit.ndjson'), join(folder, 'key')];
    writeFileSync(trail, await answer.text());
    writeFileSync(key, verify('--print-key'));
    return verify(trail, '--key-file', key);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The errors in the database's log whose words match. */
function databaseErrors(words: RegExp): string[] {
  return readFileSync(join(DATA_DIR, 'logs', 'postgres.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('ERROR:') && words.test(line));
}

function bookOf({ id }: Operation): Book {
  return books.find((book) => book.id === id)!;
}

function executedOf({ id }: Operation) {
  return providers.executed.get(id) ?? [];
}

function report(): string[] {
  const webs = Map.groupBy(answers, ({ web, status }) => `${web} ${Math.floor(status / 100)}xx`);
  const slowest = answers.toSorted((a, b) => b.ms - a.ms)[0];
  const states = Map.groupBy(books ?? [], ({ state }) => state);
  return [
    `payments     ${taken.join(', ')}`,
    `steps        ${took.join('; ')}`,
    `payouts      ${crowd?.payouts.length}: ${list(states)}`,
    `transfers    ${crowd?.transfers.length} requested, ${transferLines?.length} at the provider`,
    `approvals    ${approved?.length} payouts left with theirs`,
    `webhooks     ${deliveries?.length} delivered; answers ${JSON.stringify(webhookAnswers)}`,
    `answers      ${list(webs)} (0xx: none in time)`,
    `slowest      ${slowest?.what} at ${slowest?.web} ${seconds(slowest?.ms ?? 0)}`,
    `outdated     a former page pressed at the present web: ${outdated}`,
    `audit        ${audit?.trim()}`,
    `database     ${list(Map.groupBy(databaseErrors(/./), wordsOf))}`,
    ...LOGS.map((name) => `${name.padEnd(15)}${list(Map.groupBy(logLines(name), messageOf))}`),
  ];
}

function list(groups: Map<string, readonly unknown[]>): string {
  return [...groups].map(([name, all]) => `${name} ${all.length}`).join(', ');
}

function logLines(name: string): string[] {
  return readFileSync(join(DATA_DIR, 'logs', `${name}.log`), 'utf8')
    .split('\n')
    .slice(0, -1);
}

function messageOf(line: string): string {
  return /"msg":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, LINE_SHOWN);
}

function wordsOf(line: string): string {
  return line.replace(/^.*ERROR: +/, '').slice(0, LINE_SHOWN);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
