import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { counter } from '#lib/runtime/metrics.ts';
import { ownFigures } from './own-figures.ts';

/** What a worker reports of itself with its heartbeat. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const countRequest = counter('dashboard_provider_requests_total', 'Requests.');
const countFailure = counter('dashboard_checkpoint_failures_total', 'Failures.');

test('requests are reported for ten minutes, also the first of their kind, and none of before', async () => {
  countRequest({ provider: 'wallet', response: 200 }, 7);
  const read = ownFigures(tmpdir());
  const requests = async () => (await read(new Map())).requests;
  expect(await requests()).toEqual([]);
  vi.advanceTimersByTime(5_000);
  countRequest({ provider: 'wallet', response: 200 });
  countRequest({ provider: 'wallet', response: 'circuit_open' }, 3);
  const recent = [
    { provider: 'wallet', response: '200', count: 1 },
    { provider: 'wallet', response: 'circuit_open', count: 3 },
  ];
  expect(await requests()).toEqual(recent);
  vi.advanceTimersByTime(599_000);
  expect(await requests()).toEqual(recent);
  vi.advanceTimersByTime(2_000);
  expect(await requests()).toEqual([]);
});

test('failed checkpoints of both files are added up', async () => {
  const read = ownFigures(tmpdir());
  await read(new Map());
  countFailure({ file: 'mark' }, 2);
  countFailure({ file: 'audit' });
  expect((await read(new Map())).failedCheckpoints).toBe(3);
});

test('a folder whose disk cannot be asked has no free bytes to report, and the queues are', async () => {
  const read = ownFigures('/nowhere/at/all');
  expect(await read(new Map([['movements', 250]]))).toMatchObject({
    diskFree: null,
    late: { movements: 250 },
  });
});
