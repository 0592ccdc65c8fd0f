import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { refused as refusedAs } from '#lib/movements/testing/movement.ts';
import { setColumns } from '#lib/movements/testing/stored.ts';
import type { SendOutcome } from '#lib/providers/outcome.ts';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { SubmittedRow } from './submit.ts';

/** The most movements of one batch that are ready or being sent. */
const WINDOW = 16;

/** What the provider takes for a payout, as it answers in these tests. */
const FEE = 320n;

const ALL_TICKED = [
  ...['payee_other_iban', 'duplicate', 'duplicate_other_iban', 'near_duplicate'],
  ...['unknown_other_amount', 'first_payment'],
];
const UNCLEAR: SendOutcome = {
  kind: 'unclear',
  why: 'timeout',
  raw: '{}',
  code: null,
  message: null,
};

/** Every row of a submitted batch ends in exactly one known state, whoever feeds it or stops it. */

const wallets = { available: 100_000_000n as bigint | null, silent: false };
let merchant: TestMerchant;
let web: Process;
let otherWeb: Process;
let worker: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) =>
      wallets.silent
        ? null
        : {
            number,
            currency: 'TRY',
            access: 'active',
            availableMinor: wallets.available,
            limits: { withdrawalMinor: 50_000_000n },
          },
    paymentTypes: async () => [{ code: '1', name: 'Other', descriptionMin: 3 }],
  }));
  [web, otherWeb] = [await openProcess('dashboard_web'), await openProcess('dashboard_web')];
  worker = await openProcess('dashboard_worker');
});
afterAll(async () => {
  await Promise.all([web, otherWeb, worker].map((side) => side.db.disconnect()));
  await merchant.close();
});
beforeEach(async () => {
  Object.assign(wallets, { available: 100_000_000n, silent: false });
  // Each test has its own batch; those before are over.
  await merchant.owner.query(
    `UPDATE batch_runs SET stopped_at = clock_timestamp()
      WHERE merchant_id = $1 AND stopped_at IS NULL`,
    [merchant.merchantId],
  );
  await merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE merchant_id = $1`, [
    merchant.merchantId,
  ]);
});

let serial = 0;

function row(given: Partial<SubmittedRow> = {}): SubmittedRow {
  serial += 1;
  return {
    number: serial,
    original: ['Kaya Ltd.', 'TR…'],
    iban: freshIban(),
    name: `Alıcı ${'ABCDEFGHIJKLMNOPRSTUVYZ'[serial % 23]}${serial} Ltd.`,
    taxNumber: '10000000146',
    amountMinor: 10_000n + BigInt(serial * 1_700),
    paymentType: '1',
    description: `Fatura ${serial}`,
    overrides: ['payee_other_iban', 'duplicate_other_iban', 'near_duplicate', 'tax_other_name'],
    overrideReason: 'kira',
    retryOf: null,
    ...given,
  };
}
const rows = (count: number, given: Partial<SubmittedRow> = {}) =>
  Array.from({ length: count }, () => row(given));

async function draft(): Promise<string> {
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
      file_hash, source)
     VALUES ($1, $2, $3, '1000000001', 'TRY', 'maaslar.xlsx', 'workbook', 's', $4, '\\x00')`,
    [
      id,
      merchant.merchantId,
      merchant.person('clerk').personId,
      createHash('sha256').update(id).digest('hex'),
    ],
  );
  return id;
}

async function submitted(all: SubmittedRow[]): Promise<string> {
  const id = await draft();
  await web.batches.submitRows(merchant.person('clerk'), { id, version: 1 }, all);
  return id;
}

/** Feeds as long as something is due now. */
async function feed(side: Process = web): Promise<void> {
  while (await side.batches.feedOneBatch(merchant.merchantId));
}

async function feedAgain(id: string): Promise<void> {
  await merchant.owner.query(
    'UPDATE batch_runs SET feed_at = clock_timestamp() WHERE batch_id = $1',
    [id],
  );
  await feed();
}

type Stored = {
  n: number;
  iban: string;
  id: string;
  state: string | null;
  refused: string | null;
  same_reference: boolean | null;
};
async function stored(id: string): Promise<Stored[]> {
  const { rows: found } = await merchant.owner.query<Stored>(
    `SELECT w.n, w.iban, w.movement_id AS id, m.state, w.refused, m.ext_id = w.ext_id AS same_reference
     FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id WHERE w.batch_id = $1 ORDER BY w.n`,
    [id],
  );
  return found;
}
const made = async (id: string) => (await stored(id)).filter(({ state }) => state !== null);

