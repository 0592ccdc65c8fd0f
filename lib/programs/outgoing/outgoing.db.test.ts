import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setColumns } from '#lib/movements/testing/stored.ts';
import { openProcess } from '#lib/testing/database.ts';
import { batchMessage, payoutMessage } from '../api/schema.ts';
import type * as Deliveries from './deliveries.ts';
import type * as Endpoint from './endpoint.ts';
import { aPayout, aRow, openPrograms, WALLET } from '../testing/program.ts';
import type { Programs } from '../testing/program.ts';

/** What became of a program's payout is told to its endpoint: signed, repeated, never lost. */

type Got = { headers: IncomingHttpHeaders; body: string };
let programs: Programs;
let worker: Awaited<ReturnType<typeof openProcess>>;
let outgoing: typeof Endpoint & typeof Deliveries;
let deliverOne: (merchantId: string) => Promise<boolean>;
let noteExpired: (merchantId: string) => Promise<void>;
let reseal: (merchantId: string) => Promise<void>;
let key: { secret: string };
let server: Server;
let url: string;
const got: Got[] = [];
/** What the receiver answers next. */
let answers: number[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(answers.shift() ?? 200).end('x'.repeat(1_000));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  programs = await openPrograms();
  outgoing = { ...(await import('./endpoint.ts')), ...(await import('./deliveries.ts')) };
  key = await programs.newKey();
  worker = await openProcess('dashboard_worker');
  ({ deliverOne } = await import('./deliver.ts'));
  ({ noteExpiredBatches: noteExpired } = await import('./expired-batches.ts'));
  ({ resealEndpoint: reseal } = await import('./reseal.ts'));
});
afterAll(async () => {
  server.close();
  await worker.db.disconnect();
  await programs.close();
});
beforeEach(async () => {
  got.length = 0;
  answers = [];
  for (const table of ['api_deliveries', 'api_endpoints'])
    await programs.merchant.owner.query(`DELETE FROM ${table} WHERE merchant_id = $1`, [
      programs.merchant.merchantId,
    ]);
});

const person = (role: 'owner' | 'approver' | 'clerk') => programs.merchant.person(role);
const deliver = async (): Promise<void> => {
  while (await deliverOne(programs.merchant.merchantId));
};
const dueNow = () =>
  programs.merchant.owner.query(
    'UPDATE api_deliveries SET next_at = now() WHERE merchant_id = $1 AND next_at IS NOT NULL',
    [programs.merchant.merchantId],
  );
const post = async (): Promise<string> => {
  const given = { ...key, idempotencyKey: randomUUID(), body: aPayout({ amount: '12.50' }) };
  return (await programs.postPayout(given)).body.id as string;
};
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

