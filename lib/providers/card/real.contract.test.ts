/**
 * Tests the card client's reads against a real test environment when its variables are set (README,
 * "Against a real provider"); skipped otherwise. No test here moves money, or saves or changes
 * anything.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '#lib/values/money.ts';
import { createCardClient } from './client.ts';
import type { CardClient } from './client.ts';

const {
  CONTRACT_CARD_BASE_URL: baseUrl = '',
  CONTRACT_CARD_APP_ID: appId = '',
  CONTRACT_CARD_APP_SECRET: appSecret = '',
  CONTRACT_CARD_MERCHANT_KEY: merchantKey = '',
  CONTRACT_CARD_FIELD_PREFIX: fieldPrefix = 'svc_',
  CONTRACT_CARD_INVOICE_ID: invoiceId = '',
  CONTRACT_CARD_AMOUNT: amount = '',
} = process.env;

/** A new client for each test: its first request also requests a token. */
const client = (more: { appSecret?: string } = {}): CardClient =>
  createCardClient({ baseUrl, appId, appSecret, merchantKey, fieldPrefix, entry: 'off', ...more });

describe.skipIf([baseUrl, appId, appSecret, merchantKey].includes(''))('a real gateway', () => {
  test('gives a token for our credentials, with the ways to pay, and none for wrong ones', async () => {
    expect(await client().paymentMode()).toMatchObject({
      kind: 'answered',
      value: expect.stringMatching(/^(non_secure|choice|three_d|branded)$/) as string,
    });
    expect(await client({ appSecret: 'wrong' }).paymentMode()).toEqual({
      kind: 'no_answer',
      why: 'refused',
    });
  });

  test('does not know an invoice that nobody paid', async () => {
    expect(await client().readRecord({ invoiceId: randomUUID(), amountMinor: 100n })).toMatchObject(
      { kind: 'not_found' },
    );
  });

  test('tells installments and commissions', async () => {
    const counts = await client().listInstallments();
    expect(counts.kind).toMatch(/answered|not_found/);
    expect(await client().listCommissions({ currency: 'TRY' })).toMatchObject({ kind: 'answered' });
    expect(
      await client().getPos({ card: { prefix: '450803' }, amountMinor: 10_000n, currency: 'TRY' }),
    ).toMatchObject({ kind: 'answered' });
  });

  test('knows no link, no plan and no saved card of nobody', async () => {
    const nothing = { kind: expect.stringMatching(/^(?:not_found|no_answer)$/) as string };
    expect(await client().readLink({ invoiceId: randomUUID(), amountMinor: 100n })).toMatchObject(
      nothing,
    );
    expect(await client().readPlan({ planCode: randomUUID() })).toMatchObject(nothing);
    expect(await client().listSavedCards(String(Date.now()))).toEqual({
      kind: 'answered',
      value: [],
    });
  });

  test.skipIf([invoiceId, amount].includes(''))(
    'knows the invoice that was named, with its amount',
    async () => {
      expect(
        await client().readRecord({ invoiceId, amountMinor: parseDecimal(amount) }),
      ).toMatchObject({ kind: 'found', invoiceId, amountMinor: parseDecimal(amount) });
    },
  );
});
