import { describe, expect, it } from 'vitest';
import { makeIban } from '../file/testing/scenarios.ts';
import { aRow, B, checked, TCKN } from './testing/drafts.ts';
import { KINDS_TOGETHER, kindsToTick, tickedToo } from './warning-kinds.ts';

/** Warnings of one kind, confirmed in all rows at once. */

const three = [aRow(), aRow({ text: 'Fatura 8' }), aRow({ text: 'Fatura 9' })];

describe('warnings of one kind', () => {
  it('are those of every row that waits for them, and one row alone is none', () => {
    const [kind, ...others] = kindsToTick(checked(three));
    expect([kind?.code, kind?.rows, others]).toEqual(['row_repeated', 2, []]);
    expect([...kind!.keys.keys()]).toEqual(['0:3', '0:4']);
    expect(kindsToTick(checked(three.slice(0, 2)))).toEqual([]);
    expect(kindsToTick(checked(three, { leftOut: ['0:4'] }))).toEqual([]);
    const [, second] = checked(three);
    const ticked = { '0:3': { keys: second!.unticked, reason: 'separate_invoice' } };
    expect(kindsToTick(checked(three, { ticked }))).toEqual([]);
  });

  it('are others as soon as one of them is another', () => {
    const [before] = kindsToTick(checked(three));
    const [after] = kindsToTick(checked([...three, aRow({ text: 'Fatura 10' })]));
    const [moved] = kindsToTick(checked([aRow({ iban: B, tax: TCKN }), ...three]));
    expect(new Set([before, after, moved].map((kind) => kind?.seen)).size).toBe(3);
    expect(kindsToTick(checked(three))[0]?.seen).toBe(before?.seen);
  });

  it('never hold another account or an unknown outcome: each of these is checked by itself', () => {
    const other = (serial: number) =>
      aRow({
        ...{ name: 'Örnek Ticaret Ltd.', iban: makeIban('00062', `${serial}`) },
        text: 'Avans',
        amount: `${serial}00,00`,
      });
    const rows = checked([aRow(), other(17), other(31), other(58)]);
    expect(rows.flatMap(({ findings }) => findings.map(({ code }) => code))).toContain(
      'row_other_account',
    );
    expect(kindsToTick(rows)).toEqual([]);
    for (const code of ['iban_changed', 'payee_other_iban', 'payee_retired', 'unknown_same_payee'])
      expect(KINDS_TOGETHER).not.toContain(code);
  });
});

describe('a further tick of a row', () => {
  it('keeps what was confirmed before, with both reasons', () => {
    const first = { keys: ['a'], reason: 'Kasım ve aralık faturası' };
    expect(tickedToo(undefined, first, 500)).toEqual(first);
    expect(tickedToo(first, { keys: ['b', 'a'], reason: 'Ücret ayrıca yüklendi' }, 500)).toEqual({
      keys: ['a', 'b'],
      reason: 'Kasım ve aralık faturası · Ücret ayrıca yüklendi',
    });
    expect(tickedToo(first, { keys: ['b'], reason: first.reason }, 500).reason).toBe(first.reason);
    expect(tickedToo(first, { keys: ['b'], reason: 'x'.repeat(500) }, 500).reason).toHaveLength(
      500,
    );
  });
});
