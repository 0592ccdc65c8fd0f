import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SendJournalEntry } from '#lib/begin-check/send-journal.ts';
import { openProduct, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { contentHash } from './content.ts';
import { fakePorts, fakeProvider } from './testing/fake-provider.ts';
import type { FakeProvider } from './testing/fake-provider.ts';
import {
  LONGEST_DUE,
  readyMovements,
  rowOf,
  setColumns,
  storedMovement,
  testIban,
} from './testing/stored.ts';

/**
 * Which worker claims which row, and what is committed before a request. Two worker processes and
 * the web use one database.
 */

/** The first server version whose statistics a table's owner may clear. */
const CLEARS_STATISTICS = 180_000;
/**
 * A time limit for hundreds of transactions, which take seconds on an idle machine and minutes on a
 * busy one.
 */
const SLOW_MS = 240_000;

let merchant: TestMerchant;
let web: Process;
let workers: Process[];

beforeAll(async () => {
  const product = await openProduct(2);
  ({ merchant, web, workers } = product);
  return product.close;
});
/** Defers rows that an earlier test left due, so that the next test does not claim them. */
beforeEach(async () => {
  await merchant.owner.query(
    `UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
});

type Ports = ReturnType<typeof fakePorts>;

/** Runs `lanes` claimers in each worker process, until nothing is due. */
async function runAll(
  provider: FakeProvider,
  lanes = 2,
  given: Partial<Ports> = {},
): Promise<void> {
  const ports = { ...fakePorts(merchant.merchantId, provider), ...given };
  const lane = async (worker: Process) => {
    while ((await worker.advance.advanceOne(ports)).kind === 'moved');
  };
  await Promise.all(workers.flatMap((worker) => Array.from({ length: lanes }, () => lane(worker))));
}

const advance = (provider: FakeProvider, given: Partial<Ports> = {}) =>
  workers[0]!.advance.advanceOne({ ...fakePorts(merchant.merchantId, provider), ...given });
const ago = (ms: number) => new Date(Date.now() - ms);
/** The columns of an unknown movement that may be resent. */
const ripe = {
  not_found_reads: 3,
  last_send_at: ago(40 * 60_000),
  last_read_at: ago(10 * 60_000),
  watch_since: ago(40 * 60_000),
  next_at: ago(1_000),
};

/**
 * How many rows of `movements` the database reads for that many steps of a worker. It is the lowest
 * of three rounds, because the reads of other processes may be reported late.
 */
async function rowsReadBy(steps: number, merchantId: string): Promise<number> {
  const step = () => workers[0]!.advance.advanceOne(fakePorts(merchantId, fakeProvider()));
  // A database connection reports its reads when it next works, at most once a second.
  const read = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (let n = 0; n < 6; n++) await Promise.all([step(), step()]);
    const { rows } = await merchant.owner.query(
      `SELECT (idx_tup_fetch + seq_tup_read)::int AS n FROM pg_stat_user_tables WHERE relname = 'movements'`,
    );
    return rows[0].n as number;
  };
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = await read();
    for (let n = 0; n < steps; n++) await step();
    rounds.push((await read()) - before);
  }
  return Math.min(...rounds);
}

describe('a claim', () => {
  it(
    '500 due rows, four claimers in two processes: each row is sent exactly once',
    async () => {
      const ids = await readyMovements(merchant, 500);
      const provider = fakeProvider();
      await runAll(provider, 2);
      const sent = provider.asked.filter((one) => one.kind === 'send').map((one) => one.id);
      expect(sent).toHaveLength(500);
      expect(new Set(sent)).toEqual(new Set(ids));
      const { rows } = await merchant.owner.query(
        `SELECT count(*)::int AS n FROM movements m WHERE m.id = ANY($1) AND state = 'PENDING'
          AND sends = 1 AND lease_token IS NULL AND next_at IS NOT NULL
         AND (SELECT count(*) FROM attempts a WHERE a.movement_id = m.id) = 1`,
        [ids],
      );
      expect(rows[0].n).toBe(500);
    },
    SLOW_MS,
  );

  it('SUBMITTING, attempt, lease, gate and audit row are committed before the send begins', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    let seen: Record<string, unknown> = {};
    const provider = fakeProvider({
      send: async (movement) => {
        const { rows } = await merchant.owner.query(
          `SELECT m.state, m.sends, m.lease_until > clock_timestamp() AS leased, a.n,
            a.lease_token = m.lease_token AS same_lease, length(a.body_hash) AS hash,
             (SELECT last_send_at = m.last_send_at FROM iban_gates g
               WHERE g.merchant_id = m.merchant_id AND g.iban = m.iban) AS gate,
             (SELECT count(*)::int FROM audit_queue e WHERE e.merchant_id = m.merchant_id
               AND e.subject = 'movement:' || m.id AND e.action = 'movement.claimed') AS audited
           FROM movements m LEFT JOIN attempts a ON a.movement_id = m.id WHERE m.id = $1`,
          [movement.id],
        );
        seen = rows[0];
        return { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null };
      },
    });
    await advance(provider);
    expect(provider.asked.map((one) => one.id)).toEqual([id]);
    expect(seen).toEqual({
      state: 'SUBMITTING',
      sends: 1,
      leased: true,
      n: 1,
      same_lease: true,
      hash: 64,
      gate: true,
      audited: 1,
    });
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'UNKNOWN',
      ever_ambiguous: true,
      unclear_since: (await rowOf(merchant, id)).last_send_at,
    });
  });

  it('a worker that was frozen between the claim and the connection sends nothing', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    let now = 0;
    const provider = fakeProvider({
      send: (_movement, beforeWrite) => {
        const atOnce = beforeWrite();
        now += 5 * 60_000;
        return beforeWrite() || !atOnce
          ? { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null }
          : { kind: 'not_sent', why: 'held_back', raw: null, code: null, message: null };
      },
    });
    await advance(provider, { monotonicNow: () => now });
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'APPROVED',
      ever_ambiguous: false,
      not_sent_tries: 1,
    });
  });

  it.each([
    ['belongs to another worker', 'lease_token = gen_random_uuid()'],
    ['is over', `lease_until = clock_timestamp() - interval '1 second'`],
  ])('whose lease %s by the time of its first byte sends nothing', async (_what, change) => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const provider = fakeProvider();
    const checkpointWritten = async (): Promise<boolean> => {
      await merchant.owner.query(`UPDATE movements SET ${change} WHERE id = $1`, [id]);
      return true;
    };
    await advance(provider, { checkpointWritten });
    expect(provider.asked).toEqual([]);
    const { rows } = await merchant.owner.query(
      `SELECT detail ->> 'kind' AS kind FROM evidence WHERE movement_id = $1 AND source = 'answer'`,
      [id],
    );
    expect(rows).toEqual([{ kind: 'not_sent' }]);
  });

  it('writes one line into the send journal for each request, with the number of that send', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const lines: SendJournalEntry[] = [];
    const journal = { append: async (line: SendJournalEntry) => lines.push(line) > 0 };
    const unreachable = fakeProvider({
      send: () => ({ kind: 'not_sent', why: 'refused', raw: null, code: null, message: null }),
    });
    for (const provider of [unreachable, fakeProvider()]) {
      await setColumns(merchant, id, { next_at: ago(1_000) });
      await advance(provider, { journal });
    }
    const { ext_id: reference } = await rowOf(merchant, id);
    expect(lines).toMatchObject(
      [1, 2].map((attempt) => ({
        kind: 'payout',
        reference,
        attempt,
        amountMinor: 12_345n,
        currency: 'TRY',
      })),
    );
  });

  it('has the time of the database in the send journal, whatever clock its own machine has', async () => {
    const DAYS_3_MS = 3 * 86_400_000;
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await setColumns(merchant, id, { next_at: ago(1_000) });
    const lines: SendJournalEntry[] = [];
    const journal = { append: async (line: SendJournalEntry) => lines.push(line) > 0 };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - DAYS_3_MS });
    await advance(fakeProvider(), { journal }).finally(() => vi.useRealTimers());
    expect(Date.now() - Date.parse(lines[0]!.at)).toBeLessThan(60_000);
  });

  it('that cannot write the send journal sends nothing, and leaves when the journal works again', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const provider = fakeProvider();
    const tryOnce = async (given: Partial<Ports>) => {
      await setColumns(merchant, id, { next_at: ago(1_000) });
      await advance(provider, given);
      const { viewMovement } = await import('#lib/movement-views/view.ts');
      const { situationOf } = await import('#lib/movement-views/situation.ts');
      const view = (await viewMovement(merchant.person('clerk'), id))!;
      return [view.state, view.alert, situationOf(view)];
    };
    const { overviewMovements } = await import('#lib/movement-views/overview.ts');
    const queued = async () => (await overviewMovements(merchant.person('clerk'))).queued.lists;
    const before = await queued();
    const unwritable = { journal: { append: async () => false } };
    for (let n = 0; n < 6; n++)
      expect(await tryOnce(unwritable)).toEqual([
        'APPROVED',
        'journal_unwritable',
        'queued_unwritten',
      ]);
    expect(await queued(), 'it does not wait for the provider').toEqual(before);
    expect(provider.asked).toEqual([]);
    expect(await tryOnce({})).toEqual(['PENDING', null, 'pending']);
  });

  it('costs nothing for all that is due later: an idle worker reads what is due, not what waits', async () => {
    const [waiting, asks] = [2_000, 30];
    await readyMovements(merchant, waiting, { dueInMs: 3_600_000 });
    await merchant.owner.query('ANALYZE movements');
    expect(await rowsReadBy(asks, merchant.merchantId)).toBeLessThan((asks * waiting) / 10);
  });

  it('reads the row it takes and not all that is due, also where nobody has counted the rows yet', async () => {
    const [due, asks] = [1_000, 30];
    const crowd = await testMerchant();
    await readyMovements(crowd, due);
    // Older servers keep what they have counted: then it holds with that.
    const { rows } = await merchant.owner.query<{ number: number }>(
      `SELECT current_setting('server_version_num')::int AS number`,
    );
    if (rows[0]!.number >= CLEARS_STATISTICS) {
      await merchant.owner.query(`SELECT pg_clear_relation_stats('public', 'movements')`);
      await merchant.owner.query(
        `SELECT pg_clear_attribute_stats('public', 'movements', attname, false) FROM pg_attribute
          WHERE attrelid = 'movements'::regclass AND attnum > 0 AND NOT attisdropped`,
      );
    }
    expect(await rowsReadBy(asks, crowd.merchantId)).toBeLessThan((asks * due) / 10);
    await crowd.close();
  });

  it("a row that cannot be claimed steps aside: it stands in nobody's way", async () => {
    const [poison] = (await readyMovements(merchant, 1, { dueInMs: -10_000 })) as [string];
    const [sound] = (await readyMovements(merchant, 1)) as [string];
    const provider = fakeProvider({
      requestHash: ({ id }) => {
        if (id === poison) throw new Error('this one cannot be written');
        return 'h';
      },
    });
    const before = Date.now();
    await expect(advance(provider)).rejects.toThrow('this one cannot be written');
    await advance(provider);
    expect(provider.asked.map((one) => one.id)).toEqual([sound]);
    const row = await rowOf(merchant, poison);
    expect([row.state, row.next_at!.getTime() >= before + 5_000]).toEqual(['APPROVED', true]);
  });

  it('a row whose claim fails ten times is flagged and retried rarely, until a claim works', async () => {
    const [poison, sound] = (await readyMovements(merchant, 2, { dueInMs: 3_600_000 })) as [
      string,
      string,
    ];
    const failing = fakeProvider({
      requestHash: ({ id }) => {
        if (id === poison) throw new Error('this one cannot be written');
        return 'h';
      },
    });
    const fail = async (times: number) => {
      let before = 0;
      for (let n = 0; n < times; n++) {
        await setColumns(merchant, poison, { next_at: ago(1_000) });
        before = Date.now();
        await expect(advance(failing)).rejects.toThrow('this one cannot be written');
      }
      const { alert, claim_failures, next_at } = await rowOf(merchant, poison);
      const rest = [5, 300].findLast((seconds) => next_at!.getTime() >= before + seconds * 1_000);
      return [alert, claim_failures, rest];
    };
    expect(await fail(9)).toEqual([null, 9, 5]);
    expect(await fail(1)).toEqual(['claim_failing', 10, 300]);
    expect(await fail(1)).toEqual(['claim_failing', 11, 300]);
    await setColumns(merchant, sound, { next_at: ago(1_000) });
    await advance(failing);
    expect(failing.asked.map((one) => one.id)).toEqual([sound]);
    await setColumns(merchant, poison, { next_at: LONGEST_DUE });
    await advance(fakeProvider());
    expect(await rowOf(merchant, poison)).toMatchObject({
      state: 'PENDING',
      alert: null,
      claim_failures: 0,
    });
    const { rows } = await merchant.owner.query(
      `SELECT action FROM audit_entries WHERE merchant_id = $1 AND subject = $2
        AND action IN ('movement.claim_failing', 'movement.claim_working') ORDER BY seq`,
      [merchant.merchantId, `movement:${poison}`],
    );
    expect(rows.map((row) => row.action)).toEqual([
      'movement.claim_failing',
      'movement.claim_working',
    ]);
  });

  it('a graver flag outlives failing and working claims: a possible double payment stays locked', async () => {
    const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000 })) as [string];
    await merchant.owner.query(
      `UPDATE movements SET alert = 'contradiction', claim_failures = 11,
        next_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const provider = fakeProvider();
    await advance(provider);
    expect(provider.asked).toEqual([]);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'APPROVED',
      alert: 'contradiction',
      claim_failures: 0,
    });
  });

  it('a row whose claim fails now and then is not flagged: what counts is in a row', async () => {
    const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000 })) as [string];
    await merchant.owner.query(
      'UPDATE movements SET claim_failures = 9, next_at = clock_timestamp() WHERE id = $1',
      [id],
    );
    await advance(
      fakeProvider({
        send: () => ({ kind: 'not_sent', why: 'refused', raw: null, code: null, message: null }),
      }),
    );
    await setColumns(merchant, id, { next_at: ago(1_000) });
    await expect(
      advance(
        fakeProvider({
          requestHash: () => {
            throw new Error('now and then');
          },
        }),
      ),
    ).rejects.toThrow('now and then');
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'APPROVED',
      alert: null,
      claim_failures: 1,
    });
  });

  it('a kind of movement that this worker does not know is left to one that does', async () => {
    const [id] = (await readyMovements(merchant, 1, { kind: 'transfer' })) as [string];
    expect((await advance(fakeProvider())).kind).toBe('at_rest');
    expect((await rowOf(merchant, id)).state).toBe('APPROVED');
  });
});

