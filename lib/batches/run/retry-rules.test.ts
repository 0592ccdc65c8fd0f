import { describe, expect, it } from 'vitest';
import { rowsOfRetry } from './retry-rules.ts';
import type { RunRow } from './retry-rules.ts';

const aRow = (n: number, given: Partial<RunRow> = {}): RunRow => ({
  ...{ n, refused: false, made: true, state: 'PENDING', returned: 'NONE', alert: null },
  ...given,
});
const unpaid = (...rows: RunRow[]): number[] => rowsOfRetry(rows, null).unpaid;

describe('a row of a batch that is over', () => {
  it('that never became a movement is paid by the retry, whether refused or left over', () => {
    const none = { made: false, state: null, returned: null };
    expect(unpaid(aRow(2, none), aRow(3, { ...none, refused: true }))).toEqual([2, 3]);
  });

  it('whose movement a restore has lost is not paid again: it may have left', () => {
    expect(unpaid(aRow(2, { state: null, returned: null }), aRow(3))).toEqual([]);
  });

  it('whose record contradicts its end is not paid again: the provider may have paid it', () => {
    const refused = { state: 'REJECTED', alert: 'contradiction' } as const;
    const returned = { state: 'COMPLETED', returned: 'CONFIRMED', alert: 'contradiction' } as const;
    expect(unpaid(aRow(2, refused), aRow(3, returned), aRow(4, { state: 'REJECTED' }))).toEqual([
      4,
    ]);
  });
});