/** Verifies as standardwebhooks.com says, with nothing of the product. */
function isSigned({ headers, body }: Got, secret: string): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mark = `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(mark);
}

describe('a payout of a program', () => {
  it('is told of at each of its states, in messages that its secret signs', async () => {
    const { secret } = await outgoing.setEndpoint(person('owner'), url);
    const id = await post();
    await programs.web.cancel.cancelMovement(person('owner'), id);
    await deliver();
    const messages = got.map(({ body }) => JSON.parse(body));
    for (const one of messages) expectDocumented(one);
    expect(messages.map(({ type, data }) => [type, data.id, data.status])).toEqual([
      ['payout.updated', id, 'approved'],
      ['payout.updated', id, 'cancelled'],
    ]);
    expect(messages[1].data).toMatchObject({ amount: '12.50', currency: 'TRY', wallet: WALLET });
    // A reference is made of random letters, and may look like the beginning of an IBAN.
    const said = messages.map(({ data: { reference: _reference, ...others } }) => others);
    expect(JSON.stringify(said)).not.toMatch(/TR\d{2}|Alıcı/);
    for (const one of got) expect(isSigned(one, secret!)).toBe(true);
    expect(isSigned({ ...got[0]!, body: got[0]!.body.replace('12.50', '13.50') }, secret!)).toBe(
      false,
    );
    const age = Date.now() / 1_000 - Number(got[0]!.headers['webhook-timestamp']);
    expect(Math.abs(age)).toBeLessThan(60);
  });

  it('is told of again after a failure, whatever the clock of the worker says', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await post();
    answers = [500];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
    await deliver().finally(() => vi.useRealTimers());
    await dueNow();
    await deliver();
    expect(got.map(({ body }) => JSON.parse(body).type)).toEqual(Array(2).fill('payout.updated'));
  });

  it('is told of as unknown once a record contradicts that it was not paid, and read so', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    const id = await post();
    const { merchant } = programs;
    await setColumns(merchant, id, { state: 'SUBMITTING', sends: 1 });
    await setColumns(merchant, id, { state: 'REJECTED' });
    expect((await programs.getPayout(id, key)).body.status).toBe('rejected');
    await setColumns(merchant, id, { alert: 'contradiction', last_read_at: new Date() });
    await setColumns(merchant, id, { alert: 'contradiction', last_read_at: new Date() });
    await deliver();
    const messages = got.map(({ body }) => JSON.parse(body));
    for (const one of messages) expectDocumented(one);
    expect(messages.map(({ data }) => data.status)).toEqual([
      ...['approved', 'sending', 'rejected'],
      'unknown',
    ]);
    expect((await programs.getPayout(id, key)).body.status).toBe('unknown');
  });

  it('that leaves with an alert, or is refused with one, is told of once for each state', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    const id = await post();
    const { merchant } = programs;
    await setColumns(merchant, id, { state: 'SUBMITTING', sends: 1, alert: 'claim_failing' });
    await setColumns(merchant, id, { alert: null });
    await setColumns(merchant, id, { state: 'REJECTED', alert: 'contradiction' });
    await deliver();
    expect(got.map(({ body }) => JSON.parse(body).data.status)).toEqual([
      ...['approved', 'sending', 'unknown'],
    ]);
  });

  it('is unknown, in messages and answers, where a restore may have lost a send of it', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    const compared = { files: 1, lines: 0, unreadable: 0, missing: 0 };
    const cases = [
      [null, 'unknown'],
      [{ ...compared, files: 0 }, 'unknown'],
      [{ ...compared, missing: 1 }, 'unknown'],
      [{ ...compared, unreadable: 1 }, 'unknown'],
      [compared, 'cancelled'],
    ] as const;
    const { owner, merchantId } = programs.merchant;
    for (const [journal, status] of cases) {
      const id = await post();
      await owner.query(
        `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at,
           journal)
         VALUES ($1, 'asked', clock_timestamp(), now(), now(), now(), now(), $2)`,
        [merchantId, journal && JSON.stringify(journal)],
      );
      await setColumns(programs.merchant, id, { state: 'CANCELLED' });
      await deliver();
      const messages = got.splice(0).map(({ body }) => JSON.parse(body));
      for (const one of messages) expectDocumented(one);
      const { body } = await programs.getPayout(id, key);
      expect([...messages.map(({ data }) => data.status), body.status]).toEqual([
        ...['approved', status, status],
      ]);
    }
    await owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [merchantId]);
  });

  it('that waits to leave is unknown once a record contradicts that nothing has left', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    const id = await post();
    await setColumns(programs.merchant, id, { alert: 'contradiction' });
    await deliver();
    expect(got.map(({ body }) => JSON.parse(body).data.status)).toEqual(['approved', 'unknown']);
    expect((await programs.getPayout(id, key)).body.status).toBe('unknown');
  });

  it('is told of in the transaction that changes it, or not at all', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await programs.merchant.owner.query(
      `CREATE FUNCTION outbox_fails() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the outbox is full'; END $$`,
    );
    await programs.merchant.owner.query(
      'CREATE TRIGGER fails BEFORE INSERT ON api_deliveries FOR EACH ROW EXECUTE FUNCTION outbox_fails()',
    );
    const before = await movements();
    const given = { ...key, idempotencyKey: randomUUID(), body: aPayout() };
    const cut = await programs.postPayout(given);
    await programs.merchant.owner.query('DROP TRIGGER fails ON api_deliveries');
    await programs.merchant.owner.query('DROP FUNCTION outbox_fails()');
    expect([cut.status, await movements()]).toEqual([503, before]);
    expect((await programs.postPayout(given)).status).toBe(201);
    await deliver();
    expect(got).toHaveLength(1);
  });

  it('is not told of without an endpoint, and neither is a payout of a person', async () => {
    await post();
    await outgoing.setEndpoint(person('owner'), url);
    const { readyMovements } = await import('#lib/movements/testing/stored.ts');
    await readyMovements(programs.merchant, 2);
    await deliver();
    expect(got).toEqual([]);
  });
});

