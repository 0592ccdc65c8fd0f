import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import { setColumns } from '#lib/movements/testing/stored.ts';
import { openedSession, outcomeOf } from '#lib/people/testing/people.ts';
import { clockOf, minuteOfDay } from '../quiet-hours.ts';
import { addUnknown, openTold } from '../testing/product.ts';
import type { Told } from '../testing/product.ts';
import type * as Devices from './devices.ts';

/** Notifications on devices, against a push service that answers over real HTTP. */

type Got = { path: string; headers: IncomingHttpHeaders; bytes: number };

let told: Told;
let devices: typeof Devices;
let server: Server;
let got: Got[];
/** The status that the push service answers; null: it breaks off after it has read everything. */
let status: number | null;

beforeEach(async () => {
  told = await openTold();
  ({ devices } = told.web);
  [got, status] = [[], 201];
  server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => (bytes += piece.length));
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, bytes });
      if (status === null) request.socket.destroy();
      else response.writeHead(status).end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await told.close();
});

const hostOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
function device(path: string, host = hostOf()): Devices.NewDevice {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return {
    endpoint: `${host}/${path}`,
    p256dh: ecdh.getPublicKey('base64url', 'uncompressed'),
    auth: randomBytes(16).toString('base64url'),
    identity: told.web.identity.pushIdentities()[0].publicKey,
    locale: 'en',
    agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  };
}
const add = (path: string, role: Role = 'clerk') =>
  devices.addPushDevice(told.merchant.person(role), device(path));
const push = () => told.worker.push(told.merchant.merchantId, told.worker.pushService());
const dueAgain = () =>
  told.query(`UPDATE push_sends SET due_at = now() WHERE merchant_id = $1 AND due_at IS NOT NULL`);
const devicesOf = async (role: Role) =>
  (await devices.viewPushSettings(told.merchant.person(role))).devices;
/** The clerk's quiet hours are the two hours around this minute of the day. */
const quiet = (around: number) =>
  told.web.choose(told.merchant.person('clerk'), {
    app: [],
    mail: [],
    push: ['movement_rejected'],
    quiet: { from: clockOf((around + 1380) % 1440), to: clockOf((around + 60) % 1440) },
  });

it('each device of the person gets each notification once, encrypted and signed by us', async () => {
  await add('desk');
  await add('phone');
  await add('other', 'approver');
  await told.rejected();
  await told.make();
  expect(await push()).toBe(2);
  expect(got.map(({ path }) => path).toSorted()).toEqual(['/desk', '/phone']);
  for (const { headers, bytes } of got) {
    expect(headers['content-encoding']).toBe('aes128gcm');
    expect(headers['authorization']).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=B[\w-]{86}$/);
    expect(bytes).toBeGreaterThan(100);
  }
  expect(await push(), 'once').toBe(0);
  expect(got).toHaveLength(2);
});

it('who has no device, has switched it off, or has read it meanwhile, is told nothing', async () => {
  await told.rejected();
  await told.make();
  await add('late');
  expect(await push(), 'added later').toBe(0);
  const clerk = told.merchant.person('clerk');
  await told.rejected();
  await told.make();
  await told.web.readAll(clerk, new Date(Date.now() + 1_000).toISOString());
  expect(await push(), 'read').toBe(0);
  const quiet = { from: '', to: '' };
  await told.web.choose(clerk, { app: ['movement_rejected'], mail: [], push: [], quiet });
  await told.rejected();
  await told.make();
  expect(await push(), 'switched off').toBe(0);
  expect(got).toEqual([]);
});

it('in quiet hours it waits until they end', async () => {
  await add('desk');
  const now = minuteOfDay(new Date().toISOString(), 'Europe/Istanbul');
  await quiet(now);
  await told.rejected();
  await told.make();
  expect(await push()).toBe(0);
  await quiet((now + 720) % 1440);
  expect(await push()).toBe(1);
});

