import { Refusal } from '#lib/access/refusal.ts';
import type { Encoding } from './source.ts';

/**
 * The text of a file from its bytes. Excel in Turkish writes Windows-1254 ("CSV"), UTF-8 with a
 * byte order mark ("CSV UTF-8") or UTF-16 ("Unicode Text"); programs write UTF-8 without one. Pure.
 */

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** How many bytes at the beginning are looked at to recognise UTF-16 without a mark. */
const LOOKED_AT = 4_096;
/** The part of zero bytes, on one side of the pairs only, that proves UTF-16. */
const ZEROS_MIN = 0.4;
const ZEROS_OTHER_SIDE_MAX = 0.02;
/** More control characters than one in this many: the file is no text. */
const CONTROLS_ONE_IN = 200;
/** Control characters, without those that occur in text. */
const CONTROLS = /(?![\t\n\v\f\r])\p{Cc}/gu;
/** Programs of DOS mark the end of a text with it. */
const END_OF_FILE = '\u001a';

/** @throws Refusal `file_not_text` */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const encoding = marked(bytes) ?? unmarked(bytes);
  const all = decoded(bytes, encoding);
  if (all === undefined) throw new Refusal('file_not_text');
  const text = all.endsWith(END_OF_FILE) ? all.slice(0, -END_OF_FILE.length) : all;
  const controls = text.match(CONTROLS)?.length ?? 0;
  if (text.includes('\0') || controls * CONTROLS_ONE_IN > text.length)
    throw new Refusal('file_not_text');
  return { text, encoding };
}

function marked(bytes: Uint8Array): Encoding | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

function unmarked(bytes: Uint8Array): Encoding {
  const zeros = [0, 0];
  const looked = Math.min(bytes.length, LOOKED_AT) & ~1;
  for (let at = 0; at < looked; at += 1) if (bytes[at] === 0) zeros[at & 1]! += 1;
  const [even = 0, odd = 0] = zeros.map((count) => (looked === 0 ? 0 : count / (looked / 2)));
  if (odd > ZEROS_MIN && even < ZEROS_OTHER_SIDE_MAX) return 'utf-16le';
  if (even > ZEROS_MIN && odd < ZEROS_OTHER_SIDE_MAX) return 'utf-16be';
  return decoded(bytes, 'utf-8') === undefined ? 'windows-1254' : 'utf-8';
}

/** Undefined when the bytes are no text in this encoding. The byte order mark is left out. */
function decoded(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
