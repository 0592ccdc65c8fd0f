import type { FaultKind } from './faults.ts';
import type { BankOutcome } from './bank/desk.ts';

/**
 * The magic values: amounts, IBANs and wallet numbers that select an outcome. The console shows
 * this table, and the operations that move money obey it.
 */

export type Effect = {
  /** The business code of a refusal: nothing is executed. */
  code?: string;
  /** Only the first request with an ext id gets `code` or `fault`; a repeat is carried out. */
  once?: boolean;
  /** The business code with which accepted work is answered instead of 100: a record exists. */
  answerCode?: string;
  fault?: { kind: FaultKind; ms?: number };
  /**
   * The outcomes at the bank, in order. The first comes after the bank's delay, each further one 2
   * s after the one before.
   */
  bank?: readonly BankOutcome[];
  /** The delay until the bank's first outcome, in milliseconds, instead of the usual delay. */
  bankDelayMs?: number;
  hostileReceipt?: boolean;
  /** The time after which the ledger lists the payment, in milliseconds. */
  ledgerLagMs?: number;
  /** How many times the notification is sent; with 0 it is never sent. */
  notices?: number;
  /** The time from the completion to the return in milliseconds, instead of 2 s. */
  returnAfterMs?: number;
  /** The notifications are sent in the wrong order: the return before the completion. */
  noticesReversed?: boolean;
};

/**
 * `transfers`: the value has the same effect on a transfer between wallets. Values without it act
 * only on bank payouts.
 */
export type MagicRow = {
  kind: 'kurus' | 'iban' | 'wallet';
  value: string;
  effect: Effect;
  transfers?: true;
  tr: string;
  en: string;
};

/**
 * The bank code of magic IBANs: this bank does not exist. A magic IBAN ends in 9 and the code, so
 * that no realistic IBAN, and no ordinary example IBAN of this bank, is magic by accident.
 */
export const MAGIC_BANK = '99999';

/**
 * A transfer to a wallet number that begins so and ends in a code is refused with that code. No
 * wallet has such a number.
 */
const MAGIC_WALLET = '9999000';

const REFUSING_WALLETS: readonly (readonly [code: string, tr: string, en: string])[] = [
  ['304', 'işletme bulunamadı', 'business not found'],
  ['307', 'kimlik bilgisi geçersiz', 'identity information invalid'],
  ['310', 'limit yetersiz', 'limit not enough'],
  ['311', 'bakiye yetersiz', 'balance not enough'],
  ['313', 'kişisel hesap bulunamadı', 'personal account not found'],
  ['316', 'cüzdanın hesabı bulunamadı', 'account of the wallet not found'],
  ['322', 'işlem iptal edilmiş', 'already cancelled'],
  ['330', 'hesap blokeli', 'account blocked'],
  ['334', 'hesap yasaklı', 'account banned'],
  ['336', 'hesap kapalı', 'account permanently closed'],
  ['480', 'dolandırıcılık denetimi', 'fraud check'],
  ['500', 'sistem hatası', 'system error'],
  ['501', 'genel hata', 'general failure'],
];

