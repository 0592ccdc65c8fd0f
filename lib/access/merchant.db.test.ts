import { randomUUID } from 'node:crypto';
import { raw } from '@prisma/client-runtime-utils';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBatch, storePrograms } from './testing/rows-to-hide.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import { OPEN_TABLES, RIGHTS } from '#lib/testing/rights.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readyMovements, rowOf, storedMovement } from '#lib/movements/testing/stored.ts';

/**
 * Tenant isolation: between merchants, and between the web and the worker (`roles.db.test.ts` tests
 * the worker's rights one by one).
 */

let mine: TestMerchant;
let theirs: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  theirs = await testMerchant();
  mine = await testMerchant();
  web = await openProcess('dashboard_web');
  worker = await openProcess('dashboard_worker');
  for (const merchant of [mine, theirs]) {
    const id = await storedMovement(merchant, 'PENDING');
    await merchant.owner.query(
      `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, state_before,
        state_after) VALUES ($1, $2, 'read', 'read', '{}', 'PENDING', 'PENDING')`,
      [merchant.merchantId, id],
    );
    await merchant.owner.query(
      `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token) VALUES ($1, $2, 1, 'h', $3)`,
      [merchant.merchantId, id, randomUUID()],
    );
    await merchant.owner.query(
      `INSERT INTO receipts (merchant_id, movement_id, state) VALUES ($1, $2, 'WAITING')`,
      [merchant.merchantId, id],
    );
    await merchant.owner.query(
      `WITH a AS
        (INSERT INTO receipt_archives (merchant_id, person_id, filter, picked, asked, template,
        ascii, profile) VALUES ($1, $2, '', false, 1, 'full', false, 'csv') RETURNING id)
      INSERT INTO receipt_archive_items (merchant_id, archive_id, n, receipt_id)
        SELECT $1, a.id, 1, r.id FROM a, receipts r WHERE r.movement_id = $3`,
      [merchant.merchantId, merchant.person('owner').personId, id],
    );
    await merchant.owner.query(
      `INSERT INTO receipt_pdfs (merchant_id, receipt_id, state) SELECT $1, r.id, 'WAITING'
        FROM receipts r WHERE r.movement_id = $2`,
      [merchant.merchantId, id],
    );
    await merchant.owner.query(
      `INSERT INTO notices (merchant_id, channel, body_hash, body) VALUES ($1, 'wallet', $2, '{}')`,
      [merchant.merchantId, Buffer.from(randomUUID())],
    );
    await merchant.owner.query(
      `INSERT INTO iban_gates (merchant_id, iban, last_send_at) VALUES ($1, 'TR1', now())`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO send_switches (merchant_id, kind, off) VALUES ($1, 'none', true)`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `WITH r AS (INSERT INTO recoveries (merchant_id, why, scan_from, listed_by)
        VALUES ($1, 'asked', now(), now()) RETURNING id)
      INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, level,
        amount_minor, currency) SELECT $1, id, 'foreign', 'ledger', '1', 'completed', 1, 'TRY' FROM r`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count) VALUES ($1, 'k', now(), 1)`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at) VALUES ($1, '1', '{}', now())`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO wallet_requests (id, merchant_id, person_id, name, currency, fast_iban,
        numbers_before) VALUES ($1, $2, $3, 'n', 'TRY', false, '{}')`,
      [randomUUID(), merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO worker_heartbeats (merchant_id, worker, at) VALUES ($1, 'w', now())`,
      [merchant.merchantId],
    );
    await storePolicyAndApproval(merchant, id);
    await merchant.owner.query(
      `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
        VALUES ($1, $2, $3, $4, '', now())`,
      [
        randomUUID(),
        merchant.merchantId,
        merchant.person('owner').personId,
        Buffer.from(randomUUID()),
      ],
    );
    await merchant.owner.query(
      `INSERT INTO login_challenges (id, merchant_id, secret_hash, email, password_sealed,
        provider_user_id, expires_at) VALUES ($1, $2, $3, 'e', '', 'u', now())`,
      [randomUUID(), merchant.merchantId, Buffer.from(randomUUID())],
    );
    await merchant.owner.query(
      `SELECT set_config('app.merchant_id', $1, true),
        audit_append($1::uuid, 'test', 'test', 'test:1', '{}', '{"name": "test"}')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `WITH e AS
        (INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expires_at)
        VALUES ($1, $2, 'payouts', 'csv', '', '{}', now()) RETURNING id)
      INSERT INTO export_pieces (merchant_id, export_id, n, bytes) SELECT $1, id, 1, '' FROM e`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
        fee_minor, currency, created_at, raw) VALUES ($1, '1', 2002, 20, 'out', 1, 0, 'TRY', now(), '{}')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO withdraw_records (merchant_id, request_id, level, amount_minor, currency,
        created_at, raw) VALUES ($1, '1', 'pending', 1, 'TRY', now(), '{}')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO record_days (merchant_id, list, day) VALUES ($1, 'ledger', '2026-01-01')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `WITH r AS (INSERT INTO recipients (merchant_id, name) VALUES ($1, 'Test') RETURNING id)
        INSERT INTO recipient_payees (merchant_id, recipient_id, number) SELECT $1, id, '1000000001'
        FROM r`,
      [merchant.merchantId],
    );
    await storeBatch(merchant);
    await storePrograms(merchant);
    await merchant.owner.query(
      `INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
        VALUES ($1, '1', now(), 1, 'TRY')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO closed_days (merchant_id, wallet, day, currency, opening_minor, carried_minor,
        in_minor, out_minor, fee_minor, closing_minor, lines, closed_by)
        VALUES ($1, '1', '2026-01-01', 'TRY', 0, 0, 0, 0, 0, 0, 0, $2)`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO closed_day_lines (merchant_id, wallet, day, record_id, side, booked_day,
        in_minor, out_minor, fee_minor) VALUES ($1, '1', '2026-01-01', '1', 'in', '2026-01-01', 1, 0, 0)`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO announced_top_ups (merchant_id, id, notice_id) SELECT merchant_id, '1', min(id)
        FROM notices WHERE merchant_id = $1 GROUP BY 1`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO failed_top_ups (merchant_id, fingerprint, notice_id, kind)
        SELECT merchant_id, '1', min(id), 'other' FROM notices WHERE merchant_id = $1 GROUP BY 1`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO reconciliations (merchant_id, day) VALUES ($1, '2026-01-01')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO differences (merchant_id, day, kind, reference)
        VALUES ($1, '2026-01-01', 'made_elsewhere', 'line:1')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `WITH p AS (INSERT INTO card_payments (merchant_id, invoice_id, source)
        VALUES ($1, 'F-1', 'notice') RETURNING id)
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
        SELECT $1, id, 'notice', 'sale', '{}' FROM p`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO card_reminders (merchant_id, payment_id, hours, audience) SELECT merchant_id, id,
        72, 'clerk' FROM card_payments WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `WITH p AS (INSERT INTO recurring_plans (merchant_id, plan_code, source)
        VALUES ($1, 'PLN-1', 'notice') RETURNING id)
      INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, amount_minor, currency)
        SELECT gen_random_uuid(), $1, id, $2, 1, 'TRY' FROM p`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO send_confirmations (merchant_id, plan_charge_id, confirmed_by)
        SELECT merchant_id, id, $2 FROM plan_charges WHERE merchant_id = $1`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO second_person_requests (merchant_id, subject_kind, subject_id, bound_to, needs)
        VALUES ($1, 'movement', '1', '1', 'owner')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO second_person_words (merchant_id, request_id, person_id, reason, evidence)
        SELECT merchant_id, id, $2, 'test', '{}' FROM second_person_requests WHERE merchant_id = $1`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO card_customers (merchant_id, number, cards, read_at) VALUES ($1, '1', '{1234}', now())`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      'INSERT INTO known_devices (id, merchant_id, person_id) VALUES (gen_random_uuid(), $1, $2)',
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO saved_views (merchant_id, person_id, list, name, address)
        VALUES ($1, $2, 'payouts', 'Test', '')`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO list_columns (merchant_id, person_id, list, hidden) VALUES ($1, $2, 'payouts', '{}')`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
        VALUES ($1, $2, 'test', 'test:1', '{}', now(), true)`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `WITH d AS (INSERT INTO push_devices (merchant_id, person_id, endpoint, p256dh, auth, identity,
            locale)
          VALUES ($1, $2, 'https://push.example/' || gen_random_uuid(), repeat('p', 87), repeat('a', 22),
            repeat('i', 87), 'tr') RETURNING id)
        INSERT INTO push_sends (merchant_id, notification_id, device_id)
        SELECT $1, n.id, d.id FROM d, notifications n WHERE n.merchant_id = $1`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO notification_choices (merchant_id, person_id, kind, app, mail)
        VALUES ($1, $2, 'test', true, true)`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO notification_quiet_hours (merchant_id, person_id, from_minute, to_minute)
        VALUES ($1, $2, 1, 2)`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO onboarding_dismissals (merchant_id, dismissed_by) VALUES ($1, $2)`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO person_invitations (merchant_id, email, role, invited_by, expires_at)
        VALUES ($1, 'new@test', 'clerk', $2, now())`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `INSERT INTO invitation_mails (merchant_id, invitation_id)
        SELECT merchant_id, id FROM person_invitations WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    await merchant.owner.query(
      `INSERT INTO deputyships (merchant_id, person_id, deputy_id, first_day, last_day, asked_by,
        reason) VALUES ($1, $2, $3, current_date, current_date, $2, 'test')`,
      [
        merchant.merchantId,
        merchant.person('approver').personId,
        merchant.person('clerk').personId,
      ],
    );
    await merchant.owner.query(
      `INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, set_by, reason)
        VALUES ($1, $2, 'TRY', 1, $3, 'test')`,
      [merchant.merchantId, merchant.person('clerk').personId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `WITH asked AS (
          INSERT INTO step_up_challenges (merchant_id, person_id, purpose, nonce, policy_version, items)
            VALUES ($1, $2, 'add_key', 'nonce', 1, '[]') RETURNING id),
        answered AS (
          INSERT INTO step_ups (merchant_id, person_id, challenge_id, method)
            SELECT $1, $2, id, 'sign_in' FROM asked RETURNING id)
        INSERT INTO passkeys (merchant_id, person_id, credential_id, rp_id, cose_key, public_key,
          counter, transports, label, added_with)
        SELECT $1, $2, $1::text, 'localhost', 'k', 'k', 0, '[]', 'key', id FROM answered`,
      [merchant.merchantId, merchant.person('clerk').personId],
    );
    await merchant.owner.query(`INSERT INTO audit_checkpoints VALUES ($1, '2026-01-01', '{}')`, [
      merchant.merchantId,
    ]);
    await merchant.owner.query(
      `SELECT set_config('app.merchant_id', $1, true),
        audit_enqueue($1::uuid, 'test', 'test', 'test:1', '{}', '{}')`,
      [merchant.merchantId],
    );
    await merchant.owner.query(`INSERT INTO audit_checks VALUES ($1, now(), 1)`, [
      merchant.merchantId,
    ]);
    await merchant.owner.query(
      `INSERT INTO movement_totals VALUES ($1, 'payout', 'day', now(), '1', 'failed', 'unpaid',
        'TRY', 1, 1)`,
      [merchant.merchantId],
    );
    await merchant.owner.query(`INSERT INTO movement_total_checks VALUES ($1, now(), now(), 0)`, [
      merchant.merchantId,
    ]);
  }
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), mine.close(), theirs.close()]);
});

