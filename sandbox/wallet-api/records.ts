import { ACCESS_WORDS, accountOf } from '../accounts.ts';
import type { Wallet } from '../books.ts';
import { bankMessageText } from '../bank/notice.ts';
import { isoTicks } from '../clock.ts';
import { rawAmount } from '../exact-json.ts';
import { bankOf } from '../iban.ts';
import { ACCOUNT_ID, ACCOUNT_NUMBER, MERCHANT, TENANT_ID } from '../seed/merchant.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';

/**
 * Makes the contract's records with all their fields. Ids are strings, amounts are exact decimals.
 */

const PAYMENT_LIMIT = 2_000_000_00n;

const atLeastZero = (value: bigint): object => rawAmount(value < 0n ? 0n : value);

/**
 * Makes a wallet record. Its limits are what is left of the month, as published examples show them.
 */
export function walletRecord(world: World, wallet: Wallet): Record<string, unknown> {
  return {
    id: wallet.id,
    tenant_id: String(TENANT_ID),
    name: wallet.name,
    account_number: accountOf(world, wallet.accountId)?.number ?? '',
    number: wallet.number,
    fast_iban: wallet.iban || null,
    account_type: 'Business',
    created_date_utc: isoTicks(wallet.createdAt),
    updated_date_utc: wallet.updatedAt === null ? null : isoTicks(wallet.updatedAt),
    phone_country_code: '90',
    phone_number: MERCHANT.phone,
    email: MERCHANT.email,
    total_balance: rawAmount(wallet.available + wallet.blocked),
    monthly_incoming_total: rawAmount(wallet.monthIn),
    monthly_outgoing_total: rawAmount(wallet.monthOut),
    access_level_status_id: wallet.access,
    access_level_status: ACCESS_WORDS[wallet.access] ?? 'Bilinmiyor',
    payment_balance: { available: rawAmount(0n), unavailable: rawAmount(0n) },
    cash_balance: {
      available: rawAmount(wallet.available),
      unavailable: rawAmount(wallet.blocked),
    },
    transaction_limits: {
      max_balance: rawAmount(wallet.maxBalance),
      topup_credit_limit: rawAmount(PAYMENT_LIMIT),
      topup_cash_limit: atLeastZero(wallet.topUpLimit - wallet.monthToppedUp),
      withdrawal_limit: atLeastZero(wallet.withdrawalLimit - wallet.monthWithdrawn),
      payment_limit: rawAmount(PAYMENT_LIMIT),
      wallet_to_wallet_limit: atLeastZero(wallet.transferLimit - wallet.monthTransferred),
    },
    kyc_level_status: 'Contracted',
    currency_code: wallet.currency,
    user_kyc_info: world.questions.kyc_info === 'null' ? null : kycInfo(),
    is_topup_default: wallet.isDefault,
    tax_number: MERCHANT.taxNumber,
    loyalty_record_required: false,
    ext_account_number: null,
    is_hidden: false,
  };
}

/**
 * The provider's data of the person who owns the account: invented, as all people of the sandbox
 * are.
 */
function kycInfo(): Record<string, unknown> {
  return {
    first_name: 'Selin',
    last_name: 'Arslan',
    birth_year: 1984,
    national_id: '10000000146',
    mother_name: 'Nermin',
    father_name: 'Halil',
    kyc_level: 40,
    kyc_level_status: 'Contracted',
    register_type: 'Business',
    sector_id: '4641',
    income_source: 'Ticaret',
    monthly_income: rawAmount(8_500_000n),
    monthly_transaction_volume: rawAmount(125_000_000n),
    monthly_transaction_count: 420,
    security_question: null,
  };
}

