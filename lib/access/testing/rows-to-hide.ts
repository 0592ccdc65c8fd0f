import type { TestMerchant } from '#lib/testing/database.ts';

/** Rows of one merchant that another one must not see. */

/** A submitted batch with a row, its run, an approval, a template and remembered columns. */
export async function storeBatch(merchant: TestMerchant): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO batches (merchant_id, maker_id, wallet, currency, name, format, shape, file_hash,
        source) VALUES ($1, $2, '1', 'TRY', 'a.csv', 'text', 's', 'h', 'x')`,
    [merchant.merchantId, merchant.person('clerk').personId],
  );
  await merchant.owner.query(
    `INSERT INTO batch_rows (merchant_id, batch_id, n, original, iban, name, tax_number,
        amount_minor, currency, payment_type, description, movement_id, ext_id)
       SELECT $1, id, 1, '[]', 'TR', 'A', '1', 1, 'TRY', '1', 'x', gen_random_uuid(), 'E'
       FROM batches WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `UPDATE batches SET state = 'SUBMITTED', version = 2, content_hash = 'h'
        WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `INSERT INTO batch_runs (merchant_id, batch_id, submitted_by)
       SELECT $1, id, '{}' FROM batches WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `INSERT INTO batch_columns (merchant_id, shape, columns) VALUES ($1, 's', '{}')`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `INSERT INTO batch_templates (merchant_id, batch_id, name, made_by)
       SELECT $1, id, 'Maaşlar', maker_id FROM batches WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  const [off, on] = ['DISABLE', 'ENABLE'].map(
    (how) => `ALTER TABLE batch_approvals ${how} TRIGGER USER`,
  );
  await merchant.owner.query(`${off}; INSERT INTO batch_approvals (merchant_id, batch_id,
      person_id, role, content_hash, session) SELECT merchant_id, id, maker_id, 'approver', 'h', '{}'
      FROM batches WHERE merchant_id = '${merchant.merchantId}'; ${on}`);
}

/** An API key with a request and what it began, an address for webhooks and one that is due. */
export async function storePrograms(merchant: TestMerchant): Promise<void> {
  const values = [merchant.merchantId, merchant.person('owner').personId];
  await merchant.owner.query(
    `WITH k AS (INSERT INTO api_keys (merchant_id, person_id, name, prefix, hash, rights, reason)
        VALUES ($1::uuid, $2, 'ERP', 'mk_1', sha256($1::uuid::text::bytea), '["payouts.read"]', 'ERP')
        RETURNING id),
      r AS (INSERT INTO api_requests (merchant_id, api_key_id, method, path, status, took_ms)
        SELECT $1::uuid, id, 'GET', '/api/v1/payouts', 200, 1 FROM k)
     INSERT INTO api_intents (merchant_id, kind, idempotency_key, api_key_id, body_hash)
       SELECT $1::uuid, 'payout', 'a-key-of-sixteen', id, sha256('x') FROM k`,
    values,
  );
  await merchant.owner.query(
    `INSERT INTO api_endpoints (merchant_id, url, secret_sealed, set_by)
      VALUES ($1, 'https://erp.test/hook', 'x', $2)`,
    values,
  );
  await merchant.owner.query(
    `INSERT INTO api_deliveries (merchant_id, type, facts) VALUES ($1, 'ping', '{}')`,
    [merchant.merchantId],
  );
}
