import * as z from 'zod';

/**
 * The filters of the gateway's tables, read from the query string. Invalid values are ignored.
 * Pure.
 */

/**
 * The currencies of the contract's samples; the list of currencies shows those that a merchant
 * really has.
 */
export const CARD_CURRENCIES = ['TRY', 'USD', 'EUR'] as const;
export const COMMISSION_PAYERS = ['merchant', 'user'] as const;

export type CommissionFilter = {
  currency: (typeof CARD_CURRENCIES)[number];
  paidBy: (typeof COMMISSION_PAYERS)[number] | null;
  program: string;
};
/**
 * The filter of the POS table. `amount` is as typed. `bin`: the first six or eight digits of a card
 * (`published`), which are no card number.
 */
export type PosFilter = {
  bin: string;
  amount: string;
  currency: (typeof CARD_CURRENCIES)[number];
  paidBy: (typeof COMMISSION_PAYERS)[number] | null;
};

type Params = Record<string, string | string[] | undefined>;

const PROGRAM_MAX = 40;
const AMOUNT_MAX = 24;

const one = z.string().trim().catch('');
const currency = z.enum(CARD_CURRENCIES).catch('TRY');
const paidBy = z.enum(COMMISSION_PAYERS).nullable().catch(null);

const commissions = z.object({
  currency,
  by: paidBy,
  program: one.transform((text) => text.slice(0, PROGRAM_MAX)),
});
const pos = z.object({
  currency,
  by: paidBy,
  bin: one.transform((text) => (/^\d{6}(?:\d{2})?$/.test(text) ? text : '')),
  amount: one.transform((text) => text.slice(0, AMOUNT_MAX)),
});

export function readCommissionFilter(params: Params): CommissionFilter {
  const { by, ...rest } = commissions.parse(params);
  return { ...rest, paidBy: by };
}

export function readPosFilter(params: Params): PosFilter {
  const { by, ...rest } = pos.parse(params);
  return { ...rest, paidBy: by };
}
