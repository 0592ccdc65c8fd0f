import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/** The guarantees of a transaction on which all other code relies. */

let merchant: TestMerchant;
let web: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const inTransaction: Process['db']['inTransaction'] = (merchantId, work) =>
  web.db.inTransaction(merchantId, work);
const walletNames = async () =>
  (
    await merchant.owner.query<{ number: string }>(
      'SELECT number FROM wallet_snapshots WHERE merchant_id = $1 ORDER BY number',
      [merchant.merchantId],
    )
  ).rows.map((row) => row.number);
const keep = (tx: Parameters<Parameters<typeof inTransaction>[1]>[0], number: string) =>
  tx.$executeRaw`INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
    VALUES (${merchant.merchantId}::uuid, ${number}, '{}', now())`;

describe('values', () => {
  it('survive a round trip exactly: large amounts, instants in any zone, JSON, bytes, lists and null', async () => {
    const amount = 9_007_199_254_740_993n;
    const at = new Date('2026-10-25T00:30:00.123Z');
    const bytes = Uint8Array.from([0, 1, 255]);
    const [row] = await inTransaction(
      merchant.merchantId,
      (tx) => tx.$queryRaw<Record<string, unknown>[]>`
      SELECT ${amount}::bigint AS amount, ${at}::timestamptz AS at,
        ${at}::timestamptz = '2026-10-25 00:30:00.123+00' AS same, ${'{"a":[1,null]}'}::jsonb AS json,
        ${bytes}::bytea AS bytes, ${['ü', '"', '{}']}::text[] AS list, ${null}::text AS nothing,
          ${7}::int AS count, ${true}::boolean AS yes, 0.10::numeric AS exact, count(*) AS all
          FROM (SELECT) one`,
    );
    expect(row).toMatchObject({
      amount,
      at,
      same: true,
      json: { a: [1, null] },
      list: ['ü', '"', '{}'],
      nothing: null,
      count: 7,
      yes: true,
      exact: '0.10',
      all: 1n,
    });
    expect(Uint8Array.from(row!.bytes as Uint8Array)).toEqual(bytes);
  });

  it('are never part of the statement', async () => {
    const [row] = await inTransaction(
      merchant.merchantId,
      (tx) => tx.$queryRaw<{ text: string }[]>`SELECT ${`'; DROP TABLE people; --`} AS text`,
    );
    expect(row!.text).toBe(`'; DROP TABLE people; --`);
  });
});

describe('a transaction', () => {
  it('that throws leaves nothing, and the next one on its connection starts afresh', async () => {
    await expect(
      inTransaction(merchant.merchantId, async (tx) => {
        await keep(tx, 'thrown');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await inTransaction(merchant.merchantId, (tx) => keep(tx, 'kept'));
    expect(await walletNames()).toEqual(['kept']);
  });

  it('whose failed statement was swallowed is not reported as done', async () => {
    await expect(
      inTransaction(merchant.merchantId, async (tx) => {
        await keep(tx, 'before');
        await tx.$queryRaw`SELECT 1/0`.catch(() => undefined);
      }),
    ).rejects.toThrow(/the transaction was rolled back/);
    expect(await walletNames()).not.toContain('before');
  });

  it("that is over takes no statement: a late one cannot slip into somebody else's", async () => {
    let late: Parameters<Parameters<typeof inTransaction>[1]>[0] | undefined;
    await inTransaction(merchant.merchantId, async (tx) => void (late = tx));
    await expect(keep(late!, 'late')).rejects.toThrow('this transaction is over');
    expect(await walletNames()).not.toContain('late');
  });

  it('whose connection is cut fails, and the next one finds another connection', async () => {
    await expect(
      inTransaction(merchant.merchantId, async (tx) => {
        await keep(tx, 'cut');
        const [me] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
        await merchant.owner.query('SELECT pg_terminate_backend($1)', [me!.pid]);
        await keep(tx, 'after the cut');
      }),
    ).rejects.toThrow();
    expect(await inTransaction(merchant.merchantId, (tx) => tx.$queryRaw`SELECT 1 AS one`)).toEqual(
      [{ one: 1 }],
    );
    expect(await walletNames()).not.toContain('cut');
  });
});

it('a database error carries its code for the log and for callers that tell refusals apart', async () => {
  const twice = inTransaction(merchant.merchantId, async (tx) => {
    await keep(tx, 'twice');
    await keep(tx, 'twice');
  });
  await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'wallet_snapshots_pkey' });
});

it('a statement of its own sees its merchant, also after a transaction of another one', async () => {
  const other = await testMerchant();
  try {
    const merchantsSeen = () =>
      web.db.inOne<{ id: string }>(
        merchant.merchantId,
        web.db.sql`SELECT DISTINCT merchant_id::text AS id FROM people`,
      );
    await merchantsSeen();
    await inTransaction(other.merchantId, (tx) => tx.$queryRaw`SELECT 1`);
    expect(await merchantsSeen()).toEqual([{ id: merchant.merchantId }]);
  } finally {
    await other.close();
  }
});

describe('records by Prisma Client', () => {
  it('are those of the merchant named, also when two merchants read at once', async () => {
    const other = await testMerchant();
    try {
      const namesOf = async ({ merchantId }: TestMerchant) => {
        const { person } = await web.db.records(merchantId);
        return person.findMany({ select: { merchantId: true }, distinct: ['merchantId'] });
      };
      const both = await Promise.all(
        Array.from({ length: 20 }, (_, n) => namesOf(n % 2 === 0 ? merchant : other)),
      );
      for (const [n, found] of both.entries())
        expect(found).toEqual([
          { merchantId: n % 2 === 0 ? merchant.merchantId : other.merchantId },
        ]);
      const { person } = await web.db.records(merchant.merchantId);
      const { count } = await person.updateMany({
        where: { merchantId: other.merchantId },
        data: { name: 'x' },
      });
      expect(count, 'naming another merchant does not help').toBe(0);
    } finally {
      await other.close();
    }
  });

  it('are written by one statement or not at all', async () => {
    const { person } = await web.db.records(merchant.merchantId);
    const { merchantId } = merchant;
    const { personId } = merchant.person('clerk');
    await expect(
      person.update({
        where: { id: personId },
        data: {
          name: 'half',
          views: { create: { merchantId, list: 'transactions', name: 'x', address: '' } },
        },
      }),
    ).rejects.toThrow();
    expect(await person.findFirst({ select: { name: true }, where: { id: personId } })).toEqual({
      name: 'clerk@test',
    });
  });
});

describe('a prepared statement', () => {
  it('that a migration has outdated fails once, and its connection is renewed', async () => {
    const { kept, sql } = web.db;
    const read = () =>
      inTransaction(merchant.merchantId, (tx) =>
        tx.$queryRaw<{ size: unknown }[]>(kept(sql`SELECT size FROM outdated`)),
      );
    await merchant.owner.query(
      'CREATE TABLE outdated (size integer); GRANT SELECT ON outdated TO dashboard_web',
    );
    try {
      await read();
      await merchant.owner.query('ALTER TABLE outdated ALTER COLUMN size TYPE text');
      await expect(read()).rejects.toThrow('must not change result type');
      expect(await read()).toEqual([]);
    } finally {
      await merchant.owner.query('DROP TABLE outdated');
    }
  });
});
