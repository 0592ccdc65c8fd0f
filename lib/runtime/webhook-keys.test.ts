import { expect, test } from 'vitest';
import { panelEntries, WEBHOOK_FIELDS, webhookKeys } from './webhook-keys.ts';

test('the registry tells a person what to write into the panel, chargebacks without a key', () => {
  const keys = webhookKeys({ sale: 'panel-sale', recurring: 'panel-plan' });
  expect(keys).toEqual({
    sale: 'panel-sale',
    recurring: 'panel-plan',
    refund: null,
    cashout_reverse: null,
  });
  expect(panelEntries(keys, 'https://shop.test/h')).toEqual([
    { kind: 'sale', key: 'panel-sale', address: 'https://shop.test/h' },
    { kind: 'recurring', key: 'panel-plan', address: 'https://shop.test/h' },
    { kind: 'chargeback', key: null, address: 'https://shop.test/h' },
  ]);
});

test('each kind has the field in which requests name its key', () => {
  expect(WEBHOOK_FIELDS).toEqual({
    sale: 'sale_web_hook_key',
    recurring: 'recurring_web_hook_key',
    refund: 'refund_web_hook_key',
    cashout_reverse: 'reverse_web_hook_key',
  });
});

test('a name that could not be registered, or that two kinds share, is no key', () => {
  for (const sale of ['', 'a b', 'ş', 'a&b', 'x'.repeat(65)])
    expect(() => webhookKeys({ sale })).toThrow(RangeError);
  expect(() => webhookKeys({ sale: 'one', refund: 'one' })).toThrow(RangeError);
});
