/**
 * How a client gets each refusal code of the wallet service without a magic value: by its request,
 * by a state of the sandbox, or by a switch.
 */
export const BY_STATE: readonly { code: string; tr: string; en: string }[] = [
  {
    code: '1',
    tr: 'kullanılmış işlem numarasıyla ödeme',
    en: 'a payout with an ext id used before',
  },
  {
    code: '0, 2, 3, 4',
    tr: 'aynısı, duplicate_answer anahtarı record_state iken',
    en: 'the same, with the switch duplicate_answer on record_state',
  },
  {
    code: '300',
    tr: 'olmayan cüzdan ya da kayıt, başka para birimi; kapalı cüzdana yükleme',
    en: 'no such wallet or record, another currency; a top-up of a closed wallet',
  },
  {
    code: '301',
    tr: 'kullanılmış işlem numarasıyla transfer; görülmüş banka dekontuyla yükleme',
    en: 'a transfer with an ext id used before; a top-up with a bank receipt seen before',
  },
  {
    code: '303',
    tr: 'gönderen ve alıcı aynı ya da alıcı yanlış türde',
    en: 'sender and receiver equal, or a receiver of the wrong kind',
  },
  { code: '306', tr: 'geçersiz IBAN', en: 'an invalid IBAN' },
  {
    code: '310',
    tr: 'aylık, günlük ya da bakiye sınırı aşılır (cüzdanlarda ayarlanır; Şube Kasası, Gizem Ünal)',
    en: 'beyond a limit of month, day or balance (set at the wallets; Şube Kasası, Gizem Ünal)',
  },
  { code: '311', tr: 'tutar ve ücret bakiyeyi aşar', en: 'amount and fee exceed the balance' },
  {
    code: '312',
    tr: 'kabulden sonra defter listeleyene dek (2-3 saniye)',
    en: 'from acceptance until the ledger lists it (2 to 3 seconds)',
  },
  {
    code: '313',
    tr: 'CheckPersonalWallet, unknown_person_answer anahtarı 313 iken',
    en: 'CheckPersonalWallet, with the switch unknown_person_answer on 313',
  },
  {
    code: '315',
    tr: 'tutar 0,01’in altında ya da kuruştan ince',
    en: 'an amount below 0.01 or finer than a kuruş',
  },
  { code: '326', tr: 'bir dakika içinde aynı IBAN', en: 'the same IBAN within a minute' },
  {
    code: '330, 334, 336',
    tr: 'cüzdan ya da hesap blokeli, yasaklı, kapalı',
    en: 'a wallet or account blocked, banned, closed',
  },
  {
    code: '500',
    tr:
      'cüzdan açma: başka tenant_id WrongGroupCode, blokeli hesap AccountNotActive, ' +
      'GBP KycLimitNotFound, bilinmeyen para birimi TenantCurrencyCodeNotFound',
    en:
      'wallet creation: another tenant_id WrongGroupCode, a blocked account AccountNotActive, ' +
      'GBP KycLimitNotFound, an unknown currency TenantCurrencyCodeNotFound',
  },
  {
    code: '503',
    tr: 'kimlik ya da vergi numarasının denetim hanesi yanlış',
    en: 'an identity or tax number with a wrong check digit',
  },
  { code: '999', tr: 'eksik ya da sınır dışı alan', en: 'a field missing or out of bounds' },
];