describe('the IBAN gate', () => {
  it('of many movements to one IBAN one leaves, however many claimers try; the next one 65 s later', async () => {
    const iban = testIban();
    const ids = await readyMovements(merchant, 12, { iban });
    const provider = fakeProvider({
      read: () => ({ kind: 'no_answer', why: 'timeout', raw: null }),
    });
    const claimed: number[] = [];
    for (let round = 1; round <= 3; round++) {
      await runAll(provider, 4);
      expect(provider.asked.filter((one) => one.kind === 'send')).toHaveLength(round);
      const { rows } = await merchant.owner.query(
        `SELECT last_send_at FROM iban_gates WHERE merchant_id = $1 AND iban = $2`,
        [merchant.merchantId, iban],
      );
      claimed.push(rows[0].last_send_at.getTime());
      const waiting = await merchant.owner.query(
        `SELECT next_at FROM movements WHERE id = ANY($1) AND state = 'APPROVED'`,
        [ids],
      );
      expect(waiting.rows).toHaveLength(12 - round);
      for (const row of waiting.rows) expect(row.next_at.getTime()).toBe(claimed.at(-1)! + 65_001);
      // Sets the last send to 60 s ago, so that no send may be claimed for another 5 s.
      await merchant.owner.query(
        `UPDATE iban_gates SET last_send_at = clock_timestamp() - interval '60 seconds'
          WHERE merchant_id = $1 AND iban = $2`,
        [merchant.merchantId, iban],
      );
      await merchant.owner.query(
        `UPDATE movements SET next_at = clock_timestamp() WHERE id = ANY($1) AND state = 'APPROVED'`,
        [ids],
      );
      await runAll(provider, 1);
      expect(
        provider.asked.filter((one) => one.kind === 'send'),
        'before the minute is over',
      ).toHaveLength(round);
      await merchant.owner.query(
        `UPDATE iban_gates SET last_send_at = clock_timestamp() - interval '65 seconds'
          WHERE merchant_id = $1 AND iban = $2`,
        [merchant.merchantId, iban],
      );
      await merchant.owner.query(
        `UPDATE movements SET next_at = clock_timestamp() WHERE id = ANY($1) AND state = 'APPROVED'`,
        [ids],
      );
    }
  });

  it('two that race for an IBAN never used before: one leaves', async () => {
    for (let round = 0; round < 20; round++) {
      const ids = await readyMovements(merchant, 2, { iban: testIban() });
      const provider = fakeProvider();
      const ports = fakePorts(merchant.merchantId, provider);
      await Promise.all(workers.map((worker) => worker.advance.advanceOne(ports)));
      expect(provider.asked).toHaveLength(1);
      await merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE id = ANY($1)`, [ids]);
    }
  });

  it('what provably never left keeps nobody waiting, and what may have left does', async () => {
    const outcomes = [
      [{ kind: 'not_sent', why: 'refused' }, 2],
      [{ kind: 'unauthorized' }, 2],
      [{ kind: 'unclear', why: 'timeout' }, 1],
      [{ kind: 'same_iban_wait' }, 1],
      [{ kind: 'refused', code: '311' }, 1],
    ] as const;
    for (const [outcome, sends] of outcomes) {
      const ids = await readyMovements(merchant, 2, { iban: testIban() });
      const provider = fakeProvider({
        send: () => ({ raw: null, code: null, message: null, ...outcome }),
      });
      await advance(provider);
      await advance(provider);
      expect(
        provider.asked.filter((one) => one.kind === 'send'),
        outcome.kind,
      ).toHaveLength(sends);
      await merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE id = ANY($1)`, [ids]);
    }
  });
});

