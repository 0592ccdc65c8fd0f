import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aPayout, openPrograms, provider, RIGHTS } from '../testing/program.ts';
import type { Answered, Programs } from '../testing/program.ts';

/** A program prepares payouts: each once, within what its key permits, by the rules of the form. */

let programs: Programs;
let secret: string;

beforeAll(async () => {
  programs = await openPrograms();
  ({ secret } = await programs.newKey());
});
afterAll(() => programs.close());
beforeEach(() => Object.assign(provider, { available: 100_000_000n, silent: false }));

const post = (
  body: unknown,
  { key = secret, idempotencyKey = randomUUID() }: { key?: string; idempotencyKey?: string } = {},
): Promise<Answered> => programs.postPayout({ secret: key, idempotencyKey, body });

async function stored(iban: unknown): Promise<Record<string, unknown>[]> {
  const { rows } = await programs.merchant.owner.query(
    'SELECT id, maker_id, state, maker_ip FROM movements WHERE merchant_id = $1 AND iban = $2',
    [programs.merchant.merchantId, iban],
  );
  return rows;
}

describe('a payout of a program', () => {
  it('is that of the person whose key it is, ready to leave, and the trail names the key', async () => {
    const { id: keyId, secret: own } = await programs.newKey();
    const body = aPayout({ amount: '1250.00' });
    const { status, body: answer, headers } = await post(body, { key: own });
    expect([status, headers.get('content-type')]).toEqual([201, 'application/json']);
    expect(answer).toMatchObject({
      object: 'payout',
      status: 'approved',
      amount: '1250.00',
      iban: body.iban,
      currency: 'TRY',
    });
    const owner = programs.merchant.person('owner').personId;
    expect(await stored(body.iban)).toEqual([
      { id: answer.id, maker_id: owner, state: 'APPROVED', maker_ip: '203.0.113.9' },
    ]);
    const { rows } = await programs.merchant.owner.query(
      `SELECT actor, body::jsonb #>> '{detail,apiKey}' AS key,
        body::jsonb #>> '{detail,session}' AS session
        FROM audit_entries WHERE merchant_id = $1 AND subject = $2 ORDER BY seq LIMIT 1`,
      [programs.merchant.merchantId, `movement:${answer.id}`],
    );
    expect(rows).toEqual([{ actor: `person:${owner}`, key: keyId, session: null }]);
    expect(await programs.getPayout(answer.id, { secret: own })).toMatchObject({
      status: 200,
      body: answer,
    });
  });

  it('waits for approval where the policy of its person asks for one', async () => {
    const { merchant } = programs;
    const owner = merchant.person('owner').personId;
    await merchant.owner.query('ALTER TABLE person_limits DISABLE TRIGGER USER');
    await merchant.owner.query(
      `INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, set_by, reason)
        VALUES ($1, $2, 'TRY', 10000, $3, 'test')`,
      [merchant.merchantId, owner, merchant.person('approver').personId],
    );
    const { body } = await post(aPayout({ amount: '100.01' }));
    await merchant.owner.query('DELETE FROM person_limits WHERE person_id = $1', [owner]);
    await merchant.owner.query('ALTER TABLE person_limits ENABLE TRIGGER USER');
    expect(body).toMatchObject({ status: 'awaiting_approval', approvals_needed: 1 });
  });

  it('is refused by the rules of the form, with the code of the finding, and nothing is stored', async () => {
    provider.available = 100n;
    const body = aPayout();
    const answer = await post(body);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'payout_blocked',
        findings: [{ code: 'insufficient_balance', level: 'block', field: 'amount' }],
      },
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await stored(body.iban)).toEqual([]);
  });

  it('with half of a letter is refused: the database would store another name than was signed', async () => {
    for (const texts of [{ name: 'Ayşe \ud83d' }, { description: 'Kira \udc00' }]) {
      const body = aPayout(texts);
      const [field] = Object.keys(texts);
      expect(await post(body)).toMatchObject({
        status: 422,
        body: { code: 'body_invalid', errors: [{ field, code: `${field}_control_characters` }] },
      });
      expect(await stored(body.iban)).toEqual([]);
    }
  });

  it('that looks like another one needs the code of the warning and a reason', async () => {
    const first = aPayout();
    await post(first);
    const idempotencyKey = randomUUID();
    const again = await post(first, { idempotencyKey });
    expect(again).toMatchObject({ status: 422, body: { code: 'reason_needed' } });
    const codes = again.body.findings.map(({ code }: { code: string }) => code);
    expect(codes).toContain('duplicate');
    const meant = { ...first, overrides: [...(first.overrides as string[]), ...codes] };
    expect((await post(meant)).status).toBe(201);
    expect(await stored(first.iban)).toHaveLength(2);
  });

  it('whose provider does not answer is not stored, and may be repeated', async () => {
    provider.silent = true;
    const body = aPayout();
    const idempotencyKey = randomUUID();
    const refused = await post(body, { idempotencyKey });
    expect(refused).toMatchObject({ status: 503, body: { code: 'wallet_unverified' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    provider.silent = false;
    expect((await post(body, { idempotencyKey })).status).toBe(201);
    expect(await stored(body.iban)).toHaveLength(1);
  });

  it.each([
    ['iban', 'TR000000000000000000000000', 'iban_check_digits'],
    ['tax_number', '1234567891', 'tax_check_digits'],
    ['amount', '0.00', 'amount_zero'],
    ['name', '\u202eDeniz', 'name_control_characters'],
  ])('with a wrong %s is refused by the reader of the form', async (field, value, code) => {
    expect(await post(aPayout({ [field]: value }))).toMatchObject({
      status: 422,
      body: { code: 'body_invalid', errors: [{ field, code }] },
    });
  });

  it.each([
    ['a number instead of text', { amount: 1250 }, 'amount'],
    ['one decimal', { amount: '1250.5' }, 'amount'],
    ['a thousands separator', { amount: '1,250.00' }, 'amount'],
    ['a mistyped field', { descripton: 'x' }, 'descripton'],
    ['no wallet', { wallet: undefined }, 'wallet'],
  ])('with %s is refused before anything is asked', async (_what, wrong, field) => {
    const { status, body } = await post(aPayout(wrong));
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'body_invalid', field]);
  });

  it('in another currency than the wallet has is refused', async () => {
    const { status, body } = await post(aPayout({ currency: 'EUR' }));
    expect([status, body.findings.map(({ code }: { code: string }) => code)]).toEqual([
      422,
      ['other_currency'],
    ]);
  });
});