/** What the pages of its movements say of them. */
async function situationsOf(id: string): Promise<Set<string>> {
  const { viewMovement } = await import('#lib/movement-views/view.ts');
  const { situationOf } = await import('#lib/movement-views/situation.ts');
  const clerk = merchant.person('clerk');
  const views = await Promise.all((await made(id)).map((one) => viewMovement(clerk, one.id)));
  return new Set(views.map((view) => situationOf(view!)));
}

async function run(id: string) {
  const { rows: found } = await merchant.owner.query<{
    hold: string | null;
    hold_detail: Record<string, string> | null;
    fed: boolean;
    waits_for: string | null;
  }>(
    `SELECT hold, hold_detail, fed_at IS NOT NULL AS fed, waits_for FROM batch_runs
     WHERE batch_id = $1`,
    [id],
  );
  return found[0]!;
}

/** Sends what is due, each movement once, and returns the references that the provider saw. */
async function work(provider = fakeProvider()): Promise<string[]> {
  const ports = fakePorts(merchant.merchantId, provider);
  for (;;) {
    const advanced = await worker.advance.advanceOne(ports);
    if (advanced.kind === 'at_rest') break;
  }
  return provider.asked.filter(({ kind }) => kind === 'send').map(({ id }) => id);
}

describe('a submitted batch', () => {
  it('becomes one movement for each row, with the reference of the row, whoever feeds it', async () => {
    const id = await submitted(rows(40));
    for (let n = 0; n < 60 && !(await run(id)).fed; n++) {
      // In the product a feed that waited too long for the other one's lock is tried again.
      await Promise.allSettled([feed(web), feed(otherWeb)]);
      await work();
      await feedAgain(id);
    }
    await work();
    const all = await stored(id);
    expect(all.map(({ state }) => state)).toEqual(all.map(() => 'PENDING'));
    expect(all.every((one) => one.same_reference)).toBe(true);
    expect(await run(id)).toMatchObject({ fed: true, hold: null });
  });

  it('has at most sixteen movements that are ready, and makes the next as these leave', async () => {
    const id = await submitted(rows(WINDOW + 5));
    await feed();
    expect(await made(id)).toHaveLength(WINDOW);
    await feedAgain(id);
    expect(await made(id)).toHaveLength(WINDOW);
    await work();
    await feedAgain(id);
    expect(await made(id)).toHaveLength(WINDOW + 5);
  });

  it('is made in the order of its file, and is not over while a row of it is being sent', async () => {
    const all = rows(WINDOW + 1);
    const id = await submitted(all.toReversed());
    await feed();
    expect((await made(id)).map(({ n }) => n)).toEqual(
      all.slice(0, WINDOW).map(({ number }) => number),
    );
    const one = await submitted(rows(1));
    await feed();
    const claim = await worker.claim.claimDue(fakePorts(merchant.merchantId, fakeProvider()));
    for (let n = 0; n < WINDOW && (await stored(one))[0]!.state !== 'SUBMITTING'; n++)
      await worker.claim.claimDue(fakePorts(merchant.merchantId, fakeProvider()));
    await feedAgain(one);
    expect([claim.kind, (await run(one)).fed]).toEqual(['send', false]);
  });

  it('makes no second movement to an IBAN before the first has left for a minute', async () => {
    const iban = freshIban();
    const id = await submitted([row({ iban }), row(), row({ iban })]);
    await feed();
    expect((await stored(id)).map(({ state }) => state)).toEqual(['APPROVED', 'APPROVED', null]);
    await work();
    await feedAgain(id);
    expect((await stored(id))[2]!.state).toBeNull();
    await merchant.owner.query(
      `UPDATE iban_gates SET last_send_at = last_send_at - interval '66 seconds' WHERE iban = $1`,
      [iban],
    );
    await feedAgain(id);
    expect((await stored(id))[2]!.state).toBe('APPROVED');
  });

  it('keeps the cells of its file, without what the database cannot hold', async () => {
    const id = await submitted([row({ original: ['Kaya\u0000 Ltd.', 'yarım \ud83d', 'TR…'] })]);
    const { rows: found } = await merchant.owner.query<{ original: string[] }>(
      'SELECT original FROM batch_rows WHERE batch_id = $1',
      [id],
    );
    expect(found).toEqual([{ original: ['Kaya Ltd.', 'yarım \ufffd', 'TR…'] }]);
  });

  it('is submitted once, by its maker, as the draft that was checked', async () => {
    const [id, all] = [await draft(), rows(2)];
    const clerk = merchant.person('clerk');
    const press = (version: number, actor = clerk) =>
      web.batches.submitRows(actor, { id, version }, all);
    await expect(press(2)).rejects.toMatchObject({ code: 'batch_changed' });
    await expect(press(1, merchant.person('owner'))).rejects.toMatchObject({
      code: 'batch_of_other',
    });
    await expect(press(1, merchant.person('support'))).rejects.toThrow();
    await Promise.all([press(1), press(1)]);
    await press(1);
    expect(await stored(id)).toHaveLength(2);
  });

  it('waits while the provider does not report the balance', async () => {
    wallets.silent = true;
    const id = await submitted(rows(2));
    await feed();
    expect([await made(id), (await run(id)).waits_for]).toEqual([[], 'provider']);
    wallets.silent = false;
    await feedAgain(id);
    expect([(await made(id)).length, (await run(id)).waits_for]).toEqual([2, null]);
  });
});