export const MAGIC: readonly MagicRow[] = [
  {
    kind: 'kurus',
    value: '41',
    effect: { bank: ['reject'] },
    tr: 'banka reddeder (2)',
    en: 'the bank rejects (2)',
  },
  {
    kind: 'kurus',
    value: '42',
    effect: { bank: ['fail'] },
    tr: 'transfer başarısız olur (3)',
    en: 'the transfer fails (3)',
  },
  {
    kind: 'kurus',
    value: '43',
    effect: { bank: ['manual'] },
    tr: 'elle işleme düşer, bildirim gelmez; bankanın masasında onaylanır',
    en: 'goes to manual operation without a notification; approve it at the bank’s desk',
  },
  {
    kind: 'kurus',
    value: '44',
    effect: { bank: ['complete', 'return'] },
    tr: 'tamamlanır, 2 saniye sonra banka iade eder (5)',
    en: 'completes, then the bank returns it 2 seconds later (5)',
  },
  {
    kind: 'kurus',
    value: '45',
    effect: { fault: { kind: 'lost_after' }, once: true },
    transfers: true,
    tr: 'iş yapılır, yanıt kaybolur (ilk denemede)',
    en: 'work done, answer lost (first attempt)',
  },
  {
    kind: 'kurus',
    value: '46',
    effect: { fault: { kind: 'lost_before' }, once: true },
    transfers: true,
    tr: 'istek işlenmeden kaybolur (ilk denemede)',
    en: 'request lost before any work (first attempt)',
  },
  {
    kind: 'kurus',
    value: '47',
    effect: { hostileReceipt: true },
    transfers: true,
    tr: 'dekont kötü niyetli HTML olur',
    en: 'the receipt is hostile HTML',
  },
  {
    kind: 'kurus',
    value: '48',
    effect: { code: '480' },
    transfers: true,
    tr: 'dolandırıcılık denetimi: 480',
    en: 'fraud check: 480',
  },
  {
    kind: 'kurus',
    value: '49',
    effect: { bank: ['cancel'] },
    tr: 'banka iptal eder (bildirimde 4, okumada 2)',
    en: 'the bank cancels (4 in the notification, 2 in a read)',
  },
  {
    kind: 'kurus',
    value: '51',
    effect: { fault: { kind: 'late', ms: 10_000 }, once: true },
    transfers: true,
    tr: 'bağlantı kopar, iş 10 saniye sonra yapılır',
    en: 'connection drops, the work is done 10 seconds later',
  },
  {
    kind: 'kurus',
    value: '52',
    effect: { bankDelayMs: 60_000 },
    tr: 'banka 60 saniye bekletir',
    en: 'the bank takes 60 seconds',
  },
  {
    kind: 'kurus',
    value: '53',
    effect: { notices: 0 },
    tr: 'bildirim hiç gelmez',
    en: 'the notification never comes',
  },
  {
    kind: 'kurus',
    value: '54',
    effect: { notices: 3 },
    tr: 'bildirim üç kez gelir',
    en: 'the notification comes three times',
  },
  {
    kind: 'kurus',
    value: '56',
    effect: { bank: ['complete', 'return'], noticesReversed: true },
    tr: 'tamamlanır ve iade edilir; iade bildirimi önce gelir',
    en: 'completes and is returned; the return notice arrives first',
  },
  {
    kind: 'kurus',
    value: '57',
    effect: { bank: ['complete', 'return'], returnAfterMs: 4 * 86_400_000 },
    tr: 'tamamlanır, dört gün sonra banka iade eder (5)',
    en: 'completes, then the bank returns it four days later (5)',
  },
  {
    kind: 'kurus',
    value: '58',
    effect: { ledgerLagMs: 1_200_000 },
    transfers: true,
    tr: 'defter 20 dakika geç listeler (312)',
    en: 'the ledger lists it 20 minutes later (312)',
  },
  {
    kind: 'kurus',
    value: '61',
    effect: { answerCode: '0' },
    tr: 'kabul edilir ama yanıt kodu 0 (WithdrawPending)',
    en: 'accepted but answered with code 0 (WithdrawPending)',
  },
  {
    kind: 'kurus',
    value: '62',
    effect: { answerCode: '2', bank: ['reject'] },
    tr: 'kayıt oluşur ve reddedilir, yanıt kodu 2',
    en: 'a record is made and rejected, answered with code 2',
  },
  {
    kind: 'kurus',
    value: '63',
    effect: { answerCode: '3', bank: ['fail'] },
    tr: 'kayıt oluşur ve başarısız olur, yanıt kodu 3',
    en: 'a record is made and fails, answered with code 3',
  },
  {
    kind: 'kurus',
    value: '64',
    effect: { answerCode: '4', bank: ['cancel'] },
    tr: 'kayıt oluşur ve iptal edilir, yanıt kodu 4',
    en: 'a record is made and cancelled, answered with code 4',
  },
  {
    kind: 'iban',
    value: '9307',
    effect: { code: '307' },
    tr: 'kimlik bilgisi geçersiz: 307',
    en: 'identity information invalid: 307',
  },
  {
    kind: 'iban',
    value: '9310',
    effect: { code: '310' },
    tr: 'limit yetersiz: 310',
    en: 'limit not enough: 310',
  },
  {
    kind: 'iban',
    value: '9311',
    effect: { code: '311' },
    tr: 'bakiye yetersiz: 311',
    en: 'balance not enough: 311',
  },
  {
    kind: 'iban',
    value: '9316',
    effect: { code: '316' },
    tr: 'cüzdanın hesabı bulunamadı: 316',
    en: 'account of the wallet not found: 316',
  },
  {
    kind: 'iban',
    value: '9326',
    effect: { code: '326', once: true },
    tr: 'ilk denemede 326 (aynı IBAN, bir dakika); sonra kabul',
    en: '326 on the first attempt (same IBAN, one minute); accepted afterwards',
  },
  {
    kind: 'iban',
    value: '9330',
    effect: { code: '330' },
    tr: 'hesap blokeli: 330',
    en: 'account blocked: 330',
  },
  {
    kind: 'iban',
    value: '9334',
    effect: { code: '334' },
    tr: 'hesap yasaklı: 334',
    en: 'account banned: 334',
  },
  {
    kind: 'iban',
    value: '9336',
    effect: { code: '336' },
    tr: 'hesap kapalı: 336',
    en: 'account permanently closed: 336',
  },
  {
    kind: 'iban',
    value: '9480',
    effect: { code: '480' },
    tr: 'dolandırıcılık denetimi: 480',
    en: 'fraud check: 480',
  },
  {
    kind: 'iban',
    value: '9500',
    effect: { code: '500' },
    tr: 'sistem hatası: 500',
    en: 'system error: 500',
  },
  {
    kind: 'iban',
    value: '9501',
    effect: { code: '501' },
    tr: 'genel hata: 501',
    en: 'general failure: 501',
  },
  {
    kind: 'iban',
    value: '9503',
    effect: { code: '503' },
    tr: 'ad ile IBAN uyuşmuyor: 503',
    en: 'name does not match the IBAN: 503',
  },
  ...REFUSING_WALLETS.map(([code, tr, en]) => ({
    kind: 'wallet' as const,
    value: `${MAGIC_WALLET}${code}`,
    effect: { code },
    tr: `${tr}: ${code}`,
    en: `${en}: ${code}`,
  })),
];

