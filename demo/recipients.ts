/**
 * The payees of the demo's merchant. All are invented; the account numbers belong to no real
 * account.
 */
export type Payee = {
  name: string;
  iban: string;
  taxNumber: string;
  paymentType: string;
  description: string;
  /** The least and the most of one payment, in whole lira. */
  lira: [least: number, most: number];
};

const PERSON = '10000000146';
const SUPPLIER_LIRA: Payee['lira'] = [1_200, 24_000];
const EMPLOYEE_LIRA: Payee['lira'] = [3_000, 9_500];

const SUPPLIERS: readonly string[][] = [
  [
    'Kardelen Ambalaj San. Ltd. Şti.',
    'TR150006200000000000412701',
    '5120304117',
    '06',
    'Ambalaj faturası',
  ],
  ['Bozkır Lojistik A.Ş.', 'TR860004600000000000881220', '1874022651', '06', 'Nakliye bedeli'],
  ['Ege İplik Dokuma A.Ş.', 'TR630006400000000000127745', '3255109870', '06', 'İplik alımı'],
  [
    'Pusula Gümrük Müşavirliği',
    'TR290006700000000000556013',
    '7332011448',
    '18',
    'Gümrük müşavirlik hizmeti',
  ],
  [
    'Yakamoz Matbaa Reklam Ltd. Şti.',
    'TR850001000000000000301188',
    '9601155329',
    '06',
    'Katalog baskısı',
  ],
  ['Tuna Kumaş Sanayi A.Ş.', 'TR610001500000000000774402', '8673400195', '06', 'Kumaş alımı'],
  [
    'Anka Bilişim Hizmetleri A.Ş.',
    'TR520011100000000000219956',
    '0705502814',
    '06',
    'Yazılım bakım bedeli',
  ],
  ['Çınar Gayrimenkul Yönetimi', 'TR120003200000000000645531', '2458891308', '02', 'Depo kirası'],
  [
    'Mavi Enerji Perakende A.Ş.',
    'TR550020500000000000190043',
    '6142700952',
    '06',
    'Elektrik faturası',
  ],
  [
    'Dost Yemek Hizmetleri Ltd. Şti.',
    'TR090013400000000000832217',
    '3088155766',
    '06',
    'Yemek hizmeti',
  ],
  [
    'Zeytindalı Sigorta Aracılık',
    'TR940001200000000000467790',
    '9982304172',
    '17',
    'İşyeri sigortası primi',
  ],
  [
    'Güneş Temizlik Hizmetleri',
    'TR160020300000000000250864',
    '4166022330',
    '06',
    'Temizlik hizmeti',
  ],
  ['Kuzey Makina Servis A.Ş.', 'TR730009900000000000938125', '5933107285', '06', 'Makine bakımı'],
  ['Işık Düğme Aksesuar San.', 'TR780020600000000000714458', '4781255063', '06', 'Aksesuar alımı'],
  [
    'Şafak Güvenlik Hizmetleri A.Ş.',
    'TR680005900000000000385671',
    '8029441630',
    '06',
    'Güvenlik hizmeti',
  ],
];
const EMPLOYEES: readonly string[][] = [
  ['Elif Şahin', 'TR810004600000000066120018'],
  ['Burak Çelik', 'TR970004600000000066120118'],
  ['Zeynep Aydın', 'TR160004600000000066120218'],
  ['Okan Güler', 'TR320004600000000066120318'],
  ['Merve Işık', 'TR480004600000000066120418'],
  ['Hakan Doğan', 'TR640004600000000066120518'],
  ['Gizem Ünal', 'TR800004600000000066120618'],
  ['Emre Koç', 'TR960004600000000066120718'],
];

export const PAYEES: readonly Payee[] = [
  ...SUPPLIERS.map((one) => payee(one, SUPPLIER_LIRA)),
  ...EMPLOYEES.map(([name, iban]) =>
    payee([name!, iban!, PERSON, '05', 'Maaş avansı'], EMPLOYEE_LIRA),
  ),
];

/** Nothing was paid to this supplier before. */
export const NEW_SUPPLIER: Payee = payee(
  [
    'Nilüfer Tekstil Boya A.Ş.',
    'TR760006400000000000417735',
    '6310554274',
    '06',
    'Boya ve apre bedeli',
  ],
  SUPPLIER_LIRA,
);

function payee(
  [name, iban, taxNumber, paymentType, description]: readonly string[],
  lira: Payee['lira'],
): Payee {
  return {
    name: name!,
    iban: iban!,
    taxNumber: taxNumber!,
    paymentType: paymentType!,
    description: description!,
    lira,
  };
}
