import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPayout, openPrograms } from '../testing/program.ts';
import type { Programs } from '../testing/program.ts';
import type { KeyRight } from './rights.ts';

/** A key that prepares payments gives rights, so two people make it and one ends it. */

let programs: Programs;
beforeAll(async () => {
  programs = await openPrograms();
});
afterAll(() => programs.close());

const wish = (given: Partial<Parameters<Programs['make']>[1]> = {}) => ({
  name: 'Muhasebe',
  rights: ['payouts.prepare'] as readonly KeyRight[],
  wallet: '',
  reason: 'a test of keys',
  ...given,
});
const person = (role: 'owner' | 'approver' | 'clerk' | 'auditor') => programs.merchant.person(role);
const call = (secret: string) =>
  programs.postPayout({ secret, idempotencyKey: crypto.randomUUID(), body: aPayout() });
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

describe('an API key', () => {
  it('works once a second person has confirmed it, and not before', async () => {
    const made = await programs.make(person('owner'), wish());
    expect(made.waits).toBe(true);
    expect((await call(made.secret)).body.code).toBe('key_waiting');
    expect(await code(programs.confirm(person('owner'), made.id))).toBe('second_person_needed');
    await programs.confirm(person('approver'), made.id);
    expect((await call(made.secret)).status).toBe(201);
    expect(await code(programs.confirm(person('approver'), made.id))).toBe('key_over');
    const { rows } = await programs.merchant.owner.query(
      `SELECT action, body::jsonb #> '{detail,askedBy}' AS by FROM audit_entries
        WHERE merchant_id = $1 AND subject = $2 ORDER BY seq`,
      [programs.merchant.merchantId, `api_key:${made.id}`],
    );
    expect(rows).toEqual([
      { action: 'api.key_made', by: null },
      { action: 'api.key_confirmed', by: [person('owner').personId] },
    ]);
  });

  it('is announced to the list of what waits when it is made, confirmed and ended', async () => {
    const announced: string[] = [];
    const listener = await programs.web.db.listen('dashboard', (payload) => {
      const { kind, id } = JSON.parse(payload) as { kind: string; id: string };
      if (kind === 'person') announced.push(id);
    });
    const { id } = await programs.make(person('owner'), wish());
    await programs.confirm(person('approver'), id);
    await programs.revoke(person('owner'), id);
    await expect.poll(() => announced).toEqual([id, id, id]);
    await listener.end();
  });

  it('that nobody confirmed within a day is not confirmed later', async () => {
    const made = await programs.make(person('owner'), wish());
    const { owner } = programs.merchant;
    await owner.query('ALTER TABLE second_person_words DISABLE TRIGGER USER');
    await owner.query(
      `UPDATE second_person_words SET at = at - interval '25 hours' WHERE request_id IN
        (SELECT id FROM second_person_requests WHERE subject_id = $1)`,
      [made.id],
    );
    await owner.query('ALTER TABLE second_person_words ENABLE TRIGGER USER');
    expect(await code(programs.confirm(person('approver'), made.id))).toBe('release_not_asked');
    const { rows } = await programs.keys(person('owner'));
    expect(rows.find(({ id }) => id === made.id)).toMatchObject({
      state: 'lapsed',
      can: { confirm: false, revoke: true },
    });
  });

  it('is made by an owner alone, with a name, a right and a reason', async () => {
    for (const role of ['approver', 'clerk', 'auditor'] as const)
      expect(await code(programs.make(person(role), wish()))).toBe('not_allowed');
    const wrong = [
      [{ name: ' ' }, 'key_name'],
      [{ name: 'x'.repeat(61) }, 'key_name'],
      [{ rights: [] }, 'key_rights_none'],
      [{ rights: ['everything' as KeyRight] }, 'key_rights_none'],
      [{ wallet: 'abc' }, 'key_wallet_number'],
      [{ reason: '' }, 'stop_reason_needed'],
    ] as const;
    for (const [given, refusal] of wrong)
      expect(await code(programs.make(person('owner'), wish(given))), refusal).toBe(refusal);
  });

  it('is declined by who could confirm it, and revoked by an owner alone once it works', async () => {
    const declined = await programs.make(person('owner'), wish());
    expect(await code(programs.revoke(person('clerk'), declined.id))).toBe('not_allowed');
    expect(await code(programs.revoke(person('approver'), declined.id))).toBe('done');
    expect((await call(declined.secret)).body.code).toBe('key_revoked');
    expect(await code(programs.confirm(person('approver'), declined.id))).toBe('key_over');
    const working = await programs.newKey();
    expect(await code(programs.revoke(person('approver'), working.id))).toBe('not_allowed');
    expect(await code(programs.revoke(person('owner'), working.id))).toBe('done');
    expect(await code(programs.revoke(person('owner'), working.id))).toBe('key_over');
  });

  it('does nothing while its maker is disabled, also in another account of the same login', async () => {
    const { id, secret } = await programs.newKey();
    const [maker, other] = [person('owner').personId, person('clerk').personId];
    const { owner } = programs.merchant;
    await owner.query(`UPDATE people SET provider_user_id = 'one login' WHERE id = ANY($1)`, [
      [maker, other],
    ]);
    expect((await call(secret)).status).toBe(201);
    await owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [other]);
    expect((await call(secret)).body.code).toBe('key_idle');
    const { rows } = await programs.keys(person('auditor'));
    expect(rows.find((row) => row.id === id)?.state).toBe('idle');
    await owner.query('UPDATE people SET disabled_at = NULL WHERE id = $1', [other]);
    await owner.query('UPDATE people SET provider_user_id = NULL WHERE id = ANY($1)', [
      [maker, other],
    ]);
  });

  it('is shown as working while its person may still do a part of it', async () => {
    const { owner } = programs.merchant;
    const { body } = await call((await programs.newKey()).secret);
    const [whole, narrow] = [await programs.newKey(), await programs.newKey(['payouts.prepare'])];
    await owner.query(`UPDATE people SET role = 'auditor' WHERE id = $1`, [
      person('owner').personId,
    ]);
    const answers = [
      (await programs.getPayout(body.id, whole)).status,
      (await call(whole.secret)).body.code,
      (await call(narrow.secret)).body.code,
    ];
    const { rows } = await programs.keys(person('auditor'));
    await owner.query(`UPDATE people SET role = 'owner' WHERE id = $1`, [person('owner').personId]);
    expect(answers).toEqual([200, 'key_idle', 'key_idle']);
    const shown = ({ id }: { id: string }) => rows.find((row) => row.id === id);
    expect(shown(whole)).toMatchObject({
      state: 'works',
      idleRights: ['payouts.prepare', 'batches.prepare'],
    });
    expect(shown(narrow)).toMatchObject({ state: 'idle', idleRights: ['payouts.prepare'] });
  });

  it('shows when it was last used, and to whom it may be of use', async () => {
    const { id, secret } = await programs.newKey();
    const shown = async (role: 'owner' | 'auditor') =>
      (await programs.keys(person(role))).rows.find((row) => row.id === id);
    expect(await shown('owner')).toMatchObject({ state: 'works', lastUsedAt: null });
    await call(secret);
    expect((await shown('owner'))?.lastUsedAt).toMatch(/^\d{4}-/);
    expect((await shown('auditor'))?.can).toEqual({ confirm: false, revoke: false });
    expect(await code(programs.keys(person('clerk')))).toBe('not_allowed');
  });

  it('that was revoked and goes on calling fills no table: 60 of its calls a minute are noted', async () => {
    const { id, secret } = await programs.newKey();
    await programs.revoke(person('owner'), id);
    const answers = new Set<number>();
    for (let times = 0; times < 150; times++) answers.add((await call(secret)).status);
    expect([...answers]).toEqual([401]);
    const { rows } = await programs.merchant.owner.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM api_requests WHERE api_key_id = $1',
      [id],
    );
    // A minute may end meanwhile.
    expect(rows[0]!.n).toBeGreaterThanOrEqual(60);
    expect(rows[0]!.n).toBeLessThanOrEqual(120);
  });
});

