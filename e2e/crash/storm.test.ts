import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandbox, type Arrived, type LedgerLine } from '../sandbox.ts';
import { word } from '../words.ts';
import { askNow, hurry, progress, readBooks, type Book } from './books.ts';
import { faultsOf, paymentsOf, type Payment } from './plan.ts';
import { Random } from './random.ts';
import { trouble, type Blow } from './trouble.ts';
import { shown, signIn, submit, type Visitor } from './web.ts';

/**
 * Payouts are made at two webs and moved by two workers while all of them, the database and the provider are killed, suspended
 * and restarted. Then calm, and the provider's own ledger is the judge. The seed draws payments, faults and blows; what the
 * processes make of them is their own.
 */

const PAYOUTS = Number(process.env['CRASH_PAYOUTS'] ?? 150);
const KILLS = Number(process.env['CRASH_KILLS'] ?? 12);
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
/** The long run waits for every lease and every gate by the clock. */
const REAL_TIME = process.env['CRASH_REAL_TIME'] === '1';
const FREEZES_MS = REAL_TIME ? [300, 1_000, 3_000, 10_000, 20_000, 60_000] : [300, 1_000, 2_500];

const PEOPLE = 4;
const PAGES_AT_ONCE = 4;
/** Blows fall as payouts leave, so many of them at most between the two. */
const BEHIND = 25;
/** Nothing ends by these, unless something is wrong. */
const STORM_MS = 30 * 60_000;
const CALM_MS = REAL_TIME ? 25 * 60_000 : 5 * 60_000;
/** By the clock people press "ask now" once a minute: the schedule alone comes back to what it could not ask about after up to 18. */
const ASK_MS = 60_000;
const HURRY_MS = 1_000;
const LOOK_MS = 50;
const BANK_MS = 300;

let payments: Payment[];
let books: Map<string, Book>;
let executed: LedgerLine[];
let arrived: Arrived[];
let pages: Map<string, string[]>;
let tries = 0;
const blows = new Map<Blow, number>();
const began = Date.now();
const took: string[] = [];

beforeAll(async () => {
  payments = paymentsOf(new Random(SEED, 'payments'), PAYOUTS);
  await sandbox.calm();
  // An unforgiving provider: asked twice before the first one is on its record, it pays twice.
  await sandbox.questions({ dedupe: 'ledger', ledger_lag_min_ms: 500, ledger_lag_max_ms: 1_500 });
  await sandbox.bankMode('auto', BANK_MS);
  const visitor = await signIn('ayse@demo.test');
  await storm(visitor);
  lap('storm');
  await sandbox.calm();
  // What does not end here is told by name below, with everything else that is wrong.
  for (const end = Date.now() + CALM_MS; (await progress()).open > 0 && Date.now() < end; await pause(REAL_TIME ? ASK_MS : HURRY_MS)) await (REAL_TIME ? askNow() : hurry());
  lap('calm');
  books = new Map((await readBooks()).map((book) => [book.id, book]));
  executed = await sandbox.executed();
  // Work that is done late is logged a second time, without another request.
  arrived = (await sandbox.requests('SendMoneyToBankAccount')).filter((request) => request.fault !== 'late: done now');
  // The first session may have been idle for too long by now.
  pages = await readPages(await signIn('ayse@demo.test'));
  lap('pages');
});

