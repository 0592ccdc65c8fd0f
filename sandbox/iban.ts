/** Turkish IBANs and identity numbers, checked by their published rules for check digits. */

function mod97(digits: string): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

const letters = (value: string): string =>
  value.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** Removes the blanks that people and files write, and makes the letters capital. */
export const compactIban = (value: string): string => value.replace(/\s+/g, '').toUpperCase();

/**
 * Whether the value is a Turkish IBAN: 26 characters, TR, a five-digit bank code, a reserved 0, an
 * account of 16 characters, and a remainder of 1 by mod 97.
 */
export function isTurkishIban(value: string): boolean {
  if (!/^TR\d{2}\d{5}0[0-9A-Z]{16}$/.test(value)) return false;
  return mod97(letters(value.slice(4) + value.slice(0, 4))) === 1;
}

/** Makes a valid IBAN of a five-digit bank code and up to 16 account digits. */
export function makeIban(bank: string, account: string): string {
  const bban = `${bank}0${account.padStart(16, '0')}`;
  const check = 98 - mod97(letters(`${bban}TR00`));
  return `TR${String(check).padStart(2, '0')}${bban}`;
}

/**
 * Whether the value is a TCKN (national id): eleven digits, the first not 0, the last two check
 * digits.
 */
export function isNationalId(value: string): boolean {
  if (!/^[1-9]\d{10}$/.test(value)) return false;
  const d = [...value].map(Number);
  const at = (index: number): number => d[index] ?? 0;
  const odd = at(0) + at(2) + at(4) + at(6) + at(8);
  const even = at(1) + at(3) + at(5) + at(7);
  if ((((odd * 7 - even) % 10) + 10) % 10 !== at(9)) return false;
  return d.slice(0, 10).reduce((sum, digit) => sum + digit, 0) % 10 === at(10);
}

/** Whether the value is a VKN (tax number): ten digits, the last a check digit. */
export function isTaxNumber(value: string): boolean {
  if (!/^\d{10}$/.test(value)) return false;
  let sum = 0;
  for (let i = 1; i <= 9; i++) {
    const t = (Number(value[i - 1]) + 10 - i) % 10;
    sum += t === 9 ? 9 : (t * 2 ** (10 - i)) % 9;
  }
  return (10 - (sum % 10)) % 10 === Number(value[9]);
}

/** Makes a tax number of nine digits by adding the check digit. */
export function makeTaxNumber(nine: string): string {
  for (let digit = 0; digit < 10; digit++) if (isTaxNumber(nine + digit)) return nine + digit;
  throw new Error('unreachable: one of ten digits always fits');
}

const BANKS: Record<string, string> = {
  '00001': 'TCMB',
  '00010': 'Ziraat Bankası',
  '00012': 'Halkbank',
  '00015': 'VakıfBank',
  '00032': 'TEB',
  '00046': 'Akbank',
  '00059': 'Şekerbank',
  '00062': 'Garanti BBVA',
  '00064': 'İş Bankası',
  '00067': 'Yapı Kredi',
  '00099': 'ING',
  '00103': 'Fibabanka',
  '00111': 'QNB',
  '00123': 'HSBC',
  '00124': 'Alternatif Bank',
  '00125': 'Burgan Bank',
  '00134': 'Denizbank',
  '00135': 'Anadolubank',
  '00146': 'Odea Bank',
  '00203': 'Albaraka Türk',
  '00205': 'Kuveyt Türk',
  '00206': 'Türkiye Finans',
  '00209': 'Ziraat Katılım',
  '00210': 'Vakıf Katılım',
  '00211': 'Türkiye Emlak Katılım',
  '99999': 'Deneme Bankası',
};

export function bankOf(iban: string): { id: string; name: string } {
  const code = iban.slice(4, 9);
  return { id: String(Number(code)), name: BANKS[code] ?? 'Diğer Banka' };
}
