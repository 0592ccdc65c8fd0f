import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processes, type ProcessName } from '../processes.ts';
import { sandbox } from '../sandbox.ts';
import { SANDBOX_URL } from '../surroundings.ts';
import {
  agreeOnPolicy,
  approveAll,
  forgetPolicies,
  readApproved,
  signInApprovers,
} from './approvals.ts';
import type { Approved, Approvers } from './approvals.ts';
import { checkNow, heldLeases, hurry, progress, readBooks, stored, type Book } from './books.ts';
import {
  claimOf,
  isExecutedRightly,
  readProviders,
  statesBy,
  wordsBy,
  type Executed,
  type ProviderBooks,
} from './judge.ts';
import { faultsOf, KINDS, operationsOf, SENDS, type Kind, type Operation } from './plan.ts';
import { Random } from './random.ts';
import { connectionsTo } from './sockets.ts';
import { sell, type Place } from './stock.ts';
import { trouble, until, type Blow, type Trouble } from './trouble.ts';
import { say, shown, signIn, submit, type Visitor } from './web.ts';

/**
 * People request movements of every kind at two webs, and two workers execute them, while webs,
 * workers, the database and the providers are killed, suspended and restarted. Afterwards the
 * providers' own records decide whether the result is right. The seed draws the operations, the
 * faults and the failures; the timing of the processes cannot be reproduced.
 */

const OPERATIONS = Number(process.env['CRASH_OPERATIONS'] ?? 150);
const KILLS = Number(process.env['CRASH_KILLS'] ?? 12);
const SUSPENSIONS = Number(process.env['CRASH_SUSPENSIONS'] ?? 2);
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const PLAYED = (process.env['CRASH_KINDS']?.split(',') ?? KINDS) as readonly Kind[];
/** The long run waits for every lease and every rate limit in real time. */
const REAL_TIME = process.env['CRASH_REAL_TIME'] === '1';
const FREEZES_MS = REAL_TIME ? [300, 1_000, 3_000, 10_000, 20_000] : [300, 1_000, 2_500];
/** Longer than any lease: a plan's charge has the longest, a minute. */
const SUSPENDED_MS = 63_000;
/** The share of the suspensions that hit workers. */
const WORKERS_SHARE = 0.6;
/** After this time a stopped worker's send that is still open has no other holder. */
const NOBODY_ELSE_MS = 10_000;
const HELD_ANSWER_MS = 8_000;
const CATCH_MS = 20_000;
const A_WHILE_MS = 1_000;

const WORKERS: readonly ProcessName[] = ['worker', 'worker-2'];
const PEOPLE = 4;
const PAGES_AT_ONCE = 4;
/**
 * Process failures are spread over the operations: the number of operations may be ahead of the
 * failures by at most this.
 */
const BEHIND = 25;
/** A storm that takes longer than this has a defect. */
const STORM_MS = 45 * 60_000;
const CALM_MS = REAL_TIME ? 25 * 60_000 : 5 * 60_000;
/**
 * In real time, people press "ask now" once a minute: the schedule alone would retry a failed check
 * after up to 18 minutes.
 */
const ASK_MS = 60_000;
const HURRY_MS = 1_000;
const LOOK_MS = 50;
const BANK_MS = 300;

let operations: Operation[];
let places: Map<string, Place>;
let books: Map<string, Book>;
let providers: ProviderBooks;
let pages: Map<string, string[]>;
let approved: Approved[];
/**
 * `waited`: operations that waited for a person. `dead`: those that two people could not close
 * although the rules allow it, with the answers that they received.
 */
let waited: Set<string>;
const dead: { one: Operation; messages: (string | null)[] }[] = [];
let tries = 0;
let kills = 0;
const blows = new Map<Blow, number>();
/** Every suspension: the process, and the kinds of operations that it was sending. */
const suspensions: { name: ProcessName; middle: Kind[] }[] = [];
const began = Date.now();
const took: string[] = [];

beforeAll(async () => {
  operations = operationsOf(new Random(SEED, 'operations'), OPERATIONS, PLAYED);
  await sandbox.calm();
  // The providers are strict: two requests before the first one is on record (payouts), or any two
  // requests (cards), are both executed.
  await sandbox.questions({ dedupe: 'ledger', ledger_lag_min_ms: 500, ledger_lag_max_ms: 1_500 });
  await sandbox.cardSettings({ repeated_ids: 'executed', refund_pause_seconds: 0 });
  await sandbox.bankMode('auto', BANK_MS);
  const visitor = await signIn('ayse@demo.test');
  places = await sell(operations);
  lap('shop');
  const approvers = await signInApprovers();
  await agreeOnPolicy(approvers, 1);
  await storm(visitor, approvers);
  // An operation that does not end here is reported by its own test below, together with all other
  // errors.
  for (
    const end = Date.now() + CALM_MS;
    (await progress()).open > 0 && Date.now() < end;
    await pause(REAL_TIME ? ASK_MS : HURRY_MS)
  ) {
    await sandbox.completeRefunds();
    await (REAL_TIME ? checkNow() : hurry());
  }
  lap('calm');
  books = new Map((await readBooks()).map((book) => [book.id, book]));
  approved = await readApproved();
  providers = await readProviders(operations, places);
  waited = new Set([...books.values()].filter((book) => book.waits).map(({ id }) => id));
  await close();
  books = new Map((await readBooks()).map((book) => [book.id, book]));
  lap('people');
  // The first session may have expired by now.
  pages = await readPages(await signIn('ayse@demo.test'));
  lap('pages');
});

