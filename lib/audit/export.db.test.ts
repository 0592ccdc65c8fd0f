import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { windowLasts } from '#lib/testing/limit-window.ts';
import type * as Erase from './erase.ts';
import type * as Export from './export.ts';
import type * as List from './list.ts';
import { readAuditQuery } from './filter.ts';
import type { AuditFilter } from './filter.ts';

/**
 * Who may export the audit log, how much of it and how often; and how a person's data are erased
 * from it.
 */

let merchant: TestMerchant;
let web: Process;
let exports: typeof Export;
let erase: typeof Erase;
let list: typeof List;
let workers: Process;
let worker: typeof Erase;

beforeAll(async () => {
  // All of these tests together use up the exports of an hour.
  await windowLasts(3_600, 120_000);
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  [exports, erase, list] = [
    await import('./export.ts'),
    await import('./erase.ts'),
    await import('./list.ts'),
  ];
  workers = await openProcess('dashboard_worker');
  worker = await import('./erase.ts');
  for (let n = 1; n <= 12; n++) {
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      web.audit.audit(
        tx,
        merchant.person(n % 3 === 0 ? 'clerk' : 'approver'),
        n % 2 === 0 ? 'session.opened' : 'test.done',
        `test:${n}`,
        { cell: '=1+1' },
      ),
    );
  }
}, 240_000);
afterAll(async () => {
  await Promise.all([web.db.disconnect(), workers.db.disconnect(), merchant.close()]);
});

const ALL: AuditFilter = { who: null, action: null, subject: null, from: null, to: null };
async function take(
  asked: Partial<Export.ExportAsked> = {},
  role: 'auditor' | 'owner' = 'auditor',
): Promise<string[]> {
  const { pieces } = await exports.openExport(merchant.person(role), {
    format: 'ndjson',
    filter: null,
    personal: false,
    ...asked,
  });
  return (await Array.fromAsync(pieces))
    .join('')
    .split('\n')
    .filter((line) => line !== '');
}
const newest = async () =>
  (await list.listAudit(merchant.person('auditor'), readAuditQuery({}))).rows[0]!;

