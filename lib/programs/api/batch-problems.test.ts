import { describe, expect, it } from 'vitest';
import { checkRows, contentOf } from '#lib/batches/draft/check-rows.ts';
import { draftTable } from '#lib/batches/draft/draft-table.ts';
import { B, NO_CHANGES, NO_PEOPLE, TYPES, VKN } from '#lib/batches/draft/testing/drafts.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import { formOf } from './form.ts';
import { BATCH_CHOICES, BATCH_COLUMNS, sourceOf } from './batch-source.ts';
import { problemsOf, ticksOf } from './batch-problems.ts';

/** A row of a program's batch is paid as it was written, or refused. */

const IBAN = 'TR330006100519786457841326';

type Field = 'iban' | 'name' | 'tax_number' | 'amount' | 'payment_type' | 'description';

function form(given: Partial<Record<Field, string>> = {}): PayoutForm {
  const read = formOf(
    {
      ...{ wallet: '1000000001', currency: 'TRY', iban: IBAN, name: 'Örnek Ltd.' },
      ...{ tax_number: '10000000146', amount: '1234.50', payment_type: '1', description: 'Fatura' },
      ...given,
    },
    '00000000-0000-0000-0000-000000000000',
  );
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.form;
}

function drafted(forms: readonly PayoutForm[]) {
  const state = {
    ...{ ...NO_CHANGES, defaults: {}, columns: BATCH_COLUMNS },
    choices: BATCH_CHOICES,
  };
  const { rows } = draftTable(sourceOf(forms), state, 'TRY');
  const checked = checkRows(
    rows,
    {},
    {
      register: new Map(),
      ...NO_PEOPLE,
      types: TYPES,
      defaults: {},
      factsOf: ({ content, writtenCurrency }) => ({
        content: contentOf(content, '1000000001'),
        writtenCurrency,
        wallet: {
          available: 1_000_000_000_000n,
          currency: 'TRY',
          accessLevel: 'active',
          limits: { withdrawal: null },
        },
        paymentType: { code: '1', minDescription: 3 },
        recent: [],
        lastSendToIbanAt: null,
        limitLeft: null,
        fee: null,
        now: '2026-11-25T10:00:00.000Z',
      }),
    },
  );
  return { ...checked, problems: [] };
}

describe('a row of a program', () => {
  it.each([
    ['of a thousand', { amount: '1000.00' }],
    ['of a kuruş', { amount: '0.01' }],
    ['of the largest amount', { amount: '99999999.99' }],
    ['to a payee like a sum', { name: 'Genel Toplam', description: 'TOPLAM' }],
    ['to a payee like a heading', { name: 'IBAN', description: 'Tutar' }],
    ['to a payee like a formula', { name: "'=1+1", description: '="0123"' }],
    ['to a payee like a number', { name: '1.234,56 Ltd.', description: '1.234' }],
  ])('%s is read as it was written, or refused', (_what, given) => {
    const forms = [form(given)];
    const draft = drafted(forms);
    const [row] = draft.rows;
    const problems = problemsOf(draft, forms);
    if (problems === null)
      expect(row?.content).toMatchObject({
        iban: IBAN,
        amountMinor: forms[0]!.content.amountMinor,
        name: forms[0]!.content.name,
        description: forms[0]!.content.description,
      });
    else expect(problems.errors).toContainEqual({ row: 1, field: '', code: 'row_not_understood' });
  });

  it.each([
    ['another amount', { amount: '1234.51' }],
    ['another name', { name: 'Başka Ltd.' }],
    ['another description', { description: 'Fatura 2' }],
    ['another account', { iban: B }],
    ['another tax number', { tax_number: VKN }],
    ['another payment type', { payment_type: '2' }],
  ])('that was read with %s than it was written is refused', (_what, other) => {
    const draft = drafted([form()]);
    expect(problemsOf(draft, [form()])).toBeNull();
    expect(problemsOf(draft, [form(other)])?.errors).toEqual([
      { row: 1, field: '', code: 'row_not_understood' },
    ]);
  });

  it('that repeats another is confirmed by the code of that warning alone, not by its reason', () => {
    const named = (code: string) => [
      form(),
      { ...form(), overrides: [code], overrideReason: 'separate_invoice' },
    ];
    const { rows } = drafted(named(''));
    expect(ticksOf(rows, named('fee_may_not_fit'))).toEqual({});
    expect(Object.keys(ticksOf(rows, named('duplicate')))).toEqual([rows[1]!.key]);
  });

  it('that is missing is refused', () => {
    expect(problemsOf(drafted([form()]), [form(), form()])?.errors).toEqual([
      { row: 2, field: '', code: 'row_not_understood' },
    ]);
  });
});
