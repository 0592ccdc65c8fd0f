import 'server-only';
import * as z from 'zod';
import type { Page, Reply } from '../outcome.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import { keptTo, pageFields, readPage, readReply } from './reply.ts';
import {
  ACCOUNT_TYPE_IDS,
  accessLevel,
  amount,
  amountOrNull,
  codeOrNull,
  currency,
  enumTextOrNull,
  flag,
  ibanOrNull,
  id,
  idOrNull,
  paged,
  textOrNull,
} from './wire.ts';
import type {
  KycLevel,
  PageAsked,
  Wallet,
  WalletAccess,
  WalletBalance,
  WalletFilter,
} from './types.ts';

/** `kyc_level_code` (`published`; that a code is text, `assumed`). */
const KYC_CODES = {
  unknown: '10',
  unverified: '20',
  verified: '30',
  contracted: '40',
} as const satisfies Record<KycLevel, string>;
/** `access_level_status_ids`; see `accessLevel` in `wire.ts` for what is `assumed`. */
const ACCESS_IDS = { active: 1, blocked: 2, banned: 3, closed: 4 } as const satisfies Record<
  Exclude<WalletAccess, 'unknown'>,
  number
>;

const balanceRecord = z
  .object({ available: amountOrNull, unavailable: amountOrNull })
  .nullish()
  .catch(null);

const limits = z
  .object({
    max_balance: amountOrNull,
    topup_credit_limit: amountOrNull,
    topup_cash_limit: amountOrNull,
    withdrawal_limit: amountOrNull,
    payment_limit: amountOrNull,
    wallet_to_wallet_limit: amountOrNull,
  })
  .nullish()
  .catch(null);

/**
 * `user_kyc_info` (a person's mother's name, income, security question, …) is not decoded: the
 * product does not need it.
 */
const walletRecord = z
  .object({
    id,
    tenant_id: idOrNull,
    number: id,
    name: z.string(),
    account_number: idOrNull,
    ext_account_number: idOrNull,
    currency_code: currency,
    account_type: textOrNull,
    phone_country_code: codeOrNull,
    phone_number: codeOrNull,
    email: textOrNull,
    tax_number: idOrNull,
    kyc_level_status: textOrNull,
    access_level_status_id: enumTextOrNull,
    access_level_status: textOrNull,
    total_balance: amount,
    payment_balance: balanceRecord,
    cash_balance: balanceRecord,
    monthly_incoming_total: amountOrNull,
    monthly_outgoing_total: amountOrNull,
    transaction_limits: limits,
    fast_iban: ibanOrNull,
    is_topup_default: flag,
    loyalty_record_required: flag,
    is_hidden: flag,
    created_date_utc: textOrNull,
    updated_date_utc: textOrNull,
  })
  .transform((record): Wallet => ({
    id: record.id,
    tenantId: record.tenant_id,
    number: record.number,
    name: record.name,
    accountNumber: record.account_number,
    extAccountNumber: record.ext_account_number,
    currency: record.currency_code,
    accountType: record.account_type,
    phone:
      record.phone_number === null
        ? null
        : { country: record.phone_country_code, number: record.phone_number },
    email: record.email,
    taxNumber: record.tax_number,
    kycLevel: record.kyc_level_status,
    access: accessLevel(record.access_level_status_id),
    accessText: record.access_level_status,
    totalMinor: record.total_balance,
    payment: parts(record.payment_balance),
    cash: parts(record.cash_balance),
    availableMinor: sum(record.payment_balance?.available, record.cash_balance?.available),
    unavailableMinor: sum(record.payment_balance?.unavailable, record.cash_balance?.unavailable),
    monthlyInMinor: record.monthly_incoming_total,
    monthlyOutMinor: record.monthly_outgoing_total,
    limits: {
      maxBalanceMinor: record.transaction_limits?.max_balance ?? null,
      topUpCreditMinor: record.transaction_limits?.topup_credit_limit ?? null,
      topUpCashMinor: record.transaction_limits?.topup_cash_limit ?? null,
      withdrawalMinor: record.transaction_limits?.withdrawal_limit ?? null,
      paymentMinor: record.transaction_limits?.payment_limit ?? null,
      walletToWalletMinor: record.transaction_limits?.wallet_to_wallet_limit ?? null,
    },
    iban: record.fast_iban,
    topUpDefault: record.is_topup_default,
    loyaltyRequired: record.loyalty_record_required,
    hidden: record.is_hidden,
    createdAt: record.created_date_utc,
    updatedAt: record.updated_date_utc,
  }));

/** Wallet/Info answers with the record inside `wallet_info` (`contract`). */
const walletInfo = z
  .object({ wallet_info: walletRecord })
  .transform((payload) => payload.wallet_info);

function parts(balance: z.output<typeof balanceRecord>): WalletBalance {
  return {
    availableMinor: balance?.available ?? null,
    unavailableMinor: balance?.unavailable ?? null,
  };
}

/**
 * The sum of both parts of a balance; null when one is missing: a partial balance would look like
 * the whole.
 */
function sum(payment: bigint | null | undefined, cash: bigint | null | undefined): bigint | null {
  return payment === null || payment === undefined || cash === null || cash === undefined
    ? null
    : payment + cash;
}

export async function getWallet(line: Line, number: string): Promise<Reply<Wallet>> {
  const reply = readReply(
    await line.ask({ path: '/v1/Wallet/Info', body: JSON.stringify({ wallet_number: number }) }),
    walletInfo,
  );
  // Another wallet than the requested one counts as no response: its balance would be shown under
  // the wrong name.
  return reply.kind === 'answered' && reply.value.number !== number
    ? { kind: 'no_answer', why: 'mismatch' }
    : reply;
}

/** Our own wallets. A page that does not match the filter counts as no response. */
export async function listWallets(
  line: Line,
  filter: WalletFilter,
  page: PageAsked,
): Promise<Reply<Page<Wallet>>> {
  const body = JSON.stringify({
    start_date: filter.from,
    end_date: filter.to,
    currency_code: filter.currency,
    account_type_id: ACCOUNT_TYPE_IDS.business,
    wallet_number: filter.number,
    name: filter.name,
    kyc_level_code: filter.kycLevel && KYC_CODES[filter.kycLevel],
    access_level_status_ids: filter.access?.map((access) => ACCESS_IDS[access]),
    ...pageFields(page, 'TotalBalance'),
  });
  const exchange = await line.ask({
    path: '/v1/Wallet/ListByFilter',
    body,
    answerMaxBytes: LIST_MAX_BYTES,
  });
  return keptTo(
    readPage(exchange, paged(walletRecord), page, (wallet) => wallet),
    [
      (wallet) => filter.currency === undefined || wallet.currency === filter.currency,
      (wallet) => filter.number === undefined || wallet.number === filter.number,
      (wallet) =>
        filter.access === undefined || (filter.access as WalletAccess[]).includes(wallet.access),
    ],
    page,
    (wallet) => wallet.totalMinor,
  );
}