describe('the same Idempotency-Key', () => {
  it('with the same body is answered the same, and pays once, also ten times at once', async () => {
    const body = aPayout();
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(body, { idempotencyKey })),
    );
    expect(new Set(answers.map((one) => JSON.stringify([one.status, one.body]))).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    const later = await post(body, { idempotencyKey });
    expect(later.body).toEqual(answers[0]!.body);
    expect(later.headers.get('idempotent-replayed')).toBe('true');
    expect(await stored(body.iban)).toHaveLength(1);
  });

  it('pays once when the answer was lost before it was kept', async () => {
    const { merchant } = programs;
    const body = aPayout();
    const idempotencyKey = randomUUID();
    const first = await post(body, { idempotencyKey });
    await merchant.owner.query('ALTER TABLE api_intents DISABLE TRIGGER USER');
    await merchant.owner.query(
      `UPDATE api_intents SET answer = NULL, answered_at = NULL WHERE merchant_id = $1
        AND idempotency_key = $2`,
      [merchant.merchantId, idempotencyKey],
    );
    await merchant.owner.query('ALTER TABLE api_intents ENABLE TRIGGER USER');
    const second = await post(body, { idempotencyKey });
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    expect(await stored(body.iban)).toHaveLength(1);
  });

  it('pays once when it is repeated with the next API key, also in another order of the fields', async () => {
    const body = aPayout();
    const idempotencyKey = randomUUID();
    const old = await programs.newKey();
    const first = await post(body, { idempotencyKey, key: old.secret });
    await programs.revoke(programs.merchant.person('owner'), old.id);
    const turned = Object.fromEntries(Object.entries(body).reverse());
    const second = await post(turned, { idempotencyKey });
    expect(second.body).toEqual(first.body);
    expect(await stored(body.iban)).toHaveLength(1);
  });

  it.each([
    ['amount', { amount: '1.01' }],
    ['description', { description: 'another one' }],
    ['override', { overrides: [] }],
  ])('with another %s is refused, and the first payout stays', async (_what, other) => {
    const body = aPayout({ amount: '1.00', description: 'this one' });
    const idempotencyKey = randomUUID();
    const [first] = [await post(body, { idempotencyKey })];
    const refused = await post({ ...body, ...other }, { idempotencyKey });
    expect([first.status, refused.status, refused.body.code]).toEqual([
      201,
      422,
      'idempotency_reused',
    ]);
    expect(await stored(body.iban)).toHaveLength(1);
  });

  it('is needed', async () => {
    for (const idempotencyKey of ['', 'short', 'with a blank in the middle', 'x'.repeat(129)])
      expect(await post(aPayout(), { idempotencyKey })).toMatchObject({
        status: 400,
        body: { code: 'idempotency_missing' },
      });
  });
});

