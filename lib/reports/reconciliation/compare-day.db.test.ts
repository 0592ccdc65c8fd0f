import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Acknowledge from './acknowledge.ts';
import type * as CompareDay from './compare-day.ts';
import type * as ReadBooks from './read-books.ts';
import type * as View from './view.ts';

/** The worker compares closed days, and people see and acknowledge the differences. */

let merchant: TestMerchant;
let worker: Process;
let web: Process;
let chore: typeof CompareDay;
let books: typeof ReadBooks;
let view: typeof View;
let acknowledge: typeof Acknowledge;
const HOUR = 3_600_000;
/**
 * The last day that ended longer ago than an entry may take to appear. In the first hour of a day
 * this is not yesterday.
 */
const yesterday = addDays(dayIn(new Date(Date.now() - HOUR).toISOString()), -1);
const before = addDays(yesterday, -1);
const noon = (day: string): number => Date.parse(dayRange(day).from) + 12 * HOUR;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  view = await import('./view.ts');
  acknowledge = await import('./acknowledge.ts');
  worker = await openProcess('dashboard_worker');
  chore = await import('./compare-day.ts');
  books = await import('./read-books.ts');
  await merchant.owner.query(`UPDATE merchants SET created_at = $2 WHERE id = $1`, [
    merchant.merchantId,
    new Date(noon(before) - 2 * HOUR),
  ]);
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

/** Marks both lists of a day as completely read, just now or `at`. */
async function read(day: string, at: Date = new Date()): Promise<void> {
  for (const list of ['ledger', 'withdrawals']) {
    await merchant.owner.query(
      `INSERT INTO record_days (merchant_id, list, day, read_at)
        VALUES ($1, $2, $3, $4) ON CONFLICT (merchant_id, list, day) DO UPDATE
        SET read_at = excluded.read_at`,
      [merchant.merchantId, list, day, at],
    );
  }
}

/** Creates a payout that was paid at noon of that day, in our records and the provider's. */
async function paid(
  day: string,
  minutes = 0,
): Promise<{ id: string; extId: string; txId: string }> {
  const at = new Date(noon(day) + minutes * 60_000);
  const txId = String(BigInt(`0x${randomUUID().slice(0, 8)}`) + 9_000_000_000n);
  const id = await storedMovement(merchant, 'COMPLETED', {
    state_since: at,
    accepted_at: at,
    ended_at: at,
    transaction_id: txId,
    ledger_seen_at: at,
  });
  await merchant.owner.query(
    `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token, at)
      VALUES ($1, $2, 1, 'h', $3, $4)`,
    [merchant.merchantId, id, randomUUID(), at],
  );
  const { rows } = await merchant.owner.query<{ ext_id: string; iban: string }>(
    `SELECT ext_id, iban FROM movements WHERE id = $1`,
    [id],
  );
  await request(`r${txId}`, rows[0]!.ext_id, at, { iban: rows[0]!.iban });
  await line(txId, rows[0]!.ext_id, at);
  return { id, extId: rows[0]!.ext_id, txId };
}

async function request(
  id: string,
  extId: string | null,
  at: Date,
  { amount = 12_345n, level = 'completed', iban = null as string | null } = {},
): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO withdraw_records (merchant_id, request_id, ext_id, level, amount_minor, currency,
      iban, name, created_at, raw) VALUES ($1, $2, $3, $4, $5, 'TRY', $6, 'Ayşe Yılmaz', $7, '{}')`,
    [merchant.merchantId, id, extId, level, amount.toString(), iban, at],
  );
}

async function line(
  id: string,
  extId: string | null,
  at: Date,
  { amount = 12_345n, direction = 'out', refersTo = null as string | null } = {},
): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, ext_id, refers_to, created_at, completed_at, raw)
      VALUES ($1, $2, 2002, 20, $3, $4, 0, 'TRY', $5, $6, $7, $7, '{}')`,
    [merchant.merchantId, id, direction, amount.toString(), extId, refersTo, at],
  );
}

/** Runs the comparison until nothing is due; returns the number of days compared. */
async function run(): Promise<number> {
  let days = 0;
  while (await chore.compareOneDay(merchant.merchantId)) days += 1;
  return days;
}

/** Marks the day as read again, so that it is compared again. */
async function again(day: string): Promise<void> {
  await read(day);
  expect(await run()).toBe(1);
}

const stored = async (day: string) =>
  (
    await merchant.owner.query(
      `SELECT kind, reference, state, movement_id, request_id, line_id, acknowledged_reason
        FROM differences WHERE merchant_id = $1 AND day = $2 ORDER BY kind, reference`,
      [merchant.merchantId, day],
    )
  ).rows;
