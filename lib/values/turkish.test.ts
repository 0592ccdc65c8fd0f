import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compareTurkish, foldForSearch } from './turkish.ts';

describe('search folding', () => {
  test.each([
    'ISIK',
    'ışık',
    'Işık',
    'IŞIK',
    'isik',
    'İŞİK',
    'i\u015f\u0131k',
    'is\u0327ik',
    ' Işık\u00a0',
  ])('%j finds Işık', (text) => {
    expect(foldForSearch(text)).toBe('isik');
  });

  it('folds every Turkish letter and keeps words apart', () => {
    expect(foldForSearch('ÇĞİÖŞÜ çğıöşü Âlâ')).toBe('cgiosu cgiosu ala');
    expect(foldForSearch('ABC\t Dış  Tic.\n Ltd.')).toBe('abc dis tic. ltd.');
  });

  it('does not depend on the case a text comes in, Turkish or not, and folding twice changes nothing', () => {
    const words = fc.string({
      unit: fc.constantFrom(...'abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ 0123'),
    });
    fc.assert(
      fc.property(words, (text) => {
        const folded = foldForSearch(text);
        return [
          text.toLocaleUpperCase('tr'),
          text.toLocaleLowerCase('tr'),
          text.toUpperCase(),
          text.toLowerCase(),
          folded,
        ].every((form) => foldForSearch(form) === folded);
      }),
      { numRuns: 500 },
    );
  });
});

describe('texts that were folded before', () => {
  it('fold to the same after more other texts than are remembered', () => {
    const texts = Array.from({ length: 25_000 }, (_, n) => `Işık Ltd. Şti. ${n}`);
    for (const again of [texts, texts.toReversed(), texts.slice(0, 100)])
      expect(
        again.every((text) => foldForSearch(text) === `isik ltd. sti. ${text.slice(15)}`),
      ).toBe(true);
    expect(foldForSearch(`${'İ'.repeat(300)} `)).toBe('i'.repeat(300));
  });
});

describe('sorting', () => {
  it('follows the Turkish alphabet', () => {
    expect(
      ['zeytin', 'İzmir', 'ısı', 'çay', 'cam', 'şeker', 'su', 'ihale', 'Iğdır'].sort(
        compareTurkish,
      ),
    ).toEqual(['cam', 'çay', 'Iğdır', 'ısı', 'ihale', 'İzmir', 'su', 'şeker', 'zeytin']);
    expect(['Kasa 10', 'Kasa 2'].sort(compareTurkish)).toEqual(['Kasa 2', 'Kasa 10']);
  });
});