/** Rows that the guards would refuse: one of each table is enough here. */
async function storePolicyAndApproval(
  { owner, merchantId, person }: TestMerchant,
  movementId: string,
): Promise<void> {
  const [by, second] = [person('owner').personId, person('approver').personId];
  const tables = ['approvals', 'policy_proposals', 'policy_versions'];
  const switched = (how: string) =>
    tables.map((table) => `ALTER TABLE ${table} ${how} TRIGGER USER;`).join('');
  await owner.query(`BEGIN; ${switched('DISABLE')}
    INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash)
      VALUES ('${merchantId}', '${movementId}', '${by}', 'h');
    INSERT INTO approval_requirements (merchant_id, movement_id, policy_version, needed,
      owners_only, reasons, content_hash) VALUES ('${merchantId}', '${movementId}', 1, 0, false,
      '[]', 'h');
    WITH o AS (INSERT INTO policy_proposals (merchant_id, rules, based_on, reason, proposed_by)
      VALUES ('${merchantId}', '[]', 0, 'r', '${by}') RETURNING id)
    INSERT INTO policy_versions (merchant_id, version, rules, proposal_id, proposed_by,
      confirmed_by) SELECT '${merchantId}', 1, '[]', id, '${by}', '${second}' FROM o;
    ${switched('ENABLE')} COMMIT`);
}

