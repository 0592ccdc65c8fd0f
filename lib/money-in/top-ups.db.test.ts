import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import { readCaseQuery, readTopUpQuery } from './filter.ts';
import type * as Cases from './cases.ts';
import type * as Close from './close-arrived.ts';
import type * as Handle from './handle-case.ts';
import type * as List from './list.ts';
import type * as View from './view.ts';

/**
 * Incoming money: a webhook announces a top-up, and only the ledger shows its arrival. A failed
 * top-up is a case until a person or the ledger resolves it.
 */

type Product = Awaited<ReturnType<typeof openProduct>>;
let product: Product;
let lib: typeof Cases & typeof Handle & typeof List & typeof View;
let close: typeof Close;
const asWeb = <T>(work: () => Promise<T>): Promise<T> => work();

beforeAll(async () => {
  product = await openProduct(0);
  lib = {
    ...(await import('./cases.ts')),
    ...(await import('./handle-case.ts')),
    ...(await import('./list.ts')),
    ...(await import('./view.ts')),
  };
  const { openProcess } = await import('#lib/testing/database.ts');
  product.workers.push(await openProcess('dashboard_worker'));
  close = await import('./close-arrived.ts');
});
afterAll(() =>
  Promise.all(product.workers.map((side) => side.db.disconnect())).then(() => product.close()),
);
beforeEach(() =>
  product.merchant.owner.query('DELETE FROM announced_top_ups WHERE merchant_id = $1', [
    product.merchant.merchantId,
  ]),
);

const owner = () => product.merchant.owner;
const merchantId = () => product.merchant.merchantId;
const person = (role: Role = 'clerk') => product.merchant.person(role);
const receive = (body: object | string) =>
  product.web.receive.receiveWebhook(
    merchantId(),
    'wallet',
    typeof body === 'string' ? body : JSON.stringify(body),
  );
const page = (params: Record<string, string> = {}, role: Role = 'clerk') =>
  asWeb(() => lib.listTopUps(person(role), readTopUpQuery(params)));
let nextId = 6_318_204_417_735_500_000n + BigInt(randomInt(10_000)) * 1_000n;
const newId = (): string => String(nextId++);
const SENDER_IBAN = 'TR330006100519786457841326';

function announcement(
  id: string,
  {
    amount = 250.5,
    name = 'Işık Çağrı Öğüt',
    wallet = '4410270001',
    description = 'Fatura 4711',
  } = {},
): string {
  const message = {
    SenderName: name,
    SenderIban: SENDER_IBAN,
    ReceiverBankName: 'Garanti BBVA',
    Amount: amount,
    Description: description,
    BankReceiptNo: `R${id}`,
  };
  return (
    `{"id":${id},"transaction_type_id":1004,"transaction_status_id":20,` +
    `"tx_base_amount":${amount},"currency_code":"TRY","to_wallet_number":"${wallet}",` +
    `"tx_additional_data_json":${JSON.stringify(JSON.stringify({ Message: message }))}}`
  );
}

