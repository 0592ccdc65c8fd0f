import { createHash, randomUUID } from 'node:crypto';
import { raw } from '@prisma/client-runtime-utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { openProduct } from '#lib/testing/database.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { AuditDetail } from './append.ts';

/**
 * Verifies the chain of the audit log independently: from the rows alone, with a hash function of
 * its own.
 */

let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web, worker } = product);
  return product.close;
});

type Entry = {
  seq: string;
  body: string;
  prev_hash: Buffer;
  hash: Buffer;
  actor: string;
  action: string;
  subject: string;
};

async function entries(): Promise<Entry[]> {
  return (
    await merchant.owner.query<Entry>(
      `SELECT seq, body, prev_hash, hash, actor, action, subject FROM audit_entries
        WHERE merchant_id = $1 ORDER BY seq`,
      [merchant.merchantId],
    )
  ).rows;
}

/** The first entry that does not follow from the previous one; null when the chain is intact. */
function firstBroken(chain: Entry[]): number | null {
  let before = createHash('sha256').update('').digest();
  for (const [n, entry] of chain.entries()) {
    const hash = createHash('sha256').update(before).update(entry.body, 'utf8').digest();
    const isNext = Number(entry.seq) === n + 1 && JSON.parse(entry.body).seq === n + 1;
    if (!isNext || !entry.prev_hash.equals(before) || !entry.hash.equals(hash)) return n + 1;
    before = hash;
  }
  return null;
}

