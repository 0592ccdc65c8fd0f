import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testMerchant } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';

const OLD_KEY = 'an older key: 8f1c0b7e6d5a49382716';
const NEW_KEY = 'a fresher key: 0a9b8c7d6e5f41322314';

let merchant: TestMerchant;
beforeAll(async () => void (merchant = await testMerchant()));
afterAll(() => merchant.close());

/** Loads the modules of a worker that was started with this key. */
async function worker(dataKey: string) {
  vi.resetModules();
  process.env.DATA_KEY = dataKey;
  const db = await import('#lib/runtime/db.ts');
  db.actAs('dashboard_worker');
  const { sweep, sweepJournal } = await import('./retention.ts');
  return {
    db,
    seal: await import('#lib/runtime/seal.ts'),
    sweep: () => sweep(merchant.merchantId),
    sweepJournal: (folder: string) => sweepJournal(merchant.merchantId, folder),
  };
}

async function addSession(
  ended: string,
  sealed: Uint8Array = Buffer.of(0),
  id = randomUUID(),
): Promise<string> {
  await merchant.owner.query(
    `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
      VALUES ($1::uuid, $2, $3, sha256(convert_to($1::uuid::text, 'UTF8')), $4, now() - $5::interval)`,
    [id, merchant.merchantId, merchant.person('clerk').personId, Buffer.from(sealed), ended],
  );
  return id;
}

async function addNotice(effect: string, age: string): Promise<string> {
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO notices (merchant_id, channel, body_hash, body, effect, first_at, last_at)
      VALUES ($1, 'wallet', sha256(convert_to($2::text, 'UTF8')), $2::text, $3,
      now() - $4::interval, now() - $4::interval) RETURNING id::text`,
    [merchant.merchantId, randomUUID(), effect, age],
  );
  return rows[0]!.id;
}

function statement(text: string): TemplateStringsArray {
  return Object.assign([text], { raw: [text] });
}

async function ids(table: string): Promise<string[]> {
  return (
    await merchant.owner.query<{ id: string }>(
      `SELECT id::text FROM ${table} WHERE merchant_id = $1`,
      [merchant.merchantId],
    )
  ).rows.map((row) => row.id);
}

describe('the sweep', () => {
  test('deletes old sessions, sign-ins and unrelated webhooks after their time, and nothing else', async () => {
    const { sweep, db } = await worker(NEW_KEY);
    const kept = {
      sessions: [await addSession('29 days'), await addSession('-1 hour', Buffer.of(0))],
      notices: [
        await addNotice('no_such_payout', '29 days'),
        await addNotice('other_topic', '400 days'),
        await addNotice('asked_provider', '400 days'),
      ],
    };
    const gone = {
      sessions: [await addSession('31 days')],
      notices: [
        await addNotice('no_such_payout', '31 days'),
        await addNotice('not_understood', '31 days'),
      ],
    };
    for (const [n, age] of ['25 hours', '-1 minute'].entries()) {
      await merchant.owner.query(
        `INSERT INTO login_challenges (id, merchant_id, secret_hash, email, password_sealed,
          provider_user_id, expires_at) VALUES ($1, $2, $3, 'x@test', '', $4, now() - $5::interval)`,
        [randomUUID(), merchant.merchantId, Buffer.from(randomUUID()), String(n), age],
      );
    }
    await merchant.owner.query(`UPDATE sessions SET revoked_at = now() WHERE merchant_id = $1`, [
      merchant.merchantId,
    ]);
    await sweep();
    expect(await ids('sessions')).toEqual(expect.arrayContaining(kept.sessions));
    expect(await ids('notices')).toEqual(expect.arrayContaining(kept.notices));
    for (const id of gone.sessions) expect(await ids('sessions')).not.toContain(id);
    for (const id of gone.notices) expect(await ids('notices')).not.toContain(id);
    expect(await ids('login_challenges')).toHaveLength(1);
    await db.disconnect();
  });

  test('keeps what is counted, reported or still to be sent, and deletes it when it is too old', async () => {
    const { sweep, db } = await worker(NEW_KEY);
    const { owner, merchantId } = merchant;
    await owner.query(
      `INSERT INTO worker_heartbeats (merchant_id, worker, at)
        SELECT $1, age, now() - age::interval FROM unnest(ARRAY['50 minutes', '61 minutes']) age`,
      [merchantId],
    );
    await owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count)
        SELECT $1, key, now() - age::interval, 1 FROM (VALUES
          ('sign-in:turn:waits', '4 minutes'), ('sign-in:turn:gone', '6 minutes'),
          ('sign-in:person', '6 minutes'), ('sign-in:old', '49 hours')) counted (key, age)`,
      [merchantId],
    );
    await owner.query(
      `INSERT INTO api_deliveries (id, merchant_id, type, subject_id, facts, at, next_at)
        SELECT gen_random_uuid(), $1, 'payout.updated', gen_random_uuid(),
          jsonb_build_object('is', name), now() - age::interval, next_at
        FROM (VALUES ('waits', '31 days', now()), ('recent', '29 days', NULL),
          ('gone', '31 days', NULL)) sent (name, age, next_at)`,
      [merchantId],
    );
    await sweep();
    const left = async (table: string, column: string): Promise<string[]> =>
      (
        await owner.query<{ name: string }>(
          `SELECT ${column} AS name FROM ${table} WHERE merchant_id = $1 ORDER BY 1`,
          [merchantId],
        )
      ).rows.map(({ name }) => name);
    expect(await left('worker_heartbeats', 'worker')).toEqual(['50 minutes']);
    expect(await left('rate_limits', 'key')).toEqual(['sign-in:person', 'sign-in:turn:waits']);
    expect(await left('api_deliveries', "facts ->> 'is'")).toEqual(['recent', 'waits']);
    await db.disconnect();
  });

  test('wipes the sealed password of a sign-in that nobody finished, and of no other', async () => {
    const { db } = await worker(NEW_KEY);
    const { wipeAbandonedChallenges } = await import('./retention.ts');
    const add = async (age: string): Promise<string> => {
      const id = randomUUID();
      await merchant.owner.query(
        `INSERT INTO login_challenges (id, merchant_id, secret_hash, email, password_sealed,
          provider_user_id, expires_at) VALUES ($1, $2, $3, 'x@test', 'sealed', 'x',
          now() - $4::interval)`,
        [id, merchant.merchantId, Buffer.from(randomUUID()), age],
      );
      return id;
    };
    // A person may still be typing the code: the password is erased only after the challenge has
    // expired, and at most half a minute later.
    const [abandoned, live] = [await add('1 second'), await add('-10 seconds')];
    await wipeAbandonedChallenges(merchant.merchantId);
    const { rows } = await merchant.owner.query(
      `SELECT id FROM login_challenges WHERE merchant_id = $1 AND password_sealed <> ''::bytea`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ id: live }]);
    expect(abandoned).not.toBe(live);
    await db.disconnect();
  });

  test('could not forget sooner, whatever the code asks: the database keeps what is too young', async () => {
    const { db } = await worker(NEW_KEY);
    const [session, notice] = [
      await addSession('29 days'),
      await addNotice('no_such_payout', '29 days'),
    ];
    await db.inTransaction(merchant.merchantId, async (tx) => {
      await tx.$executeRaw`DELETE FROM sessions`;
      await tx.$executeRaw`DELETE FROM notices`;
      await tx.$executeRaw`DELETE FROM login_challenges`;
    });
    expect(await ids('sessions')).toContain(session);
    expect(await ids('notices')).toContain(notice);
    for (const book of [
      'movements',
      'attempts',
      'evidence',
      'approvals',
      'receipts',
      'audit_entries',
      'people',
    ]) {
      await expect(
        db.inTransaction(merchant.merchantId, (tx) =>
          tx.$executeRaw(statement(`DELETE FROM ${book}`)),
        ),
        book,
      ).rejects.toThrow('permission denied');
    }
    await db.disconnect();
  });

  test('seals anew what an old key has sealed, so that the old key can go and every session still opens', async () => {
    const before = await worker(OLD_KEY);
    const id = randomUUID();
    await addSession('-1 hour', before.seal.seal('provider-token', id, 'the bearer'), id);
    await before.db.disconnect();
    const during = await worker(`${NEW_KEY},${OLD_KEY}`);
    await during.sweep();
    await during.db.disconnect();
    const after = await worker(NEW_KEY);
    const { rows } = await merchant.owner.query<{ provider_sealed: Buffer }>(
      'SELECT provider_sealed FROM sessions WHERE id = $1',
      [id],
    );
    expect(after.seal.unseal('provider-token', id, rows[0]!.provider_sealed)).toBe('the bearer');
    expect(() => before.seal.unseal('provider-token', id, rows[0]!.provider_sealed)).toThrow(
      'does not open',
    );
  });
});