describe('a row that is refused when its turn comes', () => {
  it('is marked with the rule, never sent, and keeps no other row back', async () => {
    const id = await submitted([row(), row({ amountMinor: 50_000_001n }), row()]);
    await feed();
    expect((await stored(id)).map(({ state, refused }) => state ?? refused)).toEqual([
      'APPROVED',
      'limit_exceeded',
      'APPROVED',
    ]);
    expect((await run(id)).fed).toBe(false);
    await work();
    await feedAgain(id);
    expect((await run(id)).fed).toBe(true);
  });

  it('is refused while the outcome of an equal row to its account is unknown, and made otherwise', async () => {
    const [iban, other] = [freshIban(), freshIban()];
    const amounts = [10_000n, 10_000n, 20_000n, 30_000n];
    const [overrides, overrideReason] = [ALL_TICKED, 'ayrı fatura'];
    const equal = amounts.map((amountMinor, n) =>
      row({ iban: n === 3 ? other : iban, amountMinor, overrides, overrideReason }),
    );
    const id = await submitted(equal);
    await feed();
    await work(fakeProvider({ send: async () => UNCLEAR }));
    await merchant.owner.query(
      `UPDATE iban_gates SET last_send_at = last_send_at - interval '66 seconds' WHERE iban = $1`,
      [iban],
    );
    await feedAgain(id);
    const told = (await stored(id)).map(({ state, refused }) => refused ?? state);
    // One of another amount to the same account is the maker's own word.
    expect(told).toEqual(['UNKNOWN', 'unknown_same_amount', 'APPROVED', 'UNKNOWN']);
  });

  it('pays nothing again that a movement of now has not been proven unpaid', async () => {
    const first = await submitted([row()]);
    await feed();
    await work();
    const [parent] = await stored(first);
    const id = await submitted([row({ retryOf: parent!.id, iban: parent!.iban })]);
    await setColumns(merchant, parent!.id, { last_read_at: new Date() });
    await merchant.owner.query(
      `UPDATE iban_gates SET last_send_at = last_send_at - interval '66 seconds' WHERE iban = $1`,
      [parent!.iban],
    );
    await feed();
    expect((await stored(id)).map(({ state }) => state)).toEqual([null]);
    expect((await stored(id))[0]!.refused).not.toBeNull();
  });
});

