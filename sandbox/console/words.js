const WORDS = {
  tr: {
    title: 'Deneme ortamı', subtitle: 'İki sağlayıcı bu bilgisayarda. Buradaki para gerçek değildir.', live: 'Bağlı', lost: 'Bağlantı yok',
    phone: 'Telefon', noMessages: 'Henüz kod gelmedi. Panelde giriş yapın; kod buraya düşer.', copy: 'Kopyala', copied: 'Kopyalandı',
    people: 'Deneme kişileri ve parola', password: 'Parola',
    bank: 'Bankanın masası', bankHint: 'Kabul edilen ödemeler. Sonucu siz de seçebilirsiniz.', mode: 'Banka', auto: 'Kendiliğinden', manualMode: 'Elle', delayMs: 'Gecikme (ms)', apply: 'Uygula',
    noRequests: 'Bekleyen ödeme yok.', ended: 'Sonuçlananlar', next: 'sıradaki', noMore: 'Başka adım yok.',
    clock: 'Saat', clockHint: 'Sağlayıcıların saati yalnızca ileri gider.', aheadBy: 'gerçek zamandan ileri', realTime: 'gerçek zaman',
    seed: 'Tohum', reset: 'Baştan başlat', resetSure: 'Bütün kayıtlar silinip başlangıç durumuna dönülecek. Emin misiniz?', resetDone: 'Başlangıç durumuna dönüldü',
    hooks: 'Bildirimler', hookTarget: 'Adres tanımlı; her bildirim en çok üç kez denenir.', hookNoTarget: 'Adres tanımlı değil (SANDBOX_NOTIFY_URL).',
    drop: 'Gönderme', reorder: 'Sırayı boz', copies: 'Ek kopya', noHooks: 'Henüz bildirim yok.', resend: 'Yeniden gönder', tries: 'deneme',
    faults: 'Arızalar', faultsHint: 'Seçilen işlemin sonraki çağrılarına uygulanır.', operation: 'İşlem', kind: 'Tür', times: 'Kaç kez', after: 'Önce geçsin', value: 'Değer', add: 'Ekle',
    noFaults: 'Kurulu arıza yok.', clearFaults: 'Hepsini kaldır', left: 'kalan',
    log: 'İstekler', noLog: 'Henüz istek yok.', notDone: 'yapılmadı', done: 'yapıldı',
    magic: 'Sihirli değerler', magicHint: 'Kuruş hanesi ya da hayali bankanın IBAN’ı sonucu seçer.', effect: 'Ne olur', kurus: 'Tutarın kuruşu', iban: 'Hayali bankanın IBAN’ı (son dört hane)',
    coverage: 'Kapsam', ledger: 'Para defteri', books: 'Cüzdan sağlaması', questions: 'Açık sorular', dark: 'Koyu', light: 'Açık', other: 'English',
    outcomes: { complete: 'Tamamla', reject: 'Reddet', fail: 'Başarısız yap', manual: 'Elle işleme al', approve: 'Onayla', return: 'İade et', cancel: 'İptal et' },
    states: { pending: 'Bekliyor', manual: 'Elle işlemde', completed: 'Tamamlandı', rejected: 'Reddedildi', failed: 'Başarısız', cancelled: 'İptal', returned: 'İade edildi' },
    deliveries: { waiting: 'Bekliyor', delivered: 'Ulaştı', failed: 'Ulaşmadı', dropped: 'Gönderilmedi' },
  },
  en: {
    title: 'Sandbox', subtitle: 'Both providers on this machine. The money here is not real.', live: 'Connected', lost: 'No connection',
    phone: 'Phone', noMessages: 'No code yet. Sign in to the dashboard; the code lands here.', copy: 'Copy', copied: 'Copied',
    people: 'Demo people and password', password: 'Password',
    bank: 'The bank’s desk', bankHint: 'Accepted payouts. You may choose how they end.', mode: 'Bank', auto: 'By itself', manualMode: 'By hand', delayMs: 'Delay (ms)', apply: 'Apply',
    noRequests: 'Nothing is waiting.', ended: 'Ended', next: 'next', noMore: 'No further step.',
    clock: 'Clock', clockHint: 'The providers’ clock only goes forward.', aheadBy: 'ahead of real time', realTime: 'real time',
    seed: 'Seed', reset: 'Start over', resetSure: 'Everything recorded is deleted and the seeded state comes back. Are you sure?', resetDone: 'Back to the seeded state',
    hooks: 'Notifications', hookTarget: 'An address is set; each one is tried up to three times.', hookNoTarget: 'No address is set (SANDBOX_NOTIFY_URL).',
    drop: 'Drop', reorder: 'Reorder', copies: 'Extra copies', noHooks: 'No notification yet.', resend: 'Send again', tries: 'tries',
    faults: 'Faults', faultsHint: 'Hit the next calls of the chosen operation.', operation: 'Operation', kind: 'Kind', times: 'Times', after: 'Let pass first', value: 'Value', add: 'Add',
    noFaults: 'No fault is set.', clearFaults: 'Remove all', left: 'left',
    log: 'Requests', noLog: 'No request yet.', notDone: 'not done', done: 'done',
    magic: 'Magic values', magicHint: 'The kuruş part of the amount, or an IBAN of the imaginary bank, chooses the outcome.', effect: 'What happens', kurus: 'Kuruş of the amount', iban: 'IBAN of the imaginary bank (last four digits)',
    coverage: 'Coverage', ledger: 'Money ledger', books: 'Wallet audit', questions: 'Open questions', dark: 'Dark', light: 'Light', other: 'Türkçe',
    outcomes: { complete: 'Complete', reject: 'Reject', fail: 'Fail', manual: 'Manual operation', approve: 'Approve', return: 'Return', cancel: 'Cancel' },
    states: { pending: 'Pending', manual: 'Manual operation', completed: 'Completed', rejected: 'Rejected', failed: 'Failed', cancelled: 'Cancelled', returned: 'Returned' },
    deliveries: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Not delivered', dropped: 'Dropped' },
  },
};

/** What the person chose, in this browser only. */
const stored = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
export const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private mode: the choice lasts for this page */ } };

export const choice = {
  language: stored('sandbox-language') ?? (navigator.language.toLowerCase().startsWith('tr') ? 'tr' : 'en'),
  theme: stored('sandbox-theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
};
export const t = (key) => WORDS[choice.language][key] ?? key;
