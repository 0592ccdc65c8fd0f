import { describe, expect, it } from 'vitest';
import { readWalletMovementQuery, walletMovementParams } from './filter.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';

/** 00:30 on 6 March in Istanbul, while it is still 5 March in UTC. */
const NOW = '2026-03-05T21:30:00.000Z';

describe('what the movements of a wallet are asked for', () => {
  it('always has both ends, counted in days of the workspace', () => {
    expect(readWalletMovementQuery({}, NOW)).toEqual({
      filter: { kind: null, from: '2026-02-05', to: '2026-03-06', chart: 30 },
      index: 0,
    });
    expect(readWalletMovementQuery({ from: '2026-03-01' }, NOW).filter).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-06',
    });
    expect(readWalletMovementQuery({ to: '2026-01-31' }, NOW).filter).toMatchObject({
      from: '2026-01-02',
      to: '2026-01-31',
    });
    expect(
      readWalletMovementQuery({ from: '2026-03-09', to: '2026-03-01' }, NOW).filter,
    ).toMatchObject({ from: '2026-03-01', to: '2026-03-09' });
    expect(readWalletMovementQuery({ from: '2027-01-01' }, NOW).filter).toMatchObject({
      from: '2027-01-01',
      to: '2027-01-01',
    });
  });

  it('is read forgivingly: nonsense is as if it were not there', () => {
    const plain = readWalletMovementQuery({}, NOW);
    expect(
      readWalletMovementQuery(
        { kind: 'x', from: '2026-02-30', to: ['2026-01-01'], page: '-3', chart: '31' },
        NOW,
      ),
    ).toEqual(plain);
    expect(readWalletMovementQuery({ kind: 'payout', page: '3' }, NOW)).toMatchObject({
      filter: { kind: 'payout' },
      index: 2,
    });
  });

  it('goes back into the address it came from', () => {
    const query = readWalletMovementQuery(
      { kind: 'top_up', from: '2026-02-01', to: '2026-02-28', chart: '90', page: '2' },
      NOW,
    );
    const params = Object.fromEntries(
      Object.entries(walletMovementParams(query.filter, query.index)).filter(
        ([, value]) => value !== null,
      ),
    ) as Record<string, string>;
    expect(readWalletMovementQuery(params, NOW)).toEqual(query);
  });
});

describe('the dates of the ledger', () => {
  it('are read as UTC with or without a zone, to the millisecond', () => {
    expect(ledgerInstant('2026-03-05T21:30:00.1234567Z')).toBe('2026-03-05T21:30:00.123Z');
    expect(ledgerInstant('2026-03-05T21:30:00.1234567')).toBe('2026-03-05T21:30:00.123Z');
    expect(ledgerInstant('2026-03-05 21:30:00')).toBe('2026-03-05T21:30:00.000Z');
    expect(ledgerInstant('2026-03-06T00:30:00+03:00')).toBe('2026-03-05T21:30:00.000Z');
  });

  it('are nothing when they are no dates', () => {
    for (const text of [
      null,
      '',
      'yesterday',
      '2026-13-01T00:00:00Z',
      '06.03.2026',
      '0001-01-01T00:00:00+03:00',
    ])
      expect(ledgerInstant(text)).toBeNull();
  });
});
