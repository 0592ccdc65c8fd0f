import { createHash } from 'node:crypto';
import { rows } from './database.ts';
import { batchOf, readyBatchOf, templateOf } from './foreign-batch.ts';
import { newIban } from './payee.ts';

export type Strangers = {
  /** The public key for which browsers subscribe; only the owner's probes need it. */
  identity?: string;
  payout: string;
  notice: string;
  receipt: string;
  session: string;
  person: string;
  record: string;
  export: string;
  line: string;
  archive: string;
  wallet: string;
  topUp: string;
  difference: string;
  card: string;
  plan: string;
  charge: string;
  recipient: string;
  payee: string;
  batch: string;
  ready: string;
  /** What the page shows of the ready draft; only the owner's probes need it. */
  seenHash?: string;
  template: string;
  view: string;
  notification: string;
  held: string;
  colleague: string;
  invitation: string;
};

const MERCHANT = '7f0e3a52-0000-4000-8000-00000000aaaa';

/**
 * Creates a second merchant in the same database, with one row of each kind; each name says that it
 * is foreign.
 */
export async function strangersThings(): Promise<Strangers> {
  await rows(
    `INSERT INTO merchants (id, key_fingerprint, name)
      VALUES ($1, 'another', 'Another') ON CONFLICT DO NOTHING`,
    [MERCHANT],
  );
  const person = await one(
    `INSERT INTO people (merchant_id, email, name, role)
      VALUES ($1, 'x@another.test', 'Foreign Person', 'owner') ON CONFLICT (merchant_id, email) DO
      UPDATE SET name = excluded.name RETURNING id`,
    [MERCHANT],
  );
  const payout = await one(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id)
     VALUES (gen_random_uuid(), $1, 'payout', 'P-foreign-' || gen_random_uuid(), 'DRAFT',
       '4488810001', 'TR809999900000000000000001', 'Foreign Payee', '1234567890', 100, 'TRY', '06',
       '', 'x', $2) RETURNING id`,
    [MERCHANT, person],
  );
  return {
    payout,
    person,
    record: await foreignRecord(MERCHANT),
    topUp: await failedTopUpOf(MERCHANT),
    recipient: await recipientOf(MERCHANT),
    payee: await paidPayeeOf(MERCHANT),
    batch: await batchOf(MERCHANT, person),
    ready: await readyBatchOf(MERCHANT, person),
    template: await templateOf(MERCHANT, person),
    export: await exportOf(MERCHANT, person),
    line: await ledgerLineOf(MERCHANT),
    wallet: await unclearWallet(MERCHANT, person),
    difference: await differenceOf(MERCHANT),
    card: await cardOf(MERCHANT),
    plan: await planOf(MERCHANT),
    charge: await chargeOf(MERCHANT, person),
    view: await viewOf(MERCHANT, person),
    notification: await notificationOf(MERCHANT, person),
    held: await heldOf(MERCHANT, person),
    colleague: await colleagueOf(MERCHANT),
    invitation: await invitationOf(MERCHANT, person),
    notice: await one(
      `INSERT INTO notices (merchant_id, channel, body_hash, body)
        VALUES ($1, 'wallet', sha256(gen_random_uuid()::text::bytea), 'foreign notice')
        RETURNING id::text`,
      [MERCHANT],
    ),
    archive: await archiveOf(MERCHANT, person),
    receipt: await one(
      `INSERT INTO receipts (merchant_id, movement_id, state, format, bytes, next_at)
        VALUES ($1, $2, 'READY', 'html', 'foreign receipt', NULL) RETURNING id`,
      [MERCHANT, payout],
    ),
    session: await one(
      `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
        VALUES (gen_random_uuid(), $1, $2, sha256(gen_random_uuid()::text::bytea), '',
        now() + interval '1 hour') RETURNING id`,
      [MERCHANT, person],
    ),
  };
}

/**
 * A provider's record that a closed recovery of that merchant found and nobody has acknowledged.
 */
export async function foreignRecord(merchant: string): Promise<string> {
  const recovery = await one(
    `INSERT INTO recoveries (merchant_id, why, scan_from, listed_by, journal, ended_at)
      VALUES ($1, 'asked', now(), now(), '{"files":1,"lines":0,"missing":0,"unreadable":0}', now())
      RETURNING id`,
    [merchant],
  );
  return one(
    `INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, level,
      amount_minor, currency) VALUES ($1, $2, 'foreign', 'ledger', gen_random_uuid()::text, '1',
      100, 'TRY') RETURNING id::text`,
    [merchant, recovery],
  );
}

/** A payout older than a recovery, which waits for a person's "send it" before anything is sent. */
export async function heldOf(
  merchant: string,
  person: string,
  name = 'Foreign Payee',
): Promise<string> {
  const id = await one(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, created_at)
     SELECT gen_random_uuid(), $1, 'payout', 'P-held-' || gen_random_uuid(), 'DRAFT', '4410270001',
       'TR809999900000000000000001', $3, '1234567890', 100, 'TRY', '06', '', 'x', $2,
       min(began_at) - interval '1 minute' FROM recoveries WHERE merchant_id = $1 RETURNING id`,
    [merchant, person, name],
  );
  await rows('ALTER TABLE movements DISABLE TRIGGER USER');
  await rows(`UPDATE movements SET state = 'APPROVED' WHERE id = $1`, [id]);
  await rows('ALTER TABLE movements ENABLE TRIGGER USER');
  return id;
}