const BY_KURUS = new Map(
  MAGIC.filter((row) => row.kind === 'kurus').map((row) => [row.value, row.effect]),
);
const BETWEEN_WALLETS = new Map(
  MAGIC.filter((row) => row.transfers).map((row) => [row.value, row.effect]),
);
const BY_IBAN = new Map(
  MAGIC.filter((row) => row.kind === 'iban').map((row) => [row.value, row.effect]),
);
const BY_WALLET = new Map(
  MAGIC.filter((row) => row.kind === 'wallet').map((row) => [row.value, row.effect]),
);

const kurusOf = (amountMinor: bigint): string =>
  (((amountMinor % 100n) + 100n) % 100n).toString().padStart(2, '0');

/** Returns the effect that a transfer's amount selects. */
export const transferMagic = (amountMinor: bigint): Effect =>
  BETWEEN_WALLETS.get(kurusOf(amountMinor)) ?? {};

/** Returns the refusal code that a receiving wallet's number selects, or null. */
export const magicReceiver = (number: string): string | null => BY_WALLET.get(number)?.code ?? null;

/**
 * Returns the effects that the amount and the IBAN of a payout select; the IBAN wins where both
 * apply.
 */
export function magicOf(amountMinor: bigint, iban: string): Effect {
  const byIban = iban.slice(4, 9) === MAGIC_BANK ? BY_IBAN.get(iban.slice(-4)) : undefined;
  return { ...BY_KURUS.get(kurusOf(amountMinor)), ...byIban };
}
