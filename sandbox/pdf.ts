/**
 * Writes a minimal PDF: one A4 page in the built-in font Helvetica, with a custom encoding for the
 * Turkish letters.
 */

/** The letters that WinAnsi lacks, encoded from 128 on. */
const EXTRA: readonly [string, string][] = [
  ['Ş', 'Scedilla'],
  ['ş', 'scedilla'],
  ['Ğ', 'Gbreve'],
  ['ğ', 'gbreve'],
  ['İ', 'Idotaccent'],
  ['ı', 'dotlessi'],
];
const FIRST_EXTRA_CODE = 128;

function encode(value: string): Buffer {
  const bytes = [...value].map((letter) => {
    const extra = EXTRA.findIndex(([own]) => own === letter);
    if (extra >= 0) return FIRST_EXTRA_CODE + extra;
    const code = letter.codePointAt(0) ?? 63;
    return code < 128 || (code >= 160 && code < 256) ? code : 63;
  });
  return Buffer.from(bytes);
}

const literal = (value: string): Buffer =>
  Buffer.concat([
    Buffer.from('('),
    Buffer.from(
      encode(value)
        .toString('latin1')
        .replace(/[\\()]/g, (letter) => `\\${letter}`),
      'latin1',
    ),
    Buffer.from(')'),
  ]);

/** Makes a page with a title and one line per name and value. */
export function pdfOf(title: string, lines: [string, string][]): Buffer {
  const parts: Buffer[] = [
    Buffer.from('BT /F1 18 Tf 56 780 Td '),
    literal(title),
    Buffer.from(' Tj ET\n'),
  ];
  lines.forEach(([name, value], index) => {
    const y = 740 - index * 24;
    parts.push(
      Buffer.from(`BT /F1 10 Tf 56 ${y} Td `),
      literal(name),
      Buffer.from(` Tj ET\nBT /F1 11 Tf 190 ${y} Td `),
      literal(value.slice(0, 70)),
      Buffer.from(' Tj ET\n'),
    );
  });
  const content = Buffer.concat(parts);
  const names = EXTRA.map(([, name]) => `/${name}`).join(' ');
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    ),
    Buffer.from(
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding ' +
        `/BaseEncoding /WinAnsiEncoding /Differences [${FIRST_EXTRA_CODE} ${names}] >> >>`,
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
  ];
  let at = 0;
  const out: Buffer[] = [];
  const put = (piece: Buffer): void => {
    out.push(piece);
    at += piece.length;
  };
  put(Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  const offsets = objects.map((object, index) => {
    const offset = at;
    put(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = at;
  put(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ` +
        `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(out);
}
