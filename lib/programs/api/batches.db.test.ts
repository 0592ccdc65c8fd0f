import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aRow, openPrograms, provider, RIGHTS, WALLET } from '../testing/program.ts';
import type { Answered, Programs } from '../testing/program.ts';

/** A program's batch: all rows as they were written, once, or nothing. */

let programs: Programs;
let secret: string;

beforeAll(async () => {
  programs = await openPrograms();
  ({ secret } = await programs.newKey());
});
afterAll(() => programs.close());
beforeEach(async () => {
  Object.assign(provider, { available: 100_000_000n, silent: false });
  await programs.merchant.owner.query(
    `UPDATE batch_runs SET stopped_at = clock_timestamp()
      WHERE merchant_id = $1 AND stopped_at IS NULL`,
    [programs.merchant.merchantId],
  );
});

const aBatch = (rows: object[], given: object = {}) => ({
  ...{ wallet: WALLET, currency: 'TRY', name: 'Kasım maaşları', rows },
  ...given,
});
const post = (
  body: unknown,
  { key = secret, idempotencyKey = randomUUID() }: { key?: string; idempotencyKey?: string } = {},
): Promise<Answered> => programs.postBatch({ secret: key, idempotencyKey, body });

async function count(table: 'batches' | 'batch_rows' | 'movements'): Promise<number> {
  const { rows } = await programs.merchant.owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE merchant_id = $1`,
    [programs.merchant.merchantId],
  );
  return rows[0]!.n;
}

/** A request whose draft is stored, and whose submission fails. */
async function cutOff(body: unknown, idempotencyKey: string) {
  const { owner } = programs.merchant;
  await owner.query(
    `CREATE FUNCTION run_fails() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'cut off'; END $$`,
  );
  await owner.query(
    `CREATE TRIGGER cut_off BEFORE INSERT ON batch_runs FOR EACH ROW EXECUTE FUNCTION run_fails()`,
  );
  const answer = await post(body, { idempotencyKey });
  await owner.query('DROP TRIGGER cut_off ON batch_runs');
  await owner.query('DROP FUNCTION run_fails()');
  return answer;
}

async function draftOf(idempotencyKey: string): Promise<{ id: string; state: string }> {
  const { rows } = await programs.merchant.owner.query<{ id: string; state: string }>(
    `SELECT b.id, b.state, (SELECT count(*)::int FROM batch_rows w WHERE w.batch_id = b.id) AS rows
      FROM batches b JOIN api_intents i ON i.subject_id = b.id WHERE i.idempotency_key = $1`,
    [idempotencyKey],
  );
  return rows[0]!;
}

describe('the batches of a key that is revoked', () => {
  const runOf = async (id: string) =>
    (
      await programs.merchant.owner.query(
        'SELECT hold, hold_detail, held_by FROM batch_runs WHERE batch_id = $1',
        [id],
      )
    ).rows[0];
  const feed = async (): Promise<void> => {
    while (await programs.web.batches.feedOneBatch(programs.merchant.merchantId));
  };
  const madeOf = async (id: string): Promise<number> =>
    (
      await programs.merchant.owner.query(
        `SELECT count(*)::int AS n FROM batch_rows WHERE batch_id = $1 AND made_at IS NOT NULL`,
        [id],
      )
    ).rows[0].n;

  it('are paused, say why, and go on when a person lets them', async () => {
    const owner = programs.merchant.person('owner');
    const { secret: other, id: keyId } = await programs.newKey();
    const { body: kept } = await post(aBatch([aRow()]));
    const { body } = await post(aBatch([aRow(), aRow()]), { key: other });
    const running = async () =>
      (await programs.keys(owner)).rows.find(({ id }) => id === keyId)?.running;
    expect(await running()).toBe(1);
    await programs.revoke(owner, keyId);
    expect([await running(), await runOf(body.id)]).toMatchObject([
      0,
      { hold: 'key_revoked', held_by: owner.personId },
    ]);
    await feed();
    expect([await madeOf(body.id), await madeOf(kept.id)]).toEqual([0, 1]);
    await programs.web.batches.resumeBatch(owner, body.id);
    await feed();
    expect(await madeOf(body.id)).toBe(2);
  });

  it('say so as well where something else has paused them, and are counted before', async () => {
    const { merchant, web } = programs;
    const owner = merchant.person('owner');
    const { secret: other, id: keyId } = await programs.newKey();
    const { body: paused } = await post(aBatch([aRow()]), { key: other });
    const { body: restored } = await post(aBatch([aRow()]), { key: other });
    const { body: over } = await post(aBatch([aRow()]), { key: other });
    await web.batches.pauseBatch(owner, paused.id);
    await merchant.owner.query(
      `UPDATE batch_runs SET hold = 'restored', held_at = clock_timestamp() WHERE batch_id = $1`,
      [restored.id],
    );
    await web.batches.stopBatch(owner, over.id);
    const [key] = (await programs.keys(owner)).rows.filter(({ id }) => id === keyId);
    expect(key?.running).toBe(1);
    await programs.revoke(owner, keyId);
    expect(await runOf(paused.id)).toMatchObject({
      hold: 'key_revoked',
      hold_detail: { key: key!.name },
      held_by: owner.personId,
    });
    expect(await runOf(restored.id)).toMatchObject({ hold: 'restored' });
    expect(await runOf(over.id)).toMatchObject({ hold: null });
  });

  it('are paused as well where the revocation comes between draft and submission', async () => {
    const owner = programs.merchant.person('owner');
    const { id: keyId } = await programs.newKey();
    const id = randomUUID();
    const { merchantId } = programs.merchant;
    await programs.merchant.owner.query(
      `INSERT INTO api_intents (merchant_id, kind, idempotency_key, api_key_id, body_hash, subject_id)
       VALUES ($1, 'batch', $2, $3, $4, $5)`,
      [merchantId, randomUUID(), keyId, Buffer.alloc(32), id],
    );
    await programs.merchant.owner.query(
      `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source) VALUES ($1, $2, $3, $4, 'TRY', 'a', 'paste', 's', $5, '\\x00')`,
      [id, merchantId, owner.personId, WALLET, id],
    );
    await programs.revoke(owner, keyId);
    const { iban, name, tax_number: taxNumber } = aRow() as Record<string, string>;
    const row = {
      ...{ number: 1, original: [], iban, name, taxNumber, amountMinor: 100n, paymentType: '1' },
      ...{ description: 'Kasım', overrides: [], overrideReason: null, retryOf: null },
    };
    await programs.web.batches.submitRows(owner, { id, version: 1 }, [row as never]);
    await feed();
    expect([await runOf(id), await madeOf(id)]).toMatchObject([
      { hold: 'key_revoked', held_by: owner.personId },
      0,
    ]);
  });
});

describe('a batch of a program', () => {
  it('has each row exactly as it was written, and runs in the name of the person of the key', async () => {
    const rows = [
      aRow({ amount: '1234.50' }),
      aRow({ amount: '0.01', name: 'Toplam', description: 'Genel toplam' }),
      aRow({ amount: '999.99', iban: String(aRow().iban).replace(/(.{4})/g, '$1 ') }),
      ...Array.from({ length: 20 }, () => aRow()),
    ];
    const { status, body } = await post(aBatch(rows));
    expect([status, body.status]).toEqual([201, 'running']);
    expect(body.rows.in_line.count).toBe(rows.length);
    const { rows: stored } = await programs.merchant.owner.query(
      `SELECT w.iban, w.name, w.tax_number, to_char(w.amount_minor / 100.0, 'FM999990.00') AS amount,
          w.payment_type, w.description, b.maker_id
        FROM batch_rows w JOIN batches b ON b.id = w.batch_id WHERE batch_id = $1 ORDER BY n`,
      [body.id],
    );
    const maker = programs.merchant.person('owner').personId;
    expect(stored).toEqual(
      rows.map(({ iban, name, tax_number, amount, payment_type, description }) => ({
        ...{ name, tax_number, amount, payment_type, description, maker_id: maker },
        iban: String(iban).replaceAll(' ', ''),
      })),
    );
    while (await programs.web.batches.feedOneBatch(programs.merchant.merchantId));
    const { body: now } = await programs.getBatch(body.id, { secret });
    expect(now.rows.under_way.count).toBe(16);
    const { rows: made } = await programs.merchant.owner.query(
      'SELECT movement_id AS id FROM batch_rows WHERE batch_id = $1 AND made_at IS NOT NULL LIMIT 1',
      [body.id],
    );
    expect((await programs.getPayout(made[0].id, { secret })).status).toBe(200);
  });

  it('with one wrong row is refused with the place of it, and nothing is stored', async () => {
    const before = [await count('batches'), await count('batch_rows')];
    const answer = await post(
      aBatch([aRow(), aRow({ iban: 'TR000000000000000000000000' }), aRow({ amount: '0.00' })]),
    );
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'batch_rows_refused',
        errors: [
          { row: 2, field: 'iban', code: 'iban_check_digits' },
          { row: 3, field: 'amount', code: 'amount_zero' },
        ],
      },
    });
    expect([await count('batches'), await count('batch_rows')]).toEqual(before);
  });

  it('above the balance, or with one payee twice, is refused by the rules of a file', async () => {
    provider.available = 100n;
    const short = await post(aBatch([aRow(), aRow()]));
    expect(short.body.errors).toContainEqual({ field: 'rows', code: 'sum_above_balance' });
    provider.available = 100_000_000n;
    const twice = aRow({ overrides: [] as string[], override_reason: undefined });
    const before = await count('batch_rows');
    const doubled = await post(aBatch([twice, twice]));
    expect(doubled.body.findings).toContainEqual(
      expect.objectContaining({ row: 2, level: 'warn' }),
    );
    expect(await count('batch_rows')).toBe(before);
    const codes = doubled.body.findings.map(({ code }: { code: string }) => code);
    const meant = { ...twice, overrides: codes, override_reason: 'separate_invoice' };
    expect((await post(aBatch([twice, meant]))).body).toMatchObject({ status: 'running' });
    expect(await count('batch_rows')).toBe(before + 2);
  });

  it('is begun once, however often and at once it is repeated', async () => {
    const body = aBatch([aRow(), aRow()]);
    const idempotencyKey = randomUUID();
    const before = await count('batch_rows');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(body, { idempotencyKey })),
    );
    expect(new Set(answers.map((one) => JSON.stringify([one.status, one.body]))).size).toBe(1);
    expect((await post(body, { idempotencyKey })).headers.get('idempotent-replayed')).toBe('true');
    expect(await count('batch_rows')).toBe(before + 2);
    expect(await post(aBatch([aRow()]), { idempotencyKey })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_reused' },
    });
  });

  it('with another amount or account in one of its rows is no repetition, and pays nothing', async () => {
    const rows = [aRow(), aRow()];
    const idempotencyKey = randomUUID();
    expect((await post(aBatch(rows), { idempotencyKey })).status).toBe(201);
    const before = await count('batch_rows');
    for (const other of [{ amount: '99.01' }, { iban: aRow().iban }])
      expect(
        await post(aBatch([rows[0]!, { ...rows[1], ...other }]), { idempotencyKey }),
      ).toMatchObject({ status: 422, body: { code: 'idempotency_reused' } });
    expect(await count('batch_rows')).toBe(before);
  });

  it('waits as a whole for the approval that its person’s limit asks for', async () => {
    const { merchant, web } = programs;
    const owner = merchant.person('owner').personId;
    await merchant.owner.query('ALTER TABLE person_limits DISABLE TRIGGER USER');
    await merchant.owner.query(
      `INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, set_by, reason)
        VALUES ($1, $2, 'TRY', 10000, $3, 'test')`,
      [merchant.merchantId, owner, merchant.person('approver').personId],
    );
    const { status, body } = await post(aBatch([aRow({ amount: '100.01' })]));
    while (await web.batches.feedOneBatch(merchant.merchantId));
    const now = await programs.getBatch(body.id, { secret });
    await merchant.owner.query('DELETE FROM person_limits WHERE person_id = $1', [owner]);
    await merchant.owner.query('ALTER TABLE person_limits ENABLE TRIGGER USER');
    expect([status, body.status, now.body.status]).toEqual([201, 'waiting', 'waiting']);
    expect(now.body.rows.approval.count).toBe(1);
  });

  it('whose draft was stored and whose answer was lost goes on with that draft', async () => {
    const body = aBatch([aRow()]);
    const idempotencyKey = randomUUID();
    const cut = await cutOff(body, idempotencyKey);
    expect(cut).toMatchObject({ status: 503, body: { code: 'api_unavailable' } });
    const drafts = await count('batches');
    expect((await post(body, { idempotencyKey })).status).toBe(201);
    expect(await count('batches')).toBe(drafts);
  });

  it('whose draft is no longer ready is begun over again: nobody can submit that draft', async () => {
    const body = aBatch([aRow()]);
    const idempotencyKey = randomUUID();
    expect((await cutOff(body, idempotencyKey)).status).toBe(503);
    provider.available = 1n;
    const late = await post(body, { idempotencyKey });
    provider.available = 100_000_000n;
    const again = await post(body, { idempotencyKey });
    expect([late.body.code, again.body.code]).toEqual(['batch_over_again', 'batch_over_again']);
    expect(await draftOf(idempotencyKey)).toMatchObject({ state: 'DISCARDED' });
    expect((await post(body)).status).toBe(201);
  });

  it('whose draft a person changed is begun over again: nothing else is sent than was written', async () => {
    const owner = programs.merchant.person('owner');
    const body = aBatch([aRow()]);
    const idempotencyKey = randomUUID();
    await cutOff(body, idempotencyKey);
    const { id } = await draftOf(idempotencyKey);
    const { typeIntoCell } = await import('#lib/batches/draft/change.ts');
    const typed = {
      row: '0:2',
      field: 'iban',
      text: String(aRow()['iban']),
      locale: 'en',
    } as const;
    await typeIntoCell(owner, { id, version: 1 }, typed);
    const again = await post(body, { idempotencyKey });
    expect(again).toMatchObject({ status: 422, body: { code: 'batch_over_again' } });
    expect(await draftOf(idempotencyKey)).toEqual({ id, state: 'DISCARDED', rows: 0 });
  });

  it('needs the right of batches and the wallet of the key', async () => {
    const narrow = await programs.newKey(['payouts.prepare', 'payouts.read']);
    const other = await programs.newKey(RIGHTS, '1000000002');
    const made = await post(aBatch([aRow()]));
    expect((await post(aBatch([aRow()]), { key: narrow.secret })).body.code).toBe('key_right');
    expect((await programs.getBatch(made.body.id, narrow)).body.code).toBe('key_right');
    expect((await post(aBatch([aRow()]), { key: other.secret })).body.code).toBe('key_wallet');
    expect((await programs.getBatch(made.body.id, other)).status).toBe(404);
    expect((await programs.getBatch(made.body.id, { secret })).status).toBe(200);
  });

  it('that a person brought is no program’s business', async () => {
    const { merchant, web } = programs;
    const clerk = merchant.person('clerk');
    const { rows } = await merchant.owner.query<{ id: string }>(
      `INSERT INTO batches (merchant_id, maker_id, wallet, currency, name, format, shape, file_hash,
        source) VALUES ($1, $2, '1000000001', 'TRY', 'x.xlsx', 'workbook', 's', 'h', '\\x00')
        RETURNING id`,
      [merchant.merchantId, clerk.personId],
    );
    const id = rows[0]!.id;
    const { iban, name, tax_number: taxNumber, payment_type: paymentType } = aRow();
    await web.batches.submitRows(clerk, { id, version: 1 }, [
      {
        ...({ iban, name, taxNumber, paymentType, description: 'Fatura' } as {
          [field in 'iban' | 'name' | 'taxNumber' | 'paymentType' | 'description']: string;
        }),
        ...{ number: 1, original: [], amountMinor: 100n, overrides: [], overrideReason: null },
        retryOf: null,
      },
    ]);
    expect((await programs.getBatch(id, { secret })).status).toBe(404);
  });
});