async function movements(): Promise<number> {
  const { rows } = await programs.merchant.owner.query(
    'SELECT count(*)::int AS n FROM movements WHERE merchant_id = $1',
    [programs.merchant.merchantId],
  );
  return rows[0].n as number;
}

describe('a batch of a program', () => {
  it('is told of when it runs, is done or stops, and its rows when they end', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    const body = { wallet: WALLET, currency: 'TRY', rows: [aRow()] };
    const { body: batch } = await programs.postBatch({
      ...{ ...key, idempotencyKey: randomUUID(), body },
    });
    while (await programs.web.batches.feedOneBatch(programs.merchant.merchantId));
    await programs.web.batches.stopBatch(person('owner'), batch.id);
    await deliver();
    for (const { body: text } of got) expectDocumented(JSON.parse(text));
    const told = got.map(({ body: text }) => JSON.parse(text).data);
    expect(told.map(({ object, status }) => `${object} ${status}`)).toEqual(
      expect.arrayContaining(['batch running', 'batch stopped', 'payout cancelled']),
    );
  });
});

describe('a batch of a program that nobody approved in time', () => {
  it('has one message that says so, also when two workers look at once', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    const { merchantId } = programs.merchant;
    const [late, young] = [await waitingBatch('25 hours'), await waitingBatch('23 hours')];
    await deliver();
    got.length = 0;
    await Promise.all([noteExpired(merchantId), noteExpired(merchantId)]);
    await noteExpired(merchantId);
    await deliver();
    expect(got.map(({ body }) => JSON.parse(body).data)).toEqual([
      { object: 'batch', id: late, status: 'expired', hold: null },
    ]);
    expect((await programs.getBatch(late, key)).body.status).toBe('expired');
    expect((await programs.getBatch(young, key)).body.status).toBe('waiting');
  });

  it.each(['stopped', 'a person’s own', 'days old'])(
    'that is %s has no such message',
    async (what) => {
      await outgoing.setEndpoint(person('owner'), url);
      const id = await waitingBatch(what === 'days old' ? '73 hours' : '25 hours');
      if (what === 'stopped') await unguarded('batch_runs', 'SET stopped_at = now()', id);
      if (what === 'a person’s own')
        await unguarded('api_intents', 'SET subject_id = gen_random_uuid()', id);
      await deliver();
      got.length = 0;
      await noteExpired(programs.merchant.merchantId);
      await deliver();
      expect(got.filter(({ body }) => body.includes(id))).toEqual([]);
    },
  );
});

/** The reference describes the message: every field, and no other. */
function expectDocumented(message: { type: string }): void {
  const schema = message.type === 'batch.updated' ? batchMessage : payoutMessage;
  expect(schema.parse(message)).toEqual(message);
}

/** A batch that its person's limit lets wait for an approval, submitted so long ago. */
async function waitingBatch(ago: string): Promise<string> {
  const { merchantId, owner } = programs.merchant;
  await owner.query('ALTER TABLE person_limits DISABLE TRIGGER USER');
  await owner.query(
    `INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, set_by, reason)
      VALUES ($1, $2, 'TRY', 10000, $3, 'test')`,
    [merchantId, person('owner').personId, person('approver').personId],
  );
  const body = { wallet: WALLET, currency: 'TRY', rows: [aRow({ amount: '100.01' })] };
  const made = await programs.postBatch({ ...key, idempotencyKey: randomUUID(), body });
  await owner.query('DELETE FROM person_limits WHERE merchant_id = $1', [merchantId]);
  await owner.query('ALTER TABLE person_limits ENABLE TRIGGER USER');
  const change = `SET began_at = began_at - interval '${ago}'`;
  await unguarded('batch_runs', change, made.body.id);
  return made.body.id as string;
}