const dayRow = async (day: string) =>
  (
    await merchant.owner.query(
      `SELECT waiting, movements, requests, lines, sums, digest, compared_at FROM reconciliations
        WHERE merchant_id = $1 AND day = $2`,
      [merchant.merchantId, day],
    )
  ).rows[0];
const greens = async (day: string) =>
  (
    await merchant.owner.query<{ body: string }>(
      `SELECT body FROM audit_entries WHERE merchant_id = $1 AND action = 'reconciliation.clean'
        AND subject = $2 ORDER BY seq`,
      [merchant.merchantId, `reconciliation:${day}`],
    )
  ).rows.map((row) => JSON.parse(row.body).detail);
const movements = async () =>
  (
    await merchant.owner.query(
      `SELECT id, xmin, updated_at FROM movements WHERE merchant_id = $1 ORDER BY id`,
      [merchant.merchantId],
    )
  ).rows;

describe('a closed day', () => {
  it('is compared once both listings were read after it could still grow, and not before', async () => {
    await paid(yesterday);
    await paid(yesterday, 5);
    expect(await run(), 'nothing was read').toBe(0);
    const end = Date.parse(dayRange(yesterday).to);
    await read(yesterday, new Date(end + 19 * 60_000));
    expect(await run(), 'a line may still appear').toBe(0);
    await read(yesterday);
    expect(await run()).toBe(1);
    const row = await dayRow(yesterday);
    expect(row).toMatchObject({
      waiting: 0,
      movements: 2,
      requests: 2,
      lines: 2,
      sums: { TRY: { ours: '24690', theirs: '24690' } },
    });
    expect(await stored(yesterday)).toEqual([]);
    expect(await greens(yesterday)).toEqual([
      expect.objectContaining({ digest: row.digest, movements: 2 }),
    ]);
  });

  it('compared again says the same, and writes its digest into the chain only when it is another', async () => {
    const first = (await dayRow(yesterday)).digest;
    await again(yesterday);
    expect([(await dayRow(yesterday)).digest, (await greens(yesterday)).length]).toEqual([
      first,
      1,
    ]);
    await paid(yesterday, 10);
    await again(yesterday);
    expect((await greens(yesterday)).map((one) => one.digest)).toEqual([
      first,
      (await dayRow(yesterday)).digest,
    ]);
    expect((await dayRow(yesterday)).digest).not.toBe(first);
  });

  it('compared by three workers at once writes its digest into the chain once', async () => {
    const before = (await greens(yesterday)).length;
    await paid(yesterday, 15);
    await read(yesterday);
    const days = await Promise.all([run(), run(), run()]);
    expect(Math.max(...days)).toBe(1);
    expect((await greens(yesterday)).length).toBe(before + 1);
  });

  it('finds planted differences as work, changes no movement, and closes them when they are gone', async () => {
    const { id, extId } = await paid(yesterday, 20);
    const missing = await paid(yesterday, 30);
    await merchant.owner.query(
      `UPDATE withdraw_records SET amount_minor = 99 WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, extId],
    );
    await merchant.owner.query(
      `DELETE FROM ledger_records WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, missing.extId],
    );
    await request('panel-1', 'PANEL-77', new Date(noon(yesterday)));
    await line('9000000000000000077', 'PANEL-77', new Date(noon(yesterday)));
    await line('9000000000000000078', '7BFKQVZ37BFKQVZ3MNPR', new Date(noon(yesterday)));
    const untouched = await movements();
    await again(yesterday);
    expect(
      (await stored(yesterday)).map(
        ({ kind, reference, state, movement_id, request_id, line_id }) => [
          kind,
          reference,
          state,
          movement_id,
          request_id,
          line_id,
        ],
      ),
    ).toEqual([
      ['amount', extId, 'OPEN', id, expect.any(String), expect.any(String)],
      ['made_elsewhere', 'request:panel-1', 'OPEN', null, 'panel-1', '9000000000000000077'],
      ['missing_here', 'line:9000000000000000078', 'OPEN', null, null, '9000000000000000078'],
      ['missing_there', missing.extId, 'OPEN', missing.id, expect.any(String), null],
    ]);
    expect((await dayRow(yesterday)).digest).toBeNull();
    expect(await movements()).toEqual(untouched);
    await line(missing.txId, missing.extId, new Date(noon(yesterday)));
    await merchant.owner.query(
      `UPDATE withdraw_records SET amount_minor = 12345 WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, extId],
    );
    await again(yesterday);
    expect((await stored(yesterday)).map((one) => [one.kind, one.state])).toEqual([
      ['amount', 'CLOSED'],
      ['made_elsewhere', 'OPEN'],
      ['missing_here', 'OPEN'],
      ['missing_there', 'CLOSED'],
    ]);
  });

  it('acknowledged by a person stays so while it looks the same, and reopens when it changes', async () => {
    const shown = async () =>
      (await view.viewDay(merchant.person('approver'), yesterday))!.differences.find(
        (one) => one.reference === 'request:panel-1',
      )!;
    const { id, recorded } = await shown();
    const by = (role: 'clerk' | 'approver' | 'owner', reason: string, seen = recorded) =>
      acknowledge.acknowledgeDifference(merchant.person(role), id, seen, reason);
    await expect(by('clerk', 'Panelden yapılmış')).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(by('approver', 'x')).rejects.toMatchObject({ code: 'stop_reason_needed' });
    await merchant.owner.query(
      `UPDATE withdraw_records SET level = 'pending' WHERE merchant_id = $1
        AND request_id = 'panel-1'`,
      [merchant.merchantId],
    );
    await again(yesterday);
    await expect(
      by('approver', 'Sağlayıcının panelinden yapılmış'),
      'what was seen has changed',
    ).rejects.toMatchObject({ code: 'difference_changed' });
    expect(await shown()).toMatchObject({ state: 'OPEN', theirs: { level: 'pending' } });
    const now = (await shown()).recorded;
    await by('approver', 'Sağlayıcının panelinden yapılmış', now);
    await expect(by('owner', 'Bir daha yazılmaz', now)).rejects.toMatchObject({
      code: 'difference_changed',
    });
    const { rows } = await merchant.owner.query(
      `SELECT body FROM audit_entries WHERE merchant_id = $1 AND action = 'reconciliation.acknowledged'`,
      [merchant.merchantId],
    );
    expect([rows.length, JSON.parse(rows[0].body).detail]).toEqual([
      1,
      expect.objectContaining({
        kind: 'made_elsewhere',
        reference: 'request:panel-1',
        role: 'approver',
      }),
    ]);
    await again(yesterday);
    expect((await stored(yesterday))[1]).toMatchObject({
      state: 'ACKNOWLEDGED',
      acknowledged_reason: 'Sağlayıcının panelinden yapılmış',
    });
    await merchant.owner.query(
      `UPDATE withdraw_records SET level = 'failed' WHERE merchant_id = $1 AND request_id = 'panel-1'`,
      [merchant.merchantId],
    );
    await again(yesterday);
    expect((await stored(yesterday))[1]).toMatchObject({
      state: 'OPEN',
      acknowledged_reason: null,
    });
  });

  it('that is closed is open again when it is found again', async () => {
    const [one] = (await stored(yesterday)).filter((row) => row.kind === 'amount');
    await merchant.owner.query(
      `UPDATE withdraw_records SET amount_minor = 98 WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, one!.reference],
    );
    await again(yesterday);
    expect((await stored(yesterday)).find((row) => row.kind === 'amount')).toMatchObject({
      state: 'OPEN',
    });
    await merchant.owner.query(
      `UPDATE withdraw_records SET amount_minor = 12345 WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, one!.reference],
    );
    await again(yesterday);
  });

  it('has its payments in one order for its digest, however the database finds them', async () => {
    const { rows } = await merchant.owner.query<{ id: string }>(
      `SELECT id FROM movements WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    const ids = rows.map(({ id }) => id).sort();
    expect(ids.length).toBeGreaterThan(5);
    const { ours } = await worker.db.inTransaction(merchant.merchantId, async (tx) => {
      // Without an index the rows come in the order in which they were last written.
      await tx.$executeRaw`SELECT set_config('enable_indexscan', 'off', true)`;
      return books.booksOf(tx, ids);
    });
    expect(ours.map(({ id }) => id)).toEqual(ids);
  });
});

