import { describe, expect, it } from 'vitest';
import { marksOf } from '../file/cell.ts';
import { sampleMovement } from '#lib/payouts/rules.samples.ts';
import { hasProblem, tickKey, wholeContent } from './check-rows.ts';
import { registerOf } from './complete-row.ts';
import type { SavedRecipient } from './complete-row.ts';
import { A, aRow, B, checked, money, TCKN, VKN } from './testing/drafts.ts';

const saved = (name: string, ...ibans: string[]): SavedRecipient => ({
  ...{ name, nickname: null, taxNumber: VKN },
  ibans,
});

describe('a row', () => {
  it('that says everything is ready, with the payment type of the draft', () => {
    const [row] = checked([aRow()]);
    expect(row?.state).toBe('ok');
    expect(wholeContent(row!)).toEqual({
      iban: A,
      name: 'Örnek Ticaret Ltd.',
      taxNumber: VKN,
      amountMinor: 123450n,
      paymentType: '1',
      description: 'Fatura 2026-11',
    });
  });

  it('without a payment type anywhere has the error of the form', () => {
    const [row] = checked([aRow()], { defaults: {} });
    expect(row?.cells.paymentType).toMatchObject({ code: 'payment_type_required' });
    expect(row?.state).toBe('error');
    expect(wholeContent(row!)).toBeNull();
  });

  it('without a description gets that of the draft, and one of its own stays', () => {
    const defaults = { paymentType: '1', description: 'Kasım ödemesi' };
    const rows = checked([aRow({ text: ' ' }), aRow({ iban: B, tax: TCKN })], { defaults });
    expect(rows.map(({ content }) => content.description)).toEqual([
      'Kasım ödemesi',
      'Fatura 2026-11',
    ]);
  });

  it('is judged by the rules of the form for one payout', () => {
    const [short] = checked([aRow({ text: 'a' })]);
    expect(short?.findings).toMatchObject([
      { code: 'description_too_short', level: 'block' },
      { code: 'first_payment' },
    ]);
    expect(short?.state).toBe('blocked');
    const [poor] = checked([aRow()], {}, { wallet: { available: 1n } });
    expect(poor?.state).toBe('blocked');
  });

  it('that asks is a problem, and taken out it is none', () => {
    const rows = [aRow({ amount: '1.234' }), aRow({ iban: B, tax: TCKN, amount: '500' })];
    expect(checked(rows).map(hasProblem)).toEqual([true, false]);
    const [out] = checked(rows, { leftOut: ['0:2'] });
    expect([out?.state, hasProblem(out!)]).toEqual(['out', false]);
  });
});

describe('a saved recipient', () => {
  const blank = { name: '', iban: '', tax: '' };

  it('gives the row what it does not say', () => {
    const register = registerOf([saved('Şafak Gıda', B)]);
    const [row] = checked([aRow({ ...blank, saved: 'ŞAFAK gıda' })], {}, { register });
    expect(row?.content).toMatchObject({ name: 'Şafak Gıda', iban: B, taxNumber: VKN });
    expect(row?.state).toBe('repaired');
    expect(row?.cells.iban).toMatchObject({ marks: [{ reason: 'register', from: '', to: B }] });
  });

  it('is known by a nickname in whatever case, and each cell from the register is marked', () => {
    const register = registerOf([{ ...saved('Şafak Gıda Ltd.', B), nickname: 'IŞIK' }]);
    const [row] = checked([aRow({ ...blank, saved: 'ışık' })], {}, { register });
    expect(row?.content).toMatchObject({ name: 'Şafak Gıda Ltd.', iban: B, taxNumber: VKN });
    const { recipient, iban, name, taxNumber } = row!.cells;
    for (const cell of [recipient, iban, name, taxNumber])
      expect(marksOf(cell).map(({ reason }) => reason)).toEqual(['register']);
    expect(recipient).toMatchObject({ source: 'ışık', value: 'Şafak Gıda Ltd.' });
  });

  it('is asked, never guessed, when a nickname of one is the name of another', () => {
    const register = registerOf([
      { ...saved('Kuzey A.Ş.', A), nickname: 'Kaya' },
      { ...saved('KAYA', B), taxNumber: TCKN },
    ]);
    const [row] = checked([aRow({ ...blank, saved: 'kaya' })], {}, { register });
    expect(row?.state).toBe('ask');
    expect(row?.cells.recipient).toMatchObject({ why: 'recipient_several', choices: [A, B] });
    expect(row?.offers.map(({ name }) => name)).toEqual(['Kuzey A.Ş.', 'KAYA']);
    expect(row?.content.iban).toBeUndefined();
    expect(wholeContent(row!)).toBeNull();
    // The account that a person chooses names the recipient.
    const edits = { '0:2': { iban: { typed: B, locale: 'tr' as const } } };
    const [chosen] = checked([aRow({ ...blank, saved: 'kaya' })], { edits }, { register });
    expect(chosen?.content).toMatchObject({ name: 'KAYA', iban: B, taxNumber: TCKN });
  });

  it('that nobody knows is one error and not four; one with several accounts is asked', () => {
    const register = registerOf([saved('İki Hesap', A, B)]);
    const [unknown, two] = checked(
      [aRow({ ...blank, saved: 'Kimse' }), aRow({ ...blank, saved: 'İki Hesap' })],
      {},
      { register },
    );
    expect(unknown?.cells.recipient).toMatchObject({ code: 'recipient_unknown' });
    expect(unknown?.cells.iban.state).toBe('empty');
    expect(two?.cells.recipient).toMatchObject({
      ...{ state: 'ask', why: 'recipient_accounts' },
      choices: [A, B],
    });
    expect(two?.cells.iban.state).toBe('empty');
  });

  it('of a row that says everything is not asked for', () => {
    const [row] = checked([aRow({ saved: 'C-120' })]);
    expect(row?.cells.recipient).toMatchObject({ state: 'ok', value: 'C-120' });
    expect(row?.state).toBe('ok');
  });

  it('never replaces an account that stands in the row', () => {
    const register = registerOf([saved('Şafak Gıda', B)]);
    const [row] = checked(
      [aRow({ name: '', tax: '', iban: A, saved: 'Şafak Gıda' })],
      {},
      {
        register,
      },
    );
    expect(row?.content.iban).toBe(A);
    expect(row?.cells.recipient).toMatchObject({ code: 'recipient_differs' });
  });
});

