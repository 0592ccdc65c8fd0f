import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readAuditQuery } from './filter.ts';
import type { AuditEntry } from './list.ts';
import type * as List from './list.ts';

/**
 * What an auditor sees of the audit log, and that the page detects changes made directly in the
 * database.
 */

const ENTRIES = 120;
let merchant: TestMerchant;
let web: Process;
let list: typeof List;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
  const clerk = merchant.person('clerk');
  const worker = { kind: 'worker', merchantId: merchant.merchantId } as const;
  for (let n = 1; n <= ENTRIES; n++) {
    const [actor, action, detail] =
      n % 3 === 0
        ? ([worker, 'movement.read', { from: 'PENDING', to: 'COMPLETED' }] as const)
        : ([clerk, n % 3 === 1 ? 'session.opened' : 'movement.approved', { n }] as const);
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      web.audit.audit(tx, actor, action, `movement:${n % 10}`, detail),
    );
  }
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const page = (params: Record<string, string> = {}) =>
  list.listAudit(merchant.person('auditor'), readAuditQuery(params));

/** Changes the audit log as the owner of the database, after disabling its guard. */
async function tamper(statement: string, values: unknown[] = []): Promise<void> {
  await merchant.owner.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_append_only');
  try {
    await merchant.owner.query(statement, values);
  } finally {
    await merchant.owner.query('ALTER TABLE audit_entries ENABLE TRIGGER audit_append_only');
  }
}

describe('what is queued', () => {
  it('is counted on a page that cannot link it, and is its newest entry as soon as it can', async () => {
    const other = await testMerchant();
    const { merchantId, owner } = other;
    const look = () => list.listAudit(other.person('auditor'), readAuditQuery({}));
    const call = (sql: string) =>
      owner.query(`SELECT set_config('app.merchant_id', $1, true), ${sql}`, [merchantId]);
    await call(`audit_append($1::uuid, 'worker', 'movement.read', 'movement:1', '{}', '{}')`);
    const holder = await owner.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM audit_heads WHERE merchant_id = $1 FOR UPDATE', [merchantId]);
      await call(`audit_enqueue($1::uuid, 'worker', 'movement.read', 'movement:2', '{}', '{}')`);
      const held = await look();
      expect(held.check).toMatchObject({ unlinked: 1, broken: [], checked: 1 });
      expect(held.rows.map(({ subject }) => subject)).toEqual(['movement:1']);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    const { check, rows } = await look();
    expect(check).toMatchObject({ unlinked: 0, broken: [], head: { seq: '2', holds: true } });
    expect(rows.map(({ subject }) => subject)).toEqual(['movement:2', 'movement:1']);
    await other.close();
  });
});

describe('the audit log', () => {
  it('is read to its end by pages, each entry once, each page proved by itself', async () => {
    const seen: AuditEntry[] = [];
    let at: Record<string, string> = {};
    for (;;) {
      const { rows, older, check } = await page(at);
      expect(check).toMatchObject({
        checked: rows.length,
        broken: [],
        head: { seq: String(ENTRIES), holds: true },
      });
      seen.push(...rows);
      if (older === null) break;
      at = { [older.side]: older.edge };
    }
    expect(seen.map((entry) => entry.seq)).toEqual(
      Array.from({ length: ENTRIES }, (_, n) => String(ENTRIES - n)),
    );
    expect(seen.at(-1)).toMatchObject({
      who: { kind: 'person', name: 'clerk', role: 'clerk' },
      action: 'session.opened',
      subject: 'movement:1',
    });
    expect(seen[0]).toMatchObject({
      who: { kind: 'worker' },
      action: 'movement.read',
      from: 'PENDING',
      to: 'COMPLETED',
    });
  });

  it('is filtered by person, action, object and time, and the proof is valid for rows with gaps', async () => {
    const own = (entry: AuditEntry): boolean => entry.who.kind === 'person';
    expect((await page({ who: 'worker' })).rows.every((entry) => entry.who.kind === 'worker')).toBe(
      true,
    );
    expect(
      (await page({ who: `person:${merchant.person('clerk').personId}` })).rows.every(own),
    ).toBe(true);
    expect(
      (await page({ action: 'session' })).rows.every((entry) => entry.action === 'session.opened'),
    ).toBe(true);
    const one = await page({ subject: 'movement:7', action: 'movement.approved' });
    expect([
      one.rows.length,
      new Set(one.rows.map((entry) => entry.subject)).size,
      one.check.broken,
    ]).toEqual([4, 1, []]);
    expect((await page({ to: '2020-01-01' })).rows).toEqual([]);
    expect((await page({ from: '2020-01-01' })).rows).toHaveLength(50);
    expect(
      (await page({ who: "worker' OR '1'='1", action: 'DROP', subject: '%', from: '2020-99-99' }))
        .rows,
    ).toHaveLength(50);
  });

  it('is for those who may read it', async () => {
    for (const role of ['clerk', 'support'] as const)
      await expect(list.listAudit(merchant.person(role), readAuditQuery({}))).rejects.toMatchObject(
        { code: 'not_allowed' },
      );
    for (const role of ['approver', 'owner', 'auditor'] as const)
      expect((await list.listAudit(merchant.person(role), readAuditQuery({}))).rows).toHaveLength(
        50,
      );
  });

  it('shows nothing of another merchant', async () => {
    const other = await testMerchant();
    try {
      expect(await list.listAudit(other.person('owner'), readAuditQuery({}))).toMatchObject({
        rows: [],
        check: { checked: 0, head: null },
      });
    } finally {
      await other.close();
    }
  });
});