/** Changes a row of a batch in a way in which the product changes none. */
async function unguarded(table: string, change: string, batchId: string): Promise<void> {
  const { owner } = programs.merchant;
  const column = table === 'batch_runs' ? 'batch_id' : 'subject_id';
  await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await owner.query(`UPDATE ${table} ${change} WHERE ${column} = $1`, [batchId]);
  await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

describe('a message', () => {
  it('that is not taken waits longer each time, is the same each time, and is given up after a day', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await outgoing.sendPing(person('owner'));
    answers = [500, 302, 404];
    const waits: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      await dueNow();
      await deliver();
      const [shown] = await outgoing.listDeliveries(person('owner'), { failed: true });
      expect(shown).toMatchObject({ state: 'again', tries: tries + 1 });
      waits.push(Date.parse(shown!.nextAt!) - Date.now());
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(
      new Set(got.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size,
    ).toBe(1);
    await programs.merchant.owner.query('ALTER TABLE api_deliveries DISABLE TRIGGER USER');
    await programs.merchant.owner.query(
      `UPDATE api_deliveries SET at = at - interval '24 hours' WHERE merchant_id = $1`,
      [programs.merchant.merchantId],
    );
    await programs.merchant.owner.query('ALTER TABLE api_deliveries ENABLE TRIGGER USER');
    answers = [500];
    await dueNow();
    await deliver();
    const [over] = await outgoing.listDeliveries(person('owner'), { failed: true });
    expect(over).toMatchObject({ state: 'given_up', status: 500, nextAt: null });
  });

  it('is sent again by hand as the same message, and shows what was answered', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await outgoing.sendPing(person('owner'));
    await deliver();
    const [first] = await outgoing.listDeliveries(person('owner'), { failed: false });
    expect(first).toMatchObject({ state: 'delivered', status: 200, tries: 1 });
    await outgoing.sendAgain(person('owner'), first!.id);
    await deliver();
    expect(got[1]!.headers['webhook-id']).toBe(got[0]!.headers['webhook-id']);
    expect(got[1]!.body).toBe(got[0]!.body);
  });

  it('of a worker that died in between is sent by the next one', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await outgoing.sendPing(person('owner'));
    // What the dead worker had committed: the claim.
    await programs.merchant.owner.query(
      `UPDATE api_deliveries SET tries = 1, next_at = now() + interval '1 minute'
        WHERE merchant_id = $1`,
      [programs.merchant.merchantId],
    );
    await deliver();
    expect(got).toHaveLength(0);
    await dueNow();
    await deliver();
    expect(got).toHaveLength(1);
  });

  it('to a server that is gone says why', async () => {
    await outgoing.setEndpoint(person('owner'), 'http://127.0.0.1:9/hook');
    await outgoing.sendPing(person('owner'));
    await deliver();
    const [shown] = await outgoing.listDeliveries(person('owner'), { failed: true });
    expect(shown).toMatchObject({ status: null, fault: 'ECONNREFUSED', state: 'again' });
  });
});

