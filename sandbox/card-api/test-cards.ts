/**
 * The test cards of this gateway: the published ones, and made-up ones that fail in some way. Any
 * other number that passes Luhn is an ordinary card of an unknown bank that is approved (assumed).
 */

/** What the issuing bank does with a payment. */
export type Behaviour =
  | 'approve'
  | 'insufficient'
  | 'lost'
  | 'expired'
  | 'blocked'
  | 'not_allowed'
  | 'fail_3d'
  | 'late_3d'
  | 'decline_after_3d'
  | 'slow'
  | 'charge_fails'
  | 'charge_recovers'
  | 'not_saved';

export type TestCard = {
  number: string;
  scheme: string;
  bank: string;
  program: string;
  debit: boolean;
  commercial: boolean;
  foreign: boolean;
  agriculture: boolean;
  behaviour: Behaviour;
  /** A fixed code that the bank page accepts besides the one sent by SMS. */
  code: string;
  source: 'published' | 'published-weak' | 'assumed';
  tr: string;
  en: string;
};

/**
 * The issuing bank's refusal for each behaviour that it refuses. `code` is the gateway's code,
 * `bank` the bank's.
 */
export const DECLINES: Partial<Record<Behaviour, { code: number; bank: string; words: string }>> = {
  insufficient: { code: 41, bank: '51', words: 'Yetersiz bakiye' },
  decline_after_3d: { code: 41, bank: '05', words: 'Banka onaylamadı' },
  lost: { code: 41, bank: '43', words: 'Çalıntı kart' },
  expired: { code: 41, bank: '54', words: 'Kartın süresi dolmuş' },
  blocked: { code: 44, bank: '62', words: 'Kart kısıtlı' },
  not_allowed: { code: 60, bank: '57', words: 'Kart bu işleme kapalı' },
};

const published = (
  number: string,
  scheme: string,
  bank: string,
  program: string,
  code: string,
  more: Partial<TestCard> = {},
): TestCard => ({
  number,
  scheme,
  bank,
  program,
  debit: false,
  commercial: false,
  foreign: false,
  agriculture: false,
  behaviour: 'approve',
  code,
  source: 'published',
  tr: 'başarılı ödeme',
  en: 'payment succeeds',
  ...more,
});
const weak = (
  bank: string,
  program: string,
  numbers: string,
  more: Partial<TestCard> = {},
): TestCard[] =>
  numbers.split(' ').map((number) =>
    published(number, number.startsWith('4') ? 'visa' : 'mastercard', bank, program, 'a', {
      source: 'published-weak',
      ...more,
    }),
  );
const made = (
  number: string,
  behaviour: Behaviour,
  tr: string,
  en: string,
  more: Partial<TestCard> = {},
): TestCard =>
  published(number, 'visa', 'Deneme Bankası', '', 'a', {
    behaviour,
    tr,
    en,
    source: 'assumed',
    ...more,
  });

export const TEST_CARDS: readonly TestCard[] = [
  published('4508034508034509', 'visa', 'İş Bankası', 'MAXIMUM', 'a'),
  published('5406675406675403', 'mastercard', 'İş Bankası', 'MAXIMUM', 'a'),
  published('6501700139082826', 'troy', 'Deneme Bankası', '', '123456'),
  published('5440931443094530', 'mastercard', 'Deneme Bankası', '', 'a', {
    tr: 'USD ve EUR denemeleri',
    en: 'for USD and EUR',
  }),
  made(
    '4000000000000416',
    'insufficient',
    'banka reddeder: yetersiz bakiye (41)',
    'declined: insufficient funds (41)',
  ),
  made(
    '4000000000000432',
    'lost',
    'banka reddeder: çalıntı kart (41)',
    'declined: stolen card (41)',
  ),
  made(
    '4000000000000549',
    'expired',
    'banka reddeder: süresi dolmuş (41)',
    'declined: expired card (41)',
  ),
  made('4000000000000440', 'blocked', 'kart blokeli (44)', 'card blocked (44)'),
  made('4000000000000606', 'not_allowed', 'kart bu işleme kapalı (60)', 'card not allowed (60)'),
  made(
    '4000000000000135',
    'fail_3d',
    'doğru kodla bile 3D doğrulaması başarısız',
    '3D check fails even with the right code',
  ),
  made(
    '4000000000000234',
    'late_3d',
    'SMS kodu hiç gelmez; banka adımı zaman aşımına uğrar',
    'the code never comes; the bank step times out',
  ),
  made(
    '4000000000000333',
    'decline_after_3d',
    '3D başarılı, ödeme reddedilir (41)',
    '3D succeeds, the payment is declined (41)',
  ),
  made(
    '4000000000000697',
    'slow',
    'yanıt gelmez; sipariş 60 saniye işlemde kalır (69), sonra tamamlanır',
    'no answer; the order stays in process for 60 seconds (69), then completes',
  ),
  made(
    '4000000000000721',
    'charge_fails',
    'ilk ödeme başarılı, tekrarlayan tahsilatlar başarısız',
    'first payment succeeds, recurring charges fail',
  ),
  made(
    '4000000000000739',
    'charge_recovers',
    'tekrarlayan tahsilat ilk denemede başarısız, ikincide başarılı',
    'a recurring charge fails once, then succeeds',
  ),
  made('4000000000000861', 'not_saved', 'kart kaydedilemez (86)', 'cannot be saved (86)'),
  made('4000000000000762', 'approve', 'yabancı kart', 'foreign card', { foreign: true }),
  made('5200000000000015', 'approve', 'ticari kart', 'commercial card', {
    scheme: 'mastercard',
    commercial: true,
  }),
  made('4000100000000018', 'approve', 'banka kartı: taksit yok', 'debit card: no installments', {
    debit: true,
  }),
  made(
    '9792000000000011',
    'approve',
    'tarım kartı: vade ve ödeme sıklığı ister',
    'agriculture card: wants maturity and frequency',
    { scheme: 'troy', bank: 'Ziraat Bankası', agriculture: true },
  ),
  ...weak('Ziraat Bankası', 'BANKKART_COMBO', '4446763125813623 4546711234567894 5401341234567891'),
  ...weak('QNB', 'CARD_FNS', '4022774022774026 4022780107947023 4155650100416111 5456165456165454'),
  ...weak('Akbank', 'AXESS', '4256691944867646 4355084355084358 5571135571135575'),
  ...weak('İş Bankası', 'MAXIMUM', '5520961305582721 5520961792384607'),
  ...weak('Halkbank', 'PARAF', '4531444531442283 5818775818772285'),
  ...weak('Denizbank', 'BONUS', '4090700100360047 5167400000496745'),
  ...weak('Denizbank', 'BONUS', '5200190005138652', { code: '123456' }),
  ...weak('Yapı Kredi', 'WORLD', '4506347026523718'),
  ...weak('Yapı Kredi', 'WORLD', '5400617030400291', { code: '34020' }),
  ...weak('ING', 'BONUS', '5269737320050521'),
  ...weak('Türkiye Finans', 'BONUS', '4284624140544525 5218487962459752'),
  ...weak('Kuveyt Türk', '', '5188961939192544'),
  ...weak('', '', '4577270000134621 5163103002982563 5486742060635314', {
    foreign: true,
    tr: 'yabancı kart',
    en: 'foreign card',
  }),
];