/** A person who only looks, with an open session. */
export async function colleagueOf(merchant: string, name = 'Foreign Colleague'): Promise<string> {
  const id = await one(
    `INSERT INTO people (merchant_id, email, name, role)
      VALUES ($1, gen_random_uuid() || '@example.test', $2, 'support') RETURNING id`,
    [merchant, name],
  );
  await rows(
    `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
      VALUES (gen_random_uuid(), $1, $2, sha256(gen_random_uuid()::text::bytea), '',
      now() + interval '1 hour')`,
    [merchant, id],
  );
  return id;
}

/** An invitation as approver that `person` has asked for, and that waits for a second person. */
export async function invitationOf(merchant: string, person: string): Promise<string> {
  const id = await one(
    `INSERT INTO person_invitations (merchant_id, email, role, invited_by, expires_at)
      VALUES ($1, 'foreign-' || gen_random_uuid() || '@example.test', 'approver', $2,
      now() + interval '1 day') RETURNING id`,
    [merchant, person],
  );
  await rows(
    `WITH r AS (INSERT INTO second_person_requests (merchant_id, subject_kind, subject_id, bound_to,
        needs) SELECT $1, 'invitation', id::text, email || ' ' || role, 'owner'
        FROM person_invitations WHERE id = $3 RETURNING id)
      INSERT INTO second_person_words (merchant_id, request_id, person_id, claim, reason, evidence)
      SELECT $1, id, $2, 'invite', 'a reason long enough', '{}' FROM r`,
    [merchant, person, id],
  );
  return id;
}

/** A file that a person requested, not begun yet. */
export async function exportOf(merchant: string, person: string): Promise<string> {
  return one(
    `INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expires_at)
      VALUES ($1, $2, 'payouts', 'csv', '', '{"role":"owner","filter":["Foreign"]}',
      now() + interval '1 day') RETURNING id`,
    [merchant, person],
  );
}

/** A saved recipient. */
export async function recipientOf(merchant: string): Promise<string> {
  return one(
    `INSERT INTO recipients (merchant_id, name, tax_number)
      VALUES ($1, 'Foreign Recipient', gen_random_uuid()::text) RETURNING id`,
    [merchant],
  );
}

/** A saved view of a person. */
export async function viewOf(merchant: string, person: string): Promise<string> {
  return one(
    `INSERT INTO saved_views (merchant_id, person_id, list, name, address)
      VALUES ($1, $2, 'payouts', gen_random_uuid()::text, '') RETURNING id`,
    [merchant, person],
  );
}

/** One of two unread notifications of a person. */
export async function notificationOf(merchant: string, person: string): Promise<string> {
  return one(
    `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
      SELECT $1, $2, 'new_device', 'device:' || gen_random_uuid(), '{"agent": "Foreign", "ip": null}',
        now(), true FROM generate_series(1, 2) RETURNING id`,
    [merchant, person],
  );
}

