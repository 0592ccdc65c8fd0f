/**
 * The form of a backup file: chunks that are sealed with AES-256-GCM under a key of this file. Each
 * chunk is bound to its place and the last one is marked, so that a file that was changed, reordered
 * or cut off is refused instead of restored.
 *
 * File: magic (6 bytes), salt (32 bytes), chunks. Chunk: length of its content (4 bytes, big-endian),
 * 1 when it is the last one (1 byte), content, tag (16 bytes).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Refused } from '../refused.ts';

const MAGIC = Buffer.from('PDBK1\n');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const HEAD_BYTES = 5;
const CIPHER = 'aes-256-gcm';
/** A larger chunk is not ours: memory is not spent on what a damaged file claims. */
const CHUNK_MAX = 64 * 1024 * 1024;

/** Seals pieces one after the other, each as a chunk of its own. */
export class Sealing {
  private readonly key: Buffer;
  private chunks = 0n;
  /** What the file begins with. */
  readonly head: Buffer;

  constructor(secret: string) {
    const salt = randomBytes(SALT_BYTES);
    this.key = keyOf(secret, salt);
    this.head = Buffer.concat([MAGIC, salt]);
  }

  next(content: Buffer, isLast = false): Buffer {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(content.length);
    head.writeUInt8(isLast ? 1 : 0, 4);
    const cipher = createCipheriv(CIPHER, this.key, nonceOf(this.chunks++)).setAAD(head);
    return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }
}

/** The whole of a stream as a sealed file. */
export async function* seal(source: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Buffer> {
  const sealing = new Sealing(secret);
  yield sealing.head;
  for await (const piece of source) yield sealing.next(piece);
  yield sealing.next(Buffer.alloc(0), true);
}

/**
 * The content of a sealed file. `isOpen`: the file was still being written, so that its head or its
 * last chunk may be missing or incomplete.
 *
 * @throws Refused for another key, and for a file that was changed or cut off
 */
export async function* unseal(
  source: AsyncIterable<Buffer>,
  secret: string,
  { isOpen = false } = {},
): AsyncGenerator<Buffer> {
  const reader = new Reader(source);
  const magic = await reader.take(MAGIC.length);
  if (magic === null && isOpen) return;
  if (magic === null || !magic.equals(MAGIC)) throw new Refused('This is not a backup file.');
  const salt = await reader.take(SALT_BYTES);
  if (salt === null && isOpen) return;
  if (salt === null) throw new Refused(CUT_OFF);
  const key = keyOf(secret, salt);
  for (let chunk = 0n; ; chunk++) {
    const head = await reader.take(HEAD_BYTES);
    const length = head?.readUInt32BE() ?? 0;
    if (length > CHUNK_MAX) throw new Refused(CHANGED);
    const sealed = head === null ? null : await reader.take(length + TAG_BYTES);
    if (head === null || sealed === null) {
      if (isOpen) return;
      throw new Refused(CUT_OFF);
    }
    yield opened(key, chunk, head, sealed);
    if (head.readUInt8(4) === 1) break;
  }
  if ((await reader.take(1)) !== null) throw new Refused(CHANGED);
}

const CUT_OFF = 'The backup file is not complete: it was cut off.';
const CHANGED = 'The backup file was changed, or BACKUP_KEY is not the key that it was made with.';

function opened(key: Buffer, chunk: bigint, head: Buffer, sealed: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key, nonceOf(chunk))
      .setAAD(head)
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new Refused(CHANGED);
  }
}

function keyOf(secret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, 'dashboard backup', 32));
}

function nonceOf(chunk: bigint): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(chunk, 4);
  return nonce;
}

/** Takes exact numbers of bytes from a stream. */
class Reader {
  private readonly pieces: AsyncIterator<Buffer>;
  private held: Buffer[] = [];
  private bytes = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  /** Null when the stream ends before that many bytes. */
  async take(count: number): Promise<Buffer | null> {
    while (this.bytes < count) {
      const next = await this.pieces.next();
      if (next.done === true) return null;
      this.held.push(next.value);
      this.bytes += next.value.length;
    }
    const all = Buffer.concat(this.held);
    this.held = [all.subarray(count)];
    this.bytes = all.length - count;
    return all.subarray(0, count);
  }
}