export function accountRecord(world: World): Record<string, unknown> {
  const opened = world.store.get(
    'SELECT MIN(created_at) AS at FROM wallets WHERE account_id = ?',
    ACCOUNT_ID,
  );
  const created = isoTicks(num(opened?.at));
  return {
    id: ACCOUNT_ID,
    tenant_id: String(TENANT_ID),
    parent_business_account_id: null,
    name: MERCHANT.name,
    account_number: ACCOUNT_NUMBER,
    business_type: 1,
    alias: 'Lodos Ticaret',
    kyc_level: 'Contracted',
    owner_user_id: '6318204417735500103',
    contact_address_contact_first_name: 'Selin',
    contact_address_contact_last_name: 'Arslan',
    contact_address_contact_email: MERCHANT.email,
    contact_address_contact_phone: MERCHANT.phone,
    contact_address_address_line1: MERCHANT.address1,
    contact_address_address_line2: MERCHANT.address2,
    contact_address_zip_postal_code: MERCHANT.zip,
    contact_address_state_province_code: '34',
    contact_address_country_code: 'TR',
    tax_office: MERCHANT.taxOffice,
    tax_number: MERCHANT.taxNumber,
    access_level_status_id: accountOf(world, ACCOUNT_ID)?.access ?? 1,
    created_date_utc: created,
    updated_date_utc: created,
    sector_id: '4641',
    group_code: null,
    is_account_locked: false,
    ext_account_number: null,
    is_hidden: false,
  };
}

/**
 * Makes the record of a withdraw request. bank_response_json names the manual operation only when
 * the switch `manual_shows_as` says so.
 */
export function requestRecord(world: World, row: Row): Record<string, unknown> {
  const bank = bankOf(text(row.iban));
  const manual = row.bank_state === 'manual' && world.questions.manual_shows_as === 'bank_response';
  return {
    id: text(row.id),
    tenant_id: String(TENANT_ID),
    wallet_id: walletId(world, text(row.wallet_number)),
    wallet_number: text(row.wallet_number),
    tx_correlation_id: text(row.movement_id),
    ext_transaction_id: text(row.ext_id),
    account_type: 2,
    account_id: ACCOUNT_ID,
    account_number: ACCOUNT_NUMBER,
    bank_id: bank.id,
    bank_name: bank.name,
    account_saved_bank_id: null,
    is_account_owner_bank: false,
    name: text(row.holder),
    account_holder_name: text(row.holder),
    iban: text(row.iban),
    accept_actions: null,
    bank_account_no: null,
    swift_code: null,
    branch_code: null,
    base_amount: rawAmount(minor(row.amount)),
    currency: text(row.currency),
    description: text(row.description),
    process_level_status: num(row.level),
    receiver_national_id: text(row.national_id),
    bank_response_json: manual
      ? JSON.stringify({ after_process_status: 3, description: 'ManualOperation' })
      : bankResponse(row),
    created_date_utc: isoTicks(num(row.accepted_at)),
    updated_date_utc: row.updated_at === null ? null : isoTicks(num(row.updated_at)),
  };
}

const BANK_WORDS: Record<string, { result: string; reason: string }> = {
  completed: { result: 'OK', reason: 'İşlem başarılı' },
  returned: { result: 'OK', reason: 'İşlem başarılı' },
  rejected: { result: 'REJECTED', reason: 'Alıcı hesap kapalı veya bulunamadı' },
  failed: { result: 'FAILED', reason: 'Transfer gerçekleştirilemedi' },
  cancelled: { result: 'CANCELLED', reason: 'İşlem banka tarafından iptal edildi' },
};

function bankResponse(row: Row): string | null {
  const words = BANK_WORDS[text(row.bank_state)];
  return words ? JSON.stringify({ reference: text(row.id).slice(-12), ...words }) : null;
}

function walletId(world: World, number: string): string {
  return text(world.store.get('SELECT id FROM wallets WHERE number = ?', number)?.id);
}

/** The values of account_type_id (published). */
const PERSONAL = 1;
export const BUSINESS = 2;
export const ACCOUNT_KINDS: Record<number, string> = {
  [PERSONAL]: 'personal',
  [BUSINESS]: 'business',
};
/** The channel of every transaction in the sandbox. */
export const CHANNEL = 'BusinessApi';

const TYPE_WORDS: Record<number, string> = {
  1001: 'TopUpByBankTransfer',
  1004: 'TopUpByBankTransfer',
  2002: 'SendMoneyToBankAccount',
  3003: 'BusinessToBusiness',
  3004: 'SendMoneyToWallet',
  3006: 'Virement',
};
const STATUS_WORDS: Record<number, string> = {
  10: 'Pending',
  20: 'NormalCompleted',
  40: 'Cancelled',
  60: 'Refunded',
};

type Side = {
  iban: string;
  id: string | null;
  account: string | null;
  number: string | null;
  type: number | null;
  accountId: string | null;
};

/**
 * Returns one side of a movement: a wallet with its account (1 personal, 2 business), or no wallet
 * where the money left or entered the service.
 */
