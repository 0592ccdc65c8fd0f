import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../ports.ts';
import { Patroni, type Member } from './patroni.ts';

/** What the drill reads of Patroni's REST interface. */

const member = (nth: number, role: string, more: Partial<Member> = {}): Member => ({
  name: `db${nth}`,
  role,
  state: role === 'leader' ? 'running' : 'streaming',
  timeline: 1,
  ...more,
});
const WHOLE = [member(1, 'leader'), member(2, 'sync_standby'), member(3, 'replica')];

/** Patroni on as many servers as there are answers; null: its server is away. */
async function patroni(answers: readonly (readonly Member[] | null)[]): Promise<Patroni> {
  const nodes = [];
  for (const [at, members] of answers.entries()) {
    let restPort = await freePort();
    if (members !== null) {
      const server = createServer((_request, response) =>
        response.end(JSON.stringify({ members })),
      ).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      restPort = (server.address() as AddressInfo).port;
    }
    nodes.push({ name: `db${at + 1}`, port: 1, restPort, data: '' });
  }
  return new Patroni(nodes);
}
const of = (members: readonly Member[]): Promise<Patroni> => patroni([members, members, members]);

test('the primary is the leader that runs; there is none while it starts or has stopped', async () => {
  expect(await (await of(WHOLE)).leader()).toBe('db1');
  const stopped = [member(1, 'leader', { state: 'stopped' }), ...WHOLE.slice(1)];
  expect(await (await of(stopped)).leader()).toBeUndefined();
});

test('another server is asked where one is away', async () => {
  expect(await (await patroni([null, WHOLE, WHOLE])).leader()).toBe('db1');
  await expect((await patroni([null, null, null])).members()).rejects.toThrow();
});

test('standbys are named by their role', async () => {
  expect(await (await of(WHOLE)).standbys()).toEqual({ sync: 'db2', async: 'db3' });
});

test.each([
  ['every server follows one primary', WHOLE, true],
  ['a server has not come back', WHOLE.slice(0, 2), false],
  ['a server starts', [...WHOLE.slice(0, 2), member(3, 'replica', { state: 'starting' })], false],
  ['no standby is synchronous', [WHOLE[0]!, member(2, 'replica'), WHOLE[2]!], false],
  [
    'a standby is on a former timeline',
    [...WHOLE.slice(0, 2), member(3, 'replica', { timeline: 0 })],
    false,
  ],
])('a cluster is whole only while no server is missing: %s', async (_what, members, isWhole) => {
  expect(await (await of(members)).isWhole()).toBe(isWhole);
});