it.each([404, 410])(
  'a subscription that is gone (%i) is removed and never asked again',
  async (code) => {
    await add('desk');
    await told.rejected();
    await told.make();
    status = code;
    expect(await push()).toBe(0);
    expect(await devicesOf('clerk')).toEqual([]);
    await dueAgain();
    expect(await push()).toBe(0);
    expect(got).toHaveLength(1);
  },
);

it.each([
  [429, true],
  [503, true],
  [400, false],
  [403, false],
  [null, false],
])('after the answer %s it is tried again is %s', async (answer, again) => {
  await add('desk');
  await told.rejected();
  await told.make();
  status = answer;
  expect(await push()).toBe(0);
  status = 201;
  expect(await push(), 'not at once').toBe(0);
  await dueAgain();
  expect(await push()).toBe(again ? 1 : 0);
  await dueAgain();
  expect(await push()).toBe(0);
});

it('what is tried again is told to nobody who has read it, is disabled, or is in quiet hours', async () => {
  const clerk = told.merchant.person('clerk');
  await add('desk');
  const refusedOnce = async () => {
    await told.rejected();
    await told.make();
    [status, got] = [503, []];
    expect(await push()).toBe(0);
    expect(got).toHaveLength(1);
    [status, got] = [201, []];
  };
  const again = async () => {
    await dueAgain();
    return push();
  };
  await refusedOnce();
  await told.web.readAll(clerk, new Date(Date.now() + 1_000).toISOString());
  expect(await again(), 'read').toBe(0);
  await refusedOnce();
  const now = minuteOfDay(new Date().toISOString(), 'Europe/Istanbul');
  await quiet(now);
  expect(await again(), 'quiet').toBe(0);
  await quiet((now + 720) % 1440);
  expect(await again(), 'after it').toBe(1);
  await refusedOnce();
  await told.query(
    'UPDATE people SET disabled_at = now() WHERE id = $2 AND merchant_id = $1',
    clerk.personId,
  );
  expect(await again(), 'disabled').toBe(0);
  expect(got).toEqual([]);
  await told.query(
    `UPDATE people SET disabled_at = CASE WHEN role = 'support' THEN now() END,
      provider_user_id = 'one login' WHERE merchant_id = $1 AND role IN ('clerk', 'support')`,
  );
  await told.rejected();
  await told.make();
  expect(await push(), 'disabled in another account of the same login').toBe(0);
  expect(got).toEqual([]);
});

it('an outcome that is known by now is not pushed as unknown, at once or tried again', async () => {
  await add('desk');
  const unknown = async () => {
    const id = await addUnknown(told);
    await told.make();
    return id;
  };
  await setColumns(told.merchant, await unknown(), { state: 'PENDING' });
  expect(await push()).toBe(0);
  expect(got).toEqual([]);
  const id = await unknown();
  status = 503;
  await push();
  expect(got).toHaveLength(1);
  status = 201;
  await setColumns(told.merchant, id, { state: 'PENDING' });
  await dueAgain();
  expect(await push()).toBe(0);
  expect(got).toHaveLength(1);
});

it('two workers at once tell each device once', async () => {
  await add('desk');
  for (let n = 0; n < 6; n += 1) await told.rejected();
  await told.make();
  await Promise.all([push(), push(), push()]);
  expect(got).toHaveLength(6);
});

it('a worker that dies while it sends one message leaves the others due', async () => {
  await add('desk');
  await add('phone');
  await told.rejected();
  await told.rejected();
  await told.make();
  let begun = (): void => undefined;
  const sending = new Promise<void>((resolve) => (begun = resolve));
  // It never learns what became of its message, and notes nothing.
  void told.other.push(told.merchant.merchantId, {
    send: () => {
      begun();
      return new Promise(() => undefined);
    },
  });
  await sending;
  expect(await push(), 'all but the one that may have been sent').toBe(3);
});

