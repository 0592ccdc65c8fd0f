import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiptBytes } from './receipt-bytes.ts';

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');
const kindOf = (data: string) => {
  const read = receiptBytes(data);
  return read.kind === 'unusable' ? read.why : read.kind;
};
const textOf = (data: string) => {
  const read = receiptBytes(data);
  return read.kind === 'unusable' ? null : Buffer.from(read.bytes).toString('utf8');
};

test('a PDF is told by its first bytes and kept byte by byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (rest) => {
      const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), rest]);
      expect(receiptBytes(base64(file))).toEqual({ kind: 'pdf', bytes: new Uint8Array(file) });
    }),
  );
});

test('base64 is read with line breaks, without padding, in its web form and behind a data address', () => {
  const file = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    Buffer.from([0xfb, 0xff, 0xfe, 0x3e, 0x3f]),
  ]);
  const plain = file.toString('base64');
  for (const data of [
    plain.replace(/.{10}/g, '$&\r\n'),
    plain.replace(/=+$/, ''),
    file.toString('base64url'),
    `data:application/pdf;base64,${plain}`,
    ` ${plain}\n`,
  ]) {
    expect(receiptBytes(data)).toEqual({ kind: 'pdf', bytes: new Uint8Array(file) });
  }
});

test.each([
  '<!DOCTYPE html><html><body>Dekont</body></html>',
  '<html>Dekont</html>',
  '\uFEFF  <!-- rapor -->\n<html>Dekont</html>',
  '<?xml version="1.0"?>\n<!doctype HTML><html/>',
  '<div>Dekont</div>',
  '<table><tr><td>Tutar</td></tr></table>',
  '<body>Dekont</body>',
])('%s is HTML, as text and as a packed file', (html) => {
  expect([kindOf(html), kindOf(base64(html))]).toEqual(['html', 'html']);
});

test.each([
  '<svg onload="alert(1)"></svg>',
  '<?xml version="1.0"?><svg/>',
  '<math/>',
  '<script>alert(1)</script>',
  '<divx>',
  'Dekont hazır',
  '%PDF-1.7 as bare text',
  '{"error":true}',
  'javascript:alert(1)',
  '<',
  '<!',
])('%s is nothing we show, as text or as a packed file', (data) => {
  expect(kindOf(data)).toBe('format');
  expect(kindOf(base64(data.replace('%PDF-', 'PDF')))).toBe('format');
});

test('images, archives and binary behind an HTML head are refused', () => {
  for (const bytes of [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a],
    [0x50, 0x4b, 0x03, 0x04],
    [0x47, 0x49, 0x46, 0x38],
  ])
    expect(kindOf(base64(Uint8Array.from(bytes)))).toBe('format');
  expect(kindOf(base64('<html>\0</html>'))).toBe('format');
});

test('nothing in it is "empty", and too much is "too large"', () => {
  for (const data of ['', '  \n', '\uFEFF']) expect(kindOf(data)).toBe('empty');
  expect(kindOf(`<html>${'x'.repeat(7 * 1024 * 1024)}`)).toBe('too_large');
  expect(kindOf(base64(Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(4 * 1024 * 1024)])))).toBe(
    'too_large',
  );
});

test('Turkish text comes out as UTF-8, whichever of the two charsets it came in', () => {
  const html = '<html>Işık Çağrı Öğüt</html>';
  expect(textOf(html)).toBe(html);
  expect(textOf(base64(html))).toBe(html);
  const old = Buffer.from(
    [...'<html>'].map((c) => c.charCodeAt(0)).concat([0x49, 0xfe, 0xfd, 0x6b]),
  );
  expect(textOf(base64(old))).toBe('<html>Işık');
});

test('any text at all is answered, never thrown', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), fc.base64String({ maxLength: 100 })),
      (data) => {
        expect(['pdf', 'html', 'empty', 'format', 'too_large']).toContain(kindOf(data));
      },
    ),
  );
});

test('a head full of comment starts is decided in no time', () => {
  const startedAt = performance.now();
  receiptBytes('<!--'.repeat(200_000));
  receiptBytes(`${' '.repeat(500_000)}<!-- x -->`.repeat(2));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
