import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecimal } from '#lib/values/money.ts';
import { Exact, parseJson, rawAmount, rawInteger } from './json.ts';

const valueOf = (text: string): unknown => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
};

describe('reading', () => {
  test('a 19-digit id and an amount keep every digit', () => {
    expect(valueOf('{"id":9223372036854775807,"amount":0.10,"list":[1e2]}')).toEqual({
      id: new Exact('9223372036854775807'),
      amount: new Exact('0.10'),
      list: [new Exact('1e2')],
    });
  });

  test('any integer of up to 30 digits survives reading and writing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (n) => {
        const text = `{"n":${n}}`;
        expect(JSON.stringify(valueOf(text))).toBe(text);
      }),
    );
  });

  test('what JSON.parse reads without numbers, this reads the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(JSON.stringify(valueOf(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('a text is never a number, whatever control characters it begins with', () => {
    for (const text of ['\u0001', '\u000112', '\u0001\u000112', '\u0001"\\', '"\\\\', '\u000212'])
      for (const value of [text, { a: text, [text]: [text, 1] }])
        expect(JSON.stringify(valueOf(JSON.stringify(value)))).toBe(JSON.stringify(value));
  });

  test('is as strict as JSON.parse: what that refuses, this refuses, and the reverse', () => {
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', ' ', '"', '"a"', '"a":', '\\', '\\u0001', '"\\u00011"'],
      ...['0', '1', '-', '.', 'e', '+', '12.5', '1e2', 'true', 'null', '{"a":1}', '\u0001'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const read = parseJson(text);
        expect(read.ok).toBe(isJson);
        if (read.ok) expect(JSON.parse(JSON.stringify(read.value))).toEqual(JSON.parse(text));
      }),
      { numRuns: 20_000 },
    );
  });

  test('any text at all is answered, never thrown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(typeof parseJson(text).ok).toBe('boolean');
      }),
    );
  });

  test('nesting and size are limited before the parser sees them', () => {
    expect(parseJson('['.repeat(100_000))).toEqual({ ok: false, why: 'depth' });
    expect(parseJson('['.repeat(32) + ']'.repeat(32)).ok).toBe(true);
    expect(parseJson('['.repeat(33) + ']'.repeat(33))).toEqual({ ok: false, why: 'depth' });
    expect(parseJson(`"${'[{\\"'.repeat(100)}"`).ok).toBe(true);
    expect(parseJson(`"${'x'.repeat(9 * 1024 * 1024)}"`)).toEqual({ ok: false, why: 'size' });
  });

  test('a cut or foreign text is a syntax fault', () => {
    for (const text of ['', '{', '{"a":1', '<html></html>', 'NaN', '{"a":01}', '{"a":1}{'])
      expect(parseJson(text)).toEqual({ ok: false, why: 'syntax' });
  });

  test('a field called __proto__ is only a field', () => {
    const value = valueOf('{"__proto__":{"code":"100"}}') as { code?: unknown };
    expect(value.code).toBeUndefined();
  });
});

describe('amounts', () => {
  test('any amount survives writing and reading to the last minor unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (minor) => {
        const value = valueOf(JSON.stringify({ amount: rawAmount(minor) })) as { amount: Exact };
        expect(readDecimal(value.amount.text)).toBe(minor);
      }),
    );
  });

  test('amounts are written with two decimals', () => {
    expect(JSON.stringify({ a: rawAmount(12340n), b: rawAmount(5n), c: rawAmount(-5n) })).toBe(
      '{"a":123.40,"b":0.05,"c":-0.05}',
    );
  });

  test('ids are written digit by digit, and nothing else is written as an id', () => {
    expect(JSON.stringify(rawInteger('9223372036854775807'))).toBe('9223372036854775807');
    for (const text of ['', '-1', '1.0', '1e3', '01', '"', '1]'])
      expect(() => rawInteger(text)).toThrow(RangeError);
  });
});
