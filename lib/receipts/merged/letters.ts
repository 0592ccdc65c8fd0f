import 'server-only';
import { readFileSync } from 'node:fs';
import { PDFHexString, PDFName } from 'pdf-lib';
import type { PDFDocument, PDFRef } from 'pdf-lib';

/**
 * The font of the pages that this product writes itself: Inter, reduced to the Turkish code page
 * (windows-1254) by `app/fonts/make.py`. A simple TrueType font needs no shaping library.
 */

const FIRST = 32;
const LAST = 255;
/** The codes at which windows-1254 differs from the encoding that PDF names, with their letters. */
const TURKISH: readonly (readonly [number, string])[] = [
  [0xd0, 'Gbreve'],
  [0xdd, 'Idotaccent'],
  [0xde, 'Scedilla'],
  [0xf0, 'gbreve'],
  [0xfd, 'dotlessi'],
  [0xfe, 'scedilla'],
];
/** Bit 6 of the font descriptor's flags: letters of the standard Latin set. */
const NONSYMBOLIC = 32;
const UPRIGHT_STEM = 80;
const UNKNOWN = '?'.charCodeAt(0);

const CODE_OF = new Map<string, number>();
for (let code = FIRST; code <= LAST; code++) {
  const letter = new TextDecoder('windows-1254').decode(Uint8Array.of(code));
  // The C1 controls of the code page are no letters.
  if (!/\p{C}/u.test(letter)) CODE_OF.set(letter, code);
}

export type Letters = {
  /** Embeds the font; the reference goes into the font dictionary of a page. */
  embed(pdf: PDFDocument): PDFRef;
  /** The operand of a text operator. */
  encoded(text: string): PDFHexString;
  /** The width of a text in points. */
  width(text: string, size: number): number;
};

/** Reads the font. A letter outside of the code page loses its accent, else it becomes `?`. */
export function readLetters(): Letters {
  const file = readFileSync(new URL('./inter-1254.ttf', import.meta.url));
  const font = readFont(file);
  const widths = Array.from({ length: LAST - FIRST + 1 }, (_, n) => {
    const letter = new TextDecoder('windows-1254').decode(Uint8Array.of(FIRST + n));
    return font.advanceOf(letter.codePointAt(0)!);
  });
  return {
    embed: (pdf) => embedFont(pdf, file, widths, font),
    encoded: (text) => PDFHexString.of(Buffer.from(codesOf(text)).toString('hex')),
    width: (text, size) =>
      (codesOf(text).reduce((sum, code) => sum + widths[code - FIRST]!, 0) / 1_000) * size,
  };
}

function codesOf(text: string): number[] {
  return [...text.normalize('NFC')].flatMap((letter) => {
    const known = CODE_OF.get(letter);
    if (known !== undefined) return [known];
    const plain = [...letter.normalize('NFKD').replace(/\p{M}+/gu, '')];
    if (plain.length === 0) return [];
    return plain.map((one) => CODE_OF.get(one) ?? UNKNOWN);
  });
}

type Font = { advanceOf: (codePoint: number) => number; ascent: number; descent: number };

/** Reads metrics of a TrueType file, in thousandths of the font size. */
function readFont(file: Buffer): Font {
  const table = (tag: string): Buffer => {
    for (let n = 0; n < file.readUInt16BE(4); n++) {
      const at = 12 + n * 16;
      if (file.toString('latin1', at, at + 4) === tag)
        return file.subarray(file.readUInt32BE(at + 8)).subarray(0, file.readUInt32BE(at + 12));
    }
    throw new Error(`the font has no table ${tag}`);
  };
  const units = table('head').readUInt16BE(18);
  const [heights, advances] = [table('hhea'), table('hmtx')];
  const long = heights.readUInt16BE(34);
  const glyphOf = readGlyphs(table('cmap'));
  const scaled = (value: number): number => Math.round((value / units) * 1_000);
  return {
    advanceOf: (codePoint) =>
      scaled(advances.readUInt16BE(Math.min(glyphOf(codePoint), long - 1) * 4)),
    ascent: scaled(heights.readInt16BE(4)),
    descent: scaled(heights.readInt16BE(6)),
  };
}

/** The Unicode table of the font's characters: platform 3, encoding 1, format 4. */
function readGlyphs(cmap: Buffer): (codePoint: number) => number {
  for (let n = 0; n < cmap.readUInt16BE(2); n++) {
    const at = 4 + n * 8;
    if (cmap.readUInt16BE(at) !== 3 || cmap.readUInt16BE(at + 2) !== 1) continue;
    const map = cmap.subarray(cmap.readUInt32BE(at + 4));
    const ends = 14;
    const bytes = map.readUInt16BE(6);
    const [starts, deltas, offsets] = [1, 2, 3].map((part) => ends + 2 + part * bytes) as [
      number,
      number,
      number,
    ];
    return (codePoint) => {
      for (let i = 0; i < bytes; i += 2) {
        if (codePoint > map.readUInt16BE(ends + i)) continue;
        const start = map.readUInt16BE(starts + i);
        if (codePoint < start) return 0;
        const [delta, offset] = [map.readUInt16BE(deltas + i), map.readUInt16BE(offsets + i)];
        if (offset === 0) return (codePoint + delta) & 0xffff;
        const glyph = map.readUInt16BE(offsets + i + offset + (codePoint - start) * 2);
        return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
      }
      return 0;
    };
  }
  throw new Error('the font has no Unicode table');
}

function embedFont(pdf: PDFDocument, file: Buffer, widths: number[], font: Font): PDFRef {
  const { context } = pdf;
  const name = PDFName.of('Inter-1254');
  const stream = context.register(context.flateStream(file, { Length1: file.length }));
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: NONSYMBOLIC,
    FontBBox: [-500, font.descent, 2_000, font.ascent],
    ItalicAngle: 0,
    Ascent: font.ascent,
    Descent: font.descent,
    CapHeight: font.ascent,
    StemV: UPRIGHT_STEM,
    FontFile2: stream,
  });
  const differences = TURKISH.flatMap(([code, glyph]) => [code, PDFName.of(glyph)]);
  const encoding = context.obj({ Type: 'Encoding', BaseEncoding: 'WinAnsiEncoding' });
  encoding.set(PDFName.of('Differences'), context.obj(differences));
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'TrueType',
      BaseFont: name,
      FirstChar: FIRST,
      LastChar: LAST,
      Widths: widths,
      Encoding: encoding,
      FontDescriptor: context.register(descriptor),
    }),
  );
}
