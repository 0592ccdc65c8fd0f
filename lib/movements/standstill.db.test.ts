import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { exchange } from '../providers/transport.ts';
import { fakePorts, fakeProvider } from './testing/fake-provider.ts';
import { LONGEST_DUE, readyMovements, rowOf, setColumns } from './testing/stored.ts';

/**
 * A little longer than a send may wait before it begins (claim-rules.ts). The lease is longer than
 * that by the deadline of the socket.
 */
const STILL_MS = 14_000;

let merchant: TestMerchant;
let worker: Process;
let arrived = 0;
const provider = createServer((_request, response) => {
  arrived += 1;
  response.end();
});

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  provider.close();
  await worker.db.disconnect();
  await merchant.close();
});

it.each([
  [0, 'UNKNOWN', true],
  [STILL_MS, 'APPROVED', false],
])(
  'an event loop that stands still for %i ms between the claim and the request: nothing leaves when that was too long',
  async (stillMs, state, leaves) => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await setColumns(merchant, id, { next_at: LONGEST_DUE });
    arrived = 0;
    const fake = fakeProvider({
      send: async (_movement, beforeWrite) => {
        // Blocks this whole process: no timer fires, and no answer of the database is handled.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillMs);
        const answer = await exchange({
          method: 'POST',
          url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`,
          body: '{}',
          beforeWrite,
        });
        const raw = { raw: null, code: null, message: null };
        return answer.kind === 'not_sent'
          ? { ...raw, kind: 'not_sent', why: answer.why }
          : { ...raw, kind: 'unclear', why: 'garbage' };
      },
    });
    await worker.advance.advanceOne(fakePorts(merchant.merchantId, fake));
    expect(arrived).toBe(leaves ? 1 : 0);
    expect(await rowOf(merchant, id)).toMatchObject({
      state,
      ever_ambiguous: leaves,
      not_sent_tries: leaves ? 0 : 1,
    });
  },
);
