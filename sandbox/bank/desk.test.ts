import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN_WALLET, Sandbox, levelOf } from '../testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  box.notices.length = 0;
});

type Row = Record<string, unknown>;
const noticesOf = (extId: string): Row[] =>
  box.notices.filter((one) => one.json.ext_transaction_id === extId).map((one) => one.json);
const summary = async (fields: object): Promise<Row[]> =>
  (
    (
      await box.call('TransactionData/SummaryRecordByFilter', {
        order_column: 'CreatedDateUtc',
        ...fields,
      })
    ).json.payload as { results: Row[] }
  ).results;
const jump = (by: string): Promise<Row> => box.post('clock', { advance: by });

describe('the bank’s desk', () => {
  it('completes by itself after its delay, and tells the merchant once [bank: auto] [payout notification: completed, success-says-312] [GetRequestWithdrawByExtId: states]', async () => {
    await box.post('bank/mode', { mode: 'auto', delayMs: 900 });
    await box.pay('auto-1');
    await box.until(async () => levelOf(await box.read('auto-1')) === 1);
    const { created_date_utc: from, updated_date_utc: to } = (await box.read('auto-1')).json
      .payload as Row;
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(900);
    await box.until(() => noticesOf('auto-1').length > 0);
    expect(noticesOf('auto-1')).toHaveLength(1);
    expect(noticesOf('auto-1')[0]).toMatchObject({
      after_process_status: 1,
      response_status: 2,
      response_code: '312',
    });
  });

  it('does what is due when the clock jumps past it', async () => {
    await box.post('bank/mode', { mode: 'auto', delayMs: 3_600_000 });
    await box.pay('jump-1');
    await jump('59m');
    expect(levelOf(await box.read('jump-1'))).toBe(0);
    await jump('2m');
    await box.login();
    expect(levelOf(await box.read('jump-1'))).toBe(1);
  });

  it('blocks amount and fee and frees them at the end [SendMoneyToBankAccount: money] [bank: by-hand]', async () => {
    await box.post('bank/mode', { mode: 'manual' });
    await box.pay('money-1', { amount: 1000 });
    expect(await box.wallet()).toMatchObject({ available: '1248994.00', blocked: '1006.00' });
    await box.post('bank/money-1', { outcome: 'complete' });
    expect(await box.wallet()).toMatchObject({
      available: '1248994.00',
      blocked: '0.00',
      agrees: true,
    });
  });

  it.each([
    ['reject', 2, 2, 'rejected'],
    ['fail', 3, 4, 'failed'],
    ['cancel', 2, 4, 'cancelled'],
  ] as const)(
    '%s gives the money back, reads as %i, notifies with %i and is not in the summary [bank: back, by-hand] [payout notification: rejected, failed] [GetRequestWithdrawByExtId: states] [SummaryRecordByFilter: settled-only]',
    async (outcome, level, after, state) => {
      await box.post('bank/mode', { mode: 'manual' });
      const id = `back-${outcome}`;
      await box.pay(id, { amount: 1000 });
      await box.post(`bank/${id}`, { outcome });
      expect(await box.wallet()).toMatchObject({
        available: '1250000.00',
        blocked: '0.00',
        agrees: true,
      });
      expect(levelOf(await box.read(id))).toBe(level);
      await box.until(() => noticesOf(id).length > 0);
      expect(noticesOf(id)[0]).toMatchObject({ after_process_status: after, transaction_id: 0 });
      expect(await box.ledgerOf(id)).toEqual([expect.objectContaining({ state })]);
      await jump('10s');
      expect(await summary({ ext_transaction_id: id })).toEqual([]);
    },
  );

  it('needs approval [payout notification: manual] [GetRequestWithdrawByExtId: manual] [bank: by-hand]', async () => {
    await box.pay('manual-1', { amount: 10.43 });
    await jump('5s');
    expect(levelOf(await box.read('manual-1'))).toBe(0);
    await jump('40m');
    expect(levelOf(await box.read('manual-1'))).toBe(0);
    expect(noticesOf('manual-1')).toEqual([]);
    await box.post('bank/manual-1', { outcome: 'approve' });
    expect(levelOf(await box.read('manual-1'))).toBe(1);
    await box.until(() => noticesOf('manual-1').length === 1);
  });

  it('can announce manual operation [payout notification: manual] [GetRequestWithdrawByExtId: manual]', async () => {
    await box.post('questions', { manual_shows_as: 'bank_response', manual_sends_notice: true });
    await box.pay('manual-2', { amount: 10.43 });
    await jump('5s');
    const payload = (await box.read('manual-2')).json.payload as Row;
    expect(payload.process_level_status).toBe(0);
    expect(JSON.parse(String(payload.bank_response_json))).toMatchObject({
      after_process_status: 3,
    });
    await box.until(() => noticesOf('manual-2').length === 1);
    expect(noticesOf('manual-2')[0]).toMatchObject({ after_process_status: 3 });
  });

  it('pays it back [payout notification: returned] [SummaryRecordByFilter: return-credit, return-link]', async () => {
    const response = await box.pay('return-1', { amount: 1000.44 });
    await jump('10s');
    expect(levelOf(await box.read('return-1'))).toBe(1);
    expect(await box.wallet()).toMatchObject({
      available: '1249994.00',
      blocked: '0.00',
      agrees: true,
    });
    await box.until(() => noticesOf('return-1').length === 2);
    expect(
      noticesOf('return-1')
        .map((one) => one.after_process_status)
        .sort(),
    ).toEqual([1, 5]);
    const paid = String((response.json.payload as Row).transaction_id);
    expect((await summary({ ext_transaction_id: 'return-1' }))[0]).toMatchObject({
      transaction_status_id: 20,
    });
    const credits = (await summary({ to_wallet_number: MAIN_WALLET, page_size: 1000 })).filter(
      (row) => row.tx_ref_correlation_id === paid,
    );
    expect(credits).toHaveLength(1);
    expect(credits[0]).toMatchObject({ tx_base_amount: 1000.44, transaction_status_id: 20 });
    expect(await box.ledgerOf('return-1')).toEqual([
      expect.objectContaining({ state: 'returned' }),
    ]);
  });

  it('can show a return as status 60, with another level and with the fee, when switched [SummaryRecordByFilter: return-credit] [GetRequestWithdrawByExtId: returned-level] [bank: return-fee]', async () => {
    await box.post('questions', {
      refund_shows: 'status60',
      returned_level: 2,
      return_includes_fee: true,
    });
    const response = await box.pay('return-2', { amount: 1000.44 });
    await jump('10s');
    expect((await summary({ ext_transaction_id: 'return-2' }))[0]).toMatchObject({
      transaction_status_id: 60,
    });
    const paid = String((response.json.payload as Row).transaction_id);
    expect(
      (await summary({ to_wallet_number: MAIN_WALLET, page_size: 1000 })).some(
        (row) => row.tx_ref_correlation_id === paid,
      ),
    ).toBe(false);
    expect(levelOf(await box.read('return-2'))).toBe(2);
    expect(await box.wallet()).toMatchObject({ available: '1250000.00', agrees: true });
  });

  it('dates the change of an entry to status 60 at the return, not at its completion', async () => {
    await box.post('bank/mode', { mode: 'manual' });
    await box.post('questions', { refund_shows: 'status60' });
    await box.pay('return-3');
    await box.pay('paid-3');
    await box.post('bank/return-3', { outcome: 'complete' });
    await jump('20m');
    await box.post('bank/paid-3', { outcome: 'complete' });
    await jump('30m');
    await box.post('bank/return-3', { outcome: 'return' });
    const [entry] = await summary({ ext_transaction_id: 'return-3' });
    expect(entry).toMatchObject({ transaction_status_id: 60 });
    const [completed, updated] = [entry!.completed_date_utc, entry!.updated_date_utc].map((date) =>
      Date.parse(String(date)),
    );
    expect(updated! - completed!).toBeGreaterThanOrEqual(50 * 60_000);
    const [latest] = await summary({ order_column: 'UpdatedDateUtc' });
    expect(latest).toMatchObject({ ext_transaction_id: 'return-3' });
  });

  it('refuses steps that are not possible, in words, and changes nothing [bank: final]', async () => {
    await box.post('bank/mode', { mode: 'manual' });
    await box.pay('wrong-1');
    await expect(box.post('bank/wrong-1', { outcome: 'return' })).rejects.toThrow('409');
    await expect(box.post('bank/wrong-1', { outcome: 'dance' })).rejects.toThrow('400');
    await expect(box.post('bank/nobody', { outcome: 'complete' })).rejects.toThrow('404');
    await box.post('bank/wrong-1', { outcome: 'reject' });
    await expect(box.post('bank/wrong-1', { outcome: 'complete' })).rejects.toThrow('409');
    expect(levelOf(await box.read('wrong-1'))).toBe(2);
  });

  it('shows open requests with what can be done, by request id too', async () => {
    await box.post('bank/mode', { mode: 'manual' });
    const response = await box.pay('desk-1');
    const { requests } = (await box.get('bank')) as { requests: Row[] };
    const id = String((response.json.payload as Row).request_id);
    expect(requests.find((row) => row.request_id === id)).toMatchObject({
      state: 'pending',
      possible: ['complete', 'reject', 'fail', 'manual', 'cancel'],
    });
    await box.post(`bank/${id}`, { outcome: 'complete' });
    expect(levelOf(await box.read('desk-1'))).toBe(1);
  });

  it('turning the bank to auto completes what waited', async () => {
    await box.post('bank/mode', { mode: 'manual' });
    await box.pay('wait-1');
    await jump('1m');
    expect(levelOf(await box.read('wait-1'))).toBe(0);
    await box.post('bank/mode', { mode: 'auto', delayMs: 0 });
    await box.until(async () => levelOf(await box.read('wait-1')) === 1);
  });
});