describe('rows of one file', () => {
  it('that repeat a payee and an amount are warned of, the first one not', () => {
    const rows = checked([aRow(), aRow({ text: 'Fatura 8' }), aRow({ amount: '5,00' })]);
    expect(rows.map(({ state }) => state)).toEqual(['ok', 'warn', 'ok']);
    expect(rows[1]?.findings[0]).toEqual({
      code: 'row_repeated',
      stands: 'duplicate',
      level: 'warn',
      field: 'amount',
      params: { row: 2, count: 2 },
    });
    const [, elsewhere] = checked([aRow(), aRow({ iban: B })]);
    expect(elsewhere?.findings[0]?.code).toBe('row_repeated_other_iban');
  });

  it('are warned of what the rules will say once the rows before them are payments', () => {
    const codes = (...rows: string[][]) =>
      checked(rows).map(({ findings }) =>
        findings.filter(({ level }) => level === 'warn').map(({ code }) => code),
      );
    // Nearly the same amount to one account, and one payee on two accounts.
    expect(codes(aRow({ amount: '100,00' }), aRow({ amount: '100,50' }))).toEqual([
      [],
      ['row_nearly_repeated'],
    ]);
    expect(
      codes(aRow({ amount: '100,00' }), aRow({ iban: B, amount: '937,15', text: 'Avans' })),
    ).toEqual([[], ['row_other_account']]);
    expect(
      codes(aRow(), aRow({ name: 'Başka Biri', iban: B, tax: TCKN, amount: '1.234,50' })),
    ).toEqual([[], []]);
  });

  it('that are as many alike as in each month before repeat nothing, and one more does', () => {
    const recent = [1, 1, 2, 2, 3, 3].map((months, n) =>
      sampleMovement({
        ...{ id: `m${n}`, iban: A, taxNumber: VKN, amountMinor: 123_450n, description: 'Kira' },
        createdAt: new Date(Date.UTC(2026, 10 - months, 25, 10)).toISOString(),
      }),
    );
    const rents = [aRow({ text: 'Kira' }), aRow({ text: 'Kira' }), aRow({ text: 'Kira' })];
    expect(checked(rents, {}, { recent }).map(({ state }) => state)).toEqual(['ok', 'ok', 'warn']);
    expect(checked(rents).map(({ state }) => state)).toEqual(['ok', 'warn', 'warn']);
  });

  it('that are taken out repeat nothing', () => {
    expect(checked([aRow(), aRow()], { leftOut: ['0:2'] })[1]?.state).toBe('ok');
  });

  it('are ticked one by one, and a tick is of this very warning', () => {
    const rows = [aRow(), aRow(), aRow({ amount: '7,00' })];
    const [, warned] = checked(rows);
    const key = tickKey(warned!.findings[0]!);
    expect(warned?.unticked).toEqual([key]);
    const ticked = { '0:3': { keys: [key], reason: 'separate_invoice' } };
    expect(checked(rows, { ticked })[1]?.state).toBe('ok');
    // Another row is the first one now.
    expect(checked([rows[2]!, ...rows], { ticked: { '0:4': ticked['0:3'] } })[2]?.state).toBe(
      'warn',
    );
  });
});

it('reads a file of Turkish Excel: a shortened IBAN, a lost zero, an ambiguous amount', () => {
  const [iban, tax, amount] = checked([
    aRow({ iban: '3,3E+24', amount: '10' }),
    aRow({ tax: '12345678', amount: '20' }),
    aRow({ iban: B, amount: '1.234' }),
  ]);
  expect(iban?.cells.iban).toMatchObject({ state: 'error', code: 'iban_digits_lost' });
  expect(amount?.cells.amount).toMatchObject({ state: 'ask', choices: [123400n, 123n] });
  expect(money(iban?.content.amountMinor)).toBe('10.00');
  expect(tax?.cells.taxNumber.state).toBe('error');
});