describe('tampering', () => {
  const read = async (seq: number) =>
    (
      await merchant.owner.query<{ body: string; prev_hash: Buffer; hash: Buffer }>(
        'SELECT body, prev_hash, hash FROM audit_entries WHERE merchant_id = $1 AND seq = $2',
        [merchant.merchantId, seq],
      )
    ).rows[0]!;
  const write = (seq: number, body: string, hash: Buffer) =>
    tamper('UPDATE audit_entries SET body = $3, hash = $4 WHERE merchant_id = $1 AND seq = $2', [
      merchant.merchantId,
      seq,
      body,
      hash,
    ]);

  it('with a text is named by the entry whose hash no longer fits', async () => {
    const { body, hash } = await read(ENTRIES - 5);
    await write(ENTRIES - 5, body.replace('clerk', 'ghost').replace('COMPLETED', 'REJECTED'), hash);
    expect((await page()).check.broken).toEqual([{ seq: String(ENTRIES - 5), why: 'content' }]);
    expect((await page({ after: '60' })).check.broken).toEqual([]);
    await write(ENTRIES - 5, body, hash);
  });

  it('with a text and its hash is named by the entry after it', async () => {
    const { body, prev_hash: before, hash } = await read(ENTRIES - 5);
    const other = body.replace('movement', 'novement');
    await write(ENTRIES - 5, other, createHash('sha256').update(before).update(other).digest());
    expect((await page()).check.broken).toEqual([{ seq: String(ENTRIES - 4), why: 'order' }]);
    await write(ENTRIES - 5, body, hash);
  });

  it('with the columns that are searched by is noticed although no hash covers them', async () => {
    await tamper(
      `UPDATE audit_entries SET at = at - interval '1 day' WHERE merchant_id = $1 AND seq = $2`,
      [merchant.merchantId, ENTRIES - 2],
    );
    expect((await page()).check.broken).toEqual([{ seq: String(ENTRIES - 2), why: 'columns' }]);
    await tamper(
      `UPDATE audit_entries SET at = at + interval '1 day' WHERE merchant_id = $1 AND seq = $2`,
      [merchant.merchantId, ENTRIES - 2],
    );
  });

  it('by taking an entry out is named by the one that followed it, and by cutting the tail by the head', async () => {
    await tamper('DELETE FROM audit_entries WHERE merchant_id = $1 AND seq = $2', [
      merchant.merchantId,
      ENTRIES - 10,
    ]);
    expect((await page()).check).toMatchObject({
      broken: [{ seq: String(ENTRIES - 9), why: 'order' }],
      head: { holds: true },
    });
    await tamper('DELETE FROM audit_entries WHERE merchant_id = $1 AND seq > $2', [
      merchant.merchantId,
      ENTRIES - 3,
    ]);
    expect((await page()).check.head).toMatchObject({ seq: String(ENTRIES), holds: false });
  });
});
