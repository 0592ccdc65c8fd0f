import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Notification } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openProcess } from '#lib/testing/database.ts';
import type * as Deliveries from './deliveries.ts';
import { openPrograms } from '../testing/program.ts';
import type { Programs } from '../testing/program.ts';

/** What a person sends by hand is sent at once, also while an earlier try is still open. */

let programs: Programs;
let worker: Awaited<ReturnType<typeof openProcess>>;
let deliveries: typeof Deliveries;
let deliverOne: (merchantId: string) => Promise<boolean>;
let server: Server;
/** The requests that the receiver has not answered. */
let open: ServerResponse[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => open.push(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  programs = await openPrograms();
  deliveries = await import('./deliveries.ts');
  const { setEndpoint } = await import('./endpoint.ts');
  const { port } = server.address() as AddressInfo;
  await setEndpoint(owner(), `http://127.0.0.1:${port}/hook`);
  worker = await openProcess('dashboard_worker');
  ({ deliverOne } = await import('./deliver.ts'));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await worker.db.disconnect();
  await programs.close();
});
beforeEach(async () => {
  open = [];
  await programs.merchant.owner.query('DELETE FROM api_deliveries WHERE merchant_id = $1', [
    programs.merchant.merchantId,
  ]);
});

const owner = () => programs.merchant.person('owner');
const deliver = () => deliverOne(programs.merchant.merchantId);
const shown = async (): Promise<Deliveries.DeliveryRow> =>
  (await deliveries.listDeliveries(owner(), { failed: false }))[0]!;
async function answerNext(status: number): Promise<void> {
  await vi.waitFor(() => expect(open).toHaveLength(1), 15_000);
  open.shift()!.writeHead(status).end();
}

it.each([500, 200])(
  'a press during a try is not lost when the try is answered with %i',
  async (status) => {
    await deliveries.sendPing(owner());
    const first = deliver();
    await vi.waitFor(() => expect(open).toHaveLength(1), 15_000);
    await deliveries.sendAgain(owner(), (await shown()).id);
    await answerNext(status);
    expect(await first).toBe(true);
    expect(await shown()).toMatchObject({ status, tries: 1 });
    const second = deliver();
    await answerNext(200);
    expect(await second, 'sent once more at once').toBe(true);
    expect(await shown()).toMatchObject({ state: 'delivered', tries: 2, nextAt: null });
    expect(await deliver(), 'and no third time').toBe(false);
  },
);

it('a press wakes the workers: a first message and a repeated one', async () => {
  expect(await wakesWorkers(() => deliveries.sendPing(owner()))).toBe(true);
  const { id } = await shown();
  expect(await wakesWorkers(() => deliveries.sendAgain(owner(), id))).toBe(true);
});

/** Whether the transaction that announces its change to the pages also wakes the workers. */
async function wakesWorkers(work: () => Promise<void>): Promise<boolean> {
  const connection = await programs.merchant.owner.connect();
  const announced: Notification[] = [];
  connection.on('notification', (one) => announced.push(one));
  try {
    await connection.query('LISTEN due; LISTEN dashboard');
    await work();
    const change = await vi.waitFor(() => {
      const own = announced.find(({ payload }) => payload?.includes(owner().merchantId));
      if (own === undefined) throw new Error('no change was announced');
      return own;
    }, 15_000);
    // Other files of tests wake workers too; an audit entry wakes its own lane with another text.
    return announced.some(
      ({ channel, payload, processId }) =>
        channel === 'due' && payload === '' && processId === change.processId,
    );
  } finally {
    connection.release(true);
  }
}
