import { expect, it } from 'vitest';
import { BYTE_ORDER_MARK, csvLine } from './csv.ts';

it('a cell that a spreadsheet would run is shown as text, and no cell leaves its place', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\0'])
    expect(csvLine([`${start}1+1`])).toBe(`"'${start}1+1"\r\n`);
  expect(csvLine(['=HYPERLINK("http://evil.test")', 'a;b', 'c"d', 'e\nf', '', 'ğüşİ 1-2'])).toBe(
    `"'=HYPERLINK(""http://evil.test"")";"a;b";"c""d";"e\nf";"";"ğüşİ 1-2"\r\n`,
  );
  expect(csvLine(['Ali \u202egnp.exe'])).toBe('"Ali [U+202E]gnp.exe"\r\n');
  expect(BYTE_ORDER_MARK).toBe('\u{FEFF}');
});
