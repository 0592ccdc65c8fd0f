/**
 * A card as a person typed it. It lives for one request and reaches no database, log, error or
 * screen: printing and serialising hide it, and `open` throws where card numbers are not allowed
 * (`CARD_ENTRY`, docs/money-rules.md, "Card numbers"). Pure.
 */
import type { CardEntry } from './types.ts';

const NUMBER = /^\d{12,19}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
const YEAR = /^20\d{2}$/;
const SECURITY_CODE = /^\d{3,4}$/;

export type OpenCard = {
  holder: string;
  number: string;
  expiryMonth: string;
  expiryYear: string;
  securityCode: string | null;
};

export class TypedCard {
  // A #private field: neither `JSON.stringify` nor `util.inspect` shows it.
  readonly #card: OpenCard;

  /**
   * `number` may contain spaces and dashes; month '01' to '12', year with four digits; the security
   * code is null where none is needed (saving a card, insurance).
   * @throws RangeError that names the field and not its value.
   */
  constructor(card: OpenCard) {
    const number = card.number.replace(/[ -]/g, '');
    if (!NUMBER.test(number)) throw new RangeError('number is not a card number');
    if (!MONTH.test(card.expiryMonth)) throw new RangeError('expiryMonth is not a month');
    if (!YEAR.test(card.expiryYear)) throw new RangeError('expiryYear is not a year');
    if (card.securityCode !== null && !SECURITY_CODE.test(card.securityCode))
      throw new RangeError('securityCode has not three or four digits');
    if (card.holder.trim() === '') throw new RangeError('holder is empty');
    this.#card = { ...card, number };
  }

  /**
   * For the one request that sends the card.
   * @throws Error where card numbers may not pass through our server.
   */
  open(entry: CardEntry): OpenCard {
    if (entry !== 'all') throw new Error('CARD_ENTRY allows no card numbers on this server');
    return this.#card;
  }
}
