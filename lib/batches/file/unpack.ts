import 'server-only';
import { crc32, inflateRawSync } from 'node:zlib';
import { Refusal } from '#lib/access/refusal.ts';

/**
 * Reads the parts of a workbook from its ZIP file (APPNOTE 6.3.10), each only when it is asked for.
 * The bytes of a part are counted while it is unpacked, so that a file whose header names too small
 * a size is refused as well.
 */

const END = 0x06054b50;
const END_LENGTH = 22;
const COMMENT_MAX = 0xffff;
const CENTRAL = 0x02014b50;
const CENTRAL_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const PARTS_MAX = 2_000;
/** What one part, and what all parts that are read, may unpack to: 10,000 rows need 10 MiB. */
const PART_BYTES_MAX = 48 * 1024 * 1024;
const ALL_BYTES_MAX = 64 * 1024 * 1024;

type Part = { method: number; crc: number; packed: number; size: number; at: number };

export type Unpacked = {
  names: readonly string[];
  /** Null when there is no part of that name. @throws Refusal `file_broken`, `file_unpacks_too_large` */
  read(name: string): string | null;
};

/** @throws Refusal `file_broken`, `file_encrypted` */
export function unpack(file: Uint8Array): Unpacked {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const parts = directoryOf(bytes);
  let left = ALL_BYTES_MAX;
  return {
    names: [...parts.keys()],
    read(name) {
      const part = parts.get(name.toLowerCase());
      if (part === undefined) return null;
      const content = contentOf(bytes, part, Math.min(left, PART_BYTES_MAX));
      left -= content.length;
      return content.toString('utf8').replace(/^\ufeff/, '');
    },
  };
}

/** Part names of a workbook are compared without case (ECMA-376 part 2, 6.2.2.3). */
function directoryOf(bytes: Buffer): Map<string, Part> {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const parts = new Map<string, Part>();
  let at = bytes.readUInt32LE(end + 16);
  if (count > PARTS_MAX) throw new Refusal('file_broken');
  for (let n = 0; n < count; n += 1) {
    if (at + CENTRAL_LENGTH > end || bytes.readUInt32LE(at) !== CENTRAL)
      throw new Refusal('file_broken');
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw new Refusal('file_encrypted');
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + CENTRAL_LENGTH, at + CENTRAL_LENGTH + nameLength);
    const key = name.toLowerCase();
    // Two parts of one name: two programs would read two different workbooks.
    if (parts.has(key)) throw new Refusal('file_broken');
    parts.set(key, {
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at += CENTRAL_LENGTH + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return parts;
}

function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_LENGTH - COMMENT_MAX);
  for (let at = bytes.length - END_LENGTH; at >= first; at -= 1)
    if (bytes.readUInt32LE(at) === END) return at;
  throw new Refusal('file_broken');
}

function contentOf(bytes: Buffer, part: Part, max: number): Buffer {
  if (part.at + LOCAL_LENGTH > bytes.length || bytes.readUInt32LE(part.at) !== LOCAL)
    throw new Refusal('file_broken');
  if (part.size > max) throw new Refusal('file_unpacks_too_large');
  const start =
    part.at + LOCAL_LENGTH + bytes.readUInt16LE(part.at + 26) + bytes.readUInt16LE(part.at + 28);
  const packed = bytes.subarray(start, start + part.packed);
  const content = inflated(packed, part.method, max);
  if (content.length !== part.size || crc32(content) !== part.crc) throw new Refusal('file_broken');
  return content;
}

function inflated(packed: Buffer, method: number, max: number): Buffer {
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Refusal('file_broken');
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, max) });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Refusal(tooLarge ? 'file_unpacks_too_large' : 'file_broken');
  }
}
