import { expect, it } from 'vitest';
import { readCommissionFilter, readPosFilter } from './filter.ts';

it('an address without sense asks for what is usual', () => {
  expect(readCommissionFilter({ currency: 'GBP', by: 'nobody', program: ['a', 'b'] })).toEqual({
    currency: 'TRY',
    paidBy: null,
    program: '',
  });
  expect(readCommissionFilter({ currency: 'EUR', by: 'user', program: ' BONUS ' })).toEqual({
    currency: 'EUR',
    paidBy: 'user',
    program: 'BONUS',
  });
});

it('of a card only six or eight digits are ever taken from an address', () => {
  for (const bin of ['450803', '45080345']) expect(readPosFilter({ bin }).bin).toBe(bin);
  for (const bin of ['', '45080', '4508034', '4508034508034509', '450803x', '450 803'])
    expect(readPosFilter({ bin }).bin).toBe('');
});
