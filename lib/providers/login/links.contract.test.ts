/**
 * Tests payment links of the merchant login host against the sandbox, which was written from the
 * same contracts and shares no code with the client.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import type { PaymentLink, PaymentLinkContent } from './types.ts';

let sandbox: Sandbox;
let token = '';
beforeAll(async () => {
  sandbox = await startSandbox();
  const sent = await sandbox.login.startLogin({
    email: 'ayse@demo.test',
    password: 'demo-Parola-1',
    locale: 'tr',
  });
  if (sent.kind !== 'code_sent') throw new Error(sent.kind);
  const [message] = await sandbox.control<{ code: string }[]>('GET', 'messages?to=ayse@demo.test');
  const signedIn = await sandbox.login.verifyCode({
    userId: sent.userId,
    code: message?.code ?? '',
    locale: 'tr',
  });
  if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind);
  ({ token } = signedIn);
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.control('DELETE', 'faults'));

const content = (more: Partial<PaymentLinkContent> = {}): PaymentLinkContent => ({
  amountMinor: 12_345n,
  currency: 'TRY',
  payerSetsAmount: false,
  use: 'single',
  product: 'Işıklı çanta',
  description: 'Kırmızı, "büyük"',
  photo: null,
  ...more,
});

async function make(more: Partial<PaymentLinkContent> = {}): Promise<PaymentLink> {
  const answer = await sandbox.login.createPaymentLink(token, content(more));
  if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer));
  return answer.value;
}

test('a link is made with the exact amount and every word of the product', async () => {
  expect(await make()).toMatchObject({
    amountMinor: 12_345n,
    currency: 'TRY',
    use: 'single',
    status: 'active',
    product: 'Işıklı çanta',
    description: 'Kırmızı, "büyük"',
  });
  expect(await make({ currency: 'EUR', use: 'multi', description: null })).toMatchObject({
    currency: 'EUR',
    use: 'multi',
  });
});

test('a link whose amount the payer sets, and one with a picture, are made too', async () => {
  expect(await make({ payerSetsAmount: true })).toMatchObject({
    payerSetsAmount: true,
    amountMinor: null,
  });
  const bytes = Uint8Array.from([
    0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x0d, 0x0a, 0x2d, 0x2d, 0xff, 0xd9,
  ]);
  expect(await make({ photo: { bytes, type: 'image/jpeg' } })).toMatchObject({
    amountMinor: 12_345n,
    photo: expect.any(String) as string,
  });
});

test('a link is found by its id and listed among the active ones, page by page', async () => {
  const link = await make();
  expect(await sandbox.login.getPaymentLink(token, link.id)).toEqual({
    kind: 'answered',
    value: link,
  });
  expect(await sandbox.login.getPaymentLink(token, '999999999')).toEqual({ kind: 'not_found' });
  await make();
  const seen: string[] = [];
  for (let index = 0, pages = 1; index < pages; index++) {
    const page = await sandbox.login.listPaymentLinks(token, 'active', { index, size: 2 });
    if (page.kind !== 'answered') throw new Error(JSON.stringify(page));
    pages = page.value.pageCount;
    seen.push(...page.value.rows.map((row) => row.id));
    expect(page.value).toMatchObject({ index, size: 2 });
  }
  expect(seen).toContain(link.id);
  expect(new Set(seen).size).toBe(seen.length);
  expect(
    await sandbox.login.listPaymentLinks(token, 'passive', { index: 0, size: 10 }),
  ).toMatchObject({ kind: 'answered' });
});

test('a link is sent by e-mail and by SMS, and the answer tells its address', async () => {
  const link = await make();
  for (const to of [{ emails: ['alici@demo.test'] }, { phones: ['5551112233'] }]) {
    const answer = await sandbox.login.sendPaymentLink(token, { id: link.id, use: 'single' }, to);
    expect(answer).toMatchObject({
      kind: 'answered',
      value: { link: { id: link.id }, address: expect.stringMatching(/^https?:\/\//) as string },
    });
  }
});

describe('nothing is known or done', () => {
  test('without a token', async () => {
    expect(await sandbox.login.createPaymentLink('no-token', content())).toEqual({
      kind: 'unauthorized',
    });
    expect(
      await sandbox.login.listPaymentLinks('no-token', 'active', { index: 0, size: 1 }),
    ).toEqual({ kind: 'unauthorized' });
  });

  test('for a product without a name', async () => {
    expect(await sandbox.login.createPaymentLink(token, content({ product: '' }))).toEqual({
      kind: 'refused',
      code: '1',
    });
  });

  test('in trouble: one request, and never a link that nobody made', async () => {
    const count = async (): Promise<number> =>
      (await sandbox.control<unknown[]>('GET', 'requests?operation=create')).length;
    for (const [kind, more] of [
      ['status', { status: 503 }],
      ['html', {}],
      ['reset', {}],
      ['unknown_code', {}],
      ['truncated', {}],
      ['malformed', {}],
      ['lost_after', {}],
    ] as const) {
      const before = await count();
      await sandbox.fault('dpl/create', kind, more);
      expect((await sandbox.login.createPaymentLink(token, content())).kind).toBe('unavailable');
      expect((await count()) - before).toBe(1);
    }
  });
});