afterAll(async () => {
  process.stdout.write(`\n${report().join('\n')}\n\n`);
  await forgetPolicies();
});

describe('after a storm of kills', () => {
  test('every operation that was asked for is stored once, under the id of its form, and no other', () => {
    expect([...books.keys()].toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  test('every operation was executed exactly once, or it was refused or lost and never executed', () => {
    expect(
      operations
        .filter(
          (one) => !isExecutedRightly(one, executedOf(one), books.get(one.id)!, waited.has(one.id)),
        )
        .map(described),
    ).toEqual([]);
  });

  test('nothing was executed that nobody had asked for', () => {
    expect(providers.strange).toEqual([]);
  });

  test('nothing left without the approvals of its content that the policy of that moment asked for', () => {
    const lacks = ({ needed, people, maker }: Approved): boolean =>
      people.filter((person) => person !== maker).length < Math.max(1, needed);
    expect(approved.length).toBeGreaterThan(0);
    expect(approved.filter(lacks)).toEqual([]);
  });

  test('every operation has ended as its provider ended it, or waits for a person who can be told why', () => {
    const isWrong = (one: Operation): boolean => {
      const { state, alert } = books.get(one.id)!;
      return (
        !statesBy(one, executedOf(one), books.get(one.id)!).includes(state) ||
        alert === 'contradiction'
      );
    };
    expect(operations.filter(isWrong).map(described)).toEqual([]);
  });

  test('what waits for a person can be ended by two people who did not ask for it', () => {
    expect(dead.map(({ one, messages }) => ({ ...described(one), messages }))).toEqual([]);
  });

  test('no charge that left was ended because its record shows none: absence proves nothing', () => {
    expect(
      [...books.values()].filter(
        (book) => book.kind === 'plan_charge' && book.alert === 'not_in_record',
      ),
    ).toEqual([]);
  });

  test("both webs show on every operation's page what the provider says", () => {
    const expected = (one: Operation): string => wordsBy(one, executedOf(one), books.get(one.id)!);
    const agrees = (one: Operation, text: string): boolean =>
      'invoice' in one ? text.includes(expected(one)) : text === expected(one);
    const wrong = operations.filter((one) => pages.get(one.id)!.some((text) => !agrees(one, text)));
    expect(
      wrong.map((one) => ({
        ...described(one),
        expected: expected(one),
        shown: pages.get(one.id),
      })),
    ).toEqual([]);
  });

  test('whatever was sent again was a bank payout, and carried the same reference and the same bytes', () => {
    const isWrong = (one: Operation): boolean => {
      const arrived = arrivedOf(one);
      return one.kind === 'payout'
        ? new Set(arrived.map(({ body }) => body)).size > 1
        : arrived.length > 1;
    };
    expect(
      operations.filter(isWrong).map((one) => ({ ...described(one), arrived: arrivedOf(one) })),
    ).toEqual([]);
    expect([...books.values()].filter((book) => book.bodies > 1)).toEqual([]);
  });

  test('no request has arrived whose attempt was not written down before', () => {
    const isWrong = (one: Operation): boolean => {
      const { attempts, sends } = books.get(one.id)!;
      return arrivedOf(one).length > attempts || attempts !== sends;
    };
    expect(operations.filter(isWrong).map(described)).toEqual([]);
  });

  test('every step has its row in the audit log', () => {
    expect([...books.values()].filter((book) => book.steps !== book.audited)).toEqual([]);
  });

  test('the storm had all the kills and suspensions asked for, and outcomes were unknown for a while', () => {
    expect(kills).toBe(KILLS);
    expect(suspensions.length).toBeGreaterThanOrEqual(SUSPENSIONS);
    expect([...books.values()].filter((book) => book.unknowns > 0).length).toBeGreaterThan(
      OPERATIONS / 20,
    );
  });
});

/**
 * People submit forms while processes fail. Operations and failures wait for each other, so that
 * failures hit operations under way on any machine.
 */
async function storm(visitor: Visitor, approvers: Approvers): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(STORM_MS), failed.signal]);
  const bad = trouble(new Random(SEED, 'blows'), FREEZES_MS);
  const workerStops = Math.round(SUSPENSIONS * WORKERS_SHARE);
  const pace = { kills: 0, stops: 0, isAsked: false };
  const mayAsk = (asked: number): boolean =>
    [
      [pace.kills, KILLS],
      [pace.stops, workerStops],
    ].every(([done, all]) => all === 0 || asked < (OPERATIONS * (done! + 1)) / all! + BEHIND);
  // Each of the two workers has its own share of the suspensions; a single one hits whichever
  // worker is caught during a send.
  const lots: (readonly ProcessName[])[] =
    workerStops < 2 ? [WORKERS] : WORKERS.map((name) => [name]);
  const stops = [
    ...lots.map((names, nth) =>
      suspendAll(
        bad,
        names,
        Math.ceil((workerStops - nth) / lots.length),
        signal,
        () => (pace.stops += 1),
      ),
    ),
    suspendAll(bad, ['web', 'web-2'], SUSPENSIONS - workerStops, signal, () => undefined),
  ];
  try {
    await Promise.all([
      killAll(bad, signal, () => (pace.kills += 1)),
      askAll(visitor, signal, mayAsk).then(() => (pace.isAsked = true)),
      approveAll(approvers, () => pace.isAsked, signal),
      begun(OPERATIONS / 2, signal).then(() => agreeOnPolicy(approvers, 2)),
    ]);
    lap('storm');
    await Promise.all(stops);
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    // Ends the trouble even after a failure: otherwise a process could stay suspended and never
    // answer a later test.
    await bad.end();
    await Promise.allSettled(stops);
  }
  await until('the providers are calm', () =>
    sandbox.calm().then(
      () => true,
      () => false,
    ),
  );
}

