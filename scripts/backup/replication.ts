/**
 * PostgreSQL's replication protocol, as far as a backup needs it: a base backup and the write-ahead
 * log as streams of bytes. Source: PostgreSQL's documentation, "Streaming Replication Protocol".
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { Refused } from '../refused.ts';

const CONNECT_MS = 10_000;
/** A connection that is idle for so long is probed by TCP: its server's machine may be gone. */
const KEEP_ALIVE_MS = 10_000;
/** A letter at the beginning of each message of a base backup: a new archive, data. */
const [NEW_ARCHIVE, DATA] = [Buffer.from('n')[0], Buffer.from('d')[0]];

/** The parts of the driver's connection that its types do not have. */
type Connection = {
  query(text: string): void;
  stream: { pause(): void; resume(): void };
  sendCopyFromChunk(chunk: Buffer): void;
};

/**
 * A connection that may replicate. `url`: of a superuser or a role with REPLICATION.
 *
 * @throws Refused when the server does not let it in
 */
export async function connectReplication(url: string): Promise<pg.Client> {
  const config = {
    connectionString: url,
    replication: 'true',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const client = new pg.Client(config as pg.ClientConfig);
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new Refused(
      `The database does not let a backup in: ${(error as Error).message}. It needs a role with ` +
        'REPLICATION, and a line "replication" for it in pg_hba.conf.',
    );
  }
  return client;
}

/**
 * The data folder of the running server as one tar archive, with the write-ahead log that makes it
 * consistent. The server goes on working meanwhile.
 *
 * @throws Refused for a server with tablespaces
 */
export function baseBackup(client: pg.Client, label: string): AsyncIterable<Buffer> {
  let archives = 0;
  return copied(
    client,
    `BASE_BACKUP (LABEL ${pg.escapeLiteral(label)}, CHECKPOINT 'fast', WAL true, MANIFEST 'no')`,
    (message) => {
      if (message[0] === NEW_ARCHIVE && ++archives > 1)
        throw new Refused('A database with tablespaces of its own cannot be backed up so.');
      return message[0] === DATA ? message.subarray(1) : null;
    },
  );
}

/** A piece of the write-ahead log. `at`: the position of its first byte. */
export type WalPiece = { at: bigint; bytes: Buffer };
/** The write-ahead log as it is written. `kept`: everything before this position is on disk here. */
export type WalStream = { pieces: AsyncIterable<WalPiece>; kept(position: bigint): void };

/** Follows the write-ahead log from a position on, which `slot` keeps the server from removing. */
export function followWal(client: pg.Client, slot: string, from: bigint): WalStream {
  const { connection } = client as unknown as { connection: Connection };
  let position = from;
  const report = (): void => {
    const status = Buffer.alloc(34);
    status.write('r');
    for (const offset of [1, 9, 17]) status.writeBigUInt64BE(position, offset);
    connection.sendCopyFromChunk(status);
  };
  const messages = copied(
    client,
    `START_REPLICATION SLOT ${pg.escapeIdentifier(slot)} PHYSICAL ${lsnText(from)}`,
    (message) => {
      const kind = String.fromCharCode(message[0] ?? 0);
      if (kind === 'k' && message[17] === 1) report();
      return kind === 'w' ? message.subarray(1) : null;
    },
  );
  async function* pieces(): AsyncGenerator<WalPiece> {
    for await (const message of messages)
      yield { at: message.readBigUInt64BE(0), bytes: message.subarray(24) };
  }
  return {
    pieces: pieces(),
    kept: (now) => {
      position = now;
      report();
    },
  };
}

/** '0/1A2B3C' as PostgreSQL writes a position in its log. */
export function lsnText(position: bigint): string {
  const hex = (part: bigint): string => part.toString(16).toUpperCase();
  return `${hex(position >> 32n)}/${hex(position & 0xffffffffn)}`;
}

export function readLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/**
 * Runs a command whose response is a copy, and gives what `take` makes of each message. The server
 * waits while nobody reads.
 */
async function* copied(
  client: pg.Client,
  command: string,
  take: (message: Buffer) => Buffer | null,
): AsyncGenerator<Buffer> {
  const messages = new PassThrough({ objectMode: true, highWaterMark: 64 });
  // A connection that breaks must not look like the end of the copy. Whoever reads gets the error;
  // when nobody reads any more, it is of no use.
  messages.on('error', () => {});
  client.on('end', () => messages.destroy(new Refused('The database ended the connection.')));
  client.query(new CopyQuery(command, take, messages) as unknown as pg.Submittable);
  yield* messages as AsyncIterable<Buffer>;
}

/** A query of the driver that hands on the messages of a copy. */
class CopyQuery {
  private readonly command: string;
  private readonly take: (message: Buffer) => Buffer | null;
  private readonly messages: PassThrough;
  private isPaused = false;

  constructor(command: string, take: (message: Buffer) => Buffer | null, messages: PassThrough) {
    this.command = command;
    this.take = take;
    this.messages = messages;
  }

  submit(connection: Connection): void {
    connection.query(this.command);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection): void {
    try {
      const taken = this.take(chunk);
      // The driver uses the memory of a message again.
      if (taken === null || this.messages.write(Buffer.from(taken))) return;
    } catch (error) {
      this.messages.destroy(error as Error);
      return;
    }
    if (this.isPaused) return;
    this.isPaused = true;
    stream.pause();
    const goOn = (): void => {
      this.isPaused = false;
      stream.resume();
    };
    void once(this.messages, 'drain').then(goOn, goOn);
  }

  handleError(error: Error): void {
    this.messages.destroy(new Refused(`The database ended the backup: ${error.message}`));
  }

  handleReadyForQuery(): void {
    this.messages.end();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
