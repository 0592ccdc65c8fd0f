import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows } from '../database.ts';
import { processes } from '../processes.ts';
import { sandbox } from '../sandbox.ts';
import { checkNow, hasten, lapse, readBooks, stored, type Book } from './books.ts';
import { nameOf, readProviders } from './judge.ts';
import {
  freeCommits,
  heldCommit,
  heldTrail,
  lastQuery,
  linksItsClaim,
  transaction,
  type Obstacle,
} from './obstacle.ts';
import { payment, SENDS, withOrder, type Kind, type Operation } from './plan.ts';
import { sell, type Place } from './stock.ts';
import { databaseAnswers, until, up } from './trouble.ts';
import { signIn, submit, type Visitor } from './web.ts';

/**
 * A worker dies or stops at one exact moment of a card-gateway operation. The gateway promises no
 * deduplication, and the sandbox executes a repeated request again: so each operation is sent at
 * most once, and never resent automatically.
 */

const CARD_KINDS = ['capture', 'refund', 'plan_charge', 'card_balance_payout'] as const;
type CardKind = (typeof CARD_KINDS)[number];
/** A delay longer than any of these tests: the response never arrives. */
const NEVER_MS = 600_000;
/** A delay long enough for the test to interfere before the response, even on a busy machine. */
const SHORTLY_MS = 15_000;
/**
 * No send begins this long after its claim (claim-rules.ts), whatever its lease: after this time a
 * test need not wait for the lease to end.
 */
const CERTAIN_MS = 17_000;
/**
 * The state of each kind after its request has arrived and its record was read. A card-balance
 * payout has no record that can be queried.
 */
const FOUND = {
  capture: 'COMPLETED',
  refund: 'COMPLETED',
  plan_charge: 'CHARGED',
  card_balance_payout: 'UNKNOWN',
} as const;

/** The number of orders of each kind, more than all tests use. */
const STOCK = 8;

let visitor: Visitor;
/** Orders that the product knows, one for each operation. */
let stock: Operation[];
let places: Map<string, Place>;
beforeAll(async () => {
  await sandbox.calm();
  await sandbox.cardSettings({ repeated_ids: 'executed', refund_pause_seconds: 0 });
  visitor = await signIn('selin@demo.test');
  stock = CARD_KINDS.flatMap((kind) =>
    Array.from({ length: STOCK }, (): Operation =>
      kind === 'card_balance_payout' ? { ...payment(), kind } : withOrder(kind),
    ),
  );
  places = await sell(stock);
  await processes.stop('worker-2');
});
beforeEach(async () => {
  await sandbox.calm();
  await processes.stop('worker');
});
afterEach(async () => {
  await processes.thaw('worker').catch(() => undefined);
  await processes.stop('worker-2');
  await sandbox.calm();
  await databaseAnswers();
  await freeCommits();
  await up('worker');
});
afterAll(() => up('worker-2'));

describe('a worker that is killed while the card gateway is to carry something out', () => {
  test.each(CARD_KINDS)(
    'before its claim is committed: nothing has left of a %s, and another one sends it once',
    async (kind) => {
      const { asked, commit } = await heldAtItsCommit(kind);
      await slay();
      await commit.cutOff();
      await commit.rollBack();
      expect(await seen(asked)).toEqual([{ kind, requests: 0, executed: 0 }]);
      await taken(asked);
      await processes.start('worker');
      await ended(asked, { [kind]: kind === 'card_balance_payout' ? 'PENDING' : FOUND[kind] });
      expect(await seen(asked)).toEqual([{ kind, requests: 1, executed: 1 }]);
    },
  );

  test('after its claim and before connecting: nothing has left, nothing is done and nothing resent', async () => {
    const all: Operation[] = [];
    for (const kind of CARD_KINDS) {
      const held = await heldAtItsCommit(kind);
      const { asked } = held;
      const trail = await heldBeforeItConnects(held);
      await slay();
      await trail.rollBack();
      await taken(asked);
      await sandbox.calm();
      all.push(...asked);
    }
    await processes.start('worker');
    await until('a person has to decide, or it is over', async () =>
      (await looked(all)).every((book) => book.waits || book.state === 'NOT_CHARGED'),
    );
    expect(await seen(all)).toEqual(CARD_KINDS.map((kind) => ({ kind, requests: 0, executed: 0 })));
  });

  test('after the request, before the answer: the record finds what was done, and nothing is sent again', async () => {
    const asked = await queue(CARD_KINDS, { answerMs: NEVER_MS });
    await processes.start('worker');
    await arrived(asked);
    await slay();
    await taken(asked);
    await processes.start('worker');
    await ended(asked, FOUND);
    expect(await seen(asked)).toEqual(
      CARD_KINDS.map((kind) => ({ kind, requests: 1, executed: 1 })),
    );
  });

  test('after the answer, before it is stored: the record finds what was done, nothing is resent', async () => {
    const asked = await queue(CARD_KINDS, { answerMs: SHORTLY_MS });
    await processes.start('worker');
    await arrived(asked);
    const other = await transaction(
      'SELECT FROM movements m, plan_charges c WHERE m.id = ANY($1) AND c.id = ANY($1) FOR UPDATE',
      [ids(asked)],
    );
    await until('every answer is held up', () => other.holdsUp('FOR UPDATE', CARD_KINDS.length));
    await slay();
    await other.rollBack();
    await taken(asked);
    await processes.start('worker');
    await ended(asked, FOUND);
    expect(await seen(asked)).toEqual(
      CARD_KINDS.map((kind) => ({ kind, requests: 1, executed: 1 })),
    );
  });
});

