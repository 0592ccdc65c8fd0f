import 'server-only';
import type { MergeItem, MergeWords } from './merge.ts';

/**
 * What the web process hands to the process that merges: the words, then one receipt after another.
 * A frame is two lengths of four bytes, its JSON and its document.
 */

/** The length of a document that does not exist. */
const NO_DOCUMENT = 0xffff_ffff;
const HEAD_BYTES = 8;

export function wordsFrame(words: MergeWords): Buffer {
  return frame(words, null);
}

export function itemFrame(item: MergeItem): Buffer {
  return item.bytes === null
    ? frame({ name: item.name, reason: item.reason }, null)
    : frame({ name: item.name }, item.bytes);
}

function frame(facts: object, document: Uint8Array | null): Buffer {
  const json = Buffer.from(JSON.stringify(facts));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(document?.length ?? NO_DOCUMENT, 4);
  return Buffer.concat([head, json, document ?? Buffer.alloc(0)]);
}

/** Reads the frames again; one document is in memory at a time. */
export async function readFrames(
  input: AsyncIterable<Buffer>,
): Promise<{ words: MergeWords; items: AsyncGenerator<MergeItem> }> {
  const read = readerOf(input);
  const words = await read();
  if (words === null) throw new Error('there are no words');
  return { words: words.facts as MergeWords, items: itemsOf(read) };
}

type Frame = { facts: unknown; document: Buffer | null };

async function* itemsOf(read: () => Promise<Frame | null>): AsyncGenerator<MergeItem> {
  for (let one = await read(); one !== null; one = await read()) {
    const { name, reason = '' } = one.facts as { name: string; reason?: string };
    yield one.document === null
      ? { name, bytes: null, reason }
      : { name, bytes: Uint8Array.from(one.document) };
  }
}

function readerOf(input: AsyncIterable<Buffer>): () => Promise<Frame | null> {
  const chunks = input[Symbol.asyncIterator]();
  let rest: Buffer[] = [];
  let size = 0;
  const take = async (bytes: number): Promise<Buffer | null> => {
    while (size < bytes) {
      const { done, value } = await chunks.next();
      if (done === true) return null;
      rest.push(value);
      size += value.length;
    }
    const all = Buffer.concat(rest);
    rest = [all.subarray(bytes)];
    size -= bytes;
    return all.subarray(0, bytes);
  };
  return async () => {
    const head = await take(HEAD_BYTES);
    if (head === null) return null;
    const length = head.readUInt32BE(4);
    const json = await take(head.readUInt32BE(0));
    const document = length === NO_DOCUMENT ? null : await take(length);
    // The sender ended within a frame, so the selection is not complete.
    if (json === null || (length !== NO_DOCUMENT && document === null))
      throw new Error('a frame ends too early');
    return { facts: JSON.parse(json.toString()), document };
  };
}