async function askAll(
  visitor: Visitor,
  signal: AbortSignal,
  mayAsk: (asked: number) => boolean,
): Promise<void> {
  const random = new Random(SEED, 'people');
  const waiting = [...operations];
  const person = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (mayAsk(OPERATIONS - waiting.length)) {
        const one = waiting.shift()!;
        const pressed = await submit(visitor, one, () => random.next(), signal, places.get(one.id));
        tries += pressed;
      } else await pause(LOOK_MS, undefined, { signal });
    }
  };
  await Promise.all(Array.from({ length: PEOPLE }, person));
}

async function killAll(bad: Trouble, signal: AbortSignal, killed: () => void): Promise<void> {
  const faults = new Random(SEED, 'faults');
  while (kills < KILLS) {
    await begun(Math.min(OPERATIONS, (OPERATIONS * kills) / KILLS) - BEHIND, signal);
    const dealt = await bad.strike();
    blows.set(dealt, (blows.get(dealt) ?? 0) + 1);
    if (!dealt.startsWith('kill ')) continue;
    kills += 1;
    killed();
    for (const fault of faultsOf(faults, OPERATIONS / KILLS, PLAYED))
      await sandbox.fault(fault).catch(() => undefined);
  }
}

/**
 * Suspends processes one after the other, each during a send of the next kind if it is caught in
 * one.
 */
async function suspendAll(
  bad: Trouble,
  names: readonly ProcessName[],
  count: number,
  signal: AbortSignal,
  done: () => void,
): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    await begun((OPERATIONS * nth) / count - BEHIND, signal);
    const isWorkers = names[0]!.startsWith('worker');
    const name =
      (isWorkers ? await caught(names, PLAYED[nth % PLAYED.length]!) : null) ??
      names[nth % names.length]!;
    const middle: Kind[] = [];
    await bad.suspend(name, SUSPENDED_MS, async () => {
      if (!isWorkers) return;
      const before = await heldLeases().catch(() => []);
      await pause(NOBODY_ELSE_MS);
      const after = new Set((await heldLeases().catch(() => [])).map(({ lease }) => lease));
      middle.push(...before.filter(({ lease }) => after.has(lease)).map(({ kind }) => kind));
    });
    suspensions.push({ name, middle });
    done();
  }
}

/**
 * Delays the provider's next responses for this kind; returns the worker that waits for such a
 * response, or null.
 */
async function caught(names: readonly ProcessName[], kind: Kind): Promise<ProcessName | null> {
  const operation = SENDS[kind];
  await sandbox.dropFaults(operation).catch(() => undefined);
  await sandbox
    .fault({ operation, kind: 'delay', ms: HELD_ANSWER_MS, times: 4 })
    .catch(() => undefined);
  let found: ProcessName | null = null;
  await until(
    `a ${kind} is under way`,
    async () => {
      const isSent = (await heldLeases().catch(() => [])).some((held) => held.kind === kind);
      found = isSent ? await waiting(names) : null;
      return found !== null;
    },
    CATCH_MS,
  ).catch(() => undefined);
  return found;
}