afterAll(() => {
  const unknowns = [...(books?.values() ?? [])].reduce((sum, book) => sum + book.unknowns, 0);
  const kills = [...blows].filter(([blow]) => isKill(blow));
  const lines = [
    `seed ${SEED}: ${PAYOUTS} payouts, ${kills.reduce((sum, [, count]) => sum + count, 0)} kills, ${Math.round((Date.now() - began) / 1000)} s (${took.join(', ')})`,
    ...[...blows].toSorted().map(([blow, count]) => `  ${blow.padEnd(18)}${String(count).padStart(5)}`),
    `  forms sent again  ${String(tries - PAYOUTS).padStart(5)}`,
    `  requests to send  ${String(arrived?.length ?? 0).padStart(5)}, of them resends ${(arrived?.length ?? 0) - new Set(arrived?.map(referenceOf)).size}`,
    `  executions        ${String(executed?.length ?? 0).padStart(5)}`,
    `  became unknown    ${String(unknowns).padStart(5)}, left to a person ${[...(books?.values() ?? [])].filter((book) => book.given_up).length}`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
});

describe('after a storm of kills', () => {
  test('every payout that was asked for is stored once, under the id of its form, and no other', () => {
    expect([...books.keys()].toSorted()).toEqual(payments.map((payment) => payment.id).toSorted());
  });

  test('every payout was executed exactly once, or it was refused or never arrived and was not executed at all', () => {
    const wrong = payments.filter((payment) => {
      const lines = linesTo(payment);
      const book = books.get(payment.id)!;
      const isNone = lines.length === 0 && (payment.fate === 'refused' || book.given_up);
      const isOne = lines.length === 1 && payment.fate !== 'refused' && lines[0]!.ext_transaction_id === book.ext_id && lines[0]!.amount === (payment.amountMinor / 100).toFixed(2);
      return !isNone && !isOne;
    });
    expect(wrong.map((payment) => ({ payment, lines: linesTo(payment), book: books.get(payment.id) }))).toEqual([]);
  });

  test('nothing was executed that nobody had asked for', () => {
    const references = new Set([...books.values()].map((book) => book.ext_id));
    expect(executed.filter((line) => !references.has(line.ext_transaction_id ?? ''))).toEqual([]);
  });

  test('every payout has ended as the bank ended it', () => {
    const wrong = payments.map((payment) => ({ payment, book: books.get(payment.id), expected: stateByBank(payment) })).filter(({ book, expected }) => book?.state !== expected || book.attention === 'contradiction');
    expect(wrong).toEqual([]);
  });

  test("both webs show on every payout's page what the bank says", () => {
    const wrong = payments.map((payment) => ({ id: payment.id, shown: pages.get(payment.id), expected: pageByBank(payment) })).filter(({ shown, expected }) => shown?.some((said) => said !== expected) ?? true);
    expect(wrong).toEqual([]);
  });

  test('whatever was sent again carried the same reference and the same bytes', () => {
    const bodies = Map.groupBy(arrived, (request) => ibanOf(request));
    expect([...bodies].filter(([, requests]) => new Set(requests.map((request) => request.body)).size > 1)).toEqual([]);
    expect([...books.values()].filter((book) => book.bodies > 1)).toEqual([]);
  });

  test('no request has arrived whose attempt was not written down before', () => {
    const counts = Map.groupBy(arrived, referenceOf);
    expect([...books.values()].filter((book) => (counts.get(book.ext_id)?.length ?? 0) > book.attempts || book.attempts !== book.sends)).toEqual([]);
  });

  test('every step has its row in the audit trail', () => {
    expect([...books.values()].filter((book) => book.steps !== book.audited)).toEqual([]);
  });

  test('it was a storm: as many kills as were asked for, and outcomes that nobody knew for a while', () => {
    expect([...blows].filter(([blow]) => isKill(blow)).reduce((sum, [, count]) => sum + count, 0)).toBe(KILLS);
    expect([...books.values()].filter((book) => book.unknowns > 0).length).toBeGreaterThan(PAYOUTS / 20);
  });
});

/** People hand in forms, blows fall; each waits for the other, so that they fall on work however fast the machine is. */
async function storm(visitor: Visitor): Promise<void> {
  const until = AbortSignal.timeout(STORM_MS);
  const random = new Random(SEED, 'people');
  const waiting = [...payments];
  let kills = 0;
  const share = () => (PAYOUTS * (kills + 1)) / KILLS + BEHIND;
  const person = async () => {
    for (;;) {
      if (waiting.length === 0) return;
      if (PAYOUTS - waiting.length < share()) {
        const sent = await submit(visitor, waiting.shift()!, () => random.next(), until);
        tries += sent;
      } else await pause(LOOK_MS, undefined, { signal: until });
    }
  };
  const blow = async () => {
    const faults = new Random(SEED, 'faults');
    const bad = trouble(new Random(SEED, 'blows'), FREEZES_MS);
    try {
      while (kills < KILLS) {
        while (((await progress().catch(() => null))?.sent ?? 0) < Math.min(PAYOUTS, (PAYOUTS * kills) / KILLS) - BEHIND) await pause(LOOK_MS, undefined, { signal: until });
        until.throwIfAborted();
        const dealt = await bad.strike();
        blows.set(dealt, (blows.get(dealt) ?? 0) + 1);
        if (!isKill(dealt)) continue;
        kills += 1;
        for (const fault of faultsOf(faults, PAYOUTS / KILLS)) await sandbox.fault(fault).catch(() => undefined);
      }
    } finally {
      await bad.end();
    }
  };
  await Promise.all([blow(), ...Array.from({ length: PEOPLE }, person)]);
}

async function readPages(visitor: Visitor): Promise<Map<string, string[]>> {
  const left = [...payments];
  const read = new Map<string, string[]>();
  const reader = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) read.set(one.id, await shown(visitor, one.id));
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, reader));
  return read;
}

function isKill(blow: Blow): boolean {
  return blow.startsWith('kill ');
}

/** By IBAN, not by our reference: a payment under another reference is the same money. */
function linesTo({ payee }: Payment): LedgerLine[] {
  return executed.filter((line) => line.iban === payee.iban);
}

const STATES: Record<string, string> = { live: 'COMPLETED', rejected: 'REJECTED', failed: 'FAILED', cancelled: 'REJECTED' };

/** What we must say of it, by the bank's books alone. */
function stateByBank(payment: Payment): string {
  const [line] = linesTo(payment);
  if (line !== undefined) return STATES[line.state] ?? line.state;
  return books.get(payment.id)?.given_up === true ? 'UNKNOWN' : 'REJECTED';
}

function pageByBank(payment: Payment): string {
  return `₺${(payment.amountMinor / 100).toFixed(2)} ${word('en', 'states', stateByBank(payment))}`;
}

function referenceOf({ body }: Arrived): string {
  return /"ext_transaction_id"\s*:\s*"([^"]+)"/.exec(body)?.[1] ?? '';
}

function ibanOf({ body }: Arrived): string {
  return /"receiver_iban"\s*:\s*"([^"]+)"/.exec(body)?.[1] ?? '';
}

function lap(name: string): void {
  took.push(`${name} by ${Math.round((Date.now() - began) / 1000)}`);
}
