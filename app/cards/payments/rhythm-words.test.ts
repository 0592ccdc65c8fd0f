import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import en from '../../../messages/en/charges.json' with { type: 'json' };
import tr from '../../../messages/tr/charges.json' with { type: 'json' };

/** How a card payment that is repeated names its rhythm. */

it.each([
  ['day', 1, '6 kez, her gün', '6 times, every day'],
  ['month', 1, '6 kez, her ay', '6 times, every month'],
  ['month', 3, '6 kez, 3 ayda bir', '6 times, every 3 months'],
  ['year', 2, '6 kez, 2 yılda bir', '6 times, every 2 years'],
])('a rhythm of %s and %i', (cycle, interval, inTurkish, inEnglish) => {
  const values = { count: 6, interval, cycle };
  const turkish = createTranslator({ locale: 'tr', messages: tr, namespace: 'made' });
  const english = createTranslator({ locale: 'en', messages: en, namespace: 'made' });
  expect(turkish('recurringText', values)).toBe(inTurkish);
  expect(english('recurringText', values)).toBe(inEnglish);
});
