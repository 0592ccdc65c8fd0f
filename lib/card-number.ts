/** What may be a card number, by its length and its check digit. It guesses: an innocent number may look like one. Pure. */

const CARD_SHORTEST = 13;
const CARD_LONGEST = 19;

/** A card number anywhere in a run of digits: numbers may stand side by side. */
export function holdsCard(run: string): boolean {
  const digits = run.replace(/\D/g, '');
  for (let at = 0; at + CARD_SHORTEST <= digits.length; at += 1) {
    for (let length = CARD_SHORTEST; length <= CARD_LONGEST && at + length <= digits.length; length += 1) if (passesLuhn(digits.slice(at, at + length))) return true;
  }
  return false;
}

function passesLuhn(text: string): boolean {
  const digits = Array.from(text, Number).reverse();
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}
