import { describe, expect, it } from 'vitest';
import { addDays } from '#lib/values/dates.ts';
import { drawnRange, inSteps, stepsOf, unitOf } from './steps.ts';

describe('the steps of a chart', () => {
  it('are days up to 92 of them, and weeks from Monday beyond', () => {
    const from = '2026-01-01';
    const days = { from, to: addDays(from, 91) };
    expect([unitOf(stepsOf(days)), stepsOf(days).length]).toEqual(['day', 92]);
    const weeks = { from, to: addDays(from, 92) };
    expect(unitOf(stepsOf(weeks))).toBe('week');
    expect(stepsOf(weeks).slice(0, 2)).toEqual([
      { from: '2026-01-01', to: '2026-01-04' },
      { from: '2026-01-05', to: '2026-01-11' },
    ]);
    expect(stepsOf(weeks).at(-1)).toEqual({ from: '2026-03-30', to: '2026-04-03' });
    expect(stepsOf({ from, to: addDays(from, 399) }).length).toBeLessThanOrEqual(58);
  });

  it('hold every row of the range once', () => {
    const from = '2025-03-05';
    const range = { from, to: addDays(from, 399) };
    const rows = Array.from({ length: 400 }, (_, n) => ({ day: addDays(from, n) }));
    const all = inSteps(stepsOf(range), rows);
    expect(all.flatMap((one) => one.rows)).toEqual(rows);
  });

  it('are called what they are when the range goes on after today', () => {
    const range = { from: '2026-03-01', to: '2026-12-31' };
    const steps = stepsOf(drawnRange(range, '2026-03-10', []));
    expect(steps.every(({ from, to }) => from === to)).toBe(true);
    expect(unitOf(steps)).toBe('day');
  });

  it('end today, or with a later record', () => {
    const range = { from: '2026-03-01', to: '2026-03-31' };
    expect(drawnRange(range, '2026-03-10', [])).toEqual({ from: '2026-03-01', to: '2026-03-10' });
    expect(drawnRange(range, '2026-03-10', ['2026-03-12']).to).toBe('2026-03-12');
    expect(drawnRange(range, '2026-04-10', []).to).toBe('2026-03-31');
    expect(stepsOf(drawnRange(range, '2026-02-10', []))).toEqual([]);
  });
});
