import { makeIban } from '../../file/testing/scenarios.ts';

/** The people and firms that a made-up Turkish merchant pays with files. */

/** `other`: another account of the same payee. */
export type Party = { name: string; taxNumber: string; iban: string; other: string };

const FIRST = [
  ...['Ayşe', 'Mehmet', 'Zeynep', 'Hüseyin', 'Elif', 'Çağrı', 'Gülşah', 'İbrahim', 'Şule', 'Ömer'],
  ...['Nurten', 'Yiğit', 'Özge', 'Halil', 'Büşra', 'Koray', 'Tuğçe', 'Uğur', 'Filiz', 'Serkan'],
];
const LAST = [
  ...['Yılmaz', 'Işık', 'Çelik', 'Öztürk', 'Şahin', 'Güneş', 'Kılıç', 'Aydoğan', 'Ünal', 'Doğru'],
  ...['Kaçar', 'Özgür', 'Tığlı'],
];
const TRADES = [
  ...['Ambalaj', 'Lojistik', 'Gıda', 'Kırtasiye', 'Tekstil', 'Bilişim', 'Matbaa', 'Temizlik'],
  ...['Otomotiv', 'Güvenlik', 'Reklam', 'Elektrik', 'İnşaat', 'Kozmetik'],
];
const FORMS = ['Ltd. Şti.', 'A.Ş.', 'San. ve Tic. Ltd. Şti.', 'Tic. A.Ş.'];
const BANKS = ['00062', '00010', '00064', '00067', '00046', '00111'];

/** No two numbers have one name. */
export function personOf(n: number): Party {
  const name = `${FIRST[n % FIRST.length]} ${LAST[(n * 5 + Math.floor(n / 20)) % LAST.length]}`;
  return partyOf(n, name, tcknOf(100_000_000 + n * 7_919));
}

export function firmOf(n: number): Party {
  const trade = TRADES[n % TRADES.length];
  const name = `${LAST[(n * 3) % LAST.length]} ${trade} ${FORMS[n % FORMS.length]}`;
  return partyOf(5_000 + n, name, vknOf(200_000_000 + n * 104_729));
}

export function officeOf(n: number, name: string): Party {
  return partyOf(9_000 + n, name, vknOf(300_000_000 + n * 15_485));
}

function partyOf(n: number, name: string, taxNumber: string): Party {
  const bank = BANKS[n % BANKS.length]!;
  return {
    name,
    taxNumber,
    iban: makeIban(bank, String(10_000_000 + n * 31)),
    other: makeIban(BANKS[(n + 1) % BANKS.length]!, String(70_000_000 + n * 37)),
  };
}

function tcknOf(nine: number): string {
  const digits = [...String(nine)].map(Number);
  const sum = (from: number): number =>
    digits.reduce((total, digit, at) => (at % 2 === from ? total + digit : total), 0);
  const tenth = (((sum(0) * 7 - sum(1)) % 10) + 10) % 10;
  const eleventh = (sum(0) + sum(1) + tenth) % 10;
  return `${nine}${tenth}${eleventh}`;
}

function vknOf(nine: number): string {
  const sum = [...String(nine)].reduce((total, digit, at) => {
    const shifted = (Number(digit) + 9 - at) % 10;
    return total + (shifted === 9 ? 9 : (shifted * 2 ** (9 - at)) % 9);
  }, 0);
  return `${nine}${(10 - (sum % 10)) % 10}`;
}
