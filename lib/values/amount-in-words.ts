import type { Locale } from './locale.ts';

/**
 * An amount in words, as Turkish receipts carry it: "yüz yirmi dört bin TL" reveals a wrong digit
 * that is easily overlooked in 124.000,00. The form shows it under the field.
 */

const WHOLE_LIMIT = 10n ** 15n;

const TURKISH = {
  ones: ['', 'bir', 'iki', 'üç', 'dört', 'beş', 'altı', 'yedi', 'sekiz', 'dokuz'],
  tens: ['', 'on', 'yirmi', 'otuz', 'kırk', 'elli', 'altmış', 'yetmiş', 'seksen', 'doksan'],
  scales: ['', 'bin', 'milyon', 'milyar', 'trilyon'],
};
const ENGLISH = {
  ones: [
    '',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
    'eighteen',
    'nineteen',
  ],
  tens: ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'],
  scales: ['', 'thousand', 'million', 'billion', 'trillion'],
};

/** Names of the whole unit and of its hundredth, singular and plural. */
type Names = { whole: [string, string]; hundredth: [string, string] };

const NAMES: Record<Locale, Record<string, Names>> = {
  tr: {
    TRY: { whole: ['TL', 'TL'], hundredth: ['Kr', 'Kr'] },
    USD: { whole: ['ABD doları', 'ABD doları'], hundredth: ['sent', 'sent'] },
    EUR: { whole: ['avro', 'avro'], hundredth: ['sent', 'sent'] },
  },
  en: {
    TRY: { whole: ['Turkish lira', 'Turkish lira'], hundredth: ['kuruş', 'kuruş'] },
    USD: { whole: ['US dollar', 'US dollars'], hundredth: ['cent', 'cents'] },
    EUR: { whole: ['euro', 'euros'], hundredth: ['cent', 'cents'] },
  },
};

/**
 * Minor units in words: 123456n TRY → "bin iki yüz otuz dört TL elli altı Kr". A part that is zero
 * is left out, unless both are. A currency other than lira, dollar and euro is written with its
 * code and its hundredths as a fraction ("iki GBP 05/100"). Null from 10^15 whole units on.
 */
export function amountInWords(amount: bigint, currency: string, locale: Locale): string | null {
  const magnitude = amount < 0n ? -amount : amount;
  const whole = magnitude / 100n;
  const hundredths = magnitude % 100n;
  if (whole >= WHOLE_LIMIT) return null;
  const minus = locale === 'tr' ? 'eksi' : 'minus';
  const names = NAMES[locale][currency];
  const parts: string[] = amount < 0n ? [minus] : [];
  if (names === undefined) {
    parts.push(numberInWords(whole, locale), currency);
    if (hundredths > 0n) parts.push(`${String(hundredths).padStart(2, '0')}/100`);
    return parts.join(' ');
  }
  if (whole > 0n || hundredths === 0n)
    parts.push(numberInWords(whole, locale), names.whole[whole === 1n ? 0 : 1]);
  if (hundredths > 0n)
    parts.push(numberInWords(hundredths, locale), names.hundredth[hundredths === 1n ? 0 : 1]);
  return parts.join(' ');
}

function numberInWords(value: bigint, locale: Locale): string {
  if (value === 0n) return locale === 'tr' ? 'sıfır' : 'zero';
  const groups: string[] = [];
  let rest = value;
  for (let scale = 0; rest > 0n; scale += 1) {
    const words = groupInWords(Number(rest % 1000n), scale, locale);
    if (words !== '') groups.unshift(words);
    rest /= 1000n;
  }
  return groups.join(' ');
}

/**
 * One group of three digits with its scale. Turkish says "bin", never "bir bin", and "yüz", never
 * "bir yüz".
 */
function groupInWords(value: number, scale: number, locale: Locale): string {
  if (value === 0) return '';
  const { ones, tens, scales } = locale === 'tr' ? TURKISH : ENGLISH;
  const scaleWord = scales[scale] ?? '';
  if (locale === 'tr' && scale === 1 && value === 1) return scaleWord;
  const words: string[] = [];
  const hundred = Math.floor(value / 100);
  if (hundred > 0) {
    if (locale === 'en') words.push(ones[hundred] ?? '', 'hundred');
    else words.push(...(hundred > 1 ? [ones[hundred] ?? ''] : []), 'yüz');
  }
  words.push(...below100(value % 100, ones, tens, locale === 'en' ? '-' : ' '));
  if (scaleWord !== '') words.push(scaleWord);
  return words.join(' ');
}

function below100(
  value: number,
  ones: readonly string[],
  tens: readonly string[],
  joint: string,
): string[] {
  if (value === 0) return [];
  if (value < ones.length) return [ones[value] ?? ''];
  const ten = tens[Math.floor(value / 10)] ?? '';
  const one = ones[value % 10] ?? '';
  return [one === '' ? ten : `${ten}${joint}${one}`];
}
