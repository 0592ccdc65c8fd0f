import fc from 'fast-check';
import { Exact, parseJson } from '../json.ts';

/**
 * Corrupted responses: every field of a sample, with every fault that providers have shown or might
 * show.
 */

type Path = readonly (string | number)[];

const exact = (text: string) => new Exact(text);

/** Replacement values. `undefined` removes the field. */
const OTHERS: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  '',
  ' ',
  'x',
  '\u0000',
  '0',
  '1',
  '100',
  '9223372036854775807',
  '-1',
  '1e3',
  '12400.005',
  '__proto__',
  [],
  {},
  [null],
  { a: { b: [] } },
  exact('0'),
  exact('1'),
  exact('2'),
  exact('3'),
  exact('4'),
  exact('20'),
  exact('100'),
  exact('301'),
  exact('-1'),
  exact('1e3'),
  exact('0.5'),
  exact('12400.005'),
  exact('99999999999999999999'),
  exact('1E400'),
];

const IBAN = /^TR\d{24}$/;

/**
 * Every sample corrupted at one place: each field with each replacement, a number as text, digits
 * as a number, an IBAN in another spelling, and a new field in each object.
 */
export function* spoiltOnce(sample: string): Generator<string> {
  const whole = read(sample);
  for (const path of pathsOf(whole)) for (const body of spoiltAt(whole, path)) yield body;
}

/** The sample corrupted at two or three places, and with bytes cut, doubled or inserted. */
export function spoiltMore(sample: string): fc.Arbitrary<string> {
  const paths = pathsOf(read(sample));
  const places = fc.array(
    fc.record({
      path: fc.constantFrom(...paths),
      other: fc.oneof(fc.constantFrom(...OTHERS), fc.jsonValue()),
    }),
    { minLength: 2, maxLength: 3 },
  );
  const scars = fc.array(
    fc.record({
      at: fc.nat(sample.length),
      cut: fc.nat(6),
      put: fc.constantFrom('', '0', '1', '9', '"', ',', '}', '{', 'null', '.', '-'),
    }),
    { minLength: 1, maxLength: 3 },
  );
  return fc.oneof(
    places.map((list) =>
      write(list.reduce((value, { path, other }) => replaced(value, path, other), read(sample))),
    ),
    scars.map((list) =>
      list.reduce(
        (text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut),
        sample,
      ),
    ),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
}

function spoiltAt(whole: unknown, path: Path): string[] {
  const here = at(whole, path);
  const others = [...OTHERS];
  if (here instanceof Exact)
    others.push(here.text, exact(`${here.text}${here.text.includes('.') ? '' : '.'}001`));
  if (typeof here === 'string' && /^[1-9]\d*$/.test(here))
    others.push(exact(here), `${here} `, `0${here}`);
  if (typeof here === 'string' && IBAN.test(here))
    others.push(here.toLowerCase(), here.replaceAll(/(.{4})/g, '$1 '));
  if (typeof here === 'object' && here !== null && !Array.isArray(here) && !(here instanceof Exact))
    others.push({ ...here, brandNew: { of: [exact('1')] } });
  return others.map((other) => write(replaced(whole, path, other)));
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  const inside =
    typeof value !== 'object' || value === null || value instanceof Exact
      ? []
      : Array.isArray(value)
        ? [...value.keys()]
        : Object.keys(value);
  return [
    path,
    ...inside.flatMap((key) => pathsOf((value as Record<string, unknown>)[key], [...path, key])),
  ];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown>)[key], value);
}

/** The value with `other` at this path; unchanged when an earlier change removed the path. */
function replaced(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof Exact ||
    !Object.hasOwn(value, key)
  )
    return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<
    string,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, other);
  return copy;
}

function read(text: string): unknown {
  const json = parseJson(text);
  if (!json.ok) throw new Error(`a sample that is no JSON: ${text.slice(0, 80)}`);
  return json.value;
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/**
 * Every amount in a text, as minor units; parsed by other code than the clients use.
 */
export function amountsIn(body: string): Set<bigint> {
  const found = new Set<bigint>();
  for (const [, whole = '', fraction = '', power = '0'] of body.matchAll(
    /(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,2}))?/g,
  )) {
    const shifted = `${whole}${fraction}`.padEnd(whole.length + 40, '0');
    const point = whole.length + Number(power) + 2;
    if (point > 0 && point <= shifted.length && /^0*$/.test(shifted.slice(point)))
      found.add(BigInt(shifted.slice(0, point)));
  }
  return found;
}

/**
 * Every text and number of a body, decoded, including those in a text that holds JSON itself.
 */
export function tokensIn(body: string): Set<string> {
  const found = new Set<string>();
  for (const [token] of body.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    const text = token.startsWith('"') ? decoded(token) : token;
    found.add(text).add(text.trim());
    if (/^\s*[[{]/.test(text)) for (const inner of tokensIn(text)) found.add(inner);
  }
  return found;
}

function decoded(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}

/** As `String` writes it, and an object as JSON: one of the spoilt values has no text of its own. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Every value of a client's result, with its field name. `raw`, which the client only passes on, is
 * left out.
 */
export function* valuesIn(part: unknown, name = ''): Generator<[name: string, value: unknown]> {
  if (typeof part !== 'object' || part === null) return yield [name, part];
  for (const [key, value] of Object.entries(part))
    if (key !== 'raw' && key !== 'bytes') yield* valuesIn(value, Array.isArray(part) ? name : key);
}