/** An entry of the mirrored ledger whose receipt was not requested. */
export async function ledgerLineOf(merchant: string): Promise<string> {
  return one(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, sender_name, created_at, raw)
      VALUES ($1, (random() * 1e15)::bigint::text, 1004, 20, 'in', 100, 0, 'TRY', 'Foreign Sender',
      now(), '{}') RETURNING id`,
    [merchant],
  );
}

/** A wallet request without a response. A merchant has at most one. */
export async function unclearWallet(merchant: string, person: string): Promise<string> {
  return one(
    `INSERT INTO wallet_requests (id, merchant_id, person_id, name, currency, fast_iban,
      numbers_before, asked_at) VALUES (gen_random_uuid(), $1, $2, 'Foreign Wallet', 'TRY', false,
      '{}', now() - interval '5 minutes')
    ON CONFLICT (merchant_id) WHERE state = 'UNCLEAR' DO UPDATE SET code = NULL RETURNING id`,
    [merchant, person],
  );
}

/** A failed top-up that is still open. */
export async function failedTopUpOf(merchant: string): Promise<string> {
  // The web would handle a webhook of its own merchant that is left.
  const notice = await one(
    `INSERT INTO notices (merchant_id, channel, body_hash, body, handled_at)
      VALUES ($1, 'wallet', sha256(gen_random_uuid()::text::bytea), 'foreign notice', now())
      RETURNING id::text`,
    [merchant],
  );
  return one(
    `INSERT INTO failed_top_ups (merchant_id, fingerprint, notice_id, kind, description, last_at)
      VALUES ($1, gen_random_uuid()::text, $2, 'other', 'Foreign money', '2026-01-01T00:00:00Z')
      RETURNING id`,
    [merchant, notice],
  );
}

/** A reconciliation difference that nobody has acknowledged. */
export async function differenceOf(merchant: string): Promise<string> {
  return one(
    `INSERT INTO differences (merchant_id, day, kind, reference, theirs)
      VALUES ($1, current_date - 1, 'made_elsewhere', gen_random_uuid()::text,
      '{"amount":"100","currency":"TRY"}') RETURNING id`,
    [merchant],
  );
}

/** What the page shows of that difference on both sides, as `RECORDED` of its verb writes it. */
export const DIFFERENCE_RECORDED = createHash('md5')
  .update('[null, {"amount": "100", "currency": "TRY"}]')
  .digest('hex');

/** A card payment without scheduled checks. */
export async function cardOf(merchant: string): Promise<string> {
  const id = await one(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor)
      VALUES ($1, 'foreign-' || gen_random_uuid(), 'notice', 'failed', 100) RETURNING id`,
    [merchant],
  );
  await rows(
    `INSERT INTO card_reminders (merchant_id, payment_id, hours, audience) VALUES ($1, $2, 24, 'approver')`,
    [merchant, id],
  );
  return id;
}

/** A recurring plan with a future charge, without scheduled checks. */
export async function planOf(merchant: string): Promise<string> {
  return one(
    `INSERT INTO recurring_plans (merchant_id, plan_code, source, status, recurring_minor)
      VALUES ($1, 'foreign-' || gen_random_uuid(), 'notice', 'active', 100) RETURNING id`,
    [merchant],
  );
}

/** A card payment whose card has not been typed yet. */
export async function chargeOf(merchant: string, person: string): Promise<string> {
  const content = {
    currency: 'TRY',
    description: 'Foreign',
    items: [{ name: 'Foreign', description: '', priceMinor: '100', quantity: 1 }],
    buyer: { name: 'Foreign', surname: 'Buyer' },
    bill: {},
    installments: 1,
  };
  return one(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, kind, content, content_hash,
      added_by, amount_minor) VALUES ($1, 'foreign-' || gen_random_uuid(), 'made_here',
      'non_secure', $3, 'x', $2, 100) RETURNING id`,
    [merchant, person, content],
  );
}

/** A request for receipts as one file. */
export async function archiveOf(merchant: string, person: string): Promise<string> {
  return one(
    `INSERT INTO receipt_archives (merchant_id, person_id, filter, picked, asked, template, ascii,
      profile) VALUES ($1, $2, '?q=Foreign', false, 1, 'full', false, 'csv') RETURNING id`,
    [merchant, person],
  );
}

/**
 * A past day of the main wallet that a person may close: it is read to its end, and has an opening
 * balance.
 */
export async function closableDay(merchant: string): Promise<string> {
  const [row] = await rows<{ day: string }>(
    `SELECT ((now() AT TIME ZONE 'Europe/Istanbul')::date - 45)::text AS day`,
  );
  await rows(
    `INSERT INTO record_days (merchant_id, list, day, read_at) SELECT $1, 'ledger', day, now()
      FROM unnest(ARRAY[$2::date - 1, $2::date]) AS day ON CONFLICT (merchant_id, list, day) DO
      UPDATE SET read_at = excluded.read_at`,
    [merchant, row!.day],
  );
  await rows(
    `INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
      VALUES ($1, '4410270001', $2::date::timestamp AT TIME ZONE 'Europe/Istanbul', 100000000,
      'TRY') ON CONFLICT DO NOTHING`,
    [merchant, row!.day],
  );
  return row!.day;
}

async function one(sql: string, values: unknown[]): Promise<string> {
  const [row] = await rows<{ id: string }>(sql, values);
  return row!.id;
}

/** The IBAN of a payee whom the provider paid weeks ago and who is not a saved recipient. */
export async function paidPayeeOf(merchant: string): Promise<string> {
  const iban = newIban();
  await rows(
    `INSERT INTO withdraw_records (merchant_id, request_id, level, amount_minor, currency, iban,
      name, created_at, raw)
     VALUES ($1, 'paid-' || gen_random_uuid(), 'completed', 100, 'TRY', $2, 'Foreign Payee',
       now() - interval '60 days', '{}')`,
    [merchant, iban],
  );
  return iban;
}