describe('an export', () => {
  it('is for owner and auditor, and nothing is written down for who may not', async () => {
    for (const role of ['clerk', 'approver', 'support'] as const)
      await expect(
        exports.openExport(merchant.person(role), {
          format: 'ndjson',
          filter: null,
          personal: false,
        }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    expect((await newest()).action).not.toBe('audit.exported');
    expect(JSON.parse((await take({}, 'owner'))[0]!)).toMatchObject({
      export: 'audit',
      exportedBy: `person:${merchant.person('owner').personId}`,
    });
  });

  it('states its merchant, range, count, head and filter; the newest entry of a whole one is its own', async () => {
    const lines = await take();
    const entry = await newest();
    expect(JSON.parse(lines[0]!)).toMatchObject({
      merchant: merchant.merchantId,
      entries: lines.length - 2,
      head: { seq: Number(entry.seq), hash: entry.hash },
      range: { first: 1, last: Number(entry.seq), to: expect.stringMatching(/^\d{4}-/) },
      filter: null,
      personal: false,
    });
    expect([entry.action, entry.subject, Object.fromEntries(entry.detail)]).toMatchObject([
      'audit.exported',
      'audit:chain',
      { format: 'ndjson', whole: 'true', personal: 'false' },
    ]);
    expect(JSON.parse(JSON.parse(lines.at(-2)!).body).action).toBe('audit.exported');
    const some = await take({
      filter: { ...ALL, action: 'session', who: `person:${merchant.person('clerk').personId}` },
    });
    expect(JSON.parse(some[0]!)).toMatchObject({
      entries: 2,
      filter: { action: 'session' },
      range: { first: 6, last: 12 },
    });
  });

  it('carries no personal value unless it was asked for, and that is written down', async () => {
    expect((await take()).join('')).not.toMatch(/"personal":\{"name":\{|203\.0\.113\.7/);
    expect((await take({ personal: true })).join('')).toContain('203.0.113.7');
    expect(Object.fromEntries((await newest()).detail)).toMatchObject({ personal: 'true' });
  });

  it('for a spreadsheet runs nothing and has no personal value by default', async () => {
    const lines = await take({ format: 'csv' });
    expect(lines[0]).toBe('\u{FEFF}"seq";"at (UTC)";"actor";"action";"subject";"detail";"hash"\r');
    expect(lines.join('')).not.toMatch(/203\.0\.113\.7|;"[=+@-]/);
    expect((await take({ format: 'csv', personal: true }))[1]).toContain('"203.0.113.7"');
  });

  it('refuses a table over 100,000 rows without an entry, but the evidence file has no end', async () => {
    const many = await testMerchant();
    const taken = async (asked: Export.ExportAsked) =>
      (await Array.fromAsync((await exports.openExport(many.person('auditor'), asked)).pieces))
        .join('')
        .split('\n').length - 1;
    try {
      await web.db.inTransaction(many.merchantId, (tx) =>
        web.audit.audit(tx, many.person('clerk'), 'test.done', 'test:1'),
      );
      // One entry below the limit, because the export itself writes one.
      await many.owner.query(
        `INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash, at)
          SELECT merchant_id, n, body, prev_hash, hash, at
          FROM audit_entries, generate_series(2, 99999) n WHERE merchant_id = $1 AND seq = 1`,
        [many.merchantId],
      );
      await many.owner.query('UPDATE audit_heads SET seq = 99999 WHERE merchant_id = $1', [
        many.merchantId,
      ]);
      const csv = { format: 'csv', filter: null, personal: false } as const;
      expect(await taken(csv)).toBe(100_001);
      await expect(exports.openExport(many.person('auditor'), csv)).rejects.toMatchObject({
        code: 'export_too_long',
        params: { max: 100_000 },
      });
      expect(
        (
          await many.owner.query('SELECT seq::int FROM audit_heads WHERE merchant_id = $1', [
            many.merchantId,
          ])
        ).rows,
      ).toEqual([{ seq: 100_000 }]);
      expect(await taken({ ...csv, filter: { ...ALL, action: 'audit.exported' } })).toBe(3);
      expect(await taken({ ...csv, format: 'ndjson' })).toBe(100_004);
    } finally {
      await many.close();
    }
  }, 120_000);

  it('too many in an hour are refused with the seconds to wait, also when they are asked for at once', async () => {
    // As many at once as there are connections: one more would wait for one, and fail in the end.
    const answers: PromiseSettledResult<unknown>[] = [];
    while (answers.length < 30)
      answers.push(...(await Promise.allSettled(Array.from({ length: 10 }, () => take()))));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(10);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'too_many', params: { seconds: expect.any(Number) } });
    const { rows } = await merchant.owner.query(
      `SELECT count(*)::int AS n FROM audit_entries WHERE merchant_id = $1
        AND action = 'audit.exported' AND actor = $2`,
      [merchant.merchantId, `person:${merchant.person('auditor').personId}`],
    );
    expect(rows[0].n).toBe(20);
  });
});

describe('erasing personal values', () => {
  const clerkId = () => merchant.person('clerk').personId;
  const ask = (
    role: 'owner' | 'auditor' | 'approver',
    personId: string,
    reason = 'KVKK başvurusu 2026/14',
  ) => erase.erasePersonalValues(merchant.person(role), { personId, reason });
  const about = (id: string) =>
    merchant.owner
      .query(
        `SELECT p.field, p.value, p.salt FROM audit_personal p
          JOIN audit_entries e USING (merchant_id, seq) WHERE e.merchant_id = $1 AND e.actor = $2`,
        [merchant.merchantId, `person:${id}`],
      )
      .then(({ rows }) => rows);

  const inOneLogin = (roles: Role[]) =>
    merchant.owner.query(
      `UPDATE people SET provider_user_id = CASE WHEN role = ANY($2) THEN 'one login' END
        WHERE merchant_id = $1`,
      [merchant.merchantId, roles],
    );

  it('is the owner’s, with a reason, never of oneself, and a refusal erases nothing', async () => {
    const before = await about(clerkId());
    for (const role of ['auditor', 'approver'] as const)
      await expect(ask(role, clerkId())).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(ask('owner', merchant.person('owner').personId)).rejects.toMatchObject({
      code: 'own_traces',
    });
    await inOneLogin(['owner', 'support']);
    const own = merchant.person('support').personId;
    await expect(ask('owner', own), 'another account of the login').rejects.toMatchObject({
      code: 'own_traces',
    });
    expect(await erase.countErasable(merchant.person('owner'), `person:${own}`)).toBeNull();
    await inOneLogin([]);
    await expect(ask('owner', clerkId(), '  short  ')).rejects.toMatchObject({
      code: 'reason_too_short',
    });
    await expect(ask('owner', '%')).rejects.toMatchObject({ code: 'not_found' });
    expect(await about(clerkId())).toEqual(before);
    expect(before).toHaveLength(8);
  });

  it('removes values and salts of that person only, leaves an entry with the reason and a valid chain', async () => {
    const others = await about(merchant.person('approver').personId);
    expect(await ask('owner', clerkId())).toBe(8);
    expect(await about(clerkId())).toEqual([]);
    expect(await about(merchant.person('approver').personId)).toEqual(others);
    const { rows, check } = await list.listAudit(merchant.person('auditor'), readAuditQuery({}));
    expect(check).toMatchObject({ broken: [], head: { holds: true } });
    expect(rows[0]).toMatchObject({
      action: 'audit.erased',
      subject: `person:${clerkId()}`,
      who: { kind: 'person', name: 'owner' },
    });
    expect([
      Object.fromEntries(rows[0]!.detail),
      Object.fromEntries(rows[0]!.personal),
    ]).toMatchObject([{ values: '8' }, { reason: 'KVKK başvurusu 2026/14' }]);
    const erased = rows.find((row) => row.subject === 'test:12')!;
    expect([erased.who, erased.personal]).toEqual([
      { kind: 'person', id: clerkId(), name: null, role: 'clerk' },
      [
        ['ip', null],
        ['name', null],
      ],
    ]);
    await expect(ask('owner', clerkId())).rejects.toMatchObject({ code: 'nothing_to_erase' });
  });

  it('counts what it would take before it is asked to', async () => {
    const approver = `person:${merchant.person('approver').personId}`;
    expect(await erase.countErasable(merchant.person('owner'), approver)).toEqual({
      personId: merchant.person('approver').personId,
      values: 16,
    });
    for (const who of [null, 'worker', `person:${merchant.person('owner').personId}`])
      expect(await erase.countErasable(merchant.person('owner'), who)).toBeNull();
    await expect(erase.countErasable(merchant.person('auditor'), approver)).rejects.toMatchObject({
      code: 'not_allowed',
    });
  });

  it('happens by itself after ten years and not a day before, by the worker, and is written down', async () => {
    const { owner, merchantId } = merchant;
    const older = async (days: number, seq: number) => {
      await owner.query(`BEGIN; ALTER TABLE audit_entries DISABLE TRIGGER USER;
        UPDATE audit_entries SET at = now() - interval '10 years' - make_interval(days => ${days})
          WHERE merchant_id = '${merchantId}' AND seq = ${seq};
        ALTER TABLE audit_entries ENABLE TRIGGER USER; COMMIT`);
    };
    const kept = async () =>
      (
        await owner.query(
          `SELECT DISTINCT seq::int FROM audit_personal WHERE merchant_id = $1 AND seq IN (1, 2) ORDER BY 1`,
          [merchantId],
        )
      ).rows.map((row) => row.seq);
    await older(1, 1);
    await older(-1, 2);
    expect(await kept()).toEqual([1, 2]);
    await worker.erasePastValues(merchantId);
    expect(await kept()).toEqual([2]);
    const entry = await newest();
    expect([entry.action, entry.who, Object.fromEntries(entry.detail)]).toEqual([
      'audit.erased',
      { kind: 'worker' },
      { cause: 'retention', values: '2' },
    ]);
    await worker.erasePastValues(merchantId);
    expect((await newest()).seq, 'nothing to erase, nothing to say').toBe(entry.seq);
  });
});
