import { ACCOUNT_ID, ACCOUNT_NUMBER, MERCHANT, OTHER_ACCOUNT_ID, WALLETS } from './merchant.ts';
import type { SeedWallet } from './merchant.ts';

/**
 * The accounts to which the merchant can send: people with a personal wallet, and other businesses.
 * All are invented.
 */

type SeedAccount = {
  id: string;
  number: string;
  kind: 'business' | 'personal';
  name: string;
  first: string;
  last: string;
  phone: string;
  access: number;
};
export type Receiver = SeedAccount & { wallets: readonly SeedWallet[]; tr: string; en: string };

const PHONE_COUNTRY = '90';
const VERIFIED_MOST = 5_000_000n; // 50 000.00, what a verified person's wallet may hold

type Words = { tr: string; en: string };

function person(
  last2: string,
  first: string,
  last: string,
  words: Words,
  extra: { access?: number; currencies?: readonly string[]; maxBalance?: bigint } = {},
): Receiver {
  const id = `63182044177366000${last2}`;
  return {
    id,
    number: `55100000${last2}`,
    kind: 'personal',
    name: `${first} ${last}`,
    first,
    last,
    phone: `53300002${last2}`,
    access: 1,
    ...words,
    wallets: (extra.currencies ?? ['TRY']).map((currency, index): SeedWallet => ({
      number: `551010${index}0${last2}`,
      id: `631820441773661${index}0${last2}`,
      name: 'Kişisel Cüzdan',
      currency,
      closing: 125_000n,
      withdrawalLimit: VERIFIED_MOST,
      isDefault: index === 0,
      account: id,
      access: extra.access ?? 1,
      maxBalance: extra.maxBalance ?? VERIFIED_MOST,
    })),
  };
}

const business = (
  id: string,
  number: string,
  name: string,
  wallets: readonly SeedWallet[],
  words: Words,
  access = 1,
): Receiver => ({
  id,
  number,
  kind: 'business',
  name,
  first: '',
  last: '',
  phone: '',
  access,
  wallets,
  ...words,
});

const businessWallet = (
  number: string,
  account: string,
  currency: string,
  access = 1,
): SeedWallet => ({
  number,
  id: `631820441773670${number.slice(-4)}`,
  name: 'İşletme Cüzdanı',
  currency,
  closing: 5_000_000n,
  withdrawalLimit: 100_000_000n,
  isDefault: true,
  account,
  access,
});

const FINE: Words = { tr: 'alır', en: 'receives' };
const KUZEY = '6318204417735520801';
const LATE = '6318204417735520802';

export const RECEIVERS: readonly Receiver[] = [
  person('01', 'Elif', 'Şahin', FINE, { currencies: ['TRY', 'USD', 'EUR'] }),
  person('02', 'Burak', 'Çelik', FINE),
  person(
    '03',
    'Okan',
    'Güler',
    { tr: 'cüzdanı blokeli (330)', en: 'wallet blocked (330)' },
    { access: 2 },
  ),
  person(
    '04',
    'Merve',
    'Işık',
    { tr: 'cüzdanı yasaklı (334)', en: 'wallet banned (334)' },
    { access: 3 },
  ),
  person(
    '05',
    'Hakan',
    'Doğan',
    {
      tr: 'cüzdanı kapalı (336); aramada bulunmaz',
      en: 'wallet closed (336); not found by a search',
    },
    { access: 4 },
  ),
  person(
    '06',
    'Gizem',
    'Ünal',
    { tr: 'cüzdanı neredeyse dolu (310)', en: 'wallet nearly full (310)' },
    { maxBalance: 200_000n },
  ),
  person(
    '07',
    'Emre',
    'Koç',
    { tr: 'hesabı var, cüzdanı yok', en: 'an account without a wallet' },
    { currencies: [] },
  ),
  business(OTHER_ACCOUNT_ID, '4488800000', 'Başka İşletme Ltd. Şti.', [], FINE),
  business(
    KUZEY,
    '4488800801',
    'Kuzey Makina Servis A.Ş.',
    [
      businessWallet('4488810801', KUZEY, 'TRY'),
      businessWallet('4488810811', KUZEY, 'USD'),
      businessWallet('4488810821', KUZEY, 'EUR'),
    ],
    FINE,
  ),
  business(
    LATE,
    '4488800802',
    'Poyraz Denizcilik A.Ş.',
    [businessWallet('4488810802', LATE, 'TRY')],
    { tr: 'hesabı blokeli (330)', en: 'account blocked (330)' },
    2,
  ),
];

const OWN: SeedAccount = {
  id: ACCOUNT_ID,
  number: ACCOUNT_NUMBER,
  kind: 'business',
  name: MERCHANT.name,
  first: '',
  last: '',
  phone: MERCHANT.phone,
  access: 1,
};

export const ACCOUNTS: readonly (SeedAccount & { phoneCountry: string })[] = [
  OWN,
  ...RECEIVERS,
].map((one) => ({ ...one, phoneCountry: PHONE_COUNTRY }));

/**
 * Returns the first wallet of a receiver, for the console. A business that is in the merchant's
 * seeded story has its wallet in WALLETS.
 */
export const firstWallet = (receiver: Receiver): string =>
  (receiver.wallets[0] ?? WALLETS.find((wallet) => wallet.account === receiver.id))?.number ?? '';
