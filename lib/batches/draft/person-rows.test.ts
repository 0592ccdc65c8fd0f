import { describe, expect, it, test } from 'vitest';
import type { PersonFound } from '#lib/transfers/person.ts';
import { missingFields } from '../file/mapping.ts';
import { tickKey, wholeContent } from './check-rows.ts';
import { draftProblems, summarize } from './summary.ts';
import { A, aRow, checked, tableOfRows } from './testing/drafts.ts';

/** Rows that pay the wallet of a person instead of an account of a bank. */

const KEY = 'phone:90:5330000201';
const ELIF: PersonFound = { kind: 'found', wallet: '5510100001', name: 'El** Şa***' };
const people = (found: PersonFound = ELIF) => ({ people: new Map([[KEY, found]]) });
const toElif = (cells: Partial<Record<string, string>> = {}): string[] =>
  aRow({ iban: '', tax: '', name: 'Elif Şahin', person: '0533 000 02 01', ...cells });

describe('a row that pays a person', () => {
  it('needs neither IBAN nor tax number, and goes to the wallet that the provider found', () => {
    const [row] = checked([toElif()], {}, people());
    expect(row?.state).toBe('ok');
    expect(wholeContent(row!)).toEqual({
      ...{ iban: '', taxNumber: '', name: 'Elif Şahin', amountMinor: 123_450n },
      ...{ paymentType: '1', description: 'Fatura 2026-11' },
      person: { foundBy: KEY, toWallet: '5510100001', foundName: 'El** Şa***' },
    });
  });

  it('beside an IBAN names two payees, and a person empties one of them', () => {
    const both = [toElif({ iban: A })];
    const [row] = checked(both, {}, people());
    expect(row?.cells.person).toMatchObject({ state: 'error', code: 'person_and_iban' });
    expect([row?.state, wholeContent(row!)]).toEqual(['error', null]);
    expect(row?.findings.map(({ code }) => code)).not.toContain('person_unchecked');
    const without = (field: string) => ({ edits: { '0:2': { [field]: empty } } });
    const [wallet] = checked(both, without('iban'), people());
    expect(wholeContent(wallet!)?.person?.toWallet).toBe('5510100001');
    const [bank] = checked([toElif({ iban: A, tax: '1000000014' })], without('person'), people());
    expect([bank?.found, bank?.content.iban]).toEqual([null, A]);
  });
  const empty = { typed: '', locale: 'tr' } as const;

  it('with a wrong tax number is paid all the same: a wallet has none', () => {
    const [row] = checked([toElif({ tax: '123' })], {}, people());
    expect([row?.state, wholeContent(row!)?.taxNumber]).toEqual(['ok', '']);
  });

  it('without a name is refused: nobody could compare the name that the provider shows', () => {
    const [row] = checked([toElif({ name: ' ' })], {}, people());
    expect(row?.cells.name).toMatchObject({ state: 'error', code: 'name_too_short' });
    const fields = { person: 6, amount: 3, description: 4 };
    const [nameless] = checked([toElif()], { columns: { by: 'hand', fields } }, people());
    expect(nameless?.cells.name).toMatchObject({ state: 'error', code: 'name_too_short' });
  });

  test.each([
    ['somebody with another name', { ...ELIF, name: 'Me** Ka**' }, 'person_differs', 'warn'],
    ['somebody whose name is not shown', { ...ELIF, name: null }, 'person_unnamed', 'warn'],
    ['nobody', { kind: 'nobody' }, 'person_nobody', 'blocked'],
    ['nobody yet', { kind: 'unchecked' }, 'person_unchecked', 'blocked'],
  ] as const)('that leads to %s is no row to pay', (_who, found, code, state) => {
    const [row] = checked([toElif()], {}, people(found));
    expect(row?.findings.map((one) => one.code)).toContain(code);
    expect(row?.state).toBe(state);
  });

  it('with another name needs a tick that counts for this name alone', () => {
    const other = people({ ...ELIF, name: 'Me** Ka**' });
    const [row] = checked([toElif()], {}, other);
    const key = tickKey(row!.findings.find(({ code }) => code === 'person_differs')!);
    const ticked = { '0:2': { keys: [key], reason: 'evlendi' } };
    expect(checked([toElif()], { ticked }, other)[0]?.state).toBe('ok');
    const third = people({ ...ELIF, name: 'De** Ak**' });
    expect(checked([toElif()], { ticked }, third)[0]?.state).toBe('warn');
  });

  it('twice in a file is a warning that names the first row', () => {
    const [, second] = checked([toElif(), toElif()], {}, people());
    expect(second?.findings).toContainEqual(
      expect.objectContaining({ code: 'row_repeated', params: { row: 2, count: 2 } }),
    );
  });

  it('of somebody who is also paid to an IBAN in the same file is a warning', () => {
    const [, second] = checked([aRow({ name: 'Elif Şahin' }), toElif()], {}, people());
    expect(second?.findings.map(({ code }) => code)).toContain('row_repeated_other_iban');
  });

  it('is locked while a transfer of its amount to that wallet may have left', () => {
    const open = {
      ...{ id: 'm1', toWallet: '5510100001', name: 'Elif Şahin', amountMinor: 123_450n },
      ...{ currency: 'TRY', paymentType: '1', description: 'Fatura 2026-11', maker: null },
      ...({ state: 'UNKNOWN', returned: 'NONE', reasonText: null } as const),
      createdAt: '2026-11-25T09:00:00.000Z',
    };
    const [row] = checked([toElif()], {}, { ...people(), transfers: [open] });
    expect(row?.findings.map(({ code }) => code)).toContain('unknown_same_amount');
    expect(row?.state).toBe('blocked');
  });
});

describe('a file with both', () => {
  it('needs no column of IBANs when it has one of persons', () => {
    expect(missingFields(tableOfRows([toElif()]).mapping)).toEqual([]);
    const { iban: _iban, taxNumber: _number, ...mapping } = tableOfRows([toElif()]).mapping;
    expect(missingFields(mapping)).toEqual([]);
  });

  it('is held to the limit of each kind apart, and costs the fees of both', () => {
    const rows = checked([aRow(), toElif()], {}, people());
    const fees = {
      payout: { min: 100n, max: 300n, n: 5 },
      transfer_person: { min: 10n, max: 20n, n: 3 },
    };
    const problems = (withdrawalMinor: bigint, walletToWalletMinor: bigint) => {
      const limits = { withdrawalMinor, walletToWalletMinor };
      const balance = { availableMinor: 1_000_000n, limits };
      const summary = summarize(rows, { balance, fees });
      expect(summary).toMatchObject({ fee: { min: 110n, max: 320n }, sum: 246_900n });
      const { mapping } = tableOfRows([aRow()]);
      return draftProblems(summary, { mapping, balance, typesKnown: true }).map(({ code }) => code);
    };
    expect(problems(123_450n, 123_450n)).toEqual([]);
    expect(problems(123_449n, 123_450n)).toEqual(['sum_above_limit']);
    expect(problems(123_450n, 123_449n)).toEqual(['sum_above_transfer_limit']);
  });
});
