/**
 * One response of every operation with every field of the contract, as text: ids of 19 digits and
 * amounts do not survive a JavaScript number. All of it is made up.
 */

const envelope = (payload: string, code = '"100"') =>
  `{"status":0,"code":${code},"message":"Başarılı","payload":${payload}}`;
const listed = (...rows: string[]) =>
  envelope(
    `{"results":[${rows.join(',')}],"page_index":0,"last_row_index":${rows.length},` +
      `"page_count":1,"page_size":20,"row_count":${rows.length},"order_column":"CreatedDateUtc",` +
      '"order_by":"desc"}',
    'null',
  );

export const EXT_ID = 'P-0198f0c2-7f1e-7c3a-9d61-3f2b1a0c4d5e';
export const WALLET = '1000000001';
export const OTHER_WALLET = '1000000002';
export const IBAN = 'TR330006100519786457841326';
export const AMOUNT = 1_240_000n;

const KYC =
  '{"first_name":"Ayşe","last_name":"Yılmaz","birth_year":1990,"kyc_level":40,' +
  '"kyc_level_status":"Contracted","national_id":"10000000146","sector_id":7,"mother_name":"x",' +
  '"father_name":"y","register_type":"z","monthly_income":12.5,"income_source":null,' +
  '"monthly_transaction_volume":null,"monthly_transaction_count":null,"security_question":null}';

export const WALLET_RECORD = `{"id":"9007199254740993011","tenant_id":"9007199254740993012",
  "name":"Ana cüzdan","account_number":"5550001","number":"${WALLET}",
  "fast_iban":"TR320010009999901234567890",
  "account_type":"Business","created_date_utc":"2026-01-02T03:04:05.1234567Z",
  "updated_date_utc":null,"phone_country_code":"90","phone_number":"5550001122",
  "email":"kasa@demo.test",
  "total_balance":184250.75,"monthly_incoming_total":990.10,"monthly_outgoing_total":12.3,
  "access_level_status_id":1,"access_level_status":"Aktif",
  "payment_balance":{"available":180000.50,"unavailable":250.25},"cash_balance":{"available":4000.00,"unavailable":0},
  "transaction_limits":{"max_balance":999999.99,"topup_credit_limit":1.01,"topup_cash_limit":2.02,
  "withdrawal_limit":3.03,"payment_limit":4.04,"wallet_to_wallet_limit":5.05},
  "kyc_level_status":"Contracted","currency_code":"TRY","user_kyc_info":${KYC},
  "is_topup_default":true,"tax_number":"1234567890","loyalty_record_required":false,
  "ext_account_number":"E-1","is_hidden":null}`;

const ACCOUNT = `{"id":"9007199254740993021","tenant_id":"9007199254740993012",
  "parent_business_account_id":"9007199254740993022","name":"Örnek Ltd","account_number":"5550001",
  "business_type":1,"alias":"örnek",
  "kyc_level":"Contracted","owner_user_id":"9007199254740993023",
  "contact_address_contact_first_name":"Ayşe","contact_address_contact_last_name":"Yılmaz",
  "contact_address_contact_email":"ayse@demo.test",
  "contact_address_contact_phone":"905550001122","contact_address_address_line1":"Bir Sokak 1",
  "contact_address_address_line2":"Kat 2","contact_address_zip_postal_code":"34000",
  "contact_address_state_province_code":"34","contact_address_country_code":"TR",
  "tax_office":"Beşiktaş","tax_number":"1234567890","access_level_status_id":1,
  "created_date_utc":"2026-01-02T03:04:05Z","updated_date_utc":"2026-02-02T03:04:05Z",
  "sector_id":"7","group_code":"G1","is_account_locked":false,"ext_account_number":"E-1",
  "is_hidden":false}`;

const MESSAGE =
  '{\\"Message\\":{\\"SenderName\\":\\"Işık Çağrı\\",' +
  '\\"SenderIban\\":\\"TR330006100519786457841326\\",' +
  '\\"Amount\\":250.50,\\"BankReceiptNo\\":\\"00017\\"}}';

