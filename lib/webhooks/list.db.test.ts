import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readWebhookQuery } from './filter.ts';
import type * as List from './list.ts';

/** The webhook log: every webhook that arrived, its effect, and its replay. */

let merchant: TestMerchant;
let web: Process;
let list: typeof List;
let movement: string;
let extId: string;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
  movement = await storedMovement(merchant, 'PENDING');
  extId = (await rowOf(merchant, movement)).ext_id as string;
  const receive = (body: string, channel: 'wallet' | 'card' = 'wallet') =>
    web.receive.receiveWebhook(merchant.merchantId, channel, body);
  for (let n = 0; n < 3; n++) await receive(payoutNotice(extId));
  await receive(payoutNotice('NOBODYS'));
  await receive('{"broken');
  await receive('{"id":1,"transaction_type_id":1004,"to_wallet_number":"1000000001"}');
  await receive('invoice_id=1&status=1', 'card');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

function payoutNotice(reference: string): string {
  return (
    `{"ext_transaction_id":"${reference}","after_process_status":1,` +
    `"transaction_id":7091162577253000184,"request_withdraw_id":7,"reason":"İşlem başarılı"}`
  );
}

const page = (params: Record<string, string> = {}) =>
  list.listWebhooks(merchant.person('clerk'), readWebhookQuery(params));

describe('the webhook log', () => {
  it('keeps everything that arrived, repeats as one row, and says what each led to', async () => {
    const { rows, any } = await page();
    expect(any).toBe(true);
    expect(rows.map((row) => [row.channel, row.effect, row.seen, row.payout?.id ?? null])).toEqual([
      ['card', 'not_understood', 1, null],
      ['wallet', 'asked_ledger', 1, null],
      ['wallet', 'not_understood', 1, null],
      ['wallet', 'no_such_payout', 1, null],
      ['wallet', 'asked_provider', 3, movement],
    ]);
    expect((await rowOf(merchant, movement)).state).toBe('PENDING');
  });

  it('is narrowed by what a notice led to, its channel, its reference and its day', async () => {
    expect((await page({ effect: 'not_understood' })).rows.map((row) => row.channel)).toEqual([
      'card',
      'wallet',
    ]);
    expect((await page({ channel: 'card' })).rows).toHaveLength(1);
    expect(
      (await page({ q: extId.slice(0, 6).toLowerCase() })).rows.map((row) => row.extId),
    ).toEqual([extId]);
    expect((await page({ q: 'nob' })).rows).toHaveLength(1);
    expect((await page({ q: 'nob_dys' })).rows, 'a reference is no pattern').toEqual([]);
    expect((await page({ to: '2020-01-01' })).rows).toEqual([]);
    expect((await page({ effect: 'x', channel: 'y', q: "'; --", from: 'z' })).rows).toHaveLength(5);
  });

  it('shows one in full, byte for byte, with 19-digit numbers exact', async () => {
    const id = (await page({ effect: 'asked_provider' })).rows[0]!.id;
    expect(await list.viewWebhook(merchant.person('support'), id)).toMatchObject({
      body: payoutNotice(extId),
      says: { topic: 'payout', transactionId: '7091162577253000184', reason: 'İşlem başarılı' },
      hint: 'completed',
      can: { replay: false },
    });
    expect([
      await list.viewWebhook(merchant.person('support'), '999999999'),
      await list.viewWebhook(merchant.person('support'), "1' OR '1'='1"),
    ]).toEqual([null, null]);
  });

  it('tells the address to the owner alone', () => {
    expect(
      list.webhookAddresses(merchant.person('owner')).map((one) => new URL(one.address).pathname),
    ).toEqual(['wallet', 'card'].map((channel) => `/api/webhooks/${'w'.repeat(32)}/${channel}`));
    for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
      expect(() => list.webhookAddresses(merchant.person(role))).toThrow(
        expect.objectContaining({ code: 'not_allowed' }),
      );
  });

  it('lets the owner replay a notice under its own number, changes no state by that, and writes it down', async () => {
    const id = (await page({ effect: 'asked_provider' })).rows[0]!.id;
    for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
      await expect(web.receive.replayWebhook(merchant.person(role), id)).rejects.toMatchObject({
        code: 'not_allowed',
      });
    await web.receive.replayWebhook(merchant.person('owner'), id);
    expect((await page()).rows).toHaveLength(5);
    expect(await rowOf(merchant, movement)).toMatchObject({ state: 'PENDING', returned: 'NONE' });
    const { rows } = await merchant.owner.query(
      'SELECT action FROM audit_entries WHERE merchant_id = $1 AND subject = $2',
      [merchant.merchantId, `notice:${id}`],
    );
    expect(rows).toEqual([{ action: 'notice.replayed' }]);
  });

  it('shows nothing of another merchant', async () => {
    const other = await testMerchant();
    try {
      expect(await list.listWebhooks(other.person('owner'), readWebhookQuery({}))).toMatchObject({
        rows: [],
        any: false,
      });
      expect(await list.viewWebhook(other.person('owner'), (await page()).rows[0]!.id)).toBeNull();
    } finally {
      await other.close();
    }
  });

  it('names incoming money as such: nothing about it was not understood', async () => {
    await web.receive.receiveWebhook(
      merchant.merchantId,
      'wallet',
      '{"result_code":"90","result_message":"Cüzdan yok","amount":25.5,"currency_code":"TRY"}',
    );
    const hints = async (effect: string) => (await page({ effect })).rows.map((row) => row.hint);
    expect(await hints('asked_ledger')).toEqual(['top_up']);
    expect(await hints('desk')).toEqual(['failed_top_up']);
    expect(await hints('not_understood')).toContain('unknown');
  });
});
