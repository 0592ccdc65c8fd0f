import 'server-only';
import { crc32, deflateRaw, deflateRawSync, constants } from 'node:zlib';

/**
 * A ZIP writer (APPNOTE 6.3.10) for streaming in independent pieces: each piece of an entry is
 * deflated separately and ends on a byte boundary, so that any process with the pieces of a file
 * can continue it. No entry reaches 4 GiB: exports have a row limit.
 */

const LEVEL = 1;
/**
 * The output buffer of the compressor, large enough for a whole piece: with Node's default of 16
 * KiB a piece takes ten calls.
 */
const CHUNK = 256 * 1_024;
/** The smallest output buffer, for short documents. */
const CHUNK_MIN = 1_024;
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Length and checksum follow the data; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** An empty last block, which ends the data deflated in pieces. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * `at` is the offset of its header in the file, `packed` includes all its pieces and the last
 * block.
 */
export type Entry = { name: string; at: number; crc: number; size: number; packed: number };

/** Deflates one piece of an entry's data, off the event loop. */
export function packPiece(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    deflateRaw(
      bytes,
      {
        level: LEVEL,
        chunkSize: Math.max(CHUNK_MIN, Math.min(CHUNK, bytes.length)),
        finishFlush: constants.Z_SYNC_FLUSH,
      },
      (error, packed) => (error ? reject(error) : resolve(packed)),
    );
  });
}

/** The header before an entry's data. */
export function entryHead(name: string, made: Date): Buffer {
  const bytes = Buffer.from(name, 'utf8');
  const head = Buffer.alloc(30);
  head.writeUInt32LE(LOCAL, 0);
  writeCommon(head, 4, made);
  head.writeUInt16LE(bytes.length, 26);
  return Buffer.concat([head, bytes]);
}

/** The data descriptor after an entry's data. */
export function entryTail({ crc, size, packed }: Entry): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(DESCRIPTOR, 0);
  tail.writeUInt32LE(crc, 4);
  tail.writeUInt32LE(packed, 8);
  tail.writeUInt32LE(size, 12);
  return Buffer.concat([LAST_BLOCK, tail]);
}

/** The number of bytes that {@link entryTail} adds to an entry's data. */
export const TAIL_PACKED = LAST_BLOCK.length;

/** A complete short entry. */
export function wholeEntry(
  name: string,
  text: string,
  at: number,
  made: Date,
): { entry: Entry; bytes: Buffer } {
  const data = Buffer.from(text, 'utf8');
  const packed = deflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
  const entry: Entry = {
    name,
    at,
    crc: crc32(data),
    size: data.length,
    packed: packed.length + TAIL_PACKED,
  };
  return { entry, bytes: Buffer.concat([entryHead(name, made), packed, entryTail(entry)]) };
}

/** A complete entry, deflated off the event loop. */
export async function packedEntry(
  name: string,
  data: Uint8Array,
  at: number,
  made: Date,
): Promise<{ entry: Entry; bytes: Buffer }> {
  const packed = await packPiece(data);
  const entry: Entry = {
    name,
    at,
    crc: crc32(data),
    size: data.length,
    packed: packed.length + TAIL_PACKED,
  };
  return { entry, bytes: Buffer.concat([entryHead(name, made), packed, entryTail(entry)]) };
}

/** A file of short entries only. */
export function wholeFile(all: readonly { name: string; text: string }[], made: Date): Buffer {
  const entries: Entry[] = [];
  const parts: Buffer[] = [];
  let at = 0;
  for (const { name, text } of all) {
    const { entry, bytes } = wholeEntry(name, text, at, made);
    entries.push(entry);
    parts.push(bytes);
    at += bytes.length;
  }
  return Buffer.concat([...parts, directory(entries, at, made)]);
}

/** The central directory at the end of the file. */
export function directory(entries: readonly Entry[], at: number, made: Date): Buffer {
  const all = entries.map((entry) => {
    const name = Buffer.from(entry.name, 'utf8');
    const row = Buffer.alloc(46);
    row.writeUInt32LE(CENTRAL, 0);
    row.writeUInt16LE(VERSION, 4);
    writeCommon(row, 6, made);
    row.writeUInt32LE(entry.crc, 16);
    row.writeUInt32LE(entry.packed, 20);
    row.writeUInt32LE(entry.size, 24);
    row.writeUInt16LE(name.length, 28);
    row.writeUInt32LE(entry.at, 42);
    return Buffer.concat([row, name]);
  });
  const rows = Buffer.concat(all);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(rows.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([rows, end]);
}

/** Version, flags, method and the time. ZIP times have no zone: these are UTC. */
function writeCommon(into: Buffer, at: number, made: Date): void {
  into.writeUInt16LE(VERSION, at);
  into.writeUInt16LE(FLAGS, at + 2);
  into.writeUInt16LE(DEFLATED, at + 4);
  into.writeUInt16LE(
    (made.getUTCHours() << 11) | (made.getUTCMinutes() << 5) | (made.getUTCSeconds() >> 1),
    at + 6,
  );
  into.writeUInt16LE(
    ((made.getUTCFullYear() - 1980) << 9) | ((made.getUTCMonth() + 1) << 5) | made.getUTCDate(),
    at + 8,
  );
}