describe('books', () => {
  it('agree with the ledger in every wallet after any mixture of outcomes [service: books]', async () => {
    const cents = ['00', '41', '42', '43', '44', '49', '56', '61', '62', '63', '64', '48', '25'];
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let i = 0; i < 150; i++) {
      const amount = `${1 + Math.floor(random() * 9000)}.${cents[Math.floor(random() * cents.length)]}`;
      const wallet = random() < 0.7 ? MAIN_WALLET : random() < 0.5 ? '4410270002' : '4410270003';
      await box.pay(`mix-${i}`, { amount: Number(amount), sender_wallet_number: wallet });
      if (random() < 0.1) await jump('3s');
      if (random() < 0.05) await box.post(`wallets/${wallet}/topup`, { amount: '250.75' });
    }
    const during = (await box.get('books')) as { agrees: boolean };
    expect(during.agrees).toBe(true);
    await jump('10m');
    const after = (await box.get('books')) as { agrees: boolean; wallets: { blocked: string }[] };
    expect(after.agrees).toBe(true);
    const { requests } = (await box.get('bank')) as { requests: Row[] };
    expect(requests.filter((row) => row.state === 'pending')).toEqual([]);
  });

  it('agree in the seeded state of any seed, and the same seed tells the same story', async () => {
    // The last hour and the sweeps (virements) are counted from the moment of the reset.
    const settled = Date.now() - 2 * 3_600_000;
    const story = async (seed: number): Promise<unknown[]> => {
      await box.post('reset', { seed });
      expect(((await box.get('books')) as { agrees: boolean }).agrees).toBe(true);
      const lines = ((await box.get('ledger')) as Row[]).filter(
        ({ at, kind }) => Date.parse(String(at)) < settled && kind !== 'virement',
      );
      return lines.map((line) => [line.kind, line.amount, line.iban, line.state]);
    };
    const first = await story(11);
    expect(await story(11)).toEqual(first);
    expect(await story(12)).not.toEqual(first);
    expect(first.length).toBeGreaterThan(300);
  });
});
