import type { World } from '../world.ts';
import { invalid, refusal } from './answer.ts';
import type { Answer } from './answer.ts';
import { mustNotBeEmpty } from './fields.ts';
import type { Shape, Values } from './fields.ts';
import { PAYMENT_TYPES } from './payment-types.ts';

/** The fields that every payout and transfer has in common: its id, its amount and its purpose. */

const LARGEST_AMOUNT = 99_999_999_999n; // the validator names 0..999 999 999
const LONGEST_TEXT = 250;
const CURRENCIES = ['TRY', 'USD', 'EUR'];

export const MONEY_FIELDS: Shape = {
  sender_wallet_number: { kind: 'string', required: true },
  ext_transaction_id: { kind: 'string', required: true },
  amount: { kind: 'decimal', required: true },
  currency_code: { kind: 'string', required: true },
  description: { kind: 'string' },
  hash_key: { kind: 'string' },
};

export type Order = {
  wallet: string;
  extId: string;
  amount: bigint;
  currency: string;
  description: string;
  paymentType: string;
};

export const tooLong = (label: string, value: string): string[] =>
  value.length > LONGEST_TEXT ? [`'${label}' must be ${LONGEST_TEXT} characters or fewer.`] : [];

function extIdProblems(world: World, extId: string): string[] {
  const { ext_id_max_length: longest, ext_id_alphabet: alphabet } = world.questions;
  return [
    ...(extId.length > longest
      ? [`'Ext Transaction Id' must be ${longest} characters or fewer.`]
      : []),
    ...(alphabet === 'letters_digits_dash' && !/^[A-Za-z0-9-]+$/.test(extId)
      ? ["'Ext Transaction Id' is not in the correct format."]
      : []),
  ];
}

function purposeProblems(world: World, paymentType: string, description: string): string[] {
  if (paymentType === '')
    return world.questions.payment_type_required ? [mustNotBeEmpty('payment_type')] : [];
  const type = PAYMENT_TYPES.find((one) => one.code === paymentType);
  if (!type) return ["'Payment Type' is not valid."];
  return [...description.trim()].length < type.least
    ? [`'Description' must be at least ${type.least} characters.`]
    : [];
}

/**
 * Reads the order, or returns the answer that refuses it: 999 with every sentence, or 315 for an
 * amount that is missing, zero or has a fraction of a kuruş. `more`: the sentences of the
 * operation's own checks.
 */
export function readOrder(
  world: World,
  values: Values,
  hasPurpose: boolean,
  more: readonly string[] = [],
): Order | Answer {
  const amount = values.amount('amount');
  const order = {
    wallet: values.text('sender_wallet_number') ?? '',
    extId: values.text('ext_transaction_id') ?? '',
    currency: values.text('currency_code') ?? '',
    description: values.text('description') ?? '',
    paymentType: hasPurpose ? (values.text('payment_type') ?? '') : '',
  };
  const wrong = [
    ...(amount !== null && amount !== undefined && (amount < 0n || amount > LARGEST_AMOUNT)
      ? ["'Amount' must be between 0 and 999999999."]
      : []),
    ...(CURRENCIES.includes(order.currency) ? [] : ["'Currency Code' is not valid."]),
    ...extIdProblems(world, order.extId),
    ...more,
    ...tooLong('Description', order.description),
    ...(hasPurpose ? purposeProblems(world, order.paymentType, order.description) : []),
  ];
  if (wrong.length > 0) return invalid(wrong);
  if (amount === null || amount === undefined || amount < 1n) return refusal('315');
  return { ...order, amount };
}
