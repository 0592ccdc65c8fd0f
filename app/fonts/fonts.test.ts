import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const NEEDED = 'AZaz09 .,:;-–—·•…%/+()₺€$£−çğıöşüÇĞİÖŞÜ→←↑↓≥≤≈×';
/**
 * Characters that this subset of JetBrains Mono lacks. No IBAN, id or code has them; the style
 * sheet falls back to Inter for them.
 */
const NOT_IN_MONO = new Set('₺→←≥≤≈');

describe('every letter the product writes is in the font files themselves', () => {
  test('Inter', () => expect(missing('inter.woff2')).toEqual([]));
  test('JetBrains Mono, but for what Inter draws', () =>
    expect(missing('jetbrains-mono.woff2').filter((letter) => !NOT_IN_MONO.has(letter))).toEqual(
      [],
    ));
});

function missing(file: string): string[] {
  const codes = mappedCodes(cmapOf(readFileSync(new URL(file, import.meta.url))));
  return [...NEEDED].filter((letter) => !codes.has(letter.codePointAt(0)!));
}

/**
 * The character map (`cmap`) of a WOFF2 file, which has a directory of tables and then all tables
 * in one Brotli stream.
 */
function cmapOf(file: Buffer): DataView {
  const tables = file.readUInt16BE(12);
  const directory = { at: 48 };
  let offset = 0;
  let cmap: { offset: number; length: number } | undefined;
  for (let table = 0; table < tables; table++) {
    const flags = file[directory.at++]!;
    if ((flags & 0x3f) === 0x3f) directory.at += 4;
    const length = readBase128(file, directory);
    // Outlines and their index (10 and 11 in the list of known tags) are stored transformed, unless
    // their version is 3.
    const isOutline = [10, 11].includes(flags & 0x3f);
    const version = flags >> 6;
    const stored = (isOutline ? version !== 3 : version !== 0)
      ? readBase128(file, directory)
      : length;
    if ((flags & 0x3f) === 0) cmap = { offset, length };
    offset += stored;
  }
  const data = brotliDecompressSync(
    file.subarray(directory.at, directory.at + file.readUInt32BE(20)),
  );
  return new DataView(data.buffer, data.byteOffset + cmap!.offset, cmap!.length);
}

function readBase128(file: Buffer, cursor: { at: number }): number {
  let value = 0;
  for (;;) {
    const byte = file[cursor.at++]!;
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return value;
  }
}

/** All code points that a format 4 subtable maps to a glyph. */
function mappedCodes(cmap: DataView): Set<number> {
  const codes = new Set<number>();
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = cmap.getUint32(4 + index * 8 + 4);
    if (cmap.getUint16(at) !== 4) continue;
    const segments = cmap.getUint16(at + 6) / 2;
    for (let segment = 0; segment < segments; segment++) {
      const end = cmap.getUint16(at + 14 + segment * 2);
      const start = cmap.getUint16(at + 16 + (segments + segment) * 2);
      for (let code = start; code <= end && code !== 0xffff; code++) codes.add(code);
    }
  }
  return codes;
}
