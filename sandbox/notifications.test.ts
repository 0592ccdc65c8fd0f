import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  box.notices.length = 0;
  box.receiverAnswers = [];
  await box.post('bank/mode', { mode: 'auto', delayMs: 50 });
});

type Row = Record<string, unknown>;
const statuses = (extId: string): unknown[] =>
  box.notices
    .filter((one) => one.json.ext_transaction_id === extId)
    .map((one) => one.json.after_process_status);
const deliveries = async (): Promise<Row[]> =>
  ((await box.get('webhooks')) as { deliveries: Row[] }).deliveries;
/** Waits until the sandbox has an answer to that many attempts, and so knows when to try again. */
const attempted = (count: number): Promise<unknown> =>
  box.until(async () => {
    const [latest] = (await deliveries()) as { attempts: Row[] }[];
    return latest !== undefined && latest.attempts.length >= count;
  });
const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('notifications', () => {
  it('carry all contract fields, exact ids and exact amounts [payout notification: exact-numbers]', async () => {
    const response = await box.pay('shape-1', {
      amount: 12400.5,
      receiver_account_holder_name: 'Ayşe Demir',
    });
    await box.until(() => statuses('shape-1').length === 1);
    const notice = box.notices[0];
    const payload = response.json.payload as Row;
    expect(notice?.path).toBe('/hook/key/wallet');
    expect(notice?.headers['content-type']).toContain('application/json');
    expect(notice?.text).toContain(`"request_withdraw_id":${String(payload.request_id)},`);
    expect(notice?.text).toContain(`"transaction_id":${String(payload.transaction_id)},`);
    expect(notice?.text).toContain('"amount":12400.50,');
    expect(notice?.json.to_name).toBe('Ay** De***');
    expect(Object.keys(notice?.json ?? {}).sort()).toEqual([
      'account_number',
      'account_type_id',
      'after_process_status',
      'amount',
      'before_process_status',
      'currency_code',
      'ext_transaction_id',
      'money_transfer_state',
      'money_transfer_type',
      'reason',
      'request_withdraw_id',
      'response_code',
      'response_message',
      'response_status',
      'tenant_id',
      'to_iban',
      'to_name',
      'transaction_id',
      'transaction_type',
      'wallet_number',
    ]);
  });

  it('are tried three times, given up, and resent by hand [payout notification: retries, resend]', async () => {
    box.receiverAnswers = [500, 503, 500];
    await box.pay('retry-1');
    await attempted(1);
    await box.post('clock', { advance: '2s' });
    await attempted(2);
    await box.post('clock', { advance: '10s' });
    await box.until(() => box.notices.length === 3);
    const failed = await box.until(async () =>
      (await deliveries()).find((one) => one.state === 'failed'),
    );
    expect((failed.attempts as Row[]).map((one) => one.status)).toEqual([500, 503, 500]);
    await box.post(`webhooks/${String(failed.id)}/resend`);
    await box.until(async () => (await deliveries())[0]?.state === 'delivered');
    expect(box.notices).toHaveLength(4);
    expect(box.notices[3]?.text).toBe(box.notices[0]?.text);
  });

  it('can be dropped, and sent later by hand [payout notification: drop]', async () => {
    await box.post('webhooks/mode', { drop: true });
    await box.pay('drop-1');
    const dropped = await box.until(async () =>
      (await deliveries()).find((one) => one.state === 'dropped'),
    );
    await settle(150);
    expect(box.notices).toEqual([]);
    await box.post(`webhooks/${String(dropped.id)}/resend`);
    await box.until(() => box.notices.length === 1);
  });

  it('can be duplicated [payout notification: at-least-once]', async () => {
    await box.post('webhooks/mode', { duplicate: 4 });
    await box.pay('copy-1');
    await box.until(() => box.notices.length === 5);
    expect(new Set(box.notices.map((one) => one.text)).size).toBe(1);
  });

  it('can be delayed [payout notification: delay]', async () => {
    await box.post('webhooks/mode', { delayMs: 60_000 });
    await box.pay('delay-1');
    await settle(400);
    expect(box.notices).toEqual([]);
    await box.post('clock', { advance: '61s' });
    await box.until(() => box.notices.length === 1);
  });

  it('can overtake each other: the return before the completion [payout notification: order]', async () => {
    await box.post('webhooks/mode', { reorder: true });
    await box.pay('order-1', { amount: 10.44 });
    await box.until(() => statuses('order-1').length === 2);
    expect(statuses('order-1')).toEqual([5, 1]);
  });

  it('follow .53 (none), .54 (three), .56 (reversed) [payout notification: drop, at-least-once, order]', async () => {
    await box.pay('none-1', { amount: 10.53 });
    await box.pay('three-1', { amount: 10.54 });
    await box.until(() => statuses('three-1').length === 3);
    expect(statuses('none-1')).toEqual([]);
    await box.pay('five-1', { amount: 10.56 });
    await box.post('clock', { advance: '2500ms' });
    await box.until(() => statuses('five-1').length >= 1);
    await box.post('clock', { advance: '5s' });
    await box.until(() => statuses('five-1').length === 2);
    expect(statuses('five-1')).toEqual([5, 1]);
  });

  it('carry a secret header only when the switch asks for it [payout notification: secret]', async () => {
    await box.pay('secret-0');
    await box.until(() => box.notices.length === 1);
    expect(box.notices[0]?.headers['x-webhook-secret']).toBeUndefined();
    await box.post('questions', { notice_secret: 'abc' });
    await box.pay('secret-1');
    await box.until(() => box.notices.length === 2);
    expect(box.notices[1]?.headers['x-webhook-secret']).toBe('abc');
  });

  it('tell of a top-up in the shape of a transaction record, and of a failed one', async () => {
    await box.post('wallets/4410270001/topup', { amount: '2500.05' });
    await box.until(() => box.notices.length === 1);
    expect(box.notices[0]?.json).toMatchObject({
      transaction_type_id: 1004,
      transaction_status_id: 20,
      to_wallet_number: '4410270001',
      result_code: 'Success',
    });
    expect(JSON.parse(String(box.notices[0]?.json.tx_additional_data_json))).toHaveProperty(
      'Message.SenderIban',
    );
    expect((await box.wallet()).available).toBe('1252500.05');
    await expect(box.post('wallets/1/topup', { amount: '1.00' })).rejects.toThrow('404');
    await box.until(() => box.notices.length === 2);
    expect(box.notices[1]?.json).toMatchObject({ result_code: '300', wallet_number: '' });
  });

  it('are not sent for a refused payout [payout notification: refused]', async () => {
    await box.pay('refused-1', { amount: 10.48 });
    await settle(300);
    expect(await deliveries()).toEqual([]);
  });
});