function sideOf(world: World, number: Row[string] | undefined): Side {
  const row =
    number === null || number === undefined
      ? undefined
      : world.store.get(
          `SELECT w.id, w.number, w.iban, a.id AS account_id, a.number AS account, a.kind
            FROM wallets w JOIN accounts a ON a.id = w.account_id WHERE w.number = ?`,
          number,
        );
  if (!row) return { iban: '', id: null, account: null, number: null, type: null, accountId: null };
  return {
    iban: text(row.iban),
    id: text(row.id),
    account: text(row.account),
    number: text(row.number),
    type: row.kind === 'personal' ? PERSONAL : BUSINESS,
    accountId: text(row.account_id),
  };
}

const NO_TERMINAL = {
  media_identifier: null,
  terminal_no: null,
  media_type: null,
  provider_id: null,
};
const NO_OUTSIDE_ACCOUNTS = {
  from_ext_account_number: null,
  to_ext_account_number: null,
  from_group_code: null,
  to_group_code: null,
};

/** When an entry changed last: a return may change that of its payout long after the completion. */
const updatedAt = (row: Row): string =>
  isoTicks(num(row.updated_at ?? row.completed_at ?? row.created_at));

/** Makes a transaction record of the summary list. */
export function movementRecord(world: World, row: Row): Record<string, unknown> {
  const amount = minor(row.amount);
  const fee = minor(row.fee);
  const created = isoTicks(num(row.created_at));
  const completed = row.completed_at === null ? null : isoTicks(num(row.completed_at));
  const preview = { Name: row.other_name, Iban: row.other_iban };
  const source = sideOf(world, row.from_wallet);
  const target = sideOf(world, row.to_wallet);
  const message = {
    receiptNo: text(row.receipt_no) || text(row.id).slice(-12),
    name: text(row.other_name),
    iban: text(row.other_iban),
    description: text(row.description),
  };
  return {
    id: text(row.id),
    tenant_id: String(TENANT_ID),
    tx_group_correlation_id: text(row.request_id) || text(row.id),
    tx_ref_correlation_id: text(row.ref_id) || text(row.id),
    wallet_id: source.id ?? target.id,
    transaction_type_id: num(row.type_id),
    transaction_type: TYPE_WORDS[num(row.type_id)] ?? 'Other',
    transaction_status_id: num(row.status_id),
    transaction_status: STATUS_WORDS[num(row.status_id)] ?? 'Unknown',
    result_code: 'Success',
    tx_additional_data_json:
      row.kind === 'topup' ? bankMessageText(row, target.iban, message) : JSON.stringify(preview),
    created_date_utc: created,
    updated_date_utc: updatedAt(row),
    completed_date_utc: completed,
    financial_process_completed_date_utc: completed,
    is_financial_process_completed: completed !== null,
    to_wallet_id: target.id,
    tx_base_amount: rawAmount(amount),
    tx_additional_fee: rawAmount(fee),
    tx_amount_with_additional_fee: rawAmount(amount + fee),
    currency_code: text(row.currency),
    tx_end_user_preview_json: JSON.stringify(preview),
    tx_pre_financial_acquired_record_json: null,
    tx_financial_acquired_record_json: null,
    from_description: text(row.description),
    to_description: text(row.description),
    tx_description: text(row.description),
    kyc_level_id: 40,
    from_account_type_id: source.type,
    from_account_id: source.accountId,
    from_wallet_number: source.number,
    from_account_number: source.account,
    to_account_number: target.account,
    to_account_type_id: target.type,
    to_account_id: target.accountId,
    to_wallet_number: target.number,
    is_need_settlement: false,
    settlement_day: 0,
    ext_transaction_id: row.ext_id === null ? null : text(row.ext_id),
    from_user_kyc_info: null,
    to_user_kyc_info: null,
    source_type: 'Api',
    channel_type: CHANNEL,
    ...NO_TERMINAL,
    to_account_tx_base_amount: rawAmount(amount),
    to_account_tx_additional_fee: rawAmount(0n),
    to_account_tx_amount_with_additional_fee: rawAmount(amount),
    ...NO_OUTSIDE_ACCOUNTS,
    receipt_number: `D${text(row.id).slice(-11)}`,
    ip_address: '127.0.0.1',
    client_port: '0',
  };
}
