import { expect, it } from 'vitest';
import { commissionText } from './rate.ts';

it('a commission loses no digit, and writes no part that takes nothing', () => {
  expect(commissionText('1.5000', '0.2500', 'TRY', 'tr')).toBe('%1,50 + ₺0,25');
  expect(commissionText('1.5000', '0.2500', 'TRY', 'en')).toBe('1.50% + ₺0.25');
  expect(commissionText('2.3456', '0.0000', 'TRY', 'tr')).toBe('%2,3456');
  expect(commissionText('0', '0.0025', 'TRY', 'tr')).toBe('TRY 0,0025');
  expect(commissionText('0.0000', '0.0000', 'EUR', 'en')).toBe('0.00% + €0.00');
  expect(commissionText('1234.5', null, 'TRY', 'tr')).toBe('%1.234,50');
  expect(commissionText(null, '3', 'USD', 'en')).toBe('$3.00');
  expect(commissionText(null, null, 'TRY', 'tr')).toBeNull();
});
