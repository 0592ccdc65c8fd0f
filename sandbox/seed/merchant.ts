import { makeIban, makeTaxNumber } from '../iban.ts';

/**
 * The demo merchant and everyone whom it pays. The names are invented; the account numbers belong
 * to no real account.
 */

export const TENANT_ID = 1042;
export const ACCOUNT_ID = '6318204417735520001';
export const ACCOUNT_NUMBER = '4410027815';
export const OTHER_ACCOUNT_ID = '6318204417735520777';
export const MERCHANT_ID = 20417;
export const OTHER_MERCHANT_ID = 20988;

export const MERCHANT = {
  name: 'Lodos Ticaret ve Tekstil A.Ş.',
  taxNumber: makeTaxNumber('608041273'),
  taxOffice: 'Büyük Mükellefler',
  site: 'https://lodos-ticaret.test',
  address1: 'Organize Sanayi Bölgesi 12. Cadde No: 48',
  address2: 'Başakşehir',
  zip: '34490',
  email: 'finans@lodos-ticaret.test',
  phone: '5320000142',
};

/** The password of every demo person. It is published, because this is a demonstration. */
export const DEMO_PASSWORD = 'demo-Parola-1';

export const PEOPLE = [
  {
    id: 5101,
    email: 'ayse@demo.test',
    first: 'Ayşe',
    last: 'Toprak',
    phone: '905320000101',
    merchant: MERCHANT_ID,
  },
  {
    id: 5102,
    email: 'mehmet@demo.test',
    first: 'Mehmet',
    last: 'Kaya',
    phone: '905320000102',
    merchant: MERCHANT_ID,
  },
  {
    id: 5103,
    email: 'selin@demo.test',
    first: 'Selin',
    last: 'Arslan',
    phone: '905320000103',
    merchant: MERCHANT_ID,
  },
  {
    id: 5104,
    email: 'can@demo.test',
    first: 'Can',
    last: 'Yıldız',
    phone: '905320000104',
    merchant: MERCHANT_ID,
  },
  {
    id: 5105,
    email: 'deniz@demo.test',
    first: 'Deniz',
    last: 'Öztürk',
    phone: '905320000105',
    merchant: MERCHANT_ID,
  },
  {
    id: 5901,
    email: 'yabanci@other.test',
    first: 'Yavuz',
    last: 'Bancı',
    phone: '905320000901',
    merchant: OTHER_MERCHANT_ID,
  },
] as const;

export type SeedWallet = {
  number: string;
  id: string;
  name: string;
  currency: string;
  access: number;
  closing: bigint;
  withdrawalLimit: bigint;
  isDefault: boolean;
  account: string;
  maxBalance?: bigint;
};

const wallet = (
  number: string,
  name: string,
  currency: string,
  closing: bigint,
  withdrawalLimit: bigint,
  extra: Partial<SeedWallet> = {},
): SeedWallet => ({
  number,
  name,
  currency,
  closing,
  withdrawalLimit,
  id: `63182044177355${number.slice(-5)}`,
  access: 1,
  isDefault: false,
  account: ACCOUNT_ID,
  ...extra,
});

/**
 * Closing balances in minor units; the seeded movements are laid out so that they end exactly here.
 */
export const MAIN_WALLET = '4410270001';
export const PAYROLL_WALLET = '4410270002';
export const PETTY_WALLET = '4410270003';
export const BLOCKED_WALLET = '4410270004';
export const USD_WALLET = '4410270005';
export const EUR_WALLET = '4410270006';
export const FOREIGN_WALLET = '4488810001';

export const WALLETS: readonly SeedWallet[] = [
  wallet(MAIN_WALLET, 'Ana Cüzdan', 'TRY', 125_000_000n, 5_000_000_000n, { isDefault: true }),
  wallet(PAYROLL_WALLET, 'Maaş Ödemeleri', 'TRY', 48_265_050n, 1_000_000_000n),
  wallet(PETTY_WALLET, 'Şube Kasası', 'TRY', 3_740_000n, 1_000_000n),
  wallet(BLOCKED_WALLET, 'Teminat Cüzdanı', 'TRY', 20_000_000n, 20_000_000n, { access: 2 }),
  wallet(USD_WALLET, 'Dolar İthalat', 'USD', 8_412_075n, 50_000_000n),
  wallet(EUR_WALLET, 'Euro İthalat', 'EUR', 5_130_520n, 50_000_000n),
  wallet(FOREIGN_WALLET, 'Başka İşletme', 'TRY', 10_000_000n, 20_000_000n, {
    account: OTHER_ACCOUNT_ID,
  }),
];