/** The first worker that has waited for the same response for a second, or null. */
async function waiting(names: readonly ProcessName[]): Promise<ProcessName | null> {
  const port = Number(new URL(SANDBOX_URL).port);
  const look = async (name: ProcessName): Promise<Set<string>> =>
    connectionsTo((await processes.pid(name)) ?? 0, port);
  const before = await Promise.all(names.map(look));
  await pause(A_WHILE_MS);
  const after = await Promise.all(names.map(look));
  return names.find((_name, nth) => [...before[nth]!].some((one) => after[nth]!.has(one))) ?? null;
}

async function begun(count: number, signal: AbortSignal): Promise<void> {
  while (((await progress().catch(() => null))?.sent ?? 0) < count)
    await pause(LOOK_MS, undefined, { signal });
  signal.throwIfAborted();
}

/**
 * Two people who did not request the waiting operations close them, except those for which the
 * rules require a day to pass.
 */
async function close(): Promise<void> {
  const people = await Promise.all(
    ['mehmet@demo.test', 'selin@demo.test'].map((email) => signIn(email)),
  );
  for (const one of operations.filter(({ id }) => waited.has(id))) {
    const claim = claimOf(one, executedOf(one));
    if (claim === null) continue;
    const messages: (string | null)[] = [];
    for (const person of people)
      if (await isWaiting(one)) messages.push(await say(person, one, claim, places.get(one.id)));
    if (await isWaiting(one)) dead.push({ one, messages });
  }
}

async function isWaiting({ id }: Operation): Promise<boolean> {
  return (await stored(id)).state === 'UNKNOWN';
}

async function readPages(visitor: Visitor): Promise<Map<string, string[]>> {
  const left = [...operations];
  const read = new Map<string, string[]>();
  const reader = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      read.set(one.id, await shown(visitor, one, places.get(one.id)));
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, reader));
  return read;
}

function executedOf({ id }: Operation): Executed[] {
  return providers.executed.get(id) ?? [];
}

function arrivedOf({ id }: Operation) {
  return providers.arrived.get(id) ?? [];
}

/** Everything that is known of an operation, for finding the cause of a failure. */
function described(one: Operation): object {
  return {
    operation: one,
    book: books.get(one.id),
    executed: executedOf(one),
    requests: arrivedOf(one).map(({ fault }) => fault),
  };
}

function report(): string[] {
  const table = KINDS.filter((kind) => PLAYED.includes(kind)).map((kind) => {
    const mine = (operations ?? []).filter((one) => one.kind === kind);
    const mineIn =
      books === undefined
        ? []
        : mine.map((one) => books.get(one.id)!).filter((book) => book !== undefined);
    const sum = (of: (one: Operation) => number): number =>
      providers === undefined ? 0 : mine.reduce((total, one) => total + of(one), 0);
    const [arrived, executed] = [
      sum((one) => arrivedOf(one).length),
      sum((one) => executedOf(one).length),
    ];
    const twice = sum((one) => Number(executedOf(one).length > 1));
    const resent = sum((one) => Math.max(0, arrivedOf(one).length - 1));
    const unknown = mineIn.reduce((total, book) => total + book.unknowns, 0);
    const cells = [
      mine.length,
      arrived,
      resent,
      executed,
      twice,
      unknown,
      mineIn.filter(({ id }) => waited.has(id)).length,
      mineIn.filter((book) => book.waits).length,
    ];
    return [kind.padEnd(20), ...cells.map((cell) => String(cell).padStart(12))].join('');
  });
  const middles = suspensions.flatMap(({ middle }) => middle);
  return [
    `seed ${SEED}: ${OPERATIONS} operations, ${kills} kills, ` +
      `${suspensions.length} suspensions, ${Math.round((Date.now() - began) / 1000)} s (${took.join(', ')})`,
    [
      'kind'.padEnd(20),
      ...[
        'operations',
        'requests',
        'resends',
        'executed',
        'twice',
        'unknown',
        'to a person',
        'still there',
      ].map((title) => title.padStart(12)),
    ].join(''),
    ...table,
    `forms pressed again: ${tries - OPERATIONS}`,
    `suspended for ${SUSPENDED_MS / 1000} s: ${suspensions.map(({ name }) => name).join(', ')}`,
    `in the middle of: ${KINDS.map((kind) => `${kind} ${middles.filter((one) => one === kind).length}`).join(', ')}`,
    ...[...blows]
      .toSorted()
      .map(([blow, count]) => `${blow.padEnd(18)}${String(count).padStart(5)}`),
  ];
}

function lap(name: string): void {
  took.push(`${name} by ${Math.round((Date.now() - began) / 1000)}`);
}
