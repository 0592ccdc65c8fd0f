/**
 * The card client against the sandbox, which was written from the same contracts and shares no line with it; and, when the variables
 * of a real test environment are set (README, "Against a real provider"), its questions against that.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());

const invoice = (): string => `I-${randomUUID()}`;

describe('the token', () => {
  test('comes with the ways to pay that are configured', async () => {
    expect(await sandbox.card.paymentMode()).toMatchObject({ kind: 'answered', value: expect.stringMatching(/^(non_secure|choice|three_d|branded)$/) as string });
  });

  test('is not given to a stranger, and nothing is sent without it', async () => {
    const stranger = sandbox.newCardClient({ app_secret: 'wrong' });
    expect(await stranger.paymentMode()).toEqual({ kind: 'no_answer', why: 'refused' });
    expect(await stranger.readRecord({ invoiceId: invoice(), amountMinor: 100n })).toEqual({ kind: 'no_answer', why: 'no_token', raw: null });
  });
});

describe('the record', () => {
  test('of an invoice that nobody paid is not found', async () => {
    expect(await sandbox.card.readRecord({ invoiceId: invoice(), amountMinor: 100n })).toMatchObject({ kind: 'not_found' });
  });
});
