import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { baseBackup, followWal, lsnText, readLsn } from './replication.ts';

type Query = {
  submit(connection: unknown): void;
  handleCopyData(message: { chunk: Buffer }, connection: unknown): void;
  handleReadyForQuery(): void;
};

/** A server that sends these messages, and then says that all was sent, or breaks the connection. */
function server(messages: readonly string[], end: 'complete' | 'broken'): pg.Client {
  const connection = { query: () => undefined, stream: { pause() {}, resume() {} } };
  const client = Object.assign(new EventEmitter(), {
    query(query: Query) {
      query.submit(connection);
      for (const text of messages) query.handleCopyData({ chunk: Buffer.from(text) }, connection);
      void nextTurn().then(() =>
        end === 'complete' ? query.handleReadyForQuery() : client.emit('end'),
      );
    },
  });
  return client as unknown as pg.Client;
}

const whole = async (pieces: AsyncIterable<Buffer>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(pieces)).toString();

test('a base backup is the data of its one archive', async () => {
  const sent = ['nbase.tar', 'dabc', 'p12345678', 'ddef'];
  expect(await whole(baseBackup(server(sent, 'complete'), 'x'))).toBe('abcdef');
});

test('a base backup whose connection breaks is never taken for a whole one', async () => {
  await expect(whole(baseBackup(server(['nbase.tar', 'dabc'], 'broken'), 'x'))).rejects.toThrow(
    'ended the connection',
  );
});

test('a second archive is refused: the database has tablespaces of its own', async () => {
  const sent = ['nbase.tar', 'dabc', 'n16385.tar'];
  await expect(whole(baseBackup(server(sent, 'complete'), 'x'))).rejects.toThrow('tablespaces');
});

test.each(['0/0', '0/3000028', '1A/FF000000'])('the position %s is read and written', (text) => {
  expect(lsnText(readLsn(text))).toBe(text);
});

/** A message of the log: 24 bytes of positions and time, and then the content. */
function logAt(position: bigint, content: string): Buffer {
  const head = Buffer.alloc(25);
  head.write('w');
  head.writeBigUInt64BE(position, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}
/** A sign of life of the server, whose end of the log is far ahead. */
function signOfLife(asksForAnswer: boolean): Buffer {
  const message = Buffer.alloc(18);
  message.write('k');
  message.writeBigUInt64BE(0xffffffffffn, 1);
  message[17] = asksForAnswer ? 1 : 0;
  return message;
}
const positionsOf = (status: Buffer): bigint[] =>
  [1, 9, 17].map((offset) => status.readBigUInt64BE(offset));

test('the server gets the position that is on disk when it asks, and whenever there is more', async () => {
  const answers: bigint[][] = [];
  const connection = {
    query: () => undefined,
    stream: { pause() {}, resume() {} },
    sendCopyFromChunk: (status: Buffer) => void answers.push(positionsOf(status)),
  };
  const from = readLsn('0/3000000');
  const client = Object.assign(new EventEmitter(), {
    connection,
    query(query: Query) {
      query.submit(connection);
      for (const chunk of [signOfLife(false), signOfLife(true), logAt(from, 'abc')])
        query.handleCopyData({ chunk }, connection);
      void nextTurn().then(() => query.handleReadyForQuery());
    },
  }) as unknown as pg.Client;
  const stream = followWal(client, 'slot', from);
  const pieces = await Array.fromAsync(stream.pieces);
  expect(pieces).toEqual([{ at: from, bytes: Buffer.from('abc') }]);
  expect(answers).toEqual([[from, from, from]]);
  const kept = from + 3n;
  stream.kept(kept);
  expect(answers.at(-1)).toEqual([kept, kept, kept]);
});