/** Returns the wallet's own FAST IBAN at the institution. */
export const walletIban = (number: string): string => makeIban('00870', `9900${number}`);

export type Supplier = {
  name: string;
  iban: string;
  taxNumber: string;
  purpose: string;
  note: string;
};

const supplier = (
  name: string,
  bank: string,
  account: string,
  nine: string,
  purpose: string,
  note: string,
): Supplier => ({
  name,
  iban: makeIban(bank, `000000${account}`),
  taxNumber: makeTaxNumber(nine),
  purpose,
  note,
});

export const SUPPLIERS: readonly Supplier[] = [
  supplier(
    'Kardelen Ambalaj San. Ltd. Şti.',
    '00062',
    '0000412701',
    '512030411',
    '06',
    'Ambalaj faturası',
  ),
  supplier('Bozkır Lojistik A.Ş.', '00046', '0000881220', '187402265', '06', 'Nakliye bedeli'),
  supplier('Ege İplik Dokuma A.Ş.', '00064', '0000127745', '325510987', '06', 'İplik alımı'),
  supplier(
    'Pusula Gümrük Müşavirliği',
    '00067',
    '0000556013',
    '733201144',
    '18',
    'Gümrük müşavirlik hizmeti',
  ),
  supplier(
    'Yakamoz Matbaa Reklam Ltd. Şti.',
    '00010',
    '0000301188',
    '960115532',
    '06',
    'Katalog baskısı',
  ),
  supplier('Tuna Kumaş Sanayi A.Ş.', '00015', '0000774402', '867340019', '06', 'Kumaş alımı'),
  supplier(
    'Anka Bilişim Hizmetleri A.Ş.',
    '00111',
    '0000219956',
    '070550281',
    '06',
    'Yazılım bakım bedeli',
  ),
  supplier('Çınar Gayrimenkul Yönetimi', '00032', '0000645531', '245889130', '02', 'Depo kirası'),
  supplier(
    'Mavi Enerji Perakende A.Ş.',
    '00205',
    '0000190043',
    '614270095',
    '06',
    'Elektrik faturası',
  ),
  supplier(
    'Dost Yemek Hizmetleri Ltd. Şti.',
    '00134',
    '0000832217',
    '308815576',
    '06',
    'Yemek hizmeti',
  ),
  supplier(
    'Zeytindalı Sigorta Aracılık',
    '00012',
    '0000467790',
    '998230417',
    '17',
    'İşyeri sigortası primi',
  ),
  supplier(
    'Güneş Temizlik Hizmetleri',
    '00203',
    '0000250864',
    '416602233',
    '06',
    'Temizlik hizmeti',
  ),
  supplier('Kuzey Makina Servis A.Ş.', '00099', '0000938125', '593310728', '06', 'Makine bakımı'),
  supplier('Işık Düğme Aksesuar San.', '00206', '0000714458', '478125506', '06', 'Aksesuar alımı'),
  supplier(
    'Şafak Güvenlik Hizmetleri A.Ş.',
    '00059',
    '0000385671',
    '802944163',
    '06',
    'Güvenlik hizmeti',
  ),
];

export const CUSTOMERS: readonly { name: string; iban: string }[] = [
  { name: 'Marmara Giyim Mağazacılık A.Ş.', iban: makeIban('00062', '00000009110042') },
  { name: 'Toros Perakende Ltd. Şti.', iban: makeIban('00046', '00000007713305') },
  { name: 'İnci Butik Tekstil', iban: makeIban('00064', '00000005120981') },
  { name: 'Doğu Toptan Pazarlama A.Ş.', iban: makeIban('00067', '00000003349076') },
  { name: 'Liman İhracat A.Ş.', iban: makeIban('00015', '00000008807714') },
];

export const EMPLOYEES: readonly string[] = [
  'Elif Şahin',
  'Burak Çelik',
  'Zeynep Aydın',
  'Okan Güler',
  'Merve Işık',
  'Hakan Doğan',
  'Gizem Ünal',
  'Emre Koç',
];