describe('the database', () => {
  const web = (statement: string) =>
    programs.web.db.inTransaction(programs.merchant.merchantId, (tx) =>
      tx.$executeRaw(programs.web.db.sql([statement] as never)),
    );

  it('lets no key be confirmed, widened or brought back by one statement', async () => {
    const { id } = await programs.make(person('owner'), wish());
    const broken = [
      `UPDATE api_keys SET confirmed_at = now() WHERE id = '${id}'`,
      `INSERT INTO api_keys (merchant_id, person_id, name, prefix, hash, rights, reason, confirmed_at)
        SELECT merchant_id, person_id, name, prefix, sha256('x'), rights, reason, now()
        FROM api_keys WHERE id = '${id}'`,
      `INSERT INTO api_keys (merchant_id, person_id, name, prefix, hash, rights, reason)
        SELECT merchant_id, '${person('clerk').personId}', name, prefix, sha256('y'), rights, reason
        FROM api_keys WHERE id = '${id}'`,
    ];
    for (const statement of broken)
      expect(await code(web(statement)), statement).toMatch(/^MV08[01]$/);
    await programs.revoke(person('owner'), id);
    expect(
      await code(
        web(`UPDATE api_keys SET revoked_at = NULL, revoked_by = NULL WHERE id = '${id}'`),
      ),
    ).toBe('MV080');
  });
});
