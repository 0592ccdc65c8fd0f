import { switchProblem } from '../questions.ts';
import type { Switch } from '../questions.ts';
import type { Store } from '../store.ts';

/**
 * The settings of the merchant at the gateway, and what the card contracts leave open. Each is a
 * switch, so that a test can cause every refusal. `GET /sandbox/card/settings` shows value, choices
 * and meaning.
 */

export const CARD_SWITCHES = {
  is_3d: {
    default: 1,
    choices: [0, 1, 2, 4],
    meaning:
      'Integration mode of the token answer: 0 non-secure only, 1 both, 2 3D only, 4 branded ' +
      'links only. The others answer 34.',
  },
  card_payment: {
    default: true,
    choices: [true, false],
    meaning: 'Is card payment defined for the merchant? (35)',
  },
  pos: {
    default: true,
    choices: [true, false],
    meaning: 'Is a POS defined? (36 in getpos, 102 in payments)',
  },
  pos_commission: {
    default: true,
    choices: [true, false],
    meaning: 'Is a POS commission set? (37)',
  },
  commission: {
    default: 'set',
    choices: ['set', 'missing', 'no_data'],
    meaning:
      'Merchant commission: missing answers 38 in payments and 39 in commissions; no_data answers 0 there.',
  },
  settlement_term: {
    default: true,
    choices: [true, false],
    meaning: 'Is the settlement term set? (43)',
  },
  most_installments: {
    default: 12,
    min: 0,
    max: 12,
    meaning: 'Largest installment count; 0 = none assigned (62).',
  },
  foreign_cards: {
    default: 'allowed',
    choices: ['allowed', 'refused', 'no_commission'],
    meaning: 'Foreign cards: refused answers 76, no_commission 77.',
  },
  token_payment: {
    default: 'allowed',
    choices: ['allowed', 'refused', 'no_commission'],
    meaning: 'Payment with a saved card: refused answers 79, no_commission 103.',
  },
  partial_refund: {
    default: true,
    choices: [true, false],
    meaning: 'Are partial refunds allowed? (110)',
  },
  refundable: { default: true, choices: [true, false], meaning: 'May anything be refunded? (49)' },
  refund_pause_seconds: {
    default: 30,
    min: 0,
    max: 3600,
    meaning:
      'Seconds after a refund in which the same order is refused another one (49); published as about 30.',
  },
  repeated_ids: {
    default: 'refused',
    choices: ['refused', 'executed'],
    meaning:
      'A refund_transaction_id or a unique_id used before: refused (104, a row of 112), or executed again.',
  },
  min_amount: {
    default: 1,
    min: 1,
    max: 10_000_000_000,
    meaning: 'Least amount of a payment in minor units (48).',
  },
  max_amount: {
    default: 10_000_000_000,
    min: 1,
    max: 10_000_000_000,
    meaning: 'Largest amount of a payment in minor units (49).',
  },
  daily_count: {
    default: 0,
    min: 0,
    max: 1_000_000,
    meaning: 'Payments a day; 0 = no limit (44).',
  },
  daily_amount: {
    default: 0,
    min: 0,
    max: 100_000_000_000,
    meaning: 'Amount a day in minor units; 0 = no limit (45).',
  },
  monthly_count: {
    default: 0,
    min: 0,
    max: 1_000_000,
    meaning: 'Payments a month; 0 = no limit (46).',
  },
  monthly_amount: {
    default: 0,
    min: 0,
    max: 100_000_000_000,
    meaning: 'Amount a month in minor units; 0 = no limit (47).',
  },
  card_token_answer: {
    default: 'redirect',
    choices: ['redirect', 'body'],
    meaning:
      'payByCardToken: through the bank page with a redirect, or paid at once with a JSON ' +
      'body. The contract says both.',
  },
  saved_card_record: {
    default: 'sdk',
    choices: ['sdk', 'table'],
    meaning:
      "Row of a saved card as in the SDK's fixture (customer_number as text with the " +
      "merchant's id behind it, four stars, no bin), or as in the table of fields (an " +
      'integer, six stars, bin).',
  },
  checkstatus_answer: {
    default: 'object',
    choices: ['object', 'array'],
    meaning: 'checkstatus as one object, or as an array of one (seen at one brand).',
  },
  failed_invoice: {
    default: 'used',
    choices: ['used', 'free'],
    meaning: 'May an invoice id be used again after its payment failed?',
  },
  redirect_default: {
    default: 'GET',
    choices: ['GET', 'POST'],
    meaning: 'How the browser comes back without response_method.',
  },
  bank_step_minutes: {
    default: 5,
    min: 1,
    max: 60,
    meaning: 'Minutes the bank page waits for the code before the payment fails.',
  },
  recurring_attempts: {
    default: 3,
    min: 1,
    max: 10,
    meaning: 'Attempts of one recurring charge, a day apart, before it is Failed.',
  },
  cashout_hours: {
    default: 1,
    min: 0,
    max: 72,
    meaning: 'Hours until the bank sends a magic cashout back.',
  },
} as const satisfies Record<string, Switch>;

type Widen<T> = T extends boolean ? boolean : T extends number ? number : string;
export type CardMerchant = {
  -readonly [K in keyof typeof CARD_SWITCHES]: Widen<(typeof CARD_SWITCHES)[K]['default']>;
};

export function loadCardMerchant(store: Store): CardMerchant {
  const values: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(CARD_SWITCHES)) values[name] = entry.default;
  return Object.assign(values, JSON.parse(store.read('card.settings') ?? '{}')) as CardMerchant;
}

/**
 * Changes settings. Returns an error sentence when a setting does not exist or may not have that
 * value, else null.
 */
export function setCardMerchant(
  store: Store,
  merchant: CardMerchant,
  wanted: Record<string, unknown>,
): string | null {
  for (const [name, value] of Object.entries(wanted)) {
    const problem = switchProblem(CARD_SWITCHES, name, value);
    if (problem !== null) return problem;
  }
  Object.assign(merchant, wanted);
  store.write('card.settings', JSON.stringify(merchant));
  return null;
}

export const cardMerchantView = (merchant: CardMerchant): object =>
  Object.fromEntries(
    Object.entries(CARD_SWITCHES).map(([name, entry]) => [
      name,
      { value: merchant[name as keyof CardMerchant], ...entry },
    ]),
  );
