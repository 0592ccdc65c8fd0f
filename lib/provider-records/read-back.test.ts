import { describe, expect, it } from 'vitest';
import { readBackTo } from './read-back.ts';

const DAYS = { from: '2026-09-01', to: '2026-09-10' };

describe('how far back the records are read', () => {
  it.each([
    ['all days', [], '2026-09-01'],
    ['all days before today', ['2026-09-10'], '2026-09-01'],
    ['the days after the last gap', ['2026-09-02', '2026-09-05'], '2026-09-06'],
    ['today alone', ['2026-09-08', '2026-09-09'], '2026-09-10'],
    ['no day', ['2026-09-09', '2026-09-10'], null],
  ])('%s', (_what, missing, back) => {
    expect(readBackTo(DAYS, missing)).toBe(back);
  });

  it('of one day that is not read yet is nothing', () => {
    const day = { from: '2026-09-10', to: '2026-09-10' };
    expect([readBackTo(day, ['2026-09-10']), readBackTo(day, [])]).toEqual([null, '2026-09-10']);
  });
});
