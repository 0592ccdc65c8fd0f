import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from './foreign-text.ts';
import { parseJson } from '#lib/providers/json.ts';

const HIDDEN = [
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];

test('what would turn the text around is written out', () => {
  expect(visibleText('Ali \u202egnp.exe')).toBe('Ali [U+202E]gnp.exe');
  for (const one of HIDDEN) expect(visibleText(`a${one}b`)).toMatch(/^a\[U\+[0-9A-F]{4}\]b$/);
});

test('every other letter stays, right-to-left ones and joined ones included', () => {
  for (const text of ['Şafak Güvenlik A.Ş.', 'شركة', 'שלום', 'क्\u200dष', 'İıĞğ', ''])
    expect(visibleText(text)).toBe(text);
});

test('no answer of a provider brings such a character in, however it is written, names of fields aside', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom(...HIDDEN))),
      fc.boolean(),
      (parts, escaped) => {
        const text = JSON.stringify({ name: parts.join(''), list: [parts.join('-')] });
        const wire = escaped
          ? text.replace(
              /[^\x20-\x7e]/g,
              (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
            )
          : text;
        const read = parseJson(wire);
        expect(read.ok && JSON.stringify(read.value)).not.toMatch(
          /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
        );
      },
    ),
  );
});
