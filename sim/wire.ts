/**
 * The text that the provider of a world writes, with the variants that the contract's samples show.
 * It shares no code with our decoders.
 */

export type WireStyle = { idsAsNumbers: boolean; codesAsNumbers: boolean };

export type Accepted = {
  extId: string;
  amountMinor: bigint;
  feeMinor: bigint;
  requestId: string;
  transactionId: string | null;
};

export function envelope(
  status: string,
  code: string | null,
  payload: string,
  style: WireStyle,
  message = 'x',
): string {
  const written = code === null ? 'null' : style.codesAsNumbers ? code : `"${code}"`;
  return (
    `{"status":${style.codesAsNumbers ? `"${status}"` : status},"code":${written},` +
    `"message":"${message}","payload":${payload}}`
  );
}

export function success(payload: string, style: WireStyle): string {
  return envelope('0', '100', payload, style);
}

export function refusal(code: string, style: WireStyle): string {
  return envelope(code === '999' ? '1' : '2', code, 'null', style);
}

export function acceptance(request: Accepted, style: WireStyle): string {
  const fields = [
    `"transaction_id":${request.transactionId === null ? '0' : id(request.transactionId, style)}`,
    `"ext_transaction_id":"${request.extId}"`,
    `"transaction_amount":${money(request.amountMinor)}`,
    `"transaction_fee_amount":${money(request.feeMinor)}`,
    `"previous_amount":1.00`,
    `"request_id":${id(request.requestId, style)}`,
  ];
  return success(`{${fields.join(',')}}`, style);
}

/**
 * The answer to a transfer between wallets: it has the transaction's own number, and no reference
 * of ours.
 */
export function transferAcceptance(
  transfer: { amountMinor: bigint; transactionId: string; to: string },
  style: WireStyle,
): string {
  return success(
    `{"transaction_id":${id(transfer.transactionId, style)},` +
      `"transaction_amount":${money(transfer.amountMinor)},"receiver_first_name":"El**",` +
      `"receiver_wallet_number":"${transfer.to}"}`,
    style,
  );
}

export type RecordText = {
  requestId: string;
  extId: string;
  amountMinor: bigint;
  currency?: string;
  iban: string;
  level: number;
  bankWords: object | null;
};

export function withdrawRecord(record: RecordText, style: WireStyle): string {
  const words =
    record.bankWords === null ? 'null' : JSON.stringify(JSON.stringify(record.bankWords));
  return success(
    `{"id":${id(record.requestId, style)},"ext_transaction_id":"${record.extId}",` +
      `"base_amount":${money(record.amountMinor)},"currency":"${record.currency ?? 'TRY'}",` +
      `"iban":"${record.iban}",` +
      `"process_level_status":${style.codesAsNumbers ? `"${record.level}"` : record.level},` +
      `"bank_response_json":${words},"updated_date_utc":null}`,
    style,
  );
}

export type LineText = {
  id: string;
  refersTo: string | null;
  type: number;
  status: number;
  amountMinor: bigint;
  feeMinor: bigint;
  extId: string | null;
  from: string | null;
  to: string | null;
};

export function ledgerPage(
  lines: readonly LineText[],
  page: { index: number; count: number; size: number; rows: number },
  style: WireStyle,
): string {
  return success(
    `{"results":[${lines.map((line) => ledgerLine(line, style)).join(',')}],` +
      `"page_index":${page.index},"page_count":${page.count},"page_size":${page.size},` +
      `"row_count":${page.rows}}`,
    style,
  );
}

function ledgerLine(line: LineText, style: WireStyle): string {
  const text = (value: string | null): string => (value === null ? 'null' : `"${value}"`);
  const refersTo = line.refersTo === null ? 'null' : id(line.refersTo, style);
  return (
    `{"id":${id(line.id, style)},"tx_ref_correlation_id":${refersTo},` +
    `"transaction_type_id":${line.type},` +
    `"transaction_type":"x","transaction_status_id":${line.status},"transaction_status":"x",` +
    `"tx_base_amount":${money(line.amountMinor)},"tx_additional_fee":${money(line.feeMinor)},` +
    `"currency_code":"TRY","ext_transaction_id":${text(line.extId)},` +
    `"from_wallet_number":${text(line.from)},"to_wallet_number":${text(line.to)},` +
    '"created_date_utc":null,"completed_date_utc":null,"from_description":null,' +
    '"tx_description":null,"receipt_number":null}'
  );
}

function id(digits: string, style: WireStyle): string {
  return style.idsAsNumbers ? digits : `"${digits}"`;
}

function money(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * The amount in minor units, read from the text of the request's body: it never becomes a float.
 */
export function readMoney(body: string): bigint {
  const match = /"amount":(\d+)\.(\d\d)[,}]/.exec(body);
  if (match === null) throw new Error('a payout without an exact amount');
  return BigInt(match[1]! + match[2]!);
}