describe('the endpoint', () => {
  it('changes its secret with a day in which both sign, and is sealed with the newest key', async () => {
    const first = (await outgoing.setEndpoint(person('owner'), url)).secret!;
    const { secret } = await outgoing.rotateSecret(person('owner'));
    await outgoing.sendPing(person('owner'));
    await deliver();
    expect([isSigned(got[0]!, first), isSigned(got[0]!, secret)]).toEqual([true, true]);
    await programs.merchant.owner.query(
      `UPDATE api_endpoints SET old_until = now() - interval '1 second' WHERE merchant_id = $1`,
      [programs.merchant.merchantId],
    );
    await outgoing.sendPing(person('owner'));
    await deliver();
    expect([isSigned(got[1]!, first), isSigned(got[1]!, secret)]).toEqual([false, true]);
    await reseal(programs.merchant.merchantId);
    const { rows } = await programs.merchant.owner.query(
      'SELECT e::text AS row, old_secret_sealed FROM api_endpoints e WHERE merchant_id = $1',
      [programs.merchant.merchantId],
    );
    expect(rows[0].old_secret_sealed).toBeNull();
    expect(rows[0].row).not.toContain(secret.slice(6, 20));
  });

  it('signs with the last five secrets of a day, because an answer with a new one can be lost', async () => {
    const made = [(await outgoing.setEndpoint(person('owner'), url)).secret!];
    for (let times = 0; times < 5; times++)
      made.unshift((await outgoing.rotateSecret(person('owner'))).secret);
    await outgoing.sendPing(person('owner'));
    await reseal(programs.merchant.merchantId);
    await deliver();
    expect(made.map((secret) => isSigned(got[0]!, secret))).toEqual([
      ...[true, true, true, true, true],
      false,
    ]);
    await programs.merchant.owner.query(
      `UPDATE api_endpoints SET old_until = now() - interval '1 second' WHERE merchant_id = $1`,
      [programs.merchant.merchantId],
    );
    const secret = (await outgoing.rotateSecret(person('owner'))).secret;
    await outgoing.sendPing(person('owner'));
    await deliver();
    expect([secret, ...made].map((one) => isSigned(got[1]!, one))).toEqual([
      ...[true, true],
      ...[false, false, false, false, false],
    ]);
  });

  it('keeps the end of each former secret, so that a later change lengthens none of them', async () => {
    const { merchantId, owner: database } = programs.merchant;
    const first = (await outgoing.setEndpoint(person('owner'), url)).secret!;
    const second = (await outgoing.rotateSecret(person('owner'))).secret;
    const { openFormer, sealFormer } = await import('./secret.ts');
    const anHour = 60 * 60_000;
    // Twenty-three hours have passed since the first change.
    await database.query('UPDATE api_endpoints SET old_secret_sealed = $2 WHERE merchant_id = $1', [
      merchantId,
      sealFormer(merchantId, [{ secret: first, until: Date.now() + anHour }]),
    ]);
    const third = (await outgoing.rotateSecret(person('owner'))).secret;
    const { rows } = await database.query(
      'SELECT old_secret_sealed AS sealed, old_until AS until FROM api_endpoints WHERE merchant_id = $1',
      [merchantId],
    );
    const former = openFormer(merchantId, rows[0].sealed, rows[0].until);
    expect(former.map(({ secret, until }) => [secret, until > Date.now() + anHour])).toEqual([
      [second, true],
      [first, false],
    ]);
    await database.query('UPDATE api_endpoints SET old_secret_sealed = $2 WHERE merchant_id = $1', [
      merchantId,
      sealFormer(merchantId, [
        { secret: second, until: Date.now() + anHour },
        { secret: first, until: Date.now() - 1 },
      ]),
    ]);
    await outgoing.sendPing(person('owner'));
    await deliver();
    expect([third, second, first].map((one) => isSigned(got[0]!, one))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('keeps its secret when its address changes, and is an owner’s to change', async () => {
    const { secret } = await outgoing.setEndpoint(person('owner'), url);
    expect(await outgoing.setEndpoint(person('owner'), `${url}/2`)).toEqual({ secret: null });
    await outgoing.sendPing(person('owner'));
    await deliver();
    expect(isSigned(got[0]!, secret!)).toBe(true);
    for (const work of [
      outgoing.setEndpoint(person('approver'), url),
      outgoing.rotateSecret(person('approver')),
      outgoing.removeEndpoint(person('approver')),
      outgoing.sendPing(person('approver')),
      outgoing.viewEndpoint(person('clerk')),
    ])
      expect(await code(work)).toBe('not_allowed');
    expect((await outgoing.viewEndpoint(person('approver'))).endpoint?.url).toBe(`${url}/2`);
  });

  it.each(['http://example.com/x', 'https://10.0.0.1/x', 'https://user:pw@example.com/', 'x'])(
    'at %s is refused',
    async (address) => {
      expect(await code(outgoing.setEndpoint(person('owner'), address))).toBe('endpoint_address');
    },
  );

  it('that is stored and not public gets nothing, whoever stored it', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await outgoing.sendPing(person('owner'));
    await programs.merchant.owner.query(
      `UPDATE api_endpoints SET url = 'https://10.0.0.1/hook' WHERE merchant_id = $1`,
      [programs.merchant.merchantId],
    );
    await deliver();
    const [shown] = await outgoing.listDeliveries(person('owner'), { failed: true });
    expect(shown).toMatchObject({ status: null, fault: 'not_public', state: 'again' });
  });

  it('that was removed gets nothing, and what waited for it is given up', async () => {
    await outgoing.setEndpoint(person('owner'), url);
    await outgoing.sendPing(person('owner'));
    await outgoing.removeEndpoint(person('owner'));
    await deliver();
    expect(got).toEqual([]);
    const [shown] = await outgoing.listDeliveries(person('owner'), { failed: false });
    expect(shown).toMatchObject({ state: 'given_up', fault: 'no_endpoint' });
    expect(await code(outgoing.sendAgain(person('owner'), shown!.id))).toBe('endpoint_none');
  });
});