describe('a worker that stalls for longer than its lease while the card gateway has an operation to run', () => {
  test('between its claim and the first byte: it sends nothing on waking, and its successor sent once', async () => {
    // These kinds read a record before the send, which takes time; a card-balance payout reads
    // none.
    const kinds = ['capture', 'refund', 'plan_charge'] as const;
    const asked = await queue(kinds);
    for (const operation of ['checkstatus', 'recurringPlan/query'])
      await sandbox.fault({ operation, kind: 'delay', ms: NEVER_MS, times: 100 });
    await processes.start('worker');
    // A worker that was stopped before it knew of its commit would have no response to record: its
    // query shows that it knows.
    await until('the query before each send has arrived', async () => {
      const queries = [
        ...(await sandbox.requests('checkstatus')),
        ...(await sandbox.requests('query')),
      ];
      return asked.every((one) =>
        queries.some(({ fault, body }) => fault === 'delay' && body.includes(nameOf(one, places))),
      );
    });
    await processes.freeze('worker');
    await sandbox.calm();
    await takenOver(asked);
    // The first worker's only lane for plans has moved on to the next charge, so that it no longer
    // holds this one.
    await processes.stop('worker-2');
    await ended(await queue(['plan_charge']), FOUND);
    expect(await seen(asked)).toEqual(
      kinds.map((kind) => {
        const count = kind === 'plan_charge' ? 1 : 0;
        return { kind, requests: count, executed: count };
      }),
    );
  });

  test('between its committed claim and the first byte: a card-balance payout does not leave on waking', async () => {
    const held = await heldAtItsCommit('card_balance_payout');
    const { asked } = held;
    const trail = await heldBeforeItConnects(held);
    // A worker that was stopped before it knew of its commit would have no response to record.
    await until('the worker knows of its commit', linksItsClaim);
    await processes.freeze('worker');
    expect((await stored(asked[0]!.id)).state, 'before it gave up waiting').toBe('SUBMITTING');
    await trail.rollBack();
    await takenOver(asked);
    expect(await seen(asked)).toEqual([{ kind: 'card_balance_payout', requests: 0, executed: 0 }]);
  });

  test('after the request: it is replaced, its answer is stored late, and each was sent once', async () => {
    const asked = await queue(CARD_KINDS, { answerMs: SHORTLY_MS });
    await processes.start('worker');
    await arrived(asked);
    await processes.freeze('worker');
    await taken(asked);
    await processes.start('worker-2');
    await ended(asked, FOUND);
    await processes.thaw('worker');
    await lateAnswersOf(asked);
    await processes.stop('worker-2');
    expect(await seen(asked)).toEqual(
      CARD_KINDS.map((kind) => ({ kind, requests: 1, executed: 1 })),
    );
  });
});

function ids(asked: Operation[]): string[] {
  return asked.map(({ id }) => id);
}

/**
 * Requests one operation of each kind. `answerMs`: the gateway executes it at once, and answers
 * that many milliseconds later.
 */
async function queue(
  kinds: readonly CardKind[],
  { answerMs }: { answerMs?: number } = {},
): Promise<Operation[]> {
  const asked = kinds.map(
    (kind) =>
      stock.splice(
        stock.findIndex((one) => one.kind === kind),
        1,
      )[0]!,
  );
  for (const one of asked)
    await submit(visitor, one, Math.random, AbortSignal.timeout(NEVER_MS), places.get(one.id));
  for (const kind of kinds)
    if (answerMs !== undefined)
      await sandbox.fault({ operation: SENDS[kind], kind: 'delay', ms: answerMs });
  return asked;
}

type Held = { asked: Operation[]; commit: Obstacle };

/**
 * Starts a worker that is blocked in the commit that lets a request leave, after it has done
 * everything before it. The worker may be blocked in the commit of an earlier operation, too.
 */