it('a worker that is stopped begins no further message: the others stay due for the next one', async () => {
  for (const path of ['desk', 'phone', 'tablet']) await add(path);
  await told.rejected();
  await told.make();
  const stopping = new AbortController();
  const service = told.worker.pushService();
  const slow: typeof service = {
    send: async (...message) => {
      stopping.abort();
      return service.send(...message);
    },
  };
  const { merchantId } = told.merchant;
  expect(await told.worker.push(merchantId, slow, stopping.signal)).toBe(1);
  expect(got).toHaveLength(1);
  expect(await push(), 'the other two devices').toBe(2);
});

it('a message that nobody needs any more keeps no later one back', async () => {
  await add('desk');
  const first = await told.rejected();
  await told.rejected();
  await told.make();
  status = 503;
  await push();
  [status, got] = [201, []];
  const clerk = told.merchant.person('clerk');
  const { rows } = await told.web.list(clerk, { view: 'all', place: null });
  await told.web.read(clerk, rows.find(({ href }) => href?.includes(first))!.id);
  await told.query(
    `UPDATE push_sends s SET due_at = CASE WHEN n.read_at IS NULL THEN now()
        ELSE now() - interval '1 hour' END
      FROM notifications n WHERE n.id = s.notification_id AND s.merchant_id = $1`,
  );
  expect(await push()).toBe(1);
  expect(got).toHaveLength(1);
});

it('only the person’s own device is removed, and a browser notifies one person alone', async () => {
  const [clerk, owner] = [told.merchant.person('clerk'), told.merchant.person('owner')];
  const same = device('shared');
  await devices.addPushDevice(clerk, same);
  const [{ id }] = (await devicesOf('clerk')) as [Devices.PushDevice];
  expect(await outcomeOf(devices.removePushDevice(owner, { id }))).toBe('not_found');
  await devices.addPushDevice(owner, same);
  expect([await devicesOf('clerk'), (await devicesOf('owner')).length]).toEqual([[], 1]);
  await devices.removePushDevice(owner, { endpoint: same.endpoint });
  await devices.removePushDevice(owner, { endpoint: same.endpoint });
  expect(await devicesOf('owner')).toEqual([]);
});

it('where all sessions of a person end, the devices of that person are removed, and no others', async () => {
  const { endSessionsOf } = await import('#lib/login/open-sessions.ts');
  const [clerk, owner] = [told.merchant.person('clerk'), told.merchant.person('owner')];
  const end = (actor: Person, which: string) =>
    told.web.process.db.inTransaction(told.merchant.merchantId, (tx) =>
      endSessionsOf(tx, actor, clerk.personId, which),
    );
  await add('others', 'approver');
  for (const by of [clerk, owner]) {
    await add('desk');
    const session = await openedSession(told.merchant, clerk.personId);
    await end(by, session);
    expect(await devicesOf('clerk'), 'one session ended').toHaveLength(1);
    await end(by, 'all');
    expect(await devicesOf('clerk'), 'all sessions ended').toEqual([]);
  }
  expect(await devicesOf('approver')).toHaveLength(1);
  await told.rejected();
  await told.make();
  expect(await push()).toBe(0);
  expect(got).toEqual([]);
  const removed = await told.query(
    `SELECT subject FROM audit_entries WHERE merchant_id = $1 AND action = 'person.push_removed'`,
  );
  expect(removed).toEqual(
    Array.from({ length: 2 }, () => ({ subject: `person:${clerk.personId}` })),
  );
});

it('no endpoint in a private network and no foreign key is stored', async () => {
  const clerk = told.merchant.person('clerk');
  for (const host of ['https://192.168.1.4', 'https://10.0.0.1:8080', 'http://push.example.com'])
    expect(await outcomeOf(devices.addPushDevice(clerk, device('x', host))), host).toBe(
      'push_endpoint',
    );
  const other = createECDH('prime256v1');
  other.generateKeys();
  const foreign = { ...device('x'), identity: other.getPublicKey('base64url', 'uncompressed') };
  expect(await outcomeOf(devices.addPushDevice(clerk, foreign))).toBe('push_endpoint');
  for (let n = 0; n < 10; n += 1) await add(`device-${n}`);
  expect(await outcomeOf(add('one-more'))).toBe('push_too_many');
});
