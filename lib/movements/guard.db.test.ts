import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testMerchant } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import { LEGAL, STATES } from './state.ts';
import type { State } from './state.ts';
import { readyMovements, rowOf, setColumns, storedMovement, testIban } from './testing/stored.ts';

/**
 * What the database itself refuses to every caller: tenant isolation and guards, tested with the
 * product's two database roles.
 */

let merchant: TestMerchant;
let other: TestMerchant;
const pools: Record<string, pg.Pool> = {};

beforeAll(async () => {
  other = await testMerchant();
  merchant = await testMerchant();
  for (const role of ['dashboard_web', 'dashboard_worker'])
    pools[role] = new pg.Pool({
      connectionString: process.env.TEST_DATABASE_URL,
      max: 2,
      options: `-c role=${role}`,
    });
});
afterAll(async () => {
  await Promise.all([
    ...Object.values(pools).map((pool) => pool.end()),
    merchant.close(),
    other.close(),
  ]);
});

type RoleName = 'dashboard_web' | 'dashboard_worker';

/**
 * Runs one statement as the product does: under a role, in a transaction that names its merchant.
 */
async function as(
  role: RoleName,
  statement: string,
  values: unknown[] = [],
  merchantId: string | null = merchant.merchantId,
): Promise<pg.QueryResult> {
  const client = await pools[role]!.connect();
  try {
    await client.query('BEGIN');
    if (merchantId !== null)
      await client.query(`SELECT set_config('app.merchant_id', $1, true)`, [merchantId]);
    const result = await client.query(statement, values);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const step = (role: RoleName, id: string, to: State) =>
  as(
    role,
    `UPDATE movements SET state = $2::text, sends = sends + CASE WHEN $2::text = 'SUBMITTING' THEN 1
      ELSE 0 END WHERE id = $1`,
    [id, to],
  );

describe('legal steps', () => {
  const WEB: readonly string[] = [
    'DRAFT → AWAITING_APPROVAL',
    'DRAFT → CANCELLED',
    'AWAITING_APPROVAL → DRAFT',
    'AWAITING_APPROVAL → APPROVED',
    'AWAITING_APPROVAL → CANCELLED',
    'APPROVED → CANCELLED',
  ];
  /**
   * Two people can take these steps. The web writes them in the transaction in which the two agree,
   * and the worker after a record.
   */
  const TWO_PEOPLE: readonly string[] = ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].flatMap((from) => [
    `${from} → COMPLETED`,
    `${from} → FAILED`,
  ]);
  const start: Record<State, () => Promise<string>> = {
    DRAFT: () => draft(),
    AWAITING_APPROVAL: async () => walked('AWAITING_APPROVAL'),
    EXPIRED: async () => walked('AWAITING_APPROVAL', 'EXPIRED'),
    ...(Object.fromEntries(
      (
        [
          'APPROVED',
          'SUBMITTING',
          'UNKNOWN',
          'PENDING',
          'MANUAL_REVIEW',
          'COMPLETED',
          'REJECTED',
          'FAILED',
          'CANCELLED',
        ] as const
      ).map((state) => [state, () => storedMovement(merchant, state)]),
    ) as Record<Exclude<State, 'DRAFT' | 'AWAITING_APPROVAL' | 'EXPIRED'>, () => Promise<string>>),
  };

  it.each(STATES)(
    'from %s: each role takes exactly its own, anything else raises',
    async (from) => {
      for (const to of STATES) {
        if (to === from) continue;
        const name = `${from} → ${to}`;
        for (const role of ['dashboard_web', 'dashboard_worker'] as const) {
          const allowed =
            LEGAL[from].includes(to) && (role === 'dashboard_web') === WEB.includes(name);
          const id = await start[from]();
          if (allowed) expect((await step(role, id, to)).rowCount, `${name} by ${role}`).toBe(1);
          else
            await expect(step(role, id, to), `${name} by ${role}`).rejects.toMatchObject({
              code: role === 'dashboard_web' && TWO_PEOPLE.includes(name) ? 'MV013' : 'MV006',
            });
        }
      }
    },
  );
});

describe('what was written stays written', () => {
  it.each([
    ['amount_minor', 1],
    ['iban', 'TR1'],
    ['name', 'Someone else'],
    ['tax_number', '1'],
    ['wallet', '2'],
    ['currency', 'USD'],
    ['payment_type', '9'],
    ['description', 'other'],
    ['content_hash', 'x'],
    ['obligation', 'y'],
    ['approvals_needed', 5],
  ])('the content of a submitted movement: %s', async (column, value) => {
    const id = await storedMovement(merchant, 'APPROVED');
    for (const role of ['dashboard_web', 'dashboard_worker'] as const)
      await expect(
        as(role, `UPDATE movements SET ${column} = $2 WHERE id = $1`, [id, value]),
      ).rejects.toMatchObject({ code: 'MV004' });
  });

  it.each([
    ['ext_id', 'OTHER'],
    ['id', randomUUID()],
    ['kind', 'transfer'],
    ['maker_id', randomUUID()],
    ['created_at', new Date(0)],
    ['retry_of', randomUUID()],
  ])('its identity, also of a draft: %s', async (column, value) => {
    const id = await draft();
    for (const role of ['dashboard_web', 'dashboard_worker'] as const)
      await expect(
        as(role, `UPDATE movements SET ${column} = $2 WHERE id = $1`, [id, value]),
      ).rejects.toMatchObject({ code: 'MV003' });
  });

  it.each([
    ['ever_ambiguous', false],
    ['duplicate_seen', false],
  ])('what was learned: %s', async (column, value) => {
    const id = await storedMovement(merchant, 'UNKNOWN', { [column]: true });
    await expect(
      as('dashboard_worker', `UPDATE movements SET ${column} = $2 WHERE id = $1`, [id, value]),
    ).rejects.toMatchObject({ code: 'MV005' });
  });

  it('the first unclear moment: kept with the ambiguity, and it does not move', async () => {
    const id = await storedMovement(merchant, 'UNKNOWN');
    for (const value of [new Date(0), null]) {
      await expect(
        as('dashboard_worker', `UPDATE movements SET unclear_since = $2 WHERE id = $1`, [
          id,
          value,
        ]),
      ).rejects.toMatchObject({ code: 'MV005' });
    }
    const clear = await storedMovement(merchant, 'SUBMITTING');
    await expect(
      as('dashboard_worker', `UPDATE movements SET ever_ambiguous = true WHERE id = $1`, [clear]),
    ).rejects.toMatchObject({ code: '23514' });
    await expect(
      as(
        'dashboard_worker',
        `UPDATE movements SET unclear_since = clock_timestamp() WHERE id = $1`,
        [clear],
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it('the count of sends grows by one with a claim and never else', async () => {
    const id = await storedMovement(merchant, 'UNKNOWN');
    await expect(
      as('dashboard_worker', `UPDATE movements SET sends = sends + 1 WHERE id = $1`, [id]),
    ).rejects.toMatchObject({ code: 'MV008' });
    await expect(
      as('dashboard_worker', `UPDATE movements SET sends = 0 WHERE id = $1`, [id]),
    ).rejects.toMatchObject({ code: 'MV005' });
    await expect(
      as('dashboard_worker', `UPDATE movements SET state = 'SUBMITTING' WHERE id = $1`, [id]),
    ).rejects.toMatchObject({ code: 'MV008' });
    await expect(
      as(
        'dashboard_worker',
        `UPDATE movements SET state = 'SUBMITTING', sends = sends + 2 WHERE id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: 'MV008' });
  });

  it('once ambiguous, no way back to "not sent" or "refused"', async () => {
    for (const to of ['APPROVED', 'REJECTED']) {
      const id = await storedMovement(merchant, 'SUBMITTING', { ever_ambiguous: true });
      await expect(
        as('dashboard_worker', `UPDATE movements SET state = $2 WHERE id = $1`, [id, to]),
      ).rejects.toMatchObject({ code: 'MV007' });
    }
  });

  it('a return: only of what is completed, confirmed by the worker only, never taken back', async () => {
    const open = await storedMovement(merchant, 'PENDING');
    await expect(
      as('dashboard_worker', `UPDATE movements SET returned = 'REPORTED' WHERE id = $1`, [open]),
    ).rejects.toMatchObject({ code: '23514' });
    const done = await storedMovement(merchant, 'COMPLETED');
    expect(
      (
        await as('dashboard_web', `UPDATE movements SET returned = 'REPORTED' WHERE id = $1`, [
          done,
        ])
      ).rowCount,
    ).toBe(1);
    await expect(
      as('dashboard_web', `UPDATE movements SET returned = 'CONFIRMED' WHERE id = $1`, [done]),
    ).rejects.toMatchObject({ code: 'MV009' });
    expect(
      (
        await as('dashboard_worker', `UPDATE movements SET returned = 'CONFIRMED' WHERE id = $1`, [
          done,
        ])
      ).rowCount,
    ).toBe(1);
    await expect(
      as('dashboard_worker', `UPDATE movements SET returned = 'NONE' WHERE id = $1`, [done]),
    ).rejects.toMatchObject({ code: 'MV009' });
  });

  it('nothing is cancelled under a live lease', async () => {
    const held = await storedMovement(merchant, 'APPROVED', {
      lease_until: new Date(Date.now() + 30_000),
      lease_token: randomUUID(),
    });
    await expect(step('dashboard_web', held, 'CANCELLED')).rejects.toMatchObject({ code: 'MV012' });
    const over = await storedMovement(merchant, 'APPROVED', {
      lease_until: new Date(Date.now() - 30_000),
      lease_token: randomUUID(),
    });
    expect((await step('dashboard_web', over, 'CANCELLED')).rowCount).toBe(1);
  });

  it('an amount is positive, and a movement begins as a clean draft', async () => {
    await expect(draft({ amount_minor: 0 })).rejects.toMatchObject({ code: '23514' });
    await expect(draft({ amount_minor: -5 })).rejects.toMatchObject({ code: '23514' });
    await expect(draft({ state: 'APPROVED' })).rejects.toMatchObject({ code: 'MV001' });
    await expect(draft({ sends: 1 })).rejects.toMatchObject({ code: 'MV001' });
    await expect(draft({ ever_ambiguous: true })).rejects.toMatchObject({ code: 'MV001' });
  });

  it('two movements never share a reference', async () => {
    const [first, second] = (await readyMovements(merchant, 2, { dueInMs: 3_600_000 })) as [
      string,
      string,
    ];
    const extId = (await rowOf(merchant, first)).ext_id;
    await expect(draft({ ext_id: extId })).rejects.toMatchObject({ code: '23505' });
    expect(second).not.toBe(first);
  });
});

describe('approvals', () => {
  it('of its maker are none, whatever role the maker has', async () => {
    const owner = merchant.person('owner').personId;
    const id = await draft({ approvals_needed: 1, maker_id: owner });
    await step('dashboard_web', id, 'AWAITING_APPROVAL');
    const hash = (await rowOf(merchant, id)).content_hash as string;
    await expect(
      as(
        'dashboard_web',
        `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash) VALUES ($1, $2, $3, $4)`,
        [merchant.merchantId, id, owner, hash],
      ),
    ).rejects.toMatchObject({ code: 'MV053' });
  });

  it("a movement that needs two is approved and sent only with two, of this content, not the maker's", async () => {
    const id = await draft({ approvals_needed: 2 });
    await step('dashboard_web', id, 'AWAITING_APPROVAL');
    const hash = (await rowOf(merchant, id)).content_hash as string;
    const sign = (role: 'clerk' | 'approver' | 'owner', content: string) =>
      as(
        'dashboard_web',
        `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash) VALUES ($1, $2, $3, $4)`,
        [merchant.merchantId, id, merchant.person(role).personId, content],
      );
    await expect(step('dashboard_web', id, 'APPROVED')).rejects.toMatchObject({ code: 'MV011' });
    await expect(sign('clerk', hash), 'a clerk may not').rejects.toMatchObject({ code: 'MV052' });
    await sign('approver', hash);
    await expect(step('dashboard_web', id, 'APPROVED'), 'one of two').rejects.toMatchObject({
      code: 'MV011',
    });
    await expect(sign('approver', hash), 'nobody signs twice').rejects.toMatchObject({
      code: '23505',
    });
    await expect(sign('owner', 'another content')).rejects.toMatchObject({ code: 'MV054' });
    await sign('owner', hash);
    expect((await step('dashboard_web', id, 'APPROVED')).rowCount).toBe(1);
    await expect(
      as('dashboard_web', `DELETE FROM approvals WHERE movement_id = $1`, [id]),
      'an approval stays',
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('paying again', () => {
  it('needs a parent that provably did not happen', async () => {
    const dead = [
      await storedMovement(merchant, 'REJECTED'),
      await storedMovement(merchant, 'FAILED'),
      await storedMovement(merchant, 'CANCELLED'),
      await storedMovement(merchant, 'COMPLETED', { returned: 'CONFIRMED' }),
    ];
    for (const parent of dead)
      await expect(draft({ retry_of: parent })).resolves.toBeTypeOf('string');
    const alive = [
      await storedMovement(merchant, 'APPROVED'),
      await storedMovement(merchant, 'SUBMITTING'),
      await storedMovement(merchant, 'UNKNOWN'),
      await storedMovement(merchant, 'PENDING'),
      await storedMovement(merchant, 'MANUAL_REVIEW'),
      await storedMovement(merchant, 'COMPLETED'),
      await storedMovement(merchant, 'COMPLETED', { returned: 'REPORTED' }),
      await storedMovement(merchant, 'REJECTED', { alert: 'contradiction' }),
      randomUUID(),
    ];
    for (const parent of alive)
      await expect(draft({ retry_of: parent })).rejects.toMatchObject({ code: 'MV002' });
  });

  it("of another merchant's movement is refused", async () => {
    const foreign = await storedMovement(other, 'REJECTED');
    await expect(draft({ retry_of: foreign })).rejects.toMatchObject({ code: 'MV002' });
  });

  it('has one live child at a time', async () => {
    const parent = await storedMovement(merchant, 'REJECTED');
    const child = await draft({ retry_of: parent });
    await expect(draft({ retry_of: parent })).rejects.toMatchObject({ code: '23505' });
    await step('dashboard_web', child, 'CANCELLED');
    await expect(draft({ retry_of: parent })).resolves.toBeTypeOf('string');
  });

  it('an obligation has one live movement at a time', async () => {
    const first = await draft({ obligation: 'invoice-1' });
    await expect(draft({ obligation: 'invoice-1' })).rejects.toMatchObject({ code: '23505' });
    await step('dashboard_web', first, 'CANCELLED');
    await expect(draft({ obligation: 'invoice-1' })).resolves.toBeTypeOf('string');
  });
});

describe('nothing is deleted or rewritten', () => {
  it('movements, evidence, attempts and the audit log, by neither role, and not by the owner either', async () => {
    const id = await storedMovement(merchant, 'PENDING');
    await merchant.owner.query(
      `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token) VALUES ($1, $2, 1, 'h', $3)`,
      [merchant.merchantId, id, randomUUID()],
    );
    await merchant.owner.query(
      `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, state_before,
        state_after) VALUES ($1, $2, 'read', 'read', '{}', 'PENDING', 'PENDING')`,
      [merchant.merchantId, id],
    );
    await as('dashboard_web', `SELECT audit_append($1, 'test', 'test', 'test:1', '{}')`, [
      merchant.merchantId,
    ]);
    const tables = {
      movements: 'description',
      evidence: 'kind',
      attempts: 'body_hash',
      audit_entries: 'body',
    };
    for (const [table, column] of Object.entries(tables)) {
      for (const role of ['dashboard_web', 'dashboard_worker'] as const) {
        await expect(
          as(role, `DELETE FROM ${table}`),
          `${role} deletes ${table}`,
        ).rejects.toMatchObject({ code: '42501' });
        await expect(
          as(role, `TRUNCATE ${table}`),
          `${role} truncates ${table}`,
        ).rejects.toMatchObject({ code: '42501' });
        if (table !== 'movements')
          await expect(
            as(role, `UPDATE ${table} SET ${column} = ${column}`),
            `${role} rewrites ${table}`,
          ).rejects.toMatchObject({ code: '42501' });
      }
      await expect(
        merchant.owner.query(`DELETE FROM ${table} WHERE merchant_id = $1`, [merchant.merchantId]),
      ).rejects.toMatchObject({ code: table === 'movements' ? 'MV001' : 'MV010' });
      if (table !== 'movements')
        await expect(
          merchant.owner.query(`UPDATE ${table} SET ${column} = ${column} WHERE merchant_id = $1`, [
            merchant.merchantId,
          ]),
        ).rejects.toMatchObject({ code: 'MV010' });
    }
    await expect(merchant.owner.query('TRUNCATE audit_entries')).rejects.toMatchObject({
      code: 'MV010',
    });
  });
});

async function draft(given: Record<string, unknown> = {}): Promise<string> {
  const row: Record<string, unknown> = {
    id: randomUUID(),
    merchant_id: merchant.merchantId,
    kind: 'payout',
    ext_id: randomUUID(),
    state: 'DRAFT',
    wallet: '1',
    iban: testIban(),
    name: 'N',
    tax_number: '1',
    amount_minor: 100,
    currency: 'TRY',
    payment_type: '1',
    description: 'd',
    content_hash: 'h',
    maker_id: merchant.person('clerk').personId,
    ...given,
  };
  const names = Object.keys(row);
  await as(
    'dashboard_web',
    `INSERT INTO movements (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(row),
  );
  return row.id as string;
}

async function walked(...states: State[]): Promise<string> {
  const id = await draft();
  for (const state of states) await setColumns(merchant, id, { state });
  return id;
}
