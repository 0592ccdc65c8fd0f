import { describe, expect, it } from 'vitest';
import en from '../../../messages/en/new-wallet.json' with { type: 'json' };
import tr from '../../../messages/tr/new-wallet.json' with { type: 'json' };
import { WALLET_CURRENCIES, WALLET_ERROR_CODES, walletSchema } from './schema.ts';

const id = '5f0c3c1e-7a61-4d0a-9a52-3f6f5a1c2d3e';
const read = (fields: object) => {
  const parsed = walletSchema.safeParse({ id, name: 'Kasa', currency: 'TRY', ...fields });
  return parsed.success
    ? parsed.data
    : parsed.error.issues.map((issue) => [issue.path[0], issue.message]);
};

describe('the form of a new wallet', () => {
  it('is read as it will be sent: one line, no unseen marks, the box as a yes or no', () => {
    expect(read({ name: '  Şube \u00a0 Kasası\u200b ', fastIban: 'on' })).toEqual({
      id,
      name: 'Şube Kasası',
      currency: 'TRY',
      fastIban: true,
    });
    expect(read({})).toMatchObject({ fastIban: false });
    expect(read({ name: 'ğ'.repeat(100) })).toMatchObject({ name: 'ğ'.repeat(100) });
  });

  it.each([
    [{ name: '' }, 'name', 'name_required'],
    [{ name: ' \u200b ' }, 'name', 'name_required'],
    [{ name: undefined }, 'name', 'name_required'],
    [{ name: 'ğ'.repeat(101) }, 'name', 'name_too_long'],
    [{ name: 'Kasa \ud83d' }, 'name', 'name_control_characters'],
    [{ name: 'Ka\u202esa' }, 'name', 'name_control_characters'],
    [{ currency: '' }, 'currency', 'currency_required'],
    [{ currency: 'lira' }, 'currency', 'currency_required'],
  ])('%o is refused with its field', (fields, field, code) => {
    expect(read(fields)).toEqual([[field, code]]);
  });

  it('has words for every fault and currency in both languages', () => {
    for (const words of [tr, en]) {
      expect(Object.keys(words.errors).sort()).toEqual([...WALLET_ERROR_CODES, 'some'].sort());
      expect(Object.keys(words.currencies)).toEqual([...WALLET_CURRENCIES]);
    }
  });
});
