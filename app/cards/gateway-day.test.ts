import { expect, it } from 'vitest';
import { gatewayDay } from './gateway-day.ts';

/** Days of the gateway, as a person reads them. */

it.each([
  ['2026-11-28', '28 Kas 2026', '28 Nov 2026'],
  ['2026-02-30', '2026-02-30', '2026-02-30'],
  ['on request', 'on request', 'on request'],
])('%s is written as the language writes days, where it is one', (text, tr, en) => {
  expect([gatewayDay(text, 'tr'), gatewayDay(text, 'en')]).toEqual([tr, en]);
});
