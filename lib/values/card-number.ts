/**
 * Recognizes possible card numbers by length and check digit. It guesses: a harmless number may
 * look like one. Pure.
 */

const CARD_SHORTEST = 13;
const CARD_LONGEST = 19;
const PHONE_LONGEST = 15;
const HARMLESS = 10;

/** Whether any part of a run of digits is a card number: several may be adjacent. */
export function holdsCard(run: string): boolean {
  const digits = run.replace(/\D/g, '');
  for (let at = 0; at + CARD_SHORTEST <= digits.length; at += 1) {
    for (
      let length = CARD_SHORTEST;
      length <= CARD_LONGEST && at + length <= digits.length;
      length += 1
    )
      if (passesLuhn(digits.slice(at, at + length))) return true;
  }
  return false;
}

/** Groups of digits as people write them, with a single separator between two groups. */
const GROUPED = /\d+(?:[ .\u00a0\u2010-\u2015-]\d+)*/gu;
/**
 * Prefixes of Visa, American Express, Diners, JCB, Maestro, UnionPay. Sixteen digits with a right
 * check digit are a card whatever the prefix; nineteen only with a prefix of cards that long,
 * because providers' ids have nineteen digits too.
 */
const ISSUERS =
  /^(?:4\d{12}|4\d{18}|3[47]\d{13}|3(?:0|6|8|9)\d{12,16}|35\d{14,17}|(?:5[0678]|6\d)\d{11,16}|(?:5[0678]|6[237])\d{17}|81\d{14,17}|\d{16})$/;

/**
 * Whether a typed text contains a card number, whole groups only: stricter than `holdsCard`,
 * because people type ids of 19 digits, too.
 */
export function typesCard(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(GROUPED)) {
    const groups = run.split(/\D/u);
    if (text[index - 1] === '+' && groups.join('').length <= PHONE_LONGEST) continue;
    for (let from = 0; from < groups.length; from += 1) {
      for (let to = from, digits = ''; to < groups.length; to += 1) {
        digits += groups[to];
        if (digits.length > CARD_LONGEST) break;
        if (ISSUERS.test(digits) && passesLuhn(digits)) return true;
      }
    }
  }
  return false;
}

/**
 * Whether the text may be a partly typed card number, so that no request carries it yet. Ten digits
 * and fewer are always allowed.
 */
export function mayBecomeCard(text: string): boolean {
  const digits = text.replace(/[\s.\u2010-\u2015-]/gu, '');
  return (
    /^(?:[3-6]|2[2-7]|81|9792)\d*$/.test(digits) &&
    digits.length > HARMLESS &&
    digits.length < CARD_LONGEST
  );
}

function passesLuhn(text: string): boolean {
  const digits = Array.from(text, Number).reverse();
  const sum = digits.reduce(
    (total, digit, index) =>
      total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return sum % 10 === 0;
}
