import { gzipSync } from 'node:zlib';
import { rows } from './database.ts';
import { newIban, newPayee, newTaxNumber } from './payee.ts';

/** Batches of another merchant or of a colleague: drafts, and a template. */

/** A draft of three payouts from a file; the second one has no IBAN. */
export function batchOf(merchant: string, maker: string): Promise<string> {
  return draftOf(merchant, maker, [
    ['Foreign Payee', newIban(), newTaxNumber(), '12,50', 'Door'],
    ['Foreign Payee', '', newTaxNumber(), '13,50', 'Door'],
    ['Foreign Payee', newIban(), newTaxNumber(), '14,50', 'Door'],
  ]);
}

/** A draft of one payout that nothing is missing from. */
export function readyBatchOf(merchant: string, maker: string): Promise<string> {
  const { name, iban, taxNumber } = newPayee();
  return draftOf(merchant, maker, [[`${name} Foreign`, iban, taxNumber, '15,50', 'Door']]);
}

/** A template: a submitted batch of one payout, with a name. */
export async function templateOf(merchant: string, maker: string): Promise<string> {
  const batch = await readyBatchOf(merchant, maker);
  await rows(
    `INSERT INTO batch_rows (merchant_id, batch_id, n, original, iban, name, tax_number,
        amount_minor, currency, payment_type, description, movement_id, ext_id)
      VALUES ($1, $2, 2, '[]', $3, 'Foreign Payee', $4, 1550, 'TRY', '06', 'Door',
        gen_random_uuid(), 'B-foreign-' || gen_random_uuid())`,
    [merchant, batch, newIban(), newTaxNumber()],
  );
  await rows(
    `UPDATE batches SET state = 'SUBMITTED', version = version + 1, content_hash = 'x' WHERE id = $1`,
    [batch],
  );
  return idOf(
    `INSERT INTO batch_templates (merchant_id, batch_id, name, made_by)
      VALUES ($1, $2, 'Foreign ' || left(gen_random_uuid()::text, 8), $3) RETURNING id`,
    [merchant, batch, maker],
  );
}

async function draftOf(
  merchant: string,
  maker: string,
  payouts: readonly string[][],
): Promise<string> {
  const file = {
    ...{ format: 'text', encoding: 'utf-8', delimiter: ';' },
    sheets: [
      {
        ...{ name: '', hidden: false, emptyRows: 0, hiddenColumns: [], epoch1904: false },
        rows: [['Ad Soyad', 'IBAN', 'VKN', 'Tutar', 'Konu'], ...payouts].map((row, at) => ({
          number: at + 1,
          hidden: false,
          cells: row.map((text) => ({ kind: text === '' ? 'empty' : 'text', text })),
        })),
      },
    ],
  };
  return idOf(
    `INSERT INTO batches (merchant_id, maker_id, wallet, currency, name, format, shape, file_hash,
      source, defaults) VALUES ($1, $2, '4410270001', 'TRY', 'foreign.csv', 'text', 'foreign',
      gen_random_uuid()::text, $3, '{"paymentType": "06"}') RETURNING id`,
    [merchant, maker, gzipSync(JSON.stringify(file))],
  );
}

async function idOf(sql: string, values: unknown[]): Promise<string> {
  const [row] = await rows<{ id: string }>(sql, values);
  return row!.id;
}