async function heldAtItsCommit(kind: CardKind): Promise<Held> {
  const asked = await queue([kind]);
  const commit = await heldCommit(kind === 'plan_charge' ? 'plan_charges' : 'attempts');
  await processes.start('worker');
  await until('the commit is held up', async () => {
    const connection = await writerOf(asked[0]!);
    return (
      connection !== undefined &&
      (await commit.held()).includes(connection) &&
      (await lastQuery(connection)) === 'COMMIT'
    );
  });
  return { asked, commit };
}

/** The connection whose open transaction has written the operation's row. */
async function writerOf({ kind, id }: Operation): Promise<number | undefined> {
  const table = kind === 'plan_charge' ? 'plan_charges' : 'movements';
  const [writer] = await rows<{ pid: number }>(
    `SELECT a.pid FROM ${table} t JOIN pg_stat_activity a ON a.backend_xid = t.xmax WHERE t.id = $1`,
    [id],
  );
  return writer?.pid;
}

/**
 * Lets the worker commit its claim, and blocks it before the first byte: another transaction locks
 * the audit log, which the worker needs then.
 */
async function heldBeforeItConnects({ asked, commit }: Held): Promise<Obstacle> {
  const kind = asked[0]!.kind;
  // The check before the send is delayed, too, so that the worker is killed before anything can
  // have left.
  if (kind === 'capture' || kind === 'refund')
    await sandbox.fault({ operation: 'checkstatus', kind: 'delay', ms: NEVER_MS, times: 100 });
  const trail = await heldTrail(commit);
  await until('the claim is committed, and the worker waits for the audit log', async () => {
    const committed = await rows(
      `SELECT FROM movements WHERE id = ANY($1) AND state = 'SUBMITTING' UNION ALL
        SELECT FROM plan_charges WHERE id = ANY($1) AND state = 'SENDING'`,
      [ids(asked)],
    );
    return committed.length === asked.length && (await trail.held()).length > 0;
  });
  return trail;
}

/**
 * The worker is stopped for longer than its lease, another one takes over and decides, and the
 * first one resumes.
 */
async function takenOver(asked: Operation[]): Promise<void> {
  await pause(CERTAIN_MS);
  await taken(asked);
  await processes.start('worker-2');
  await until('another one has taken over', async () =>
    (await looked(asked)).every((book) => book.waits || book.state === 'CHARGED'),
  );
  await processes.thaw('worker');
  await lateAnswersOf(asked);
}

/**
 * Waits until the response that arrived after the lease is stored. A plan's charge stores no such
 * response.
 */
async function lateAnswersOf(asked: Operation[]): Promise<void> {
  for (const { kind, id } of asked) {
    if (kind === 'plan_charge') continue;
    await until(`the late answer of the ${kind} is written down`, async () =>
      (await stored(id)).evidence.some((one) => one.startsWith('late answer')),
    ).catch(async (cause: unknown) => {
      const found = JSON.stringify([await stored(id), await processes.list()]);
      throw new Error(`there is no late answer: ${found}`, { cause });
    });
  }
}

async function arrived(operations: Operation[]): Promise<void> {
  for (const one of operations)
    await until(`the gateway has the ${one.kind}`, async () =>
      (await sandbox.requests(SENDS[one.kind])).some(({ body }) =>
        body.includes(nameOf(one, places)),
      ),
    );
}

/** Expires the leases of these operations: their holders are dead, or their requests have begun. */
async function taken(asked: Operation[]): Promise<void> {
  for (const id of ids(asked)) await lapse(id);
}

async function looked(asked: Operation[]): Promise<Book[]> {
  for (const id of ids(asked)) await hasten(id);
  await checkNow();
  const books = new Map((await readBooks()).map((book) => [book.id, book]));
  return ids(asked).map((id) => books.get(id)!);
}

async function ended(asked: Operation[], states: Partial<Record<Kind, string>>): Promise<void> {
  await databaseAnswers();
  await until('each has come to its end', async () =>
    (await looked(asked)).every((book) => book.state === states[book.kind]),
  );
}

/** How many requests of each operation the gateway received, and how many it executed. */
async function seen(
  operations: Operation[],
): Promise<{ kind: Kind; requests: number; executed: number }[]> {
  const { arrived: requests, executed } = await readProviders(operations, places);
  return operations.map(({ id, kind }) => ({
    kind,
    requests: requests.get(id)!.length,
    executed: executed.get(id)!.length,
  }));
}

/** Kills the worker and keeps the supervisor from restarting it. */
async function slay(): Promise<void> {
  await processes.kill('worker').catch(() => undefined);
  await processes.stop('worker');
}
