import { expect, it } from 'vitest';
import { APP_SECRET, clientOf, response } from '#lib/providers/card/client-fixture.ts';
import { readHashKey } from '#lib/providers/card/hash-key.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { HASH_PARTS } from './hash-parts.ts';
import type { HashSubject } from './hash-parts.ts';

/**
 * The documentation for developers matches our own requests: each part of a hash key is the field
 * of that name in the same request.
 */

const NOW = { beforeWrite: () => true };
const SENT: [HashSubject, (card: CardClient) => Promise<unknown>][] = [
  [
    'checkstatus',
    (card) => card.readRecord({ invoiceId: 'F-1', amountMinor: null, currency: 'TRY' } as never),
  ],
  ['confirmPayment', (card) => card.captureHold({ invoiceId: 'F-1', amountMinor: 1_234n }, NOW)],
  [
    'complete',
    (card) =>
      card.completePayment(
        {
          invoiceId: 'F-1',
          amountMinor: 1_234n,
          currency: 'TRY',
          held: false,
          orderId: 'VP1',
        } as never,
        'complete',
        NOW,
      ),
  ],
  [
    'refund',
    (card) => card.refundPayment({ invoiceId: 'F-1', amountMinor: 1_234n, refundId: 'R-1' }, NOW),
  ],
  ['savedCard', (card) => card.deleteCard({ customerNumber: '7', token: 'T-1' })],
];

it.each(SENT)('%s: joined in the order in which it is documented', async (subject, send) => {
  const { made, asked } = clientOf([response(200, {})]);
  await send(made);
  const body = JSON.parse(asked[0]!.body!) as Record<string, unknown>;
  expect(readHashKey(APP_SECRET, body['hash_key'])).toHaveLength(HASH_PARTS[subject].length);
  const written = (name: string): string | undefined =>
    new RegExp(`"${name}":"?([^",}]*)`).exec(asked[0]!.body!)?.[1];
  expect(readHashKey(APP_SECRET, body['hash_key'])).toEqual(
    HASH_PARTS[subject].map((name) => written(name)),
  );
});

it('payment: joined in the order in which it is documented', () => {
  const { made } = clientOf([]);
  const items = [
    { name: 'x', description: '', unitMinor: 1_234n, quantity: 1, priceMinor: 1_234n },
  ];
  const form = made.savedCardForm(
    {
      invoiceId: 'F-1',
      description: 'x',
      amountMinor: 1_234n,
      currency: 'TRY',
      installments: 1,
      items,
      cardToken: 'T',
      customer: { number: '7', name: 'x', email: 'a@b.test', phone: '905551112233' },
    } as never,
    { returnUrl: 'https://a.test/', cancelUrl: 'https://a.test/' } as never,
  );
  const fields = Object.fromEntries(form.fields as Iterable<[string, string]>);
  expect(readHashKey(APP_SECRET, fields['hash_key'])).toEqual(
    HASH_PARTS.payment.map((name) => fields[name]),
  );
});