describe('the edges of days', () => {
  it('a record of 21:30 UTC belongs to the next day, and a payment recorded there is no difference', async () => {
    const counted = await dayRow(yesterday);
    const midnight = Date.parse(dayRange(yesterday).from);
    await request('late', 'PANEL-LATE', new Date(`${before}T21:30:00Z`));
    const { id, extId } = await paid(before, 11 * 60 + 59);
    await merchant.owner.query(
      `UPDATE withdraw_records SET created_at = $3 WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, extId, new Date(midnight + 1_000)],
    );
    await read(before);
    expect(await run()).toBeGreaterThan(0);
    expect(await stored(before)).toEqual([]);
    await again(yesterday);
    expect((await stored(yesterday)).map((row) => row.reference)).toContain('request:late');
    expect((await stored(yesterday)).filter((row) => row.movement_id === id)).toEqual([]);
    expect(await dayRow(yesterday), 'the payment is counted in its own day alone').toMatchObject({
      movements: counted.movements,
      requests: counted.requests + 1,
      lines: counted.lines,
    });
  });

  it('a return of a later day is a difference of the day of its payment', async () => {
    const { extId, txId } = await paid(before, 60);
    await line('9000000000000000099', null, new Date(noon(yesterday)), {
      direction: 'in',
      refersTo: txId,
    });
    await again(yesterday);
    expect((await stored(before)).map((row) => [row.kind, row.reference, row.line_id])).toEqual([
      ['return_unseen', extId, txId],
    ]);
    expect((await stored(yesterday)).filter((row) => row.reference === extId)).toEqual([]);
  });

  it('a difference of a day that is not compared itself is shown, and not as a day being read', async () => {
    await merchant.owner.query(`DELETE FROM reconciliations WHERE merchant_id = $1 AND day = $2`, [
      merchant.merchantId,
      before,
    ]);
    const { days } = await view.listDays(merchant.person('auditor'), null, { open: true });
    const open = { verdict: 'differences', open: 1, comparedAt: null };
    expect(days.find(({ day }) => day === before)).toMatchObject(open);
    expect(await view.viewDay(merchant.person('auditor'), before)).toMatchObject(open);
    const seenBy = (personId: string | null) =>
      merchant.owner.query(
        `UPDATE differences SET state = CASE WHEN $3::uuid IS NULL THEN 'OPEN' ELSE 'ACKNOWLEDGED' END,
          acknowledged_by = $3::uuid, acknowledged_at = CASE WHEN $3::uuid IS NOT NULL THEN now() END,
          acknowledged_reason = CASE WHEN $3::uuid IS NOT NULL THEN 'asked' END
         WHERE merchant_id = $1 AND day = $2`,
        [merchant.merchantId, before, personId],
      );
    await seenBy(merchant.person('owner').personId);
    expect(await view.viewDay(merchant.person('auditor'), before)).toMatchObject({
      ...{ verdict: 'reading', open: 0, acknowledged: 1 },
    });
    await seenBy(null);
  });

  it('a payment made elsewhere is read with the entries that return it', async () => {
    const [gone, back] = ['9000000000000000011', '9000000000000000012'];
    const at = new Date(noon(before) - 5 * HOUR);
    await request('panel-back', 'PANEL-BACK', at);
    await line(gone, 'PANEL-BACK', at);
    await line(back, null, at, { direction: 'in', refersTo: gone });
    const linesOf = async (readBooks: typeof books.foreignLines, id: string) =>
      (await worker.db.inTransaction(merchant.merchantId, (tx) => readBooks(tx, [id]))).lines.map(
        (one) => one.id,
      );
    expect(await linesOf(books.foreignRequests, 'panel-back')).toEqual([gone, back]);
    expect(await linesOf(books.foreignLines, gone)).toEqual([gone, back]);
  });

  it('records from before our books began are not compared', async () => {
    await line('9000000000000000001', 'PANEL-OLD', new Date(noon(before) - 3 * HOUR));
    await again(before);
    expect((await stored(before)).filter((row) => row.kind === 'made_elsewhere')).toEqual([]);
  });
});

describe('what people see', () => {
  it('an acknowledgement of what either side no longer records is refused', async () => {
    const owner = merchant.person('owner');
    const { differences } = (await view.viewDay(owner, yesterday))!;
    const { id, recorded } = differences.find(({ state }) => state === 'OPEN')!;
    for (const side of ['ours', 'theirs']) {
      const { rows } = await merchant.owner.query(
        `UPDATE differences d SET ${side} = '{"amount":"1"}' FROM differences b
          WHERE b.id = d.id AND d.id = $1 RETURNING b.${side} AS before`,
        [id],
      );
      await expect(
        acknowledge.acknowledgeDifference(owner, id, recorded, 'asked the provider'),
        side,
      ).rejects.toMatchObject({ code: 'difference_changed' });
      await merchant.owner.query(`UPDATE differences SET ${side} = $2 WHERE id = $1`, [
        ...[id, rows[0].before],
      ]);
    }
  });

  it('each day with its verdict, the newest first, back to the day our books began', async () => {
    const { days } = await view.listDays(merchant.person('auditor'), null);
    expect(
      days
        .filter(({ day }) => day <= yesterday)
        .map(({ day, verdict, open }) => [day, verdict, open]),
    ).toEqual([
      [yesterday, 'differences', 3],
      [before, 'differences', 1],
    ]);
    expect(await view.countOpenDifferences(merchant.person('clerk'))).toBe(4);
  });

  it('both sides beside each other; who may not see payees sees them masked', async () => {
    const seen = await view.viewDay(merchant.person('approver'), yesterday);
    const elsewhere = seen!.differences.find((one) => one.reference === 'request:panel-1')!;
    expect(elsewhere).toMatchObject({
      kind: 'made_elsewhere',
      state: 'OPEN',
      movement: null,
      theirs: { amount: '123.45', currency: 'TRY', level: 'failed' },
      request: { name: 'Ayşe Yılmaz' },
    });
    const ibanFor = async (role: 'approver' | 'support') =>
      (await view.viewDay(merchant.person(role), before))!.differences[0]!.movement!.iban;
    expect([await ibanFor('approver'), await ibanFor('support')]).toEqual([
      expect.stringMatching(/^TR\d{24}$/),
      expect.stringMatching(/^TR\*\*…\d{4}$/),
    ]);
    expect(await view.viewDay(merchant.person('owner'), addDays(before, -1))).toBeNull();
  });

  it('the first five hundred differences, and that there are more', async () => {
    const shown = async () => {
      const { differences, isCut } = (await view.viewDay(merchant.person('auditor'), yesterday))!;
      return { shown: differences.length, isCut };
    };
    const { shown: few, isCut } = await shown();
    expect([few < 500, isCut]).toEqual([true, false]);
    await merchant.owner.query(
      `INSERT INTO differences (merchant_id, day, kind, reference)
        SELECT $1, $2, 'made_elsewhere', 'line:many-' || n FROM generate_series(1, $3::int) n`,
      [merchant.merchantId, yesterday, 500 - few],
    );
    expect(await shown()).toEqual({ shown: 500, isCut: false });
    await merchant.owner.query(
      `INSERT INTO differences (merchant_id, day, kind, reference)
        VALUES ($1, $2, 'made_elsewhere', 'line:one-more')`,
      [merchant.merchantId, yesterday],
    );
    expect(await shown()).toEqual({ shown: 500, isCut: true });
  });
});

describe('a day of months ago', () => {
  it('that differs is compared until it is settled', async () => {
    const old = addDays(yesterday, -80);
    await merchant.owner.query(`UPDATE merchants SET created_at = $2 WHERE id = $1`, [
      merchant.merchantId,
      new Date(noon(old) - 2 * HOUR),
    ]);
    const { extId } = await paid(old);
    await read(old, new Date(noon(old) + 48 * HOUR));
    // What the comparisons of its own weeks have left, before the provider mended its record.
    await merchant.owner.query(
      `INSERT INTO reconciliations (merchant_id, day, compared_at)
        VALUES ($1, $2, now() - interval '40 days')`,
      [merchant.merchantId, old],
    );
    await merchant.owner.query(
      `INSERT INTO differences (merchant_id, day, kind, reference) VALUES ($1, $2, 'amount', $3)`,
      [merchant.merchantId, old, extId],
    );
    await run();
    expect(await stored(old)).toMatchObject([
      { kind: 'amount', reference: extId, state: 'CLOSED' },
    ]);
    expect((await greens(old)).length).toBe(1);
  });

  it('is neither settled nor clean by a comparison that began before its difference was found', async () => {
    const old = addDays(yesterday, -79);
    await paid(old);
    await read(old, new Date(noon(old) + 48 * HOUR));
    await merchant.owner.query(
      `INSERT INTO reconciliations (merchant_id, day, compared_at, waiting)
        VALUES ($1, $2, now() - interval '40 days', 1)`,
      [merchant.merchantId, old],
    );
    const found = () =>
      merchant.owner.query(
        `INSERT INTO differences (merchant_id, day, kind, reference)
          VALUES ($1, $2, 'twice', 'FOUND-MEANWHILE')`,
        [merchant.merchantId, old],
      );
    const query = pg.Client.prototype.query as (...of: unknown[]) => unknown;
    const isEnd = (of: unknown): boolean =>
      String((of as { text?: string }).text).includes('UPDATE differences');
    let ends = 0;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...of: unknown[]
    ) {
      const now = () => query.apply(this, of);
      return isEnd(of[0]) && ends++ === 0 ? found().then(now) : now();
    });
    try {
      expect([await chore.compareOneDay(merchant.merchantId), ends]).toEqual([true, 1]);
    } finally {
      vi.restoreAllMocks();
    }
    expect(await stored(old)).toMatchObject([{ reference: 'FOUND-MEANWHILE', state: 'OPEN' }]);
    expect([(await dayRow(old)).digest, await greens(old)]).toEqual([null, []]);
  });
});
