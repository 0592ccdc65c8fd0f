import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { payout, range, startSandbox, WALLET } from './sandbox-fixture.ts';
import type { Sandbox } from './sandbox-fixture.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.control('DELETE', 'faults'));

describe('faults while sending: one request, unclear, and a read that tells', () => {
  const cases: [string, string, object, boolean][] = [
    ['lost before the work', 'lost_before', {}, false],
    ['lost before the work, hanging', 'lost_before', { hang: true }, false],
    ['lost after the work', 'lost_after', {}, true],
    ['lost after the work, hanging', 'lost_after', { hang: true }, true],
    ['a late answer', 'delay', { ms: 5_000 }, true],
    ['a reset', 'reset', {}, false],
    ['a reset after the work', 'reset', { work: true }, true],
    ['500', 'status', { status: 500 }, false],
    ['502 after the work', 'status', { status: 502, work: true }, true],
    ['429', 'status', { status: 429 }, false],
    ['307 to the same place', 'status', { status: 307, work: true }, true],
    ['an HTML page', 'html', {}, false],
    ['an HTML page after the work', 'html', { work: true }, true],
    ['broken JSON', 'malformed', {}, true],
    ['bytes that are no HTTP', 'malformed', { raw: true }, true],
    ['a cut answer', 'truncated', {}, true],
    ['an answer that drips', 'slowloris', { ms: 50 }, true],
    ['an unknown code', 'unknown_code', {}, false],
    ['an unknown code after the work', 'unknown_code', { work: true }, true],
    ['code 500', 'code', { code: '500' }, false],
  ];

  test.each(cases)('%s', async (_name, kind, more, worked) => {
    const content = payout();
    await sandbox.fault('SendMoneyToBankAccount', kind, more);
    expect((await sandbox.send(content)).kind).toBe('unclear');
    expect([await sandbox.posts(content.extId), await sandbox.executions(content.extId)]).toEqual([
      1,
      worked ? 1 : 0,
    ]);
    expect(await sandbox.wallet.readPayout(content)).toMatchObject(
      worked ? { kind: 'found', level: 'pending' } : { kind: 'not_found' },
    );
  });

  test('work done after we gave up is found later', async () => {
    const content = payout();
    await sandbox.fault('SendMoneyToBankAccount', 'late', { ms: 60_000 });
    expect((await sandbox.send(content)).kind).toBe('unclear');
    expect(await sandbox.wallet.readPayout(content)).toMatchObject({ kind: 'not_found' });
    await sandbox.control('POST', 'clock', { advance: '61s' });
    expect(await sandbox.wallet.readPayout(content)).toMatchObject({ kind: 'found' });
    expect(await sandbox.posts(content.extId)).toBeLessThanOrEqual(2);
    expect(await sandbox.executions(content.extId)).toBe(1);
  });

  test('a clean refusal after an unclear first attempt is reported as such, and the reducer weighs it', async () => {
    const content = payout();
    await sandbox.fault('SendMoneyToBankAccount', 'lost_after');
    await sandbox.send(content);
    await sandbox.fault('SendMoneyToBankAccount', 'code', { code: '311' });
    expect(await sandbox.send(content)).toMatchObject({ kind: 'refused', code: '311' });
    expect(await sandbox.executions(content.extId)).toBe(1);
  });
});

describe('faults while asking', () => {
  test.each([
    ['status', { status: 500 }],
    ['status', { status: 302 }],
    ['html', {}],
    ['truncated', {}],
    ['malformed', {}],
    ['reset', {}],
    ['lost_before', {}],
    ['unknown_code', {}],
    ['code', { code: '500' }],
  ])('%s %o is no answer to any question', async (kind, more) => {
    const content = payout();
    await sandbox.fault('*', kind, { ...more, times: 7 });
    const asks = { index: 0, size: 10 };
    const replies = [
      await sandbox.wallet.readPayout(content),
      await sandbox.wallet.findInLedger({ extId: content.extId, ...range() }),
      await sandbox.wallet.getWallet(WALLET),
      await sandbox.wallet.listWallets({}, asks),
      await sandbox.wallet.getPaymentTypes('tr'),
      await sandbox.wallet.listWithdrawals(range(), asks),
      await sandbox.wallet.getReceipt('1'),
    ];
    expect(new Set(replies.map((reply) => reply.kind))).toEqual(new Set(['no_answer']));
  });
});