export const LEDGER_LINE = (more: Record<string, string> = {}): string => {
  const fields: Record<string, string> = {
    id: '"9007199254740993001"',
    tenant_id: '"9007199254740993012"',
    tx_group_correlation_id: '"9007199254740993003"',
    tx_ref_correlation_id: 'null',
    wallet_id: '"9007199254740993011"',
    transaction_type_id: '2002',
    transaction_type: '"Send Money To Bank Account"',
    transaction_status_id: '20',
    transaction_status: '"NormalCompleted"',
    result_code: '"Success"',
    tx_additional_data_json: 'null',
    created_date_utc: '"2026-11-21T10:00:00.1234567Z"',
    updated_date_utc: '"2026-11-21T10:00:01Z"',
    completed_date_utc: '"2026-11-21T10:00:02Z"',
    financial_process_completed_date_utc: '"2026-11-21T10:00:03Z"',
    is_financial_process_completed: 'true',
    to_wallet_id: 'null',
    tx_base_amount: '12400.00',
    tx_additional_fee: '6.40',
    tx_amount_with_additional_fee: '12406.40',
    currency_code: '"TRY"',
    tx_end_user_preview_json: '"{}"',
    tx_pre_financial_acquired_record_json: 'null',
    tx_financial_acquired_record_json: 'null',
    from_description: '"Fatura 4711"',
    to_description: '"Fatura"',
    tx_description: 'null',
    kyc_level_id: '40',
    from_account_type_id: '2',
    from_account_id: '"9007199254740993021"',
    from_wallet_number: `"${WALLET}"`,
    from_account_number: '"5550001"',
    to_account_number: '"5550002"',
    to_account_type_id: '1',
    to_account_id: 'null',
    to_wallet_number: 'null',
    is_need_settlement: 'false',
    settlement_day: '0',
    ext_transaction_id: `"${EXT_ID}"`,
    from_user_kyc_info: KYC,
    to_user_kyc_info: 'null',
    source_type: '"Api"',
    channel_type: '"Web"',
    media_identifier: 'null',
    terminal_no: 'null',
    media_type: 'null',
    provider_id: 'null',
    to_account_tx_base_amount: '12399.00',
    to_account_tx_additional_fee: '1.00',
    to_account_tx_amount_with_additional_fee: '12400.00',
    from_ext_account_number: 'null',
    to_ext_account_number: 'null',
    from_group_code: '"G1"',
    to_group_code: 'null',
    receipt_number: '"R-1"',
    ip_address: '"88.1.2.3"',
    client_port: '50123',
    ...more,
  };
  return `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
};
const TOP_UP_LINE = LEDGER_LINE({
  id: '"9007199254740993009"',
  transaction_type_id: '1004',
  ext_transaction_id: 'null',
  from_wallet_number: 'null',
  to_wallet_number: `"${WALLET}"`,
  tx_base_amount: '250.50',
  tx_additional_data_json: `"${MESSAGE}"`,
});

export const WITHDRAWAL_RECORD = `{"id":9007199254740993002,"tenant_id":"9007199254740993012",
  "wallet_id":"9007199254740993011","wallet_number":"${WALLET}",
  "tx_correlation_id":"9007199254740993001",
  "ext_transaction_id":"${EXT_ID}","account_type":2,"account_id":"9007199254740993021",
  "account_number":"5550001","bank_id":"62","bank_name":"Garanti BBVA","account_saved_bank_id":null,
  "is_account_owner_bank":false,"name":"Işık Öğüt","account_holder_name":"Işık Çağrı Öğüt",
  "iban":"${IBAN}","accept_actions":null,"bank_account_no":"6457841326","swift_code":"TGBATRIS",
  "branch_code":"01","base_amount":12400.00,"currency":"TRY","description":"Fatura 4711",
  "process_level_status":1,"receiver_national_id":"1234567890",
  "bank_response_json":"{\\"Reason\\":\\"Hesap bulunamadı\\"}",
  "created_date_utc":"2026-11-21T10:00:00Z","updated_date_utc":"2026-11-21T10:00:02Z"}`;

/** The successful response of each operation. */
export const SAMPLES = {
  GetBusinessAccount: envelope(ACCOUNT),
  CheckPersonalWallet: envelope(
    `{"exist":true,"wallet_number":"${OTHER_WALLET}","first_name":"A***","last_name":"Y***","currency_code":"TRY"}`,
  ),
  CreateWalletForBusinessAccount: envelope('"1000000009"'),
  WalletInfo: envelope(`{"wallet_info":${WALLET_RECORD}}`),
  ListByFilter: listed(WALLET_RECORD),
  Transfer: envelope(`{"transaction_id":"9007199254740993001","transaction_amount":12400.00,
  "receiver_first_name":"A***","receiver_last_name":"Y***","receiver_account_number":"5550002",
    "receiver_wallet_number":"${OTHER_WALLET}","sender_wallet_info":${WALLET_RECORD},
  "payment_balance_movement":-12400.00,"cash_balance_movement":0}`),
  SendMoneyToBankAccount:
    envelope(`{"transaction_id":"9007199254740993001","ext_transaction_id":"${EXT_ID}",
  "transaction_amount":12400.00,"transaction_fee_amount":6.40,"previous_amount":184250.75,
    "request_id":"9007199254740993002","wallet_info":${WALLET_RECORD},"fast_request_status_code":0}`),
  GetPaymentTypes: envelope(
    '[{"code":"06","description":"Ticari ödeme","extra_description_min_length":0},{"code":"07",' +
      '"description":"Kişisel","extra_description_min_length":20}]',
  ),
  SummaryRecordByFilter: listed(LEDGER_LINE(), TOP_UP_LINE),
  TransferInLedger: listed(
    LEDGER_LINE({ transaction_type_id: '3003', to_wallet_number: `"${OTHER_WALLET}"` }),
  ),
  GetRequestWithdrawListByFilter: listed(WITHDRAWAL_RECORD),
  GetRequestWithdrawByExtId: envelope(WITHDRAWAL_RECORD),
  TransactionReceipt: envelope(
    '{"content_type":"text/html","data":"<html><body>Dekont</body></html>"}',
  ),
  Refused: '{"status":2,"code":"311","message":"Bakiye yetersiz","payload":null}',
} as const;
