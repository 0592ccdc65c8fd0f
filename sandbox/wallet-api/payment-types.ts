import { success } from './answer.ts';
import type { Answer, Lang } from './answer.ts';

/**
 * The purposes of a payment (payment types). Code 07 requires a description of at least 20
 * characters.
 */

export const PAYMENT_TYPES: readonly { code: string; tr: string; en: string; least: number }[] = [
  { code: '01', tr: 'Konut Kirası Ödemesi', en: 'Residential rent payment', least: 0 },
  { code: '02', tr: 'İşyeri Kirası Ödemesi', en: 'Workplace rent payment', least: 0 },
  { code: '03', tr: 'Diğer Kira Ödemesi', en: 'Other rent payment', least: 0 },
  { code: '04', tr: 'E-Ticaret Ödemesi', en: 'E-commerce payment', least: 0 },
  { code: '05', tr: 'Çalışan Ödemesi', en: 'Employee payment', least: 0 },
  { code: '06', tr: 'Ticari Ödeme', en: 'Commercial payment', least: 0 },
  { code: '07', tr: 'Bireysel Ödeme', en: 'Personal payment', least: 20 },
  { code: '08', tr: 'Yatırım Ödemesi', en: 'Investment payment', least: 0 },
  { code: '09', tr: 'Finansal Ödeme', en: 'Financial payment', least: 0 },
  { code: '10', tr: 'Eğitim Ödemesi', en: 'Education payment', least: 0 },
  { code: '11', tr: 'Aidat Ödemesi', en: 'Dues payment', least: 0 },
  { code: '12', tr: 'Gayrimenkul Ödemesi', en: 'Real estate payment', least: 0 },
  { code: '13', tr: 'Araç Ödemesi', en: 'Vehicle payment', least: 0 },
  { code: '14', tr: 'Kredi / Geri Ödeme', en: 'Loan or repayment', least: 0 },
  { code: '15', tr: 'Hediye, Bağış ve Yardım', en: 'Gift, donation or aid', least: 0 },
  { code: '16', tr: 'Vergi, Resim ve Harç', en: 'Tax, duty or fee', least: 0 },
  { code: '17', tr: 'Tazminat ve Sigorta', en: 'Compensation or insurance', least: 0 },
  { code: '18', tr: 'Hukuk ve Danışmanlık', en: 'Legal or consulting', least: 0 },
  { code: '19', tr: 'Sağlık Ödemesi', en: 'Healthcare payment', least: 0 },
  { code: '22', tr: 'Eğlence ve Sosyal Medya', en: 'Entertainment or social media', least: 0 },
];

/** Answers the list of payment types. The message is empty, as in published answers. */
export function getPaymentTypes(lang: Lang): Answer {
  return success(
    PAYMENT_TYPES.map((type) => ({
      code: type.code,
      description: type[lang],
      extra_description_min_length: type.least,
    })),
    '',
  );
}
