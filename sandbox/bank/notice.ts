import type { Wallet } from '../books.ts';
import { rawAmount, rawNumber } from '../exact-json.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { bankOf } from '../iban.ts';
import { iso, isoTicks } from '../clock.ts';
import { ACCOUNT_NUMBER, TENANT_ID } from '../seed/merchant.ts';

/**
 * Makes the bodies of the notifications. Ids are JSON numbers with all their digits, amounts are
 * exact decimals.
 */

const FAST_LIMIT_MINOR = 10_000_000n;

/** Masks a name as notifications show it: "Ayşe Demir" becomes "Ay** De***". */
export const masked = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word].map((letter, index) => (index < 2 ? letter : '*')).join(''))
    .join(' ');

const REASONS: Record<number, { message: string; reason: string }> = {
  1: { message: 'Kayıt bulunamadı veya işlem sonuçlanmış.', reason: 'İşlem başarılı' },
  2: { message: 'İşlem banka tarafından reddedildi.', reason: 'Alıcı banka işlemi reddetti' },
  3: { message: 'İşlem manuel onay bekliyor.', reason: 'Manuel operasyon' },
  4: { message: 'İşlem gerçekleştirilemedi.', reason: 'Transfer gerçekleştirilemedi' },
  5: { message: 'İşlem iade edildi.', reason: 'Alıcı banka tutarı iade etti' },
};

/**
 * Makes a payout's notification. That of a completed or returned payout has response_status 2 and
 * response_code "312", as the genuine sample has: only after_process_status and transaction_id give
 * the outcome.
 */
export function payoutNotice(request: Row, after: number): string {
  const moved = after === 1 || after === 5;
  const words = REASONS[after] ?? { message: '', reason: '' };
  return JSON.stringify({
    tenant_id: TENANT_ID,
    amount: rawAmount(minor(request.amount)),
    currency_code: text(request.currency),
    ext_transaction_id: text(request.ext_id),
    request_withdraw_id: rawNumber(text(request.id)),
    transaction_id: rawNumber(moved ? text(request.movement_id) : '0'),
    account_type_id: 2,
    account_number: ACCOUNT_NUMBER,
    wallet_number: text(request.wallet_number),
    before_process_status: moved ? 1 : 0,
    after_process_status: after,
    money_transfer_state: 0,
    money_transfer_type: minor(request.amount) <= FAST_LIMIT_MINOR ? 3 : 1,
    to_iban: text(request.iban),
    response_status: 2,
    response_code: moved ? '312' : '501',
    response_message: words.message,
    transaction_type: 'A01',
    to_name: masked(text(request.holder)),
    reason: words.reason,
  });
}

/** The description that the sender's bank passes on with the money. */
export type BankMessage = { receiptNo: string; name: string; iban: string; description: string };

/**
 * Makes the bank's message about a top-up, as JSON text: it stands in the notification and in the
 * transaction record (published).
 */
export function bankMessageText(movement: Row, receiverIban: string, message: BankMessage): string {
  const senderBank = bankOf(message.iban);
  const receiverBank = bankOf(receiverIban);
  return JSON.stringify({
    Message: {
      TenantId: TENANT_ID,
      TenantCode: 'LODOS',
      SenderName: message.name,
      SenderIban: message.iban,
      ReceiverBankCode: receiverBank.id.padStart(4, '0'),
      ReceiverBankName: receiverBank.name,
      ReceiverIban: receiverIban,
      SenderBankCode: senderBank.id.padStart(4, '0'),
      Amount: rawAmount(minor(movement.amount)),
      CurrencyCode: text(movement.currency),
      Description: message.description,
      TransactionType: 'A01',
      RegexDefinitionResultData: '',
      BankTransactionDate: iso(num(movement.created_at)),
      BankReceiptNo: message.receiptNo,
    },
  });
}

/** Makes a top-up's notification: a transaction record with the bank's message (published). */
export function topUpNotice(movement: Row, wallet: Wallet, message: BankMessage): string {
  const at = num(movement.created_at);
  const amount = rawAmount(minor(movement.amount));
  return JSON.stringify({
    id: text(movement.id),
    tenant_id: String(TENANT_ID),
    tx_group_correlation_id: text(movement.id),
    tx_ref_correlation_id: text(movement.id),
    wallet_id: wallet.id,
    transaction_type_id: num(movement.type_id),
    transaction_type: 'TopUpByBankTransfer',
    transaction_status_id: 20,
    transaction_status: 'NormalCompleted',
    result_code: 'Success',
    tx_additional_data_json: bankMessageText(movement, wallet.iban, message),
    created_date_utc: isoTicks(at),
    updated_date_utc: isoTicks(at),
    completed_date_utc: isoTicks(at),
    to_wallet_id: wallet.id,
    to_wallet_number: wallet.number,
    tx_base_amount: amount,
    currency_code: wallet.currency,
    tx_description: message.description,
  });
}

/** Makes the older, flat form of a top-up's notification (published-weak). */
export function flatTopUpNotice(
  movement: Row,
  wallet: Wallet,
  message: BankMessage,
  walletInfo: object,
): string {
  const senderBank = bankOf(message.iban);
  const receiverBank = bankOf(wallet.iban);
  return JSON.stringify({
    tx_correlation_id: text(movement.id),
    sender_name: message.name,
    sender_iban: message.iban,
    sender_bank_code: senderBank.id.padStart(4, '0'),
    sender_bank_name: senderBank.name,
    receiver_bank_code: receiverBank.id.padStart(4, '0'),
    receiver_bank_name: receiverBank.name,
    receiver_iban: wallet.iban,
    amount: rawAmount(minor(movement.amount)),
    currency_code: wallet.currency,
    description: message.description,
    regex_definition_result_data: '',
    bank_transaction_date: iso(num(movement.created_at)),
    bank_receipt_no: message.receiptNo,
    national_id_or_tax_no: '',
    wallet_info: walletInfo,
    hash_key: '',
  });
}

/**
 * Makes the notification of a failed top-up; published samples have the description only sometimes.
 */
export function failedTopUpNotice(
  code: string,
  why: string,
  of: { wallet: string; amount: bigint; currency: string; description: string | null },
): string {
  return JSON.stringify({
    tenant_id: TENANT_ID,
    result_message: why,
    result_code: code,
    wallet_number: of.wallet,
    amount: rawAmount(of.amount),
    currency_code: of.currency,
    ...(of.description === null ? {} : { description: of.description }),
  });
}
