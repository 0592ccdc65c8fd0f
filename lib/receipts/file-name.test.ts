import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiFileName, disposition, isReceiptId, receiptFileName } from './file-name.ts';

const row = { name: 'Şafak Güvenlik Hizmetleri A.Ş.', amount: '12400.00', currency: 'TRY', iban: 'TR330006100519786457841326', paidAt: '2026-03-05T21:30:00.000Z' };

describe('the name of a downloaded receipt', () => {
  it('says day of the workspace, recipient, amount and the end of the IBAN', () => {
    expect(receiptFileName({ format: 'pdf', row })).toBe('2026-03-06_Şafak Güvenlik Hizmetleri A.Ş_12400.00-TRY_1326.pdf');
  });

  it('has a twin in ASCII letters', () => {
    expect(asciiFileName(receiptFileName({ format: 'pdf', row }))).toBe('2026-03-06_Safak-Guvenlik-Hizmetleri-A.S_12400.00-TRY_1326.pdf');
    expect(asciiFileName('ıİğĞüÜöÖçÇşŞ')).toBe('iIgGuUoOcCsS');
  });

  it('carries nothing that a file system or a header would read, whatever the recipient is called', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.boolean(), (name, asciiOnly) => {
      const file = receiptFileName({ format: 'html', row: { ...row, name } });
      expect(file).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Bidi_Control}]/u);
      expect(file.startsWith('2026-03-06_')).toBe(true);
      const header = disposition('attachment', file, asciiOnly);
      expect(header).toMatch(/^attachment; filename="[A-Za-z0-9._-]+"(?:; filename\*=UTF-8''[A-Za-z0-9._~%!-]+)?$/);
      expect(header.includes('filename*')).toBe(!asciiOnly);
    }));
  });

  it('knows an id from anything else before a database is asked', () => {
    expect(isReceiptId('5f0c1f5e-9d5b-4a53-8a77-1f6f9dcf6f55')).toBe(true);
    for (const text of ['', '1', '../etc/passwd', '5F0C1F5E-9D5B-4A53-8A77-1F6F9DCF6F55', "' OR 1=1"]) expect(isReceiptId(text)).toBe(false);
  });
});
