/** What the contracts hold and what this sandbox does of it. Card operations come with the card capability. */

export type CoverageRow = { area: 'login' | 'wallet' | 'card'; operation: string; kind: 'operation' | 'field' | 'rule' | 'code' | 'event'; item: string; implemented: boolean };

type Kind = CoverageRow['kind'];
type Entry = { area: CoverageRow['area']; operation: string; done: boolean } & Partial<Record<Exclude<Kind, 'operation'>, string>>;

/** Comma-separated lists keep the table readable; every item becomes a row of its own. */
const ENTRIES: readonly Entry[] = [
  { area: 'login', operation: 'corporatelogin', done: true, field: 'email, password, app_lang', code: '100, 46, 1', rule: 'data is [] on failure, a code by SMS, wrong person and wrong password alike' },
  { area: 'login', operation: 'verifysms', done: true, field: 'OTP, user_id, app_lang', code: '100, 1', rule: 'single use, three minutes, five wrong guesses' },
  { area: 'login', operation: 'dpl/create (currencies)', done: true, field: 'Authorization, Accept', code: '100', rule: 'bearer of verifysms' },
  { area: 'wallet', operation: 'connect/token', done: true, field: 'grant_type, client_id, client_secret, scope', code: 'invalid_client, invalid_scope, unsupported_grant_type, invalid_request', rule: '3600 seconds, form body, bearer on every call, 401 with an empty body' },
  { area: 'wallet', operation: 'GetBusinessAccount', done: true, code: '100', rule: 'account of the token' },
  { area: 'wallet', operation: 'Wallet/Info', done: true, field: 'wallet_number', code: '100, 300, 999' },
  { area: 'wallet', operation: 'Wallet/ListByFilter', done: true, field: 'start_date, end_date, account_type_id, currency_code, kyc_level_code, access_level_status_ids, name, wallet_number, page_index, page_size, order_column, order_by', code: '100, 999' },
  { area: 'wallet', operation: 'GetPaymentTypes', done: true, field: 'locale', code: '100', rule: 'code 07 wants 20 characters' },
  {
    area: 'wallet', operation: 'SendMoneyToBankAccount', done: true,
    field: 'sender_wallet_number, ext_transaction_id, receiver_account_holder_name, receiver_iban, receiver_national_id_or_tax_no, description, amount, currency_code, payment_type',
    code: '100, 300, 1, 306, 310, 311, 315, 326, 330, 334, 336, 480, 503, 0, 2, 3, 4, 999',
    rule: 'unique ext_transaction_id, Turkish IBAN by mod-97, same IBAN once a minute, description length of the payment type, amount and fee leave the wallet at acceptance, monthly limit',
    event: 'accepted and completed (1), rejected (2), failed or cancelled (4), manual operation without notification (3), returned by the bank (5), no notification after an error',
  },
  { area: 'wallet', operation: 'GetRequestWithdrawByExtId', done: true, field: 'ext_transaction_id', code: '100, 300, 312, 999', rule: 'states 0 to 3' },
  { area: 'wallet', operation: 'GetRequestWithdrawListByFilter', done: true, field: 'process_level_status_id, currency_code, account_number, wallet_number, ext_transaction_id, begin_amount, end_amount, start_date, end_date, iban, account_type_id, is_completed, page_size, page_index, order_column, order_by', code: '100, 999' },
  { area: 'wallet', operation: 'SummaryRecordByFilter', done: true, field: 'start_date, end_date, order_column, order_by, page_size, page_index, transaction_type_code_list, wallet number filters, ext_transaction_id, id, min_amount, max_amount, process_level_status_id', code: '100, 312, 999', rule: 'last three days without dates, settled transactions only, ledger lag' },
  { area: 'wallet', operation: 'TransactionReceipt', done: true, field: 'id', code: '100, 300, 312, 999', rule: 'base64 file, HTML text' },
  { area: 'wallet', operation: 'top-up notification', done: true, event: 'top-up, failed top-up (300)' },
  { area: 'wallet', operation: 'top-up notification', done: false, event: 'failed top-up (310), repeated bank receipt' },
  { area: 'wallet', operation: 'CheckPersonalWallet', done: false, field: 'phone form, account-number form', code: '100, 300, 999' },
  { area: 'wallet', operation: 'CreateWalletForBusinessAccount', done: false, field: 'name, currency_code, use_fast_iban, tenant_id', code: '100, 999, 500' },
  { area: 'wallet', operation: 'BusinessToPersonalTransfer', done: false, field: 'ext_transaction_id, sender_wallet_number, receiver_wallet_number, amount, currency_code, description, payment_type', code: '100, 300, 301, 303, 311, 330, 334, 336, 480' },
  { area: 'wallet', operation: 'BusinessToBusinessTransfer', done: false, field: 'ext_transaction_id, sender_wallet_number, receiver_wallet_number, amount, currency_code, description, payment_type', code: '100, 300, 301, 303, 311, 330, 334, 336, 480' },
  { area: 'wallet', operation: 'TransferToVirement', done: false, field: 'ext_transaction_id, sender_wallet_number, receiver_wallet_number, amount, currency_code, description, hash_key', code: '100, 300, 301, 303, 311, 330, 334, 336, 480' },
  { area: 'card', operation: 'token', done: false, field: 'app_id, app_secret, app_lang', code: '100, 30' },
  { area: 'card', operation: 'paySmart2D', done: false, rule: 'hash_key, items sum to total (13), PreAuth, recurring fields', code: '100, 13, 41, 68' },
  { area: 'card', operation: 'paySmart3D', done: false, rule: 'browser form, redirect to return_url or cancel_url, agriculture fields', code: '100, 102' },
  { area: 'card', operation: 'payByCardToken', done: false, code: '100, 1' },
  { area: 'card', operation: 'payByCardTokenNonSecure', done: false },
  { area: 'card', operation: 'payment/complete', done: false },
  { area: 'card', operation: 'confirmPayment', done: false, rule: '20 days, then automatic cancellation' },
  { area: 'card', operation: 'checkstatus', done: false },
  { area: 'card', operation: 'refund', done: false },
  { area: 'card', operation: 'getpos', done: false },
  { area: 'card', operation: 'installments', done: false },
  { area: 'card', operation: 'commissions', done: false },
  { area: 'card', operation: 'saveCard, getCardTokens, editCard, deleteCard', done: false },
  { area: 'card', operation: 'recurringPlan/query, update, process', done: false },
  { area: 'card', operation: 'cashout/tobank', done: false },
  { area: 'card', operation: 'web hooks', done: false, event: 'sale, recurring, refund, chargeback' },
];

export function coverage(): { implemented: number; missing: number; rows: CoverageRow[] } {
  const rows: CoverageRow[] = [];
  const named = new Set<string>();
  for (const entry of ENTRIES) {
    const { area, operation, done: implemented } = entry;
    if (!named.has(operation)) rows.push({ area, operation, kind: 'operation', item: operation, implemented });
    named.add(operation);
    for (const kind of ['field', 'rule', 'code', 'event'] as const)
      for (const item of entry[kind]?.split(', ') ?? []) rows.push({ area, operation, kind, item, implemented });
  }
  const done = rows.filter((row) => row.implemented).length;
  return { implemented: done, missing: rows.length - done, rows };
}
