import { describe, expect, it } from 'vitest';
import { contractData, coverage, isWide, proofs } from './coverage.ts';
import type { ContractData } from './coverage.ts';

const TOY: ContractData[] = [
  {
    area: 'toy',
    operations: [
      {
        operation: 'pay',
        source: 'contract',
        fields: { amount: 'y amount', note: 'n text [assumed]' },
        codes: { 13: 'does not add up' },
      },
      { operation: 'later', source: 'published', missing: true, codes: { 1: '' } },
    ],
  },
];

describe('coverage', () => {
  it('makes a row of every operation, field, rule, code and event, with its source', () => {
    const { rows, implemented, missing } = coverage(TOY, []);
    expect(
      rows.map((row) => [row.operation, row.kind, row.item, row.source, row.implemented]),
    ).toEqual([
      ['pay', 'operation', 'pay', 'contract', true],
      ['pay', 'field', 'amount', 'contract', true],
      ['pay', 'field', 'note', 'assumed', true],
      ['pay', 'code', '13', 'contract', true],
      ['later', 'operation', 'later', 'published', false],
      ['later', 'code', '1', 'published', false],
    ]);
    expect([implemented, missing]).toEqual([4, 2]);
  });

  it('links a row to the tests that name it, and a kind to all its rows', () => {
    const proof = (item: string): { operation: string; item: string; test: string } => ({
      operation: 'pay',
      item,
      test: `proves ${item}`,
    });
    const { rows, proven } = coverage(TOY, [proof('13'), proof('fields')]);
    expect(rows.filter((row) => row.tests.length > 0).map((row) => [row.item, row.tests])).toEqual([
      ['pay', ['proves 13', 'proves fields']],
      ['amount', ['proves fields']],
      ['note', ['proves fields']],
      ['13', ['proves 13']],
    ]);
    expect(proven).toBe(4);
  });

  it('has built every row and a proof for it, in every area', () => {
    const { rows } = coverage();
    expect(new Set(rows.map((row) => row.area))).toEqual(new Set(['card', 'login', 'wallet']));
    const named = (open: typeof rows): string[] =>
      open.map((row) => `${row.area} ${row.operation} ${row.kind} ${row.item}`);
    expect(named(rows.filter((row) => !row.implemented))).toEqual([]);
    expect(named(rows.filter((row) => row.tests.length === 0))).toEqual([]);
  });

  it('says of every wallet and login row what it is', () => {
    expect(
      coverage()
        .rows.filter((row) => row.area !== 'card' && row.says === '')
        .map((row) => `${row.operation} ${row.item}`),
    ).toEqual([]);
  });

  it('knows no proof of something that is in no contract', () => {
    const operations = contractData().flatMap((one) => one.operations);
    const kinds = ['fields', 'rules', 'codes', 'events'] as const;
    const known = (operation: string, item: string): boolean =>
      operations.some(
        (one) =>
          one.operation === operation && kinds.some((kind) => Object.hasOwn(one[kind] ?? {}, item)),
      );
    const isOperation = (operation: string): boolean =>
      operations.some((one) => one.operation === operation);
    expect(
      proofs()
        .filter(
          (proof) =>
            !(isWide(proof) ? isOperation(proof.operation) : known(proof.operation, proof.item)),
        )
        .map((proof) => `${proof.operation}: ${proof.item}`),
    ).toEqual([]);
  });
});
