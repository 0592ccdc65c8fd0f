import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asciiFileName,
  disposition,
  distinctNames,
  isReceiptId,
  NAME_TEMPLATES,
  receiptStem,
} from './file-name.ts';

const row = {
  name: 'Şafak Güvenlik Hizmetleri A.Ş.',
  amount: '12400.00',
  currency: 'TRY',
  iban: 'TR**…1326',
  extId: 'A1B2C3',
  transactionId: '2506172605407833407',
  paidAt: '2026-03-05T21:30:00.000Z',
};
const full = { template: 'full', ascii: false, locale: 'tr', zone: 'Europe/Istanbul' } as const;

/**
 * Known attempts to escape from an archive, to hide a file extension, or to make an operating
 * system misread a name.
 */
const HOSTILE = [
  '../../etc/passwd',
  '..\\..\\Windows\\win.ini',
  '/etc/shadow',
  'C:\\boot.ini',
  '\\\\server\\share',
  'a/b\\c',
  '....//....//x',
  '%2e%2e%2fx',
  '\u2044etc\u2044x',
  '\uFF0Fetc',
  '..',
  '.',
  '',
  ' ',
  '.htaccess',
  '~root',
  '-rf',
  '--help',
  'CON',
  'nul',
  'COM1.txt',
  'lpt9',
  'aux.',
  'fatura\u202Efdp.exe',
  '\u200Fסוף',
  '\u2066gizli\u2069',
  'a\0b',
  'satır\nsonu',
  'a\rb',
  '\x1b[31m',
  'soru?*<>|":',
  'sonunda nokta...',
  'sonunda boşluk   ',
  '\u{1F9FE}'.repeat(80),
  'ğ'.repeat(300),
  '\uD800',
  'e\u0301'.repeat(90),
  '=HYPERLINK("x")',
  '"; filename=evil.exe',
  '\uFEFFbom',
  '日本株式会社',
];

describe('the name of a receipt', () => {
  it('says day of the workspace, the other side, amount and the end of the IBAN, or what the template says', () => {
    expect(receiptStem(row, full)).toBe(
      '2026-03-06_Şafak Güvenlik Hizmetleri A.Ş_12.400,00-TRY_1326',
    );
    expect(receiptStem(row, { ...full, locale: 'en' })).toBe(
      '2026-03-06_Şafak Güvenlik Hizmetleri A.Ş_12,400.00-TRY_1326',
    );
    expect(receiptStem(row, { ...full, template: 'reference' })).toBe('2026-03-06_A1B2C3');
    expect(receiptStem(row, { ...full, template: 'transaction' })).toBe(
      '2026-03-06_2506172605407833407',
    );
    expect(
      receiptStem({ ...row, transactionId: null, extId: '' }, { ...full, template: 'transaction' }),
    ).toBe(receiptStem(row, full));
  });

  it('has a twin in ASCII letters', () => {
    expect(receiptStem(row, { ...full, ascii: true })).toBe(
      '2026-03-06_Safak-Guvenlik-Hizmetleri-A.S_12400.00-TRY_1326',
    );
    expect(asciiFileName('ıİğĞüÜöÖçÇşŞ')).toBe('iIgGuUoOcCsS');
  });

  const everyText = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary', maxLength: 80 }),
  );
  it('is one harmless file in one folder, whatever the other side is called and calls its payment', () => {
    fc.assert(
      fc.property(
        everyText,
        everyText,
        everyText,
        fc.constantFrom(...NAME_TEMPLATES),
        fc.boolean(),
        (name, extId, transactionId, template, ascii) => {
          const stem = receiptStem(
            { ...row, name, extId, transactionId },
            { ...full, template, ascii },
          );
          const file = `${stem}.pdf`;
          expect(stem).not.toMatch(/[/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]/u);
          // The name begins with the day, so that it is no device, option, hidden file or parent
          // folder; it has the right extension and fits the limits of file systems.
          expect(stem.startsWith('2026-03-06')).toBe(true);
          expect(stem).not.toMatch(/[. ]$/);
          expect(Buffer.byteLength(file)).toBeLessThanOrEqual(240);
          expect(stem.isWellFormed()).toBe(true);
          if (ascii) expect(stem).toMatch(/^[A-Za-z0-9._-]+$/);
          const header = disposition('attachment', file, ascii);
          expect(header).toMatch(
            /^attachment; filename="[A-Za-z0-9._-]+"(?:; filename\*=UTF-8''[A-Za-z0-9._~%!-]+)?$/,
          );
          expect(header.includes('filename*')).toBe(!ascii);
        },
      ),
      {
        numRuns: 500,
        examples: HOSTILE.map(
          (text) =>
            [text, text, text, 'reference', false] as [
              string,
              string,
              string,
              'reference',
              boolean,
            ],
        ),
      },
    );
  });

  it('is another one for the second of two that a file system would take for one', () => {
    const next = distinctNames();
    expect(['Ali', 'ALİ', 'ali', 'ALI', 'ali-2', 'A\uFF4Ci', 'ss', 'ß'].map(next)).toEqual([
      'Ali',
      'ALİ',
      'ali-2',
      'ALI-3',
      'ali-2-2',
      'A\uFF4Ci-4',
      'ss',
      'ß-2',
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'A', 'a-2', 'A-2', 'a-3', 'b'), { maxLength: 40 }),
        (stems) => {
          const names = stems.map(distinctNames());
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(stems.length);
        },
      ),
    );
  });

  it('knows an id from anything else before a database is asked', () => {
    expect(isReceiptId('5f0c1f5e-9d5b-4a53-8a77-1f6f9dcf6f55')).toBe(true);
    for (const text of [
      '',
      '1',
      '../etc/passwd',
      '5F0C1F5E-9D5B-4A53-8A77-1F6F9DCF6F55',
      "' OR 1=1",
    ])
      expect(isReceiptId(text)).toBe(false);
  });
});