describe('a batch that is paused', () => {
  it('sends nothing, not even what is ready, until somebody lets it go on', async () => {
    const id = await submitted(rows(WINDOW + 4));
    await feed();
    await web.batches.pauseBatch(merchant.person('approver'), id);
    await feedAgain(id);
    expect([await work(), (await made(id)).length]).toEqual([[], WINDOW]);
    expect(await situationsOf(id), 'no page says that it leaves in a moment').toEqual(
      new Set(['queued_batch']),
    );
    await web.batches.resumeBatch(merchant.person('clerk'), id);
    expect(await work()).toHaveLength(WINDOW);
    await feed();
    expect(await made(id)).toHaveLength(WINDOW + 4);
  });

  it('between the claim of a movement and its first byte keeps that movement back, too', async () => {
    const id = await submitted(rows(1));
    await feed();
    const provider = fakeProvider();
    const query = async (): Promise<null> => {
      await web.batches.pauseBatch(merchant.person('clerk'), id);
      return null;
    };
    const ports = fakePorts(merchant.merchantId, provider);
    const claim = await worker.claim.claimDue(ports);
    if (claim.kind !== 'send') throw new Error(`claimed ${claim.kind}`);
    await query();
    const begin = await import('#lib/movements/begin.ts');
    const facts = await begin.beginMovement(merchant.merchantId, ports, claim);
    expect(facts.stopped).toBe(true);
  });

  it('by itself, when the balance does not carry the rest, says so and makes no movement', async () => {
    wallets.available = 40_000n;
    const id = await submitted(rows(3, { amountMinor: 20_000n }));
    await feed();
    expect(await made(id)).toEqual([]);
    expect(await run(id)).toMatchObject({
      hold: 'balance_short',
      hold_detail: { available: '40000', unsent: '60000', fees: '960' },
    });
    wallets.available = 60_000n + 3n * FEE;
    await web.batches.resumeBatch(merchant.person('clerk'), id);
    await feed();
    expect(await made(id)).toHaveLength(3);
  });

  it('by itself, when the balance falls below what is ready and has not left', async () => {
    wallets.available = 60_000n + 3n * FEE;
    const id = await submitted(rows(3, { amountMinor: 20_000n }));
    await feed();
    wallets.available = 59_999n;
    await feedAgain(id);
    expect([(await run(id)).hold, await work()]).toEqual(['balance_short', []]);
  });

  it('by itself, when the balance carries its rest and not the fees, and refuses no row', async () => {
    const paid = await submitted(rows(1));
    await feed();
    await work();
    wallets.available = 60_000n + 3n * FEE - 1n;
    const id = await submitted(rows(3, { amountMinor: 20_000n }));
    await feed();
    expect(await run(id)).toMatchObject({
      hold: 'balance_short',
      hold_detail: { available: '60959', unsent: '60000', fees: '960' },
    });
    wallets.available += 1n;
    await web.batches.resumeBatch(merchant.person('clerk'), id);
    await feed();
    expect((await stored(id)).map(({ state, refused }) => refused ?? state)).toEqual(
      Array(3).fill('APPROVED'),
    );
    expect((await stored(paid))[0]!.state).toBe('PENDING');
  });

  it('is not held up by fees that its maker has confirmed not to fit', async () => {
    wallets.available = 60_000n;
    const overrides = [...row().overrides, 'fee_may_not_fit'];
    const id = await submitted(rows(3, { amountMinor: 20_000n, overrides }));
    await feed();
    expect([(await run(id)).hold, (await made(id)).length]).toEqual([null, 3]);
  });

  it('by itself, when five rows in a row fail for one reason, and not when they differ', async () => {
    const codes = ['310', '310', '311', '310', '310', '310', '310', '310'];
    const id = await submitted(rows(codes.length + 4));
    let sent = 0;
    const provider = fakeProvider({ send: async () => refusedAs(codes[sent++] ?? '999') });
    for (const [n] of codes.entries()) {
      expect((await run(id)).hold, `after ${n}`).toBeNull();
      await feedAgain(id);
      await worker.advance.advanceOne(fakePorts(merchant.merchantId, provider));
    }
    await feedAgain(id);
    expect(await run(id)).toMatchObject({ hold: 'fail_alike', hold_detail: { reason: '310' } });
    await web.batches.resumeBatch(merchant.person('clerk'), id);
    await feedAgain(id);
    expect((await run(id)).hold).toBeNull();
  });

  it('by itself, when its maker may not prepare payouts any more', async () => {
    const id = await submitted(rows(2));
    const clerk = merchant.person('clerk').personId;
    const disable = (at: string) =>
      merchant.owner.query(`UPDATE people SET disabled_at = ${at} WHERE id = $1`, [clerk]);
    await disable('clock_timestamp()');
    await feed();
    expect([(await run(id)).hold, await made(id)]).toEqual(['maker_gone', []]);
    await disable('NULL');
  });

  it('by a recovery of the database does not go on again', async () => {
    const id = await submitted(rows(2));
    await merchant.owner.query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at)
       VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(), clock_timestamp(),
         clock_timestamp(), clock_timestamp())`,
      [merchant.merchantId],
    );
    // Approved after it: what was lost may have approved it before, too.
    await merchant.owner.query('ALTER TABLE batch_runs DISABLE TRIGGER USER');
    await merchant.owner.query(
      'UPDATE batch_runs SET approved_at = clock_timestamp() WHERE batch_id = $1',
      [id],
    );
    await merchant.owner.query('ALTER TABLE batch_runs ENABLE TRIGGER USER');
    await feed();
    expect([(await run(id)).hold, await made(id)]).toEqual(['restored', []]);
    expect((await web.batches.viewRun(merchant.person('owner'), id))!.mayHaveLost).toBe(true);
    await expect(web.batches.resumeBatch(merchant.person('owner'), id)).rejects.toMatchObject({
      code: 'batch_restored',
    });
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect((await web.batches.viewRun(merchant.person('owner'), id))!.mayHaveLost).toBe(false);
  });
});

describe('a batch that is stopped', () => {
  it('cancels what is ready, makes no movement of the rest, and never goes on', async () => {
    const id = await submitted(rows(WINDOW + 3));
    await feed();
    const clerk = merchant.person('clerk');
    expect(await web.batches.stopBatch(clerk, id)).toEqual({ cancelled: WINDOW });
    await feedAgain(id).catch(() => undefined);
    const states = (await stored(id)).map(({ state }) => state);
    expect([states.filter((state) => state === 'CANCELLED').length, await work()]).toEqual([
      WINDOW,
      [],
    ]);
    for (const verb of [web.batches.resumeBatch, web.batches.pauseBatch, web.batches.stopBatch])
      await expect(verb(clerk, id)).rejects.toMatchObject({ code: 'batch_over' });
  });

  it('whose process ends after the stop cancels what is ready all the same, and once', async () => {
    const id = await submitted(rows(3));
    await feed();
    await merchant.owner.query(
      `UPDATE batch_runs SET stopped_by = $2, stopped_at = clock_timestamp() - interval '6 seconds'
        WHERE batch_id = $1`,
      [id, merchant.person('clerk').personId],
    );
    await Promise.all([web, otherWeb].map((side) => side.batches.finishStops(merchant.merchantId)));
    expect((await stored(id)).map(({ state }) => state)).toEqual(Array(3).fill('CANCELLED'));
    expect(await work()).toEqual([]);
  });

  it('sends nothing more, also while nobody has cancelled what is ready', async () => {
    const id = await submitted(rows(2));
    await feed();
    await merchant.owner.query(
      'UPDATE batch_runs SET stopped_at = clock_timestamp() WHERE batch_id = $1',
      [id],
    );
    expect([await work(), (await made(id)).length]).toEqual([[], 2]);
  });

  it('leaves to a worker what it has taken: that movement is sent and known', async () => {
    const id = await submitted(rows(3));
    await feed();
    const provider = fakeProvider();
    const ports = fakePorts(merchant.merchantId, provider);
    const claim = await worker.claim.claimDue(ports);
    const { cancelled } = await web.batches.stopBatch(merchant.person('clerk'), id);
    expect([claim.kind, cancelled]).toEqual(['send', 2]);
  });
});

describe('the database', () => {
  const refused = (statement: string, values: unknown[]) =>
    expect(merchant.owner.query(statement, values)).rejects.toMatchObject({
      code: expect.stringMatching(/^MV07/),
    });

  it('refuses every change of a submitted row, another movement for it, and its deletion', async () => {
    const id = await submitted(rows(2));
    for (const set of [
      'amount_minor = amount_minor + 1',
      `iban = 'TR330006100519786457841326'`,
      `name = 'X'`,
      `tax_number = ''`,
      `currency = 'USD'`,
      `payment_type = '2'`,
      `description = 'X'`,
      `overrides = '["x"]'`,
      `original = '[]'`,
      `ext_id = 'X'`,
      'movement_id = gen_random_uuid()',
      'retry_of = gen_random_uuid()',
      'n = n + 100000',
      'made_at = clock_timestamp()',
    ])
      await refused(`UPDATE batch_rows SET ${set} WHERE batch_id = $1`, [id]);
    await refused('DELETE FROM batch_rows WHERE batch_id = $1', [id]);
    await refused('DELETE FROM batch_runs WHERE batch_id = $1', [id]);
    await refused(
      `INSERT INTO batch_rows SELECT (jsonb_populate_record(r, jsonb_build_object('n', r.n + 5000,
        'movement_id', gen_random_uuid()))).* FROM batch_rows r WHERE batch_id = $1`,
      [id],
    );
  });

  it('refuses a movement under the number of a row with another reference', async () => {
    const id = await submitted(rows(1));
    const [one] = await stored(id);
    await refused(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
        amount_minor, currency, payment_type, description, content_hash, maker_id)
       VALUES ($1, $2, 'payout', 'ANOTHERREFERENCE0001', 'DRAFT', '1', 'TR', 'X', '1', 1, 'TRY', '1',
        'x', 'h', $3)`,
      [one!.id, merchant.merchantId, merchant.person('clerk').personId],
    );
  });
});
