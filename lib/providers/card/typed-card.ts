/**
 * A card as a person typed it. It lives for one request and is in no database, log, error or
 * screen: nothing prints it, nothing serialises it, and nobody can open it where card numbers may
 * not come (`CARD_ENTRY`, docs/money-rules.md, "Card numbers"). Pure.
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
  // Private by the language: neither `JSON.stringify` nor `util.inspect` reach it.
  readonly #card: OpenCard;

  /**
   * `number` may hold spaces and dashes; month '01' to '12', year with four digits; the security
   * code is null where none is asked for (saving a card, insurance). Throws RangeError that names
   * the field and not its value.
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
   * For the one request that carries it. Throws where card numbers may not pass through our server.
   */
  open(entry: CardEntry): OpenCard {
    if (entry !== 'all') throw new Error('CARD_ENTRY keeps card numbers away from this server');
    return this.#card;
  }
}
