import { rawAmount } from '../exact-json.ts';
import type { Call } from '../routes.ts';
import { json, langOf } from '../wallet-api/answer.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { done, refuse, unprocessable } from './answer.ts';
import { cardOf, compactNumber } from './card.ts';
import type { Card } from './card.ts';
import { amountOf, checkShape, readCall, readForm, textOf, wrongFields } from './fields.ts';
import type { Shape } from './fields.ts';
import { makeHash } from './hash.ts';
import { amountText } from './orders.ts';
import { merchantProblem } from './payment.ts';
import {
  AGRICULTURE_PAIRS,
  CURRENCIES,
  FIXED_FEE_TEXT,
  countsFor,
  feeOf,
  hasPos,
  merchantCounts,
  percentText,
  rateOf,
  userFeeOf,
} from './pos.ts';

/**
 * The operations getpos, installments and commissions: the installment counts of a payment and
 * their cost. Their requests have no hash (published).
 */

export const GETPOS_SHAPE: Shape = {
  credit_card: ['y', 'text'],
  amount: ['y', 'amount'],
  currency_code: ['y', 'text'],
  merchant_key: ['y', 'text'],
  is_recurring: ['n', 'flag'],
  is_2d: ['n', 'flag'],
  commission_by: ['n', 'text'],
  is_comission_from_user: ['n', 'flag'],
  app_lang: ['n', 'text'],
};
const POS_ID = 20;

type Wanted = { amount: bigint; currency: string; byUser: boolean; merchantKey: string };

function posRow(
  world: World,
  card: Card,
  wanted: Wanted,
  count: number,
  agriculture: object,
): object {
  const payable = wanted.amount + (wanted.byUser ? userFeeOf(wanted.amount, count) : 0n);
  return {
    pos_id: POS_ID + count,
    campaign_id: 100 + count,
    allocation_id: 200 + count,
    installments_number: count,
    card_type: card.debit ? 'DEBIT CARD' : 'CREDIT CARD',
    card_program: card.program,
    card_scheme: card.scheme,
    is_commercial: card.commercial ? 1 : 0,
    payable_amount: rawAmount(payable),
    amount_to_be_paid: amountText(payable),
    hash_key: makeHash(
      [amountText(payable), String(count), wanted.currency, wanted.merchantKey],
      world.credentials.card.app_secret,
    ),
    currency_code: wanted.currency,
    currency_id: CURRENCIES[wanted.currency],
    title: count === 1 ? 'Tek Çekim' : String(count),
    card_bank: card.bank,
    bank_code: card.bank === '' ? '' : card.bin.slice(0, 4),
    merchant_fee: rawAmount(feeOf(wanted.amount, count)),
    ...agriculture,
  };
}

export function getPos(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, GETPOS_SHAPE, lang);
  if (wrong) return wrong;
  const number = compactNumber(textOf(fields, 'credit_card'));
  const amount = amountOf(fields, 'amount');
  const currency = textOf(fields, 'currency_code');
  if (
    !/^\d{6,19}$/.test(number) ||
    amount === null ||
    amount <= 0n ||
    !Object.hasOwn(CURRENCIES, currency)
  )
    return refuse(1, lang);
  const merchant = merchantProblem(world, fields);
  if (merchant) return refuse(merchant, lang);
  const card = cardOf(number);
  if (!hasPos(world, card, currency)) return refuse(36, lang);
  if (!world.cardMerchant.pos_commission) return refuse(37, lang);
  if (world.cardMerchant.commission !== 'set') return refuse(38, lang);
  const recurring = ['1', 'true'].includes(textOf(fields, 'is_recurring'));
  const counts = countsFor(world, card, currency).filter((count) => count === 1 || !recurring);
  if (counts.length === 0) return refuse(40, lang);
  const wanted: Wanted = {
    amount,
    currency,
    merchantKey: textOf(fields, 'merchant_key'),
    byUser:
      textOf(fields, 'commission_by') === 'user' ||
      ['1', 'true'].includes(textOf(fields, 'is_comission_from_user')),
  };
  // An agriculture card gets one row per allowed pair; how the pairs are nested is not published
  // (assumed).
  const rows = card.agriculture
    ? AGRICULTURE_PAIRS.map(([maturity, frequency]) =>
        posRow(world, card, wanted, 1, { maturity_period: maturity, payment_frequency: frequency }),
      )
    : counts.map((count) => posRow(world, card, wanted, count, {}));
  return done(rows, lang);
}

/**
 * Answers with `message` instead of status_description, and with the list beside it (published).
 */
export function installments(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = wrongFields(fields, { merchant_key: ['y', 'text'], app_lang: ['n', 'text'] });
  if (wrong.length > 0) return unprocessable(wrong, lang);
  const merchant = merchantProblem(world, fields);
  if (merchant) return refuse(merchant, lang);
  const counts = merchantCounts(world);
  return counts.length === 0
    ? refuse(62, lang)
    : json(
        200,
        {
          status_code: 100,
          message: lang === 'tr' ? 'İşlem başarılı' : 'Successful',
          installments: counts,
        },
        '100',
      );
}

const TITLES = ['Tek Çekim', 'Kayıtlı Kart', 'Yabancı Kart'];
const COMMISSION_PROGRAMS = [
  'WORLD',
  'BONUS',
  'MAXIMUM',
  'BANKKART_COMBO',
  'PARAF',
  'AXESS',
  'ADVANT',
  'CARD_FNS',
];

function commissionRow(
  count: number,
  enabled: boolean,
  title: string,
  program: string,
  currency: string,
): object {
  const rate = rateOf(count);
  const [merchant, user] = enabled
    ? [percentText(rate.merchant), percentText(rate.user)]
    : ['x', 'x'];
  return {
    title,
    card_program: program,
    merchant_commission_percentage: merchant,
    merchant_commission_fixed: enabled ? FIXED_FEE_TEXT : 'x',
    user_commission_percentage: user,
    user_commission_fixed: enabled ? '-' : 'x',
    currency_code: currency,
    installment: count,
  };
}

/**
 * Lists the commissions by installment count (published). POST, or GET as in the older version. The
 * request has no merchant_key: its token stands for the merchant.
 */
export function commissions(world: World, call: Call): Answer {
  const read =
    call.method === 'GET'
      ? {
          ok: true as const,
          fields: readForm(call.query),
          lang: langOf(new URLSearchParams(call.query).get('app_lang')),
        }
      : readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = wrongFields(fields, {
    currency_code: ['n', 'text'],
    commission_by: ['n', 'text'],
    app_lang: ['n', 'text'],
  });
  const currency = textOf(fields, 'currency_code') || 'TRY';
  if (!Object.hasOwn(CURRENCIES, currency)) wrong.push('currency_code');
  if (wrong.length > 0) return unprocessable(wrong, lang);
  const { commission } = world.cardMerchant;
  if (commission !== 'set') return refuse(commission === 'missing' ? 39 : 0, lang);
  const most = currency === 'TRY' ? (merchantCounts(world).at(-1) ?? 0) : 1;
  const data = Object.fromEntries(
    [1, 2, 3, 6, 9, 12].map((count) => [
      String(count),
      count === 1
        ? TITLES.map((title) => commissionRow(1, most >= 1, title, '', currency))
        : COMMISSION_PROGRAMS.map((program) =>
            commissionRow(count, count <= most, `${count} Taksit`, program, currency),
          ),
    ]),
  );
  return done(data, lang);
}
