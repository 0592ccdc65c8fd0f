import type { Delimiter } from '../source.ts';

/** Writes text files for tests in the encodings and forms of Turkish programs. */

export type TestEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1254';

/** The letters that Windows-1254 has where ISO 8859-1 has others, and its euro sign and dashes. */
const WINDOWS_1254: Record<string, number> = {
  ...{ ğ: 0xf0, Ğ: 0xd0, ı: 0xfd, İ: 0xdd, ş: 0xfe, Ş: 0xde },
  ...{ '€': 0x80, '–': 0x96, '’': 0x92, '“': 0x93, '”': 0x94 },
};

export function encoded(text: string, encoding: TestEncoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8-bom':
      return Buffer.from(`\ufeff${text}`, 'utf8');
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'windows-1254':
      return Uint8Array.from(text, (letter) => {
        const code = WINDOWS_1254[letter] ?? letter.charCodeAt(0);
        if (code > 255) throw new RangeError(`Windows-1254 has no ${letter}.`);
        return code;
      });
  }
}

/** Rows as Excel writes them: quoted only where it is needed. */
export function delimited(
  rows: readonly (readonly string[])[],
  delimiter: Delimiter,
  end = '\r\n',
): string {
  const field = (text: string): string =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map(field).join(delimiter) + end).join('');
}