describe('the two roles', () => {
  it('the worker makes no people, no movements and no approvals; the web sends nothing', async () => {
    const { merchantId } = mine;
    const into = (side: Process, table: string) =>
      side.db.inTransaction(merchantId, (tx) =>
        tx.$executeRaw(raw(`INSERT INTO ${table} (merchant_id) VALUES ('${merchantId}')`)),
      );
    for (const table of ['people', 'movements', 'approvals', 'sessions'])
      await expect(into(worker, table), table).rejects.toThrow(/permission denied/);
    for (const table of ['attempts', 'iban_gates', 'worker_heartbeats'])
      await expect(into(web, table), table).rejects.toThrow(/permission denied/);
    const [id] = await readyMovements(mine, 1, { dueInMs: 3_600_000 });
    await expect(
      web.db.inTransaction(
        merchantId,
        (tx) =>
          tx.$executeRaw`UPDATE movements SET state = 'SUBMITTING', sends = sends + 1 WHERE id = ${id}::uuid`,
      ),
    ).rejects.toThrow(/no step from APPROVED to SUBMITTING/);
  });
});

describe('the wall between merchants', () => {
  const tables = Object.keys(RIGHTS).filter((table) => !OPEN_TABLES.includes(table));

  it.each(tables)(
    "%s: another merchant's rows are invisible though nothing in the statement says so",
    async (table) => {
      const column = table === 'merchants' ? 'id' : 'merchant_id';
      const { rows } = await mine.owner.query(
        `SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`,
        [theirs.merchantId],
      );
      expect(rows[0].n, 'there is something to hide').toBeGreaterThan(0);
      for (const side of [web, worker]) {
        const seen = await side.db.inTransaction(mine.merchantId, (tx) =>
          tx.$queryRaw<{ merchant: string }[]>(
            raw(`SELECT DISTINCT ${column}::text AS merchant FROM ${table}`),
          ),
        );
        expect(seen).toEqual([{ merchant: mine.merchantId }]);
      }
    },
  );

  it.each(tables.filter((table) => RIGHTS[table]!.web.includes('U')))(
    '%s: an update or a delete without a WHERE ends at the wall',
    async (table) => {
      const column = table === 'merchants' ? 'id' : 'merchant_id';
      const changed = /U\((\w+)/.exec(RIGHTS[table]!.web)?.[1] ?? column;
      const stored = () =>
        mine.owner.query(`SELECT xmin, * FROM ${table} WHERE ${column} = $1 ORDER BY ctid`, [
          theirs.merchantId,
        ]);
      const before = await stored();
      await web.db.inTransaction(mine.merchantId, (tx) =>
        tx.$executeRaw(raw(`UPDATE ${table} SET ${changed} = ${changed}`)),
      );
      if (RIGHTS[table]!.web.includes('D'))
        await web.db.inTransaction(mine.merchantId, (tx) =>
          tx.$executeRaw(raw(`DELETE FROM ${table} WHERE false`)),
        );
      expect((await stored()).rows).toEqual(before.rows);
    },
  );

  it('no row is written for another merchant, and none is moved there', async () => {
    await expect(
      web.db.inTransaction(
        mine.merchantId,
        (tx) =>
          tx.$executeRaw`INSERT INTO people (merchant_id, email, name, role)
            VALUES (${theirs.merchantId}::uuid, 'x', 'x', 'owner')`,
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(
      web.db.inTransaction(
        mine.merchantId,
        (tx) => tx.$executeRaw`UPDATE people SET merchant_id = ${theirs.merchantId}::uuid`,
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(
      web.db.inTransaction(
        mine.merchantId,
        (tx) =>
          tx.$executeRaw`SELECT audit_append(${theirs.merchantId}::uuid, 'a', 'b', 'c:1', '{}'::jsonb)`,
      ),
    ).rejects.toThrow(/chain of another merchant/);
    await expect(
      web.db.inTransaction(
        mine.merchantId,
        (tx) =>
          tx.$executeRaw`SELECT audit_erase(${theirs.merchantId}::uuid, 'a', NULL, now(),
            '{}'::jsonb, '{}'::jsonb)`,
      ),
    ).rejects.toThrow(/chain of another merchant/);
  });

  it('without a merchant nothing is visible, and the name of one does not outlive its transaction', async () => {
    const pool = new pg.Pool({
      connectionString: process.env.TEST_DATABASE_URL,
      max: 1,
      options: '-c role=dashboard_web',
    });
    const count = async () =>
      (await pool.query('SELECT count(*)::int AS n FROM movements')).rows[0].n as number;
    expect(await count()).toBe(0);
    await pool.query('BEGIN');
    await pool.query(`SELECT set_config('app.merchant_id', $1, true)`, [mine.merchantId]);
    expect(await count()).toBeGreaterThan(0);
    await pool.query('COMMIT');
    expect(await count()).toBe(0);
    await pool.end();
    // A connection that the product itself opened also shows no rows, just after its transaction.
    for (const side of [web, worker]) {
      const [left] = await side.db.inTransaction(mine.merchantId, async (tx) => {
        await tx.$executeRaw`COMMIT`;
        return tx.$queryRaw<[{ n: number }]>`SELECT count(*)::int AS n FROM movements`;
      });
      expect(left.n).toBe(0);
    }
  });

  it("a worker takes only its own merchant's movements", async () => {
    const [foreign] = (await readyMovements(theirs, 1)) as [string];
    const { fakePorts, fakeProvider } = await import('#lib/movements/testing/fake-provider.ts');
    const provider = fakeProvider();
    for (let n = 0; n < 20; n++)
      if (
        (await worker.advance.advanceOne(fakePorts(mine.merchantId, provider))).kind === 'at_rest'
      )
        break;
    expect(provider.asked.map((one) => one.id)).not.toContain(foreign);
    expect((await rowOf(theirs, foreign)).state).toBe('APPROVED');
  });
});

describe('times', () => {
  it('are the same instants in a database whose own zone is another', async () => {
    const { rows } = await mine.owner.query(`SELECT current_database() AS name`);
    await mine.owner.query(`ALTER DATABASE "${rows[0].name}" SET timezone = 'America/New_York'`);
    try {
      const there = await openProcess('dashboard_worker');
      const [first] = await there.db.inTransaction(
        mine.merchantId,
        (tx) => tx.$queryRaw<[{ now: Date; epoch: number; same: boolean }]>`
        SELECT now() AS now, extract(epoch FROM now())::float8 AS epoch,
          ${new Date(Date.UTC(2026, 10, 1, 5, 30))} = '2026-11-01T05:30:00Z'::timestamptz AS same`,
      );
      expect(Math.abs(first.now.getTime() - first.epoch * 1_000)).toBeLessThan(2);
      expect(first.same).toBe(true);
      await there.db.disconnect();
    } finally {
      await mine.owner.query(`ALTER DATABASE "${rows[0].name}" RESET timezone`);
    }
  });
});
