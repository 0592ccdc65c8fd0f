import { foldForSearch } from '#lib/values/turkish.ts';

/** What the headings of Turkish and English payout files mean. Pure. */

export const FIELDS = [
  'iban',
  'recipient',
  'name',
  'surname',
  'taxNumber',
  'person',
  'phone',
  'amount',
  'currency',
  'paymentType',
  'description',
  'date',
] as const;

/**
 * What a column can be. `recipient`: the name or nickname of a saved recipient, looked up in the
 * register after reading; `surname`: the second half of a name that is in two columns. `person`: the
 * phone or account number of a person whose wallet is paid; `phone` is only a note beside an IBAN.
 */
export type Field = (typeof FIELDS)[number];

/** Folded headings, the clearest first: 'ödenecek' says more than 'tutar'. */
const WORDS: Record<Field, readonly string[]> = {
  iban: [
    ...['iban', 'iban no', 'iban numarasi', 'alici iban', 'iban numarasi tr', 'recipient iban'],
    ...['beneficiary iban', 'hesap iban', 'banka iban', 'iban number', 'alici hesap no'],
    ...['hesap no', 'hesap numarasi', 'banka hesap no', 'banka hesabi', 'account number'],
    ...['account no', 'account', 'hesap'],
  ],
  recipient: [
    ...['kayitli alici', 'takma ad', 'rumuz', 'kisa ad', 'kisa adi', 'nickname', 'alias'],
    ...['short name', 'saved recipient', 'cari kodu', 'cari kod', 'sicil no'],
  ],
  name: [
    ...['adi soyadi', 'ad soyad', 'adi soyadi unvani', 'ad soyad unvan', 'alici adi soyadi'],
    ...['alici adi', 'alici unvani', 'alici ad soyad', 'alici adi unvani', 'hesap sahibi'],
    ...['recipient name', 'beneficiary name', 'payee name', 'full name', 'account holder'],
    ...['firma unvani', 'firma adi', 'cari unvani', 'cari adi', 'unvan', 'unvani', 'isim'],
    ...['isim soyisim', 'personel adi', 'personel adi soyadi', 'employee name', 'company name'],
    ...['supplier name', 'alici', 'recipient', 'beneficiary', 'payee', 'firma', 'tedarikci'],
    ...['personel', 'calisan', 'cari', 'adi', 'ad', 'first name', 'name', 'company', 'supplier'],
    ...['employee', 'given name'],
  ],
  surname: ['soyadi', 'soyad', 'soyisim', 'last name', 'surname', 'family name'],
  taxNumber: [
    ...['vkn tckn', 'tckn vkn', 'vkn', 'tckn', 'tc kimlik no', 't c kimlik no', 'vergi no'],
    ...['tc kimlik numarasi', 'vergi kimlik no', 'vergi numarasi', 'vergi kimlik numarasi'],
    ...['vergi no tc kimlik no', 'tax number', 'tax no', 'tax id', 'national id', 'id number'],
    ...['identity number', 'kimlik no', 'tc no', 't c no', 'tc', 'tax identification number'],
  ],
  person: [
    ...['cuzdan telefon', 'wallet phone', 'cuzdan veya telefon', 'wallet or phone'],
    ...['telefon cuzdan', 'phone wallet', 'cuzdan no', 'cuzdan numarasi', 'alici cuzdani'],
    ...['cuzdan hesap no', 'wallet number', 'wallet no', 'wallet account', 'recipient wallet'],
    ...['cuzdan', 'wallet'],
  ],
  phone: [
    ...['cep telefonu', 'telefon', 'telefon no', 'telefon numarasi', 'gsm', 'cep', 'cep no'],
    ...['gsm no', 'tel', 'tel no', 'phone', 'phone number', 'mobile', 'mobile phone'],
    ...['mobile number'],
  ],
  amount: [
    ...['odenecek tutar', 'odenecek', 'net odenecek', 'odeme tutari', 'payment amount'],
    ...['amount to pay', 'net maas', 'net ucret', 'net pay', 'net tutar', 'net amount'],
    ...['gonderilecek tutar', 'tutar', 'tutar tl', 'tutar try', 'amount', 'amount try', 'meblag'],
    ...['maas', 'ucret', 'salary', 'bedel', 'miktar', 'net', 'tutari', 'toplam tutar'],
    ...['total amount', 'toplam', 'total'],
  ],
  currency: [
    ...['para birimi', 'doviz cinsi', 'doviz', 'doviz kodu', 'currency', 'currency code', 'ccy'],
  ],
  paymentType: [
    ...['odeme turu', 'odeme tipi', 'odeme amaci', 'odeme turu kodu', 'payment type'],
    ...['payment purpose', 'purpose code', 'purpose', 'amac', 'islem turu'],
  ],
  description: [
    ...['aciklama', 'odeme aciklamasi', 'aciklamasi', 'description', 'payment description'],
    ...['explanation', 'memo', 'not', 'note', 'notes', 'detay', 'details', 'konu'],
  ],
  date: [
    ...['odeme tarihi', 'payment date', 'islem tarihi', 'value date', 'valor', 'tarih', 'date'],
    ...['vade tarihi', 'vade', 'due date'],
  ],
};

const MEANINGS = new Map(
  FIELDS.flatMap((field) =>
    WORDS[field].map((word, rank) => [word, { field, rank }] as const),
  ).reverse(),
);
/** Between two languages of one heading, and around a remark: 'Tutar / Amount', 'Tutar (TL)'. */
const PARTS = /[/|\\()[\]\n\r;]| - /u;

export type Meaning = { field: Field; rank: number; whole: boolean };

/**
 * The fields that a heading may mean, the clearest first. `whole`: the heading or one of its parts
 * is the word; otherwise the word is in it.
 */
export function meaningsOf(heading: string): Meaning[] {
  const parts = [heading, ...heading.split(PARTS)].map(folded).filter((part) => part !== '');
  const whole = parts.flatMap((part) => {
    const meaning = MEANINGS.get(part);
    return meaning === undefined ? [] : [{ ...meaning, whole: true }];
  });
  if (whole.length > 0) return whole.sort((a, b) => a.rank - b.rank);
  const text = ` ${parts[0] ?? ''} `;
  return [...MEANINGS]
    .filter(([word]) => word.length > 3 && text.includes(` ${word} `))
    .sort(([a], [b]) => b.length - a.length)
    .map(([, meaning]) => ({ ...meaning, whole: false }));
}

/** Whether a text is one of the known headings as a whole. */
export function isHeading(text: string): boolean {
  return text.length <= HEADING_LENGTH_MAX && (meaningsOf(text)[0]?.whole ?? false);
}

const HEADING_LENGTH_MAX = 80;

/** A heading without case, accents and punctuation: 'T.C. Kimlik No:' → 't c kimlik no'. */
export function folded(heading: string): string {
  return foldForSearch(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
