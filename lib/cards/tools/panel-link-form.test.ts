import { expect, it } from 'vitest';
import { readPanelLinkForm, readPanelLinkQuery, readReceiver } from './panel-link-form.ts';

const FORM = {
  product: ' Bahar  koleksiyonu ',
  description: '',
  amount: '1.250,50',
  currency: 'TRY',
  use: 'single',
  locale: 'tr',
};

it('a link asks for what was typed, to the minor unit', () => {
  expect(readPanelLinkForm(FORM)).toEqual({
    ok: true,
    form: {
      product: 'Bahar koleksiyonu',
      description: null,
      amountMinor: 125_050n,
      currency: 'TRY',
      use: 'single',
    },
  });
});

it('a link is not made of no amount, one that can be read in two ways, no name, or a card number', () => {
  for (const amount of ['', '0', '-5', 'NaN', '1,500', '€10', '1,005'])
    expect(readPanelLinkForm({ ...FORM, amount })).toEqual({ ok: false, error: 'amount' });
  for (const product of ['', ' ', 'x'.repeat(101), null])
    expect(readPanelLinkForm({ ...FORM, product })).toEqual({ ok: false, error: 'product' });
  for (const field of ['product', 'description'])
    expect(readPanelLinkForm({ ...FORM, [field]: '4508 0345 0803 4509' })).toEqual({
      ok: false,
      error: 'card_number',
    });
});

it('a link is sent to one address or one number, or to nobody', () => {
  expect(readReceiver('email', ' a@b.test ')).toEqual({ emails: ['a@b.test'] });
  expect(readReceiver('phone', '+90 (533) 000-02-01')).toEqual({ phones: ['905330000201'] });
  for (const [way, text] of [
    ['email', 'a'],
    ['email', 'a@b.test, c@d.test'],
    ['phone', '5330'],
    ['phone', '90x5330000201'],
    ['sms', '905330000201'],
    [null, ''],
  ] as const)
    expect(readReceiver(way, text)).toBeNull();
});

it('an address without sense asks for the first page of open links', () => {
  expect(readPanelLinkQuery({ which: 'x', page: '0', link: '1 OR 1' })).toEqual({
    which: 'active',
    page: 1,
    open: null,
  });
  expect(readPanelLinkQuery({ which: 'passive', page: '2', link: '12' })).toEqual({
    which: 'passive',
    page: 2,
    open: '12',
  });
});
