import { describe, expect, it } from 'vitest';
import { readReason, stopReason } from './stop-reason.ts';

const refusal = expect.objectContaining({
  code: 'stop_reason_needed',
  params: { min: 5, max: 300 },
});

describe('a reason', () => {
  it('keeps its letters, emoji and line breaks', () => {
    for (const text of ['şüpheli ödeme', 'iade\nbekleniyor', 'tamam 👩‍👩‍👧', 'سبب واضح'])
      expect(stopReason(` ${text} `)).toBe(text);
  });

  it.each([
    ['marks of direction', '\u200f'.repeat(6)],
    ['spaces of no width', '\u200b'.repeat(6)],
    ['Hangul fillers', '\u3164'.repeat(6)],
    ['Braille without dots', '\u2800'.repeat(6)],
    ['no-break spaces', '\u00a0'.repeat(6)],
    ['NUL', '\u0000'.repeat(6)],
    ['four letters and marks', 'neden'.slice(1) + '\u200f'.repeat(6)],
  ])('of %s is none', (_what, text) => {
    expect(() => stopReason(text)).toThrow(refusal);
  });

  it('is stored without what deceives a reader and what the database cannot hold', () => {
    expect(stopReason('ne\u0000den \ud800var')).toBe('neden \ufffdvar');
    expect(stopReason('fatura \u202egpj.exe\u202c')).toBe('fatura gpj.exe');
  });

  it('is counted in characters, in the limits of whoever asks', () => {
    expect(readReason('😀😀😀', { min: 3, max: 3 })).toBe('😀😀😀');
    expect(() => readReason('😀'.repeat(4), { min: 3, max: 3 })).toThrow();
    expect(() => readReason('😀', { min: 2, max: 3 })).toThrow();
  });
});
