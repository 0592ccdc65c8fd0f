import * as fc from 'fast-check';

/** Answers as a broken or changed provider might write them. The samples are text, because on the wire a number is its digits. */

const FIELD = /"([\w-]+)":(-?[\d.]+|"(?:[^"\\]|\\.)*"|null|true|false|\[\]|\{\})(,?)/g;
/** What may stand where another value was; the empty one drops the field. */
const VALUES = [
  '', 'null', 'true', 'false', '""', '"x"', '[]', '{}', '[1]', '0', '1', '2', '3', '31', '87', '100', '"100"', '112', '-1', '1e3', '0.5', '12400.005', '99999999999999999999', '"12400"', '"\\u0000"', '"9007199254740993003"',
];

/** The sample with one field after the other dropped, changed or of another type. */
export function spoilt(sample: string): string[] {
  return [...sample.matchAll(FIELD)].flatMap(({ 0: whole, 1: name = '', 3: comma = '', index }) =>
    VALUES.map((value) => sample.slice(0, index) + (value === '' ? '' : `"${name}":${value}${comma}`) + sample.slice(index + whole.length)));
}

/** Bytes removed, doubled or replaced anywhere. */
export function scarred(sample: string): fc.Arbitrary<string> {
  const scar = fc.record({ at: fc.nat(sample.length), cut: fc.nat(6), put: fc.constantFrom('', '0', '1', '9', '"', ',', '}', '{', 'null', '.', '-') });
  return fc.array(scar, { minLength: 1, maxLength: 3 }).map((scars) => scars.reduce((now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut), sample));
}
