import type { Frame } from '../profile.ts';

/** The texts of a file, for tests. */
export const FRAME: Omit<Frame, 'role' | 'by' | 'zone'> = {
  locale: 'tr',
  fileName: 'odemeler',
  title: 'Ödemeler',
  filter: ['“şafak” içeren'],
  columns: { reference: 'Referans', amount: 'Tutar' },
  codes: {
    state: { DRAFT: 'Taslak', COMPLETED: 'Tamamlandı' },
    part: {
      pending: 'Süren',
      paid: 'Ödenen',
      returned: 'İade',
      unknown: 'Belirsiz',
      unpaid: 'Ödenmeyen',
    },
  },
  labels: {
    about: 'Hakkında',
    by: 'Hazırlayan',
    when: 'İstendiği an',
    zone: 'Saat dilimi',
    filter: 'Filtre',
    all: 'Yok: tümü',
    personal: 'Kişisel veriler',
    personalIs: 'Açık',
    moments: 'Durumlar',
    momentsIs: 'okundukları andaki',
    rows: 'Satır',
    sum: 'Toplam',
    checksum: 'Özet',
    marks: 'Kesme işareti\nmetindir',
  },
};