test('the send journal stays while the clock of this machine is set a year ahead', async () => {
  const one = await worker(NEW_KEY);
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const DAY_MS = 86_400_000;
  const now = Date.now();
  for (const name of ['latest.ndjson', 'old.ndjson']) writeFileSync(join(folder, name), '{}\n');
  utimesSync(join(folder, 'old.ndjson'), now / 1_000, (now - 101 * DAY_MS) / 1_000);
  vi.spyOn(Date, 'now').mockReturnValue(now + 365 * DAY_MS);
  await one.sweepJournal(folder);
  vi.restoreAllMocks();
  expect(readdirSync(folder)).toEqual(['latest.ndjson']);
  rmSync(folder, { recursive: true });
  await one.db.disconnect();
});

test('what came in one burst is deleted, and with it what comes after it', async () => {
  const other = await testMerchant();
  const one = await worker(NEW_KEY);
  const session = await addSession('31 days');
  const burst = async (merchantId: string, count: number) =>
    merchant.owner.query(
      `INSERT INTO notices (merchant_id, channel, body_hash, body, effect, first_at, last_at)
        SELECT $1, 'wallet', sha256(('burst' || n)::bytea), '{}', 'no_such_payout',
          now() - interval '40 days', now() - interval '40 days' FROM generate_series(1, $2) n`,
      [merchantId, count],
    );
  // The statistics know of another merchant's webhooks only, as they do soon after a burst.
  await burst(other.merchantId, 10_000);
  await merchant.owner.query('ANALYZE notices');
  await burst(merchant.merchantId, 300_000);
  await one.sweep();
  const { rows } = await merchant.owner.query(
    `SELECT count(*)::int AS left FROM notices WHERE merchant_id = $1
      AND last_at < now() - interval '31 days' AND effect = 'no_such_payout'`,
    [merchant.merchantId],
  );
  expect(rows).toEqual([{ left: 0 }]);
  expect(await ids('sessions')).not.toContain(session);
  await one.db.disconnect();
  await other.close();
}, 120_000);