describe('an API key', () => {
  it('that is unknown, missing or in another place is answered 401 alike', async () => {
    const answers = [
      await post(aPayout(), { key: `${secret}x` }),
      await post(aPayout(), { key: '' }),
      await programs.postPayout({ idempotencyKey: randomUUID(), body: aPayout() }),
      await programs.postPayout({
        headers: { cookie: `sid=${secret}`, 'x-api-key': secret },
        idempotencyKey: randomUUID(),
        body: aPayout(),
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'key_unknown' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is stored as a hash, and its secret stands nowhere', async () => {
    const { rows } = await programs.merchant.owner.query(
      `SELECT (SELECT coalesce(string_agg(k::text, ' '), '') FROM api_keys k)
        || (SELECT coalesce(string_agg(a::text, ' '), '') FROM audit_entries a)
        || (SELECT coalesce(string_agg(p::text, ' '), '') FROM audit_personal p)
        || (SELECT coalesce(string_agg(r::text, ' '), '') FROM api_requests r) AS everything`,
    );
    expect(rows[0].everything).toContain(secret.slice(0, 9));
    expect(rows[0].everything).not.toContain(secret.slice(9, 30));
  });

  it.each(RIGHTS)('with the right %s alone does nothing else', async (right) => {
    const { secret: narrow } = await programs.newKey([right]);
    const payout = await post(aPayout());
    const [made, read] = [
      await post(aPayout(), { key: narrow }),
      await programs.getPayout(payout.body.id, { secret: narrow }),
    ];
    expect([made.status, made.body.code]).toEqual(
      right === 'payouts.prepare' ? [201, undefined] : [403, 'key_right'],
    );
    expect([read.status, read.body.code]).toEqual(
      right === 'payouts.read' ? [200, undefined] : [403, 'key_right'],
    );
  });

  it('of one wallet pays from no other and sees no other', async () => {
    const { secret: narrow } = await programs.newKey(RIGHTS, '1000000002');
    const other = await post(aPayout());
    const body = aPayout();
    expect(await post(body, { key: narrow })).toMatchObject({
      status: 403,
      body: { code: 'key_wallet' },
    });
    expect(await stored(body.iban)).toEqual([]);
    expect((await programs.getPayout(other.body.id, { secret: narrow })).status).toBe(404);
    expect((await post(aPayout({ wallet: '1000000002' }), { key: narrow })).status).toBe(201);
  });

  it('that was revoked does nothing from that moment', async () => {
    const key = await programs.newKey();
    const made = await post(aPayout(), { key: key.secret });
    expect(made.status).toBe(201);
    await programs.revoke(programs.merchant.person('owner'), key.id);
    expect(await programs.getPayout(made.body.id, key)).toMatchObject({
      status: 401,
      body: { code: 'key_revoked' },
    });
    const body = aPayout();
    expect(await post(body, { key: key.secret })).toMatchObject({
      status: 401,
      body: { code: 'key_revoked' },
    });
    expect(await stored(body.iban)).toEqual([]);
  });

  it('that was revoked takes no calls from the other keys of its person', async () => {
    const { merchant } = programs;
    const owner = merchant.person('owner');
    const key = await programs.newKey();
    await programs.revoke(owner, key.id);
    const counted = async () =>
      (
        await merchant.owner.query<{ n: number }>(
          `SELECT coalesce(sum(count), 0)::int AS n FROM rate_limits
            WHERE merchant_id = $1 AND key LIKE 'api.call:%'`,
          [merchant.merchantId],
        )
      ).rows[0]!.n;
    const before = await counted();
    expect((await post(aPayout(), { key: key.secret })).body.code).toBe('key_revoked');
    expect(await counted()).toBe(before);
    expect((await post(aPayout())).status).toBe(201);
    expect(await counted()).toBeGreaterThan(before);
  });

  it('that is revoked while its request is under way stores nothing', async () => {
    const key = await programs.newKey();
    const { callerOf } = await import('../keys/authenticate.ts');
    const { beginPayout } = await import('./payouts.ts');
    const caller = (await callerOf(`Bearer ${key.secret}`, null))!;
    await programs.revoke(programs.merchant.person('owner'), key.id);
    const body = aPayout();
    await expect(beginPayout(caller, randomUUID(), body as never)).rejects.toMatchObject({
      code: 'key_revoked',
    });
    expect(await stored(body.iban)).toEqual([]);
  });

  it('reads no payout that a person made', async () => {
    const { rows } = await programs.merchant.owner.query(
      `SELECT id FROM movements m WHERE merchant_id = $1
        AND NOT EXISTS (SELECT FROM api_intents i WHERE i.subject_id = m.id) LIMIT 1`,
      [programs.merchant.merchantId],
    );
    const { readyMovements } = await import('#lib/movements/testing/stored.ts');
    const [own] = rows.length > 0 ? [rows[0].id] : await readyMovements(programs.merchant, 1);
    for (const id of [own, randomUUID(), 'x'])
      expect(await programs.getPayout(id as string, { secret })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
  });

  it('of a person who is disabled or prepares no payouts any more does nothing', async () => {
    const { merchant } = programs;
    const person = merchant.person('owner').personId;
    for (const [change, back] of [
      ["role = 'auditor'", "role = 'owner'"],
      ['disabled_at = now()', 'disabled_at = NULL'],
    ]) {
      await merchant.owner.query(`UPDATE people SET ${change} WHERE id = $1`, [person]);
      const answer = await post(aPayout());
      await merchant.owner.query(`UPDATE people SET ${back} WHERE id = $1`, [person]);
      expect(answer).toMatchObject({ status: 403, body: { code: 'key_idle' } });
    }
    expect((await post(aPayout())).status).toBe(201);
  });

  it('that calls too often is told when to go on, and nothing is stored', async () => {
    const { merchant } = programs;
    const body = aPayout();
    await merchant.owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count)
        SELECT $1, 'api.call:person:' || $2, date_trunc('minute', now()) + n * interval '1 minute',
          1000000 FROM generate_series(0, 1) n
        ON CONFLICT (merchant_id, key, window_start) DO UPDATE SET count = 1000000`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    const answer = await post(body);
    await merchant.owner.query('DELETE FROM rate_limits WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stored(body.iban)).toEqual([]);
  });

  it('shows its requests with key, path, status, code and Idempotency-Key', async () => {
    const key = await programs.newKey(['payouts.read']);
    const idempotencyKey = randomUUID();
    await post(aPayout(), { key: key.secret, idempotencyKey });
    const [shown] = await programs.requests(programs.merchant.person('owner'), {
      failed: true,
      keyId: key.id,
    });
    expect(shown).toMatchObject({
      method: 'POST',
      path: '/api/v1/payouts',
      status: 403,
      code: 'key_right',
      idempotencyKey,
    });
  });
});

describe('a body', () => {
  it.each([
    ['no JSON', '{', {}, 400, 'body_not_json'],
    ['another type', '{}', { 'content-type': 'text/plain' }, 415, 'body_type'],
    ['too many bytes', `{"wallet":"${'1'.repeat(20_000)}"}`, {}, 413, 'body_too_large'],
    ['no object', '[]', {}, 422, 'body_invalid'],
  ])('of %s is refused as a problem', async (_what, body, headers, status, code) => {
    const answer = await programs.postPayout({
      ...{ secret, idempotencyKey: randomUUID(), body, headers },
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('is refused in the language that the program asks for, and with an address of the code', async () => {
    const call = { secret, idempotencyKey: 'x', body: {} };
    const [english, turkish] = [
      await programs.postPayout(call),
      await programs.postPayout({ ...call, headers: { 'accept-language': 'tr-TR,tr;q=0.9' } }),
    ];
    expect(english.body).toMatchObject({ status: 400, title: 'Idempotency missing' });
    expect(english.body.type).toMatch(/\/developers\/reference#idempotency_missing$/);
    expect([english.body.detail, turkish.body.detail]).toEqual([
      expect.stringContaining('Nothing was sent'),
      expect.stringContaining('Hiçbir şey gönderilmedi'),
    ]);
  });
});
