import * as fc from 'fast-check';

/**
 * `shown` is a secret as it may occur in a text; `core` is the part of it that must be removed. All
 * of them are invented.
 */
export type PlantedSecret = { shown: string; core: string };

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));
const base64url = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'), {
      minLength,
      maxLength,
    })
    .map((all) => all.join(''));
const grouped = (text: string, gap: string): string => text.replace(/(.{4})(?=.)/g, `$1${gap}`);
const plain = (core: string): PlantedSecret => ({ shown: core, core });

const card = fc
  .integer({ min: 12, max: 18 })
  .chain((length) => digits(length))
  .map((text) => `${text}${luhnDigit(text)}`);
const iban = digits(24).map((text) => `TR${text}`);
const tckn = digits(8).map((text) => tcknOf(`${1 + (Number(text[0]) % 9)}${text}`));
const token = fc
  .tuple(base64url(10, 40), base64url(20, 60), base64url(20, 43))
  .map(([head, body, mark]) => `eyJ${head}.${body}.${mark}`);
const sealedToken = fc
  .tuple(base64url(10, 30), base64url(16, 16), base64url(20, 60), base64url(22, 22))
  .map(([head, iv, text, tag]) => `eyJ${head}..${iv}.${text}.${tag}`);
const named = fc
  .tuple(
    fc.constantFrom(
      'cvv',
      'cc_no',
      'otp',
      'password',
      'app_secret',
      'hash_key',
      'client_secret',
      'AUTH_SECRET',
      'DATA_KEY',
      'access_token',
      'Authorization',
    ),
    base64url(6, 40),
    fc.constantFrom('$k=$v', '$k: $v', '"$k":"$v"', "$k='$v'"),
  )
  .map(([key, value, shape]) => ({
    shown: shape.replace('$k', key).replace('$v', value),
    core: value,
  }));

/**
 * Values that must never occur in a log: card numbers, IBANs, national ids, tokens, and anything
 * named a secret.
 */
export const secret: fc.Arbitrary<PlantedSecret> = fc.oneof(
  card.map(plain),
  fc.tuple(card, fc.constantFrom(' ', '-')).map(([text, gap]) => plain(grouped(text, gap))),
  iban.map(plain),
  iban.map((text) => plain(grouped(text, ' '))),
  iban.map((text) => plain(text.toLowerCase())),
  tckn.map(plain),
  token.map(plain),
  sealedToken.map(plain),
  base64url(20, 60).map((core) => ({ shown: `Bearer ${core}`, core })),
  base64url(12, 30).map((core) => ({
    shown: `postgresql://dashboard:${core}@127.0.0.1:5432/x`,
    core: `:${core}@`,
  })),
  named,
);

/** Puts a text into a sentence, JSON, an address or a database's error message. */
export const aroundSecret: fc.Arbitrary<(text: string) => string> = fc.constantFrom<
  ((text: string) => string)[]
>(
  (text) => text,
  (text) => `Key (iban)=(${text}) already exists.`,
  (text) => `{"body":"${text}","n":1}`,
  (text) => `at https://provider.test/x?q=${text} (0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e)`,
  (text) => `çok uzun bir söz\n  ${text}\tson`,
);

function luhnDigit(text: string): number {
  const sum = Array.from(text, Number)
    .reverse()
    .reduce(
      (total, digit, index) =>
        total + (index % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
      0,
    );
  return (10 - (sum % 10)) % 10;
}

function tcknOf(nine: string): string {
  const d = Array.from(nine, Number);
  const odd = d[0]! + d[2]! + d[4]! + d[6]! + d[8]!;
  const even = d[1]! + d[3]! + d[5]! + d[7]!;
  const tenth = (((7 * odd - even) % 10) + 10) % 10;
  return `${nine}${tenth}${(odd + even + tenth) % 10}`;
}