async function line(
  id: string,
  {
    amountMinor = 25_050,
    wallet = '4410270001',
    description = 'Fatura 4711',
    at = new Date(),
    status = 20,
    refersTo = null as string | null,
    extId = null as string | null,
  } = {},
): Promise<void> {
  await owner().query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, to_wallet, description, sender_name, sender_iban, top_up, refers_to,
      created_at, completed_at, ext_id, raw)
     VALUES ($1, $2, 1004, $3, 'in', $4, 0, 'TRY', $5, $6, 'Işık Çağrı Öğüt', '${SENDER_IBAN}', $7,
       $8, $9, $9, $10, '{"raw":1}')`,
    [
      merchantId(),
      id,
      status,
      amountMinor,
      wallet,
      description,
      { description, senderName: 'Işık Çağrı Öğüt' },
      refersTo,
      at,
      extId,
    ],
  );
}

describe('an announced top-up', () => {
  it('is shown as announced, counts nothing, and is arrived when the ledger has its line and not before', async () => {
    const id = newId();
    await receive(announcement(id));
    expect((await page()).rows.filter((row) => row.id === id)).toMatchObject([
      {
        state: 'announced',
        amount: '250.50',
        senderName: 'Işık Çağrı Öğüt',
        senderIban: SENDER_IBAN,
      },
    ]);
    // The ledger decides, also where the webhook shows another amount.
    await line(id, { amountMinor: 20_000 });
    expect((await page()).rows.filter((row) => row.id === id)).toMatchObject([
      { state: 'arrived', amount: '200.00' },
    ]);
    expect(await lib.viewTopUp(person(), id)).toMatchObject({
      state: 'arrived',
      amount: '200.00',
      announcedElse: { amount: '250.50', currency: 'TRY', wallet: '4410270001' },
    });
  });

  it('does not differ from the ledger in what it does not name', async () => {
    const id = newId();
    await receive(
      `{"tx_correlation_id":${id},"sender_iban":"${SENDER_IBAN}","bank_receipt_no":"R${id}"}`,
    );
    await line(id);
    expect(await lib.viewTopUp(person(), id)).toMatchObject({
      announcedAt: expect.any(String),
      announcedElse: null,
    });
  });

  it('does not differ from the ledger in what the ledger does not name', async () => {
    const id = newId();
    await receive(announcement(id));
    await line(id);
    await owner().query('UPDATE ledger_records SET to_wallet = NULL WHERE id = $1', [id]);
    expect(await lib.viewTopUp(person(), id)).toMatchObject({ announcedElse: null });
  });

  it('is stored once however often it arrives, and a later webhook of its id changes nothing', async () => {
    const id = newId();
    await Promise.all(Array.from({ length: 6 }, () => receive(announcement(id))));
    await receive(announcement(id, { amount: 999_999, name: 'Başkası' }));
    expect((await page()).rows.filter((row) => row.id === id)).toMatchObject([
      { amount: '250.50', senderName: 'Işık Çağrı Öğüt' },
    ]);
  });

  it('moves the reading of the day to now, and a thousand of them wait ten seconds after the last one', async () => {
    const day = async () =>
      (
        await owner().query<{ next_at: Date; wait: number }>(
          `SELECT next_at, extract(epoch FROM next_at - coalesce(read_at, now()))::float8 AS wait
            FROM record_days WHERE merchant_id = $1 AND list = 'ledger' ORDER BY day DESC LIMIT 1`,
          [merchantId()],
        )
      ).rows[0]!;
    await receive(announcement(newId()));
    expect((await day()).next_at.getTime()).toBeLessThanOrEqual(Date.now());
    await owner().query(
      `UPDATE record_days SET read_at = clock_timestamp(),
        next_at = clock_timestamp() + interval '1 minute' WHERE merchant_id = $1`,
      [merchantId()],
    );
    for (let n = 0; n < 20; n++) await receive(announcement(newId()));
    expect((await day()).wait).toBeCloseTo(10, 3);
  });

  it('that names no id is shown, and one that the ledger never shows says so after half an hour', async () => {
    await receive(announcement('0', { description: 'kimliksiz' }));
    const id = newId();
    await receive(announcement(id));
    await owner().query(
      `UPDATE announced_top_ups SET announced_at = now() - interval '31 minutes' WHERE id = $1`,
      [id],
    );
    const { rows, announced } = await page({ view: 'announced' });
    expect(rows.find((row) => row.description === 'kimliksiz')).toMatchObject({
      state: 'announced',
      id: expect.stringMatching(/^notice:\d+$/),
    });
    expect(rows.find((row) => row.id === id)).toMatchObject({ state: 'overdue' });
    expect(announced).toBe(rows.length);
  });
});

describe('the list', () => {
  it('is filtered by wallet, day, amount and words in any alphabet; a bank return is no top-up', async () => {
    const [arrived, back, announced] = [newId(), newId(), newId()];
    const at = new Date('2026-03-05T21:30:00Z');
    await line(arrived, { wallet: '77', description: 'IŞIKLI tabela', amountMinor: 1_234_567, at });
    await line(back, { wallet: '77', description: 'IŞIKLI iade', refersTo: '5', at });
    await receive(
      announcement(announced, { name: 'Şengül Işık', wallet: '7788', amount: 12_345.67 }),
    );
    const ids = async (params: Record<string, string>) =>
      (await page(params)).rows
        .map((row) => row.id)
        .filter((id) => [arrived, back, announced].includes(id));
    for (const q of ['isikli', 'IŞIKLI', 'ışıklı']) expect(await ids({ q })).toEqual([arrived]);
    for (const q of ['12.345,67', '12,345.67'])
      expect(await ids({ q })).toEqual([announced, arrived]);
    expect(await ids({ q: 'sengul isik' })).toEqual([announced]);
    expect(await ids({ q: arrived })).toEqual([arrived]);
    expect(await ids({ wallet: '7788' })).toEqual([announced]);
    // 21:30 UTC is 00:30 of the next day in Istanbul.
    expect(await ids({ from: '2026-03-06', to: '2026-03-06' })).toEqual([arrived]);
    expect(await ids({ from: '2026-03-05', to: '2026-03-05' })).toEqual([]);
  });

  it('names the sender’s bank by the IBAN where the bank is told as a code, or not at all', async () => {
    const [code, none, name] = [newId(), newId(), newId()];
    const from = 'TR490004600000000007713305';
    for (const [id, fields] of [
      [code, { SenderBankCode: '0046' }],
      [none, {}],
      [name, { SenderBankName: 'Akbank T.A.Ş.' }],
    ] as const) {
      await receive(
        `{"id":${id},"transaction_type_id":1004,"tx_base_amount":5,"currency_code":"TRY",` +
          `"tx_additional_data_json":${JSON.stringify(JSON.stringify({ Message: { SenderIban: from, ...fields } }))}}`,
      );
    }
    expect(
      await Promise.all(
        [code, none, name].map(async (id) => (await lib.viewTopUp(person(), id))!.senderBank),
      ),
    ).toEqual(['Akbank', 'Akbank', 'Akbank T.A.Ş.']);
  });

  it('hides senders’ IBANs and raw texts from support, who searches by the last four digits only', async () => {
    const id = newId();
    await receive(announcement(id));
    expect((await page({ q: id }, 'support')).rows).toMatchObject([
      { senderIban: expect.stringMatching(/1326$/) },
    ]);
    expect((await page({ q: id }, 'support')).rows[0]!.senderIban).not.toBe(SENDER_IBAN);
    expect(await lib.viewTopUp(person('support'), id)).toMatchObject({ raw: null });
    expect((await lib.viewTopUp(person(), id))!.raw!.notice).toContain(SENDER_IBAN);
    expect((await page({ q: '978645' }, 'support')).rows).toEqual([]);
    expect((await page({ q: '978645' })).rows.length).toBeGreaterThan(0);
  });

  it('turned page by page, forth and back, names every top-up once, of the ledger and of notices alike', async () => {
    const wallet = '90909';
    const at = new Date('2026-02-02T10:00:00Z');
    const wanted: string[] = [];
    for (let n = 0; n < 60; n++) {
      const id = newId();
      // Several entries have the same time, so that their id decides their order.
      if (n % 3 > 0)
        await line(id, { wallet, at: new Date(at.getTime() + Math.floor(n / 7) * 1_000) });
      else
        await owner().query(
          `INSERT INTO announced_top_ups (merchant_id, id, notice_id, wallet, announced_at)
            SELECT $1, $2, min(id), $3, $4 FROM notices WHERE merchant_id = $1`,
          [merchantId(), id, wallet, new Date(at.getTime() + Math.floor(n / 7) * 1_000)],
        );
      wanted.push(id);
    }
    const seen: string[][] = [];
    let now = await page({ wallet });
    for (;;) {
      seen.push(now.rows.map((row) => row.id));
      if (now.older === null) break;
      now = await page({ wallet, after: now.older.edge });
    }
    expect(seen.flat().sort()).toEqual(wanted.sort());
    expect(seen.map((rows) => rows.length)).toEqual([25, 25, 10]);
    expect((await page({ wallet, before: now.newer!.edge })).rows.map((row) => row.id)).toEqual(
      seen[1],
    );
  });
});

describe('the desk for failed top-ups', () => {
  const failure = (more: object = {}) => ({
    tenant_id: 1,
    result_code: '310',
    result_message: 'Limit yetersiz.',
    wallet_number: '4410270001',
    amount: 250.5,
    currency_code: 'TRY',
    description: `Fatura ${newId()}`,
    ...more,
  });
  const find = async (description: string, view = 'open') =>
    (await lib.listCases(person(), readCaseQuery({ view }))).rows.find(
      (row) => row.description === description,
    );

  it('opens one case for each that could not be loaded, whatever the reason, and counts repeats on it', async () => {
    const bodies = ['300', '301', '310', '999', 'Weird'].map((result_code) =>
      failure({ result_code, wallet_number: result_code === '300' ? '' : '4410270001' }),
    );
    for (const body of bodies) await Promise.all([receive(body), receive(body), receive(body)]);
    // Another webhook about the same failure belongs to the same case.
    await receive({ ...bodies[0], result_message: 'Wallet not found.' });
    const cases = await Promise.all(bodies.map((body) => find(body.description)));
    expect(cases.map((one) => [one?.kind, one?.seen, one?.state, one?.wallet])).toEqual([
      ['no_such_wallet', 4, 'open', null],
      ['repeated', 3, 'open', '4410270001'],
      ['limit', 3, 'open', '4410270001'],
      ['other', 3, 'open', '4410270001'],
      ['other', 3, 'open', '4410270001'],
    ]);
    expect(await lib.countOpenCases(person())).toBeGreaterThanOrEqual(5);
    expect(
      (
        await owner().query('SELECT 1 FROM announced_top_ups WHERE merchant_id = $1', [
          merchantId(),
        ])
      ).rows,
    ).toEqual([]);
  });

  it('opens a case also where a text has what the database cannot store', async () => {
    const texts = { result_message: 'limit\u0000', description: 'NUL\u0000 and half \ud83d' };
    const body = failure({ result_code: '301', wallet_number: '4410270001', ...texts });
    await Promise.all([receive(body), receive(body)]);
    expect(await find('NUL and half \ufffd')).toMatchObject({ seen: 2, message: 'limit' });
    const id = newId();
    await receive(announcement(id, { name: 'Işık\u0000', description: 'half \ud83d' }));
    expect((await page()).rows.filter((row) => row.id === id)).toMatchObject([
      { senderName: 'Işık' },
    ]);
  });

  it('takes an amount that no database holds for none, and keeps everything else', async () => {
    const body = failure({ amount: 1e30 });
    await receive(body);
    expect(await find(body.description)).toMatchObject({ seen: 1, amount: null });
    const id = newId();
    await receive(announcement(id, { amount: 1e30 }));
    expect((await page()).rows.filter((row) => row.id === id)).toHaveLength(1);
  });

  it('makes no case of what is none, and changes no balance, payout or ledger line by any', async () => {
    const before = await lib.countOpenCases(person());
    for (const noise of [
      '{"broken',
      '[]',
      'null',
      '{}',
      '{"result_code":300}',
      '{"result_message":"x"}',
      announcement(newId()),
      '{"ext_transaction_id":"X","after_process_status":2,"result_code":"300","result_message":"x"}',
    ])
      await receive(noise);
    expect(await lib.countOpenCases(person())).toBe(before);
  });

  it('is closed by a person with a note, in the trail, and opened again when the same arrives once more', async () => {
    const body = failure();
    await receive(body);
    const one = (await find(body.description))!;
    await expect(
      lib.handleCase(person('auditor'), one.id, one.lastAt, 'Gönderen arandı'),
    ).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(lib.handleCase(person('support'), one.id, one.lastAt, 'x')).rejects.toMatchObject({
      code: 'stop_reason_needed',
    });
    await lib.handleCase(
      person('support'),
      one.id,
      one.lastAt,
      'Gönderen arandı, yeniden gönderecek',
    );
    expect(await find(body.description)).toBeUndefined();
    expect(await lib.viewCase(person(), one.id)).toMatchObject({
      state: 'handled',
      handled: { by: 'support@test', note: 'Gönderen arandı, yeniden gönderecek' },
      can: { handle: false },
    });
    await receive(body);
    expect(await lib.viewCase(person(), one.id)).toMatchObject({
      state: 'open',
      seen: 2,
      reopened: 1,
      handled: { note: 'Gönderen arandı, yeniden gönderecek' },
      can: { handle: true },
    });
    const trail = await owner().query<{ action: string; actor: string }>(
      'SELECT action, actor FROM audit_entries WHERE merchant_id = $1 AND subject = $2 ORDER BY seq',
      [merchantId(), `topup:${one.id}`],
    );
    expect(trail.rows.map((row) => [row.action, row.actor.split(':')[0]])).toEqual([
      ['top_up.handled', 'person'],
      ['top_up.reopened', 'provider'],
    ]);
  });

  it('stays as it is when a person replays its webhook: nothing has arrived', async () => {
    const body = failure();
    await receive(body);
    const one = (await find(body.description))!;
    await lib.handleCase(person('support'), one.id, one.lastAt, 'Gönderen arandı');
    const { rows } = await owner().query<{ id: string }>(
      'SELECT id FROM notices WHERE merchant_id = $1 AND body LIKE $2',
      [merchantId(), `%${body.description}%`],
    );
    await product.web.receive.replayWebhook(person('owner'), rows[0]!.id);
    expect(await lib.viewCase(person(), one.id)).toMatchObject({
      state: 'handled',
      seen: 1,
      reopened: 0,
    });
    const { rows: entries } = await owner().query(
      `SELECT FROM audit_entries WHERE merchant_id = $1 AND action = 'top_up.reopened'
        AND subject = $2`,
      [merchantId(), `topup:${one.id}`],
    );
    expect(entries).toEqual([]);
  });

  it('is not closed by somebody who has not seen its latest arrival', async () => {
    const body = failure();
    await receive(body);
    const one = (await find(body.description))!;
    await receive(body);
    await expect(
      lib.handleCase(person(), one.id, one.lastAt, 'Gönderen arandı'),
    ).rejects.toMatchObject({ code: 'case_changed' });
    expect(await find(body.description)).toMatchObject({ state: 'open' });
  });

  describe('closes by itself', () => {
    const later = () => new Date(Date.now() + 1_000);

    it('when the ledger shows the same amount and words in the named wallet, one case for a line', async () => {
      const body = failure();
      await receive(body);
      await receive({ ...body, wallet_number: '' });
      const id = newId();
      await line(id, { description: body.description.toLocaleUpperCase('tr'), at: later() });
      const closed = await Promise.all(
        Array.from({ length: 3 }, () => close.closeArrivedCases(merchantId())),
      );
      expect(closed.toSorted()).toEqual([0, 0, 1]);
      const cases = [
        ...(await lib.listCases(person(), readCaseQuery({}))).rows,
        ...(await lib.listCases(person(), readCaseQuery({ view: 'closed' }))).rows,
      ].filter((row) => row.description === body.description);
      expect(cases.map((row) => row.state).sort()).toEqual(['arrived', 'open']);
      expect(
        await lib.viewCase(person('auditor'), cases.find((row) => row.state === 'arrived')!.id),
      ).toMatchObject({ recordId: id });
    });

    it.each([
      ['another amount', {}, { amountMinor: 25_051 }],
      ['another wallet than the notice named', {}, { wallet: '4410270002' }],
      ['other words', {}, { description: 'Fatura 1' }],
      ['a line that is not completed', {}, { status: 10 }],
      ['a payout that the bank sent back', {}, { refersTo: '77' }],
      ['a line from before the failure', {}, { at: new Date(Date.now() - 3_600_000) }],
      ['no words at all', { description: undefined }, {}],
      ['words that say nothing', { description: '-- \u200b.' }, {}],
    ])('not by %s', async (_what, fields, written) => {
      const body = failure({ amount: 250.5, ...fields });
      await receive(body);
      await line(newId(), { description: body.description ?? '', at: later(), ...written });
      expect(await close.closeArrivedCases(merchantId())).toBe(0);
      // Closes the case by hand, so that no later ledger entry of this file closes it.
      await owner().query(
        `UPDATE failed_top_ups SET state = 'HANDLED', closed_at = now(), handled_by = $2, note = 'x'
          WHERE merchant_id = $1 AND state = 'OPEN'
          AND (description IS NULL OR description LIKE '--%')`,
        [merchantId(), person().personId],
      );
    });

    it('not by a payout of ours that came back under its own reference, which is no candidate either', async () => {
      const payout = await storedMovement(product.merchant, 'COMPLETED');
      const { rows } = await owner().query('SELECT ext_id FROM movements WHERE id = $1', [payout]);
      const body = failure();
      await receive(body);
      const id = newId();
      await line(id, { description: body.description, at: later(), extId: rows[0].ext_id });
      expect(await close.closeArrivedCases(merchantId())).toBe(0);
      const open = (await find(body.description))!;
      const { candidates } = (await lib.viewCase(person(), open.id))!;
      expect(candidates.map((one) => one.id)).not.toContain(id);
    });

    it('by an earlier line when the bank sent one receipt twice', async () => {
      const body = failure({ result_code: '301' });
      await line(newId(), { description: body.description, at: new Date(Date.now() - 3_600_000) });
      await receive(body);
      expect(await close.closeArrivedCases(merchantId())).toBe(1);
      expect(await find(body.description, 'closed')).toMatchObject({ state: 'arrived' });
    });
  });
});
