import { expect, it } from 'vitest';
import { isDatabaseAway, onceThere } from './database-away.ts';

const coded = (code: string): Error => Object.assign(new Error('x'), { code });

it.each([
  ...['57P01', '57P02', '57P03', '08006', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH'],
])('a statement that fails with %s has lost its database', (code) =>
  expect(isDatabaseAway(coded(code))).toBe(true),
);

it.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'Query read timeout',
])('"%s" means that the database is away', (message) =>
  expect(isDatabaseAway(new Error(message))).toBe(true),
);

it.each([coded('23505'), coded('57014'), coded('ERR_INVALID_ARG_TYPE'), new Error('x'), 'x', null])(
  '%s is a fault of the statement',
  (error) => expect(isDatabaseAway(error)).toBe(false),
);

it('a reading with a fault of its own is not repeated, and one without a database not for ever', async () => {
  let reads = 0;
  const failing = (error: Error) => async (): Promise<never> => {
    reads += 1;
    throw error;
  };
  await expect(onceThere(failing(coded('22012')))).rejects.toMatchObject({ code: '22012' });
  expect(reads).toBe(1);
  await expect(onceThere(failing(coded('57P01')), 0)).rejects.toMatchObject({ code: '57P01' });
  expect(reads).toBe(2);
});
