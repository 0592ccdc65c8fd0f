/**
 * The text that the gateway of a world writes, with the variants that the published samples show.
 * It shares no code with our decoders.
 */

export type WireStyle = { codesAsTexts: boolean };
export type Answer = { http: number; body: string };

export function money(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A flat answer: the code, its message, and further fields. */
export function coded(
  code: string,
  fields: Record<string, unknown>,
  style: WireStyle,
  name = 'status_code',
): Answer {
  const words = name === 'statuscode' ? 'description' : 'status_description';
  const written = style.codesAsTexts ? code : Number(code);
  return { http: 200, body: JSON.stringify({ [name]: written, [words]: 'x', ...fields }) };
}

export type RecordText = {
  invoiceId: string;
  code: string;
  word: string;
  type: 'Auth' | 'Pre-Authorization';
  orderedMinor: bigint;
  chargedMinor: bigint | null;
  refundedMinor: bigint;
  rows: { id: string; amountMinor: bigint; status: string }[];
};

/**
 * The answer of `checkstatus`. It has amounts as texts and as numbers, as the samples have them.
 */
export function recordText(record: RecordText, style: WireStyle): Answer {
  const rows = record.rows.map((row) => ({
    refund_transaction_id: row.id,
    amount: money(row.amountMinor),
    date: null,
    status: row.status,
  }));
  return coded(
    record.code,
    {
      transaction_status: record.word,
      order_id: `VP-${record.invoiceId}`,
      invoice_id: record.invoiceId,
      transaction_id: `T-${record.invoiceId}`,
      transaction_type: record.type,
      product_price: money(record.orderedMinor),
      total_refunded_amount: money(record.refundedMinor),
      ...(record.chargedMinor === null ? {} : { transaction_amount: money(record.chargedMinor) }),
      ...(rows.length === 0 ? {} : { refund_info: rows }),
    },
    style,
  );
}

/**
 * The value of a field in a JSON body, exactly as its text has it: an amount never becomes a float.
 */
export function fieldOf(body: string, name: string): string | null {
  const found = new RegExp(`"${name}":(?:"([^"]*)"|([0-9.]+))`).exec(body);
  return found === null ? null : (found[1] ?? found[2] ?? null);
}

export function amountOf(body: string, name: string): bigint | null {
  const text = fieldOf(body, name);
  if (text === null) return null;
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}