describe('the audit chain', () => {
  it('holds under eight appenders at once, the web and the worker among them', async () => {
    const actor = merchant.person('owner');
    const append = (n: number) => {
      const { db, audit } = n % 2 === 0 ? web : worker;
      return db.inTransaction(merchant.merchantId, (tx) =>
        audit.audit(tx, actor, 'test.appended', `test:${n}`, {
          n,
          text: 'Iğdır "İş" ışık 🙂\n\\',
          list: ['ş', 'ğ'],
          none: null,
        }),
      );
    };
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let n = 0; n < 25; n++) await append(lane * 25 + n);
      }),
    );
    const chain = await entries();
    expect(chain).toHaveLength(200);
    expect(firstBroken(chain)).toBeNull();
    expect(new Set(chain.map((entry) => entry.subject)).size).toBe(200);
    const { rows } = await merchant.owner.query(
      'SELECT seq, hash FROM audit_heads WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    expect([rows[0].seq, rows[0].hash.equals(chain.at(-1)!.hash)]).toEqual(['200', true]);
  });

  it('says who, what and about what in columns that are made from the signed text', async () => {
    const [first] = await entries();
    const body = JSON.parse(first!.body);
    expect([first!.actor, first!.action, first!.subject]).toEqual([
      body.actor,
      body.action,
      body.subject,
    ]);
    expect(body).toMatchObject({
      merchant: merchant.merchantId,
      actor: `person:${merchant.person('owner').personId}`,
      detail: { role: 'owner', text: 'Iğdır "İş" ışık 🙂\n\\' },
    });
    expect(body.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('a changed, removed, inserted or reordered entry is found, and where', async () => {
    const chain = await entries();
    const changed = chain.map((entry, n) =>
      n === 99 ? { ...entry, body: entry.body.replace('appended', 'appendet') } : entry,
    );
    expect(firstBroken(changed)).toBe(100);
    expect(firstBroken(chain.filter((_, n) => n !== 49))).toBe(50);
    expect(firstBroken([...chain.slice(0, 10), chain[5]!, ...chain.slice(10)])).toBe(11);
    expect(firstBroken(chain.with(3, chain[4]!).with(4, chain[3]!))).toBe(4);
  });

  it('a transaction that fails leaves no entry and no gap', async () => {
    const before = (await entries()).length;
    await expect(
      web.db.inTransaction(merchant.merchantId, async (tx) => {
        await web.audit.audit(tx, merchant.person('owner'), 'test.failed', 'test:x');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      web.audit.audit(tx, merchant.person('owner'), 'test.after', 'test:y'),
    );
    const chain = await entries();
    expect([chain.length, firstBroken(chain)]).toEqual([before + 1, null]);
  });

  it('a row that cannot be written undoes the action: no movement without its entry', async () => {
    const { owner, merchantId } = merchant;
    const movements = async () =>
      (
        await owner.query('SELECT count(*)::int AS n FROM movements WHERE merchant_id = $1', [
          merchantId,
        ])
      ).rows[0].n as number;
    const chain = await entries();
    // Takes the next sequence number, so that the append fails after the transaction has done other
    // work.
    await owner.query(
      `INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash) VALUES ($1, $2, '{}', '', '')`,
      [merchantId, chain.length + 1],
    );
    const id = randomUUID();
    await expect(
      web.db.inTransaction(merchantId, async (tx) => {
        await tx.$executeRaw`
        INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
          amount_minor, currency, payment_type, description, content_hash, maker_id)
        VALUES (${id}::uuid, ${merchantId}::uuid, 'payout', ${id}, 'DRAFT', 'w', 'TR1', 'n', '1',
          100, 'TRY', '06', '', 'h', ${merchant.person('clerk').personId}::uuid)`;
        await web.audit.audit(tx, merchant.person('clerk'), 'movement.drafted', `movement:${id}`);
      }),
    ).rejects.toThrow(/audit_entries_pkey/);
    expect(await movements()).toBe(0);
    await owner.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_append_only');
    await owner.query('DELETE FROM audit_entries WHERE merchant_id = $1 AND seq = $2', [
      merchantId,
      chain.length + 1,
    ]);
    await owner.query('ALTER TABLE audit_entries ENABLE TRIGGER audit_append_only');
  });

  it('is written by its function only: no role can insert an entry, a head or a personal value', async () => {
    for (const { db } of [web, worker]) {
      for (const statement of [
        `INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash)
          VALUES ('${merchant.merchantId}', 999, '{}', '', '')`,
        `UPDATE audit_heads SET seq = 0`,
        `INSERT INTO audit_queue VALUES ('${merchant.merchantId}', 1, now(), 'a', 'b', 'c', '{}', '{}')`,
        `UPDATE audit_queue SET actor = 'x'`,
        'DELETE FROM audit_queue',
        `SELECT audit_put(head, now(), 'a', 'b', 'c', '{}', '{}') FROM audit_heads head`,
        `SELECT audit_lock_head('${merchant.merchantId}')`,
        'SELECT audit_drain(head, 1) FROM audit_heads head',
        `INSERT INTO audit_personal VALUES ('${merchant.merchantId}', 1, 'name', 'x', '')`,
        `UPDATE audit_personal SET value = 'x'`,
        'DELETE FROM audit_personal',
      ])
        await expect(
          db.inTransaction(merchant.merchantId, (tx) => tx.$executeRaw(raw(statement))),
          statement,
        ).rejects.toThrow(/permission denied/);
    }
  });
});

describe('queued entries', () => {
  const enqueueIn = (tx: Tx, { audit }: Process, subject: string, detail: AuditDetail = {}) => {
    const entry = audit.enqueueAudit(merchant.person('owner'), 'test.queued', subject, detail);
    return tx.$executeRaw`SELECT ${entry}`;
  };
  const enqueue = (process: Process, subject: string, detail: AuditDetail = {}) =>
    process.db.inTransaction(merchant.merchantId, (tx) => enqueueIn(tx, process, subject, detail));
  const link = ({ audit }: Process) => audit.linkEntries(merchant.merchantId);
  const linkIn = (tx: Tx) => tx.$executeRaw`SELECT audit_link(${merchant.merchantId}::uuid, 10)`;
  const queued = async () =>
    (
      await merchant.owner.query<{ subject: string }>(
        'SELECT subject FROM audit_queue WHERE merchant_id = $1 ORDER BY id',
        [merchant.merchantId],
      )
    ).rows.map(({ subject }) => subject);
  /** How many statements like that wait for a lock. */
  const waitsFor = (statement: string) => async () =>
    (
      await merchant.owner.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`,
        [statement],
      )
    ).rowCount;
  const since = async (seq: number) => (await entries()).slice(seq);
  const next = async () => (await entries()).length;

  it('are linked in order with what is appended at once, by several processes, each one once', async () => {
    const before = await next();
    const lane = async (n: number): Promise<void> => {
      const process = n % 2 === 0 ? web : worker;
      for (let turn = 0; turn < 25; turn++) {
        await enqueue(process, `queue:${n}`, { turn });
        if (turn % 5 === n % 5) await link(process);
        if (turn % 10 === n)
          await process.db.inTransaction(merchant.merchantId, (tx) =>
            process.audit.audit(tx, merchant.person('owner'), 'test.appended', `append:${n}`),
          );
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => lane(n)));
    await link(web);
    expect(await queued()).toEqual([]);
    expect(firstBroken(await entries())).toBeNull();
    const linked = await since(before);
    for (let n = 0; n < 8; n++)
      expect(
        linked
          .filter(({ subject }) => subject === `queue:${n}`)
          .map(({ body }) => JSON.parse(body).detail.turn),
      ).toEqual(Array.from({ length: 25 }, (_, turn) => turn));
  });

  it('are gone with the transaction that failed, and stay when the one that links fails', async () => {
    const before = await next();
    await expect(
      web.db.inTransaction(merchant.merchantId, async (tx) => {
        await enqueueIn(tx, web, 'queue:failed');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await enqueue(web, 'queue:kept');
    await expect(
      worker.db.inTransaction(merchant.merchantId, async (tx) => {
        await linkIn(tx);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await queued()).toEqual(['queue:kept']);
    expect(await next()).toBe(before);
    expect(await link(worker)).toBe(1);
    expect((await since(before)).map(({ subject }) => subject)).toEqual(['queue:kept']);
    expect(firstBroken(await entries())).toBeNull();
  });

  it('that another process is linking are in the chain when the call returns', async () => {
    await enqueue(web, 'queue:other');
    const before = await next();
    const { promise: go, resolve } = Promise.withResolvers<void>();
    const { promise: linked, resolve: hasLinked } = Promise.withResolvers<void>();
    const other = worker.db.inTransaction(merchant.merchantId, async (tx) => {
      await linkIn(tx);
      hasLinked();
      await go;
    });
    await linked;
    const own = link(web);
    await expect
      .poll(
        async () =>
          (
            await merchant.owner.query(
              `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%audit_link%'
              AND query NOT LIKE '%pg_stat_activity%'`,
            )
          ).rowCount,
        { interval: 5 },
      )
      .toBeGreaterThan(0);
    resolve();
    await other;
    expect(await own).toBe(0);
    expect((await since(before)).map(({ subject }) => subject)).toEqual(['queue:other']);
  });

  it('come before an entry that waited for the chain meanwhile, in the order of their ids', async () => {
    const before = await next();
    const { promise: go, resolve } = Promise.withResolvers<void>();
    const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
    const actor = merchant.person('owner');
    const first = web.db.inTransaction(merchant.merchantId, async (tx) => {
      await web.audit.audit(tx, actor, 'test.appended', 'append:1');
      await enqueueIn(tx, web, 'queue:2');
      await enqueueIn(tx, web, 'queue:3');
      isHeld();
      await go;
    });
    await held;
    const second = worker.db.inTransaction(merchant.merchantId, (tx) =>
      worker.audit.audit(tx, actor, 'test.appended', 'append:4'),
    );
    await expect.poll(waitsFor('%audit_append%'), { interval: 5 }).toBeGreaterThan(0);
    resolve();
    await Promise.all([first, second]);
    expect((await since(before)).map(({ subject }) => subject)).toEqual([
      'append:1',
      'queue:2',
      'queue:3',
      'append:4',
    ]);
  });

  it('more than one transaction takes are linked by the next one, in order', async () => {
    const before = await next();
    const count = 2 * web.audit.LINK_MOST + 1;
    await merchant.owner.query(
      `INSERT INTO audit_queue (merchant_id, at, actor, action, subject, detail, personal)
        SELECT $1, now() - make_interval(secs => n), 'test', 'test.queued', 'many:' || n, '{}', '{}'
        FROM generate_series(1, $2) n ORDER BY n`,
      [merchant.merchantId, count],
    );
    expect(await link(web)).toBe(web.audit.LINK_MOST);
    expect(await queued()).toHaveLength(web.audit.LINK_MOST + 1);
    await web.audit.linkQueue(merchant.merchantId);
    expect(await queued()).toEqual([]);
    expect((await since(before)).map(({ subject }) => subject)).toEqual(
      Array.from({ length: count }, (_, n) => `many:${n + 1}`),
    );
    expect(firstBroken(await entries())).toBeNull();
  });

  it('come before an entry that is appended after them', async () => {
    const before = await next();
    await enqueue(web, 'queue:first');
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      web.audit.audit(tx, merchant.person('owner'), 'test.appended', 'append:second'),
    );
    expect((await since(before)).map(({ subject }) => subject)).toEqual([
      'queue:first',
      'append:second',
    ]);
  });

  it('have the time at which they were queued and the values of the person who acted', async () => {
    const before = await next();
    await enqueue(web, 'queue:personal');
    const [{ at }] = (
      await merchant.owner.query<{ at: Date }>(
        'SELECT at FROM audit_queue WHERE merchant_id = $1',
        [merchant.merchantId],
      )
    ).rows as [{ at: Date }];
    await link(worker);
    const [entry] = await since(before);
    const body = JSON.parse(entry!.body);
    expect(new Date(body.at).getTime()).toBe(at.getTime());
    expect(Object.keys(body.personal).sort()).toEqual(['ip', 'name']);
    const { rows } = await merchant.owner.query(
      'SELECT field FROM audit_personal WHERE merchant_id = $1 AND seq = $2 ORDER BY field',
      [merchant.merchantId, entry!.seq],
    );
    expect(rows.map(({ field }) => field)).toEqual(['ip', 'name']);
  });

  it('of another merchant are neither queued nor linked', async () => {
    const other = randomUUID();
    for (const { db } of [web, worker])
      for (const call of [
        `audit_link('${other}', 1)`,
        `audit_enqueue('${other}', 'a', 'b', 'c', '{}', '{}')`,
      ])
        await expect(
          db.inTransaction(merchant.merchantId, (tx) => tx.$executeRaw(raw(`SELECT ${call}`))),
          call,
        ).rejects.toThrow(/another merchant/);
  });
});

describe('personal values', () => {
  const clerk = () => merchant.person('clerk');
  const kept = async (seq: string) =>
    Object.fromEntries(
      (
        await merchant.owner.query<{ field: string; value: string; salt: Buffer }>(
          'SELECT field, value, salt FROM audit_personal WHERE merchant_id = $1 AND seq = $2',
          [merchant.merchantId, seq],
        )
      ).rows.map((row) => [row.field, row]),
    );

  it('stand in an entry as commitments only: no name, address or typed text is in what is hashed', async () => {
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      web.audit.audit(
        tx,
        { ...clerk(), name: 'Ayşe Toprak', ip: '198.51.100.9' },
        'test.personal',
        'test:p',
        { n: 1 },
        { note: 'Mehmet Bey istedi' },
      ),
    );
    const entry = (await entries()).at(-1)!;
    for (const secret of ['Ayşe', 'Toprak', '198.51.100.9', 'Mehmet'])
      expect(entry.body).not.toContain(secret);
    const values = await kept(entry.seq);
    expect(
      Object.fromEntries(Object.entries(values).map(([field, { value }]) => [field, value])),
    ).toEqual({ name: 'Ayşe Toprak', ip: '198.51.100.9', note: 'Mehmet Bey istedi' });
    const { personal } = JSON.parse(entry.body) as { personal: Record<string, string> };
    for (const [field, { value, salt }] of Object.entries(values)) {
      expect(salt).toHaveLength(32);
      expect(personal[field]).toBe(
        createHash('sha256').update(salt).update(`${field}=${value}`).digest('hex'),
      );
    }
  });

  it('that say the same are not seen to say the same: every salt is its own', async () => {
    for (let n = 0; n < 2; n++)
      await web.db.inTransaction(merchant.merchantId, (tx) =>
        web.audit.audit(tx, clerk(), 'test.personal', 'test:q'),
      );
    const [one, other] = (await entries())
      .slice(-2)
      .map((entry) => JSON.parse(entry.body).personal as Record<string, string>);
    expect(one!['name']).not.toBe(other!['name']);
  });

  it('are kept without what the database cannot hold', async () => {
    const [nul, half] = ['istedi\u0000', 'yarım \ud83d'];
    await web.db.inTransaction(merchant.merchantId, (tx) =>
      web.audit.audit(tx, clerk(), 'test.personal', 'test:u', { nul }, { note: half }),
    );
    const entry = (await entries()).at(-1)!;
    expect(JSON.parse(entry.body).detail).toMatchObject({ nul: 'istedi' });
    expect((await kept(entry.seq))['note']).toMatchObject({ value: 'yarım \ufffd' });
  });

  it('of a worker are none', async () => {
    await worker.db.inTransaction(merchant.merchantId, (tx) =>
      worker.audit.audit(
        tx,
        { kind: 'worker', merchantId: merchant.merchantId },
        'test.worker',
        'test:w',
      ),
    );
    expect(JSON.parse((await entries()).at(-1)!.body).personal).toEqual({});
  });
});

it('a page that is opened while entries are appended never sees a head without its entry', async () => {
  const { readChainState } = await import('./chain-state.ts');
  const actor = merchant.person('owner');
  const over = new AbortController();
  const appending = (async () => {
    for (let n = 0; n < 200; n++)
      await worker.db.inTransaction(merchant.merchantId, (tx) =>
        worker.audit.audit(tx, actor, 'test.appended', `beside:${n}`),
      );
  })().finally(() => over.abort());
  while (!over.signal.aborted) {
    const { head } = await web.db.inTransaction(merchant.merchantId, readChainState);
    expect(head?.holds).toBe(true);
  }
  await appending;
});