describe('what may not leave', () => {
  it.each(['payout', 'all'] as const)(
    'while the switch of %s is off, nothing is sent; what waited leaves after its release',
    async (name) => {
      await web.stop.stopSending(merchant.person('approver'), name, 'a bad day');
      const [ready] = (await readyMovements(merchant, 1)) as [string];
      try {
        const unknown = await storedMovement(merchant, 'UNKNOWN', ripe);
        const provider = fakeProvider();
        await runAll(provider, 1);
        expect(provider.asked.map((one) => [one.kind, one.id])).toEqual([['read', unknown]]);
        const row = await rowOf(merchant, ready);
        expect([row.state, row.next_at!.getTime() > Date.now()]).toEqual(['APPROVED', true]);
      } finally {
        await web.release.requestResume(
          merchant.person('approver'),
          { kind: name, cause: 'person' },
          'over now',
        );
        await web.release.confirmResume(merchant.person('owner'), { kind: name, cause: 'person' });
      }
      const provider = fakeProvider();
      await runAll(provider, 1);
      expect(
        provider.asked.filter((one) => one.kind === 'send').map((one) => one.id),
        'what waited leaves at once',
      ).toContain(ready);
    },
  );

  it('without its approvals: it waits, and leaves when they are there', async () => {
    const { merchantId } = merchant;
    const id = randomUUID();
    const clerk = merchant.person('clerk').personId;
    const content = {
      ...{ wallet: '1', iban: testIban(), name: 'N', taxNumber: '1', paymentType: '1' },
      ...{ toWallet: null, foundBy: null, foundName: null },
      ...{ amountMinor: 100n, currency: 'TRY', description: 'd' },
    };
    const hash = contentHash('payout', content);
    await merchant.owner.query(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
        amount_minor, currency, payment_type, description, content_hash, maker_id, approvals_needed)
       VALUES ($1, $2, 'payout', $3, 'DRAFT', '1', $4, 'N', '1', 100, 'TRY', '1', 'd', $6, $5, 1)`,
      [id, merchantId, randomUUID(), content.iban, clerk, hash],
    );
    const sign = () =>
      merchant.owner.query(
        `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash)
          VALUES ($1, $2, $3, $4)`,
        [merchantId, id, merchant.person('owner').personId, hash],
      );
    await setColumns(merchant, id, { state: 'AWAITING_APPROVAL' });
    await sign();
    await setColumns(merchant, id, { state: 'APPROVED', next_at: ago(0) });
    const unguarded = (statement: string) =>
      merchant.owner.query(`BEGIN; ALTER TABLE approvals DISABLE TRIGGER USER; ${statement};
        ALTER TABLE approvals ENABLE TRIGGER USER; COMMIT`);
    await unguarded(`DELETE FROM approvals WHERE movement_id = '${id}'`);
    const provider = fakeProvider();
    await advance(provider);
    const waiting = await rowOf(merchant, id);
    expect([provider.asked, waiting.next_at!.getTime() > Date.now(), waiting.alert]).toEqual([
      [],
      true,
      'approvals_missing',
    ]);
    await unguarded(
      `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash) VALUES
        ('${merchantId}', '${id}', '${merchant.person('owner').personId}', '${hash}')`,
    );
    await setColumns(merchant, id, { next_at: ago(0) });
    await advance(provider);
    expect(provider.asked.map((one) => one.kind)).toEqual(['send']);
    expect((await rowOf(merchant, id)).alert, 'over').toBeNull();
  });

  it('what pays again a payment that a record now calls made: it waits, flagged, until cancelled', async () => {
    const { overviewMovements } = await import('#lib/movement-views/overview.ts');
    const queued = async () => (await overviewMovements(merchant.person('clerk'))).queued.lists;
    const before = await queued();
    const first = await storedMovement(merchant, 'REJECTED');
    const again = await storedMovement(merchant, 'REJECTED', {}, { retryOf: first });
    const [id] = (await readyMovements(merchant, 1, { retryOf: again })) as [string];
    const [other] = (await readyMovements(merchant, 1)) as [string];
    const provider = fakeProvider();
    const claim = await workers[0]!.claim.claimDue(fakePorts(merchant.merchantId, provider));
    if (claim.kind !== 'send') throw new Error(`claimed ${claim.kind}`);
    expect(claim.movement.id).toBe(id);
    // The record of the first payment is listed late, while the last one is about to leave.
    await setColumns(merchant, first, { alert: 'contradiction' });
    const begin = await import('./begin.ts');
    const ports = fakePorts(merchant.merchantId, provider);
    expect(await begin.beginMovement(merchant.merchantId, ports, claim)).toMatchObject({
      stopped: true,
    });
    await setColumns(merchant, id, {
      ...{ state: 'APPROVED', lease_until: null, lease_token: null, next_at: ago(1_000) },
      not_sent_tries: 1,
    });
    for (let round = 0; round < 4; round++) await advance(provider);
    const sent = provider.asked.filter(({ kind }) => kind === 'send');
    expect(sent.map((one) => one.id)).toEqual([other]);
    const waiting = await rowOf(merchant, id);
    expect([waiting.state, waiting.alert]).toEqual(['APPROVED', 'earlier_may_be_paid']);
    expect(await queued(), 'it does not wait for the provider').toEqual(before);
    await web.cancel.cancelMovement(merchant.person('clerk'), id);
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'CANCELLED', alert: null });
  });

  it('and neither is it sent again once it may have been sent: a resend would pay a second time', async () => {
    const first = await storedMovement(merchant, 'REJECTED');
    const again = await storedMovement(merchant, 'UNKNOWN', ripe, { retryOf: first });
    await setColumns(merchant, first, { alert: 'contradiction' });
    const provider = fakeProvider();
    await advance(provider);
    expect(provider.asked.map((one) => [one.kind, one.id])).toEqual([['read', again]]);
    // A resend that was claimed before the record of the first payment was listed.
    await setColumns(merchant, first, { alert: null });
    await setColumns(merchant, again, { ...ripe, next_at: ago(1_000) });
    const claim = await workers[0]!.claim.claimDue(fakePorts(merchant.merchantId, provider));
    if (claim.kind !== 'send') throw new Error(`claimed ${claim.kind}`);
    await setColumns(merchant, first, { alert: 'contradiction' });
    const begin = await import('./begin.ts');
    const ports = fakePorts(merchant.merchantId, provider);
    expect(await begin.beginMovement(merchant.merchantId, ports, claim)).toMatchObject({
      stopped: true,
    });
    await setColumns(merchant, again, {
      ...{ state: 'UNKNOWN', lease_until: null, lease_token: null, next_at: null },
    });
  });

  it('a resend carries the same reference and the same bytes; other bytes are never sent', async () => {
    const same = await storedMovement(merchant, 'UNKNOWN', ripe);
    const other = await storedMovement(merchant, 'UNKNOWN', ripe);
    for (const id of [same, other]) {
      const [row] = (
        await merchant.owner.query(`SELECT ext_id, amount_minor FROM movements WHERE id = $1`, [id])
      ).rows;
      const hash =
        id === same
          ? fakeProvider().requestHash({
              extId: row.ext_id,
              amountMinor: BigInt(row.amount_minor),
            } as never)
          : 'what an older version wrote';
      await merchant.owner.query(
        `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token)
          VALUES ($1, $2, 1, $3, $4)`,
        [merchant.merchantId, id, hash, randomUUID()],
      );
    }
    const provider = fakeProvider();
    await runAll(provider, 1);
    // What was accepted is read three seconds later.
    const asked = provider.asked.filter(({ kind, id }) => kind === 'send' || id === other);
    expect(asked.map((one) => [one.kind, one.id]).toSorted()).toEqual(
      [
        ['read', other],
        ['send', same],
      ].toSorted(),
    );
    const { rows } = await merchant.owner.query(
      `SELECT n, body_hash FROM attempts WHERE movement_id = $1 ORDER BY n`,
      [same],
    );
    expect([rows.map((row) => row.n), new Set(rows.map((row) => row.body_hash)).size]).toEqual([
      [1, 2],
      1,
    ]);
    expect((await rowOf(merchant, same)).sends).toBe(2);
  });
});

describe('cancelling and claiming at once', () => {
  it(
    'exactly one wins, 200 times',
    async () => {
      const ids = await readyMovements(merchant, 200, { dueInMs: 3_600_000 });
      let cancelled = 0;
      for (const [n, id] of ids.entries()) {
        const provider = fakeProvider();
        const ports = fakePorts(merchant.merchantId, provider);
        await setColumns(merchant, id, { next_at: ago(0) });
        // Varies whether the cancellation or the worker starts first.
        const shift = (n % 9) - 4;
        const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
        const [cancel] = await Promise.all([
          wait(shift)
            .then(() => web.cancel.cancelMovement(merchant.person('clerk'), id))
            .then(
              () => 'cancelled',
              (error: { code?: string }) => error.code,
            ),
          wait(-shift).then(() => workers[n % 2]!.advance.advanceOne(ports)),
        ]);
        const row = await rowOf(merchant, id);
        const sends = provider.asked.filter((one) => one.kind === 'send').length;
        if (cancel === 'cancelled')
          expect([row.state, row.sends, sends]).toEqual(['CANCELLED', 0, 0]);
        else
          expect([cancel, row.state, row.sends, sends]).toEqual([
            'too_late_to_cancel',
            'PENDING',
            1,
            1,
          ]);
        cancelled += cancel === 'cancelled' ? 1 : 0;
      }
      expect(cancelled, 'both of them win sometimes').toBeGreaterThan(0);
      expect(cancelled).toBeLessThan(200);
    },
    SLOW_MS,
  );
});
