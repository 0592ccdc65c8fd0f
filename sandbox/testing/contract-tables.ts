/**
 * What the contracts (docs/contracts/) hold, read from their own tables, headings and code lists:
 * the operations, fields, codes and events that the coverage must have a row for. Rules are prose:
 * nobody can read them out, so coverage/ keeps those.
 */

export type Kind = 'operation' | 'field' | 'code' | 'event';
/** `operations`: each of them must have the row; `anywhere`: one operation of that area must. */
export type Demand = {
  file: string;
  section: string;
  kind: Kind;
  item: string;
  operations: string[];
  anywhere?: 'card' | 'login' | 'wallet';
};

type Section = { title: string; text: string };
type Table = { head: string[]; rows: string[][] };

const PAYMENTS = ['paySmart2D', 'paySmart3D'];

/** A file by its headings of two and three signs. */
export function sectionsOf(text: string): Section[] {
  return text
    .split(/^(?=#{1,3} )/m)
    .map((part) => ({ title: /^#{1,3} (.*)$/m.exec(part)?.[1] ?? '', text: part }));
}

export function tablesOf(text: string): Table[] {
  const cells = (line: string): string[] =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
  return [...text.matchAll(/^\|.*\|\s*\n\|[-|: ]+\|\s*\n(?:\|.*\|\s*(?:\n|$))*/gm)].map(
    ([table]) => {
      const [head = '', , ...rows] = table.trim().split('\n');
      return { head: cells(head), rows: rows.map(cells) };
    },
  );
}

const section = (sections: Section[], title: RegExp): Section => {
  const found = sections.find((one) => title.test(one.title));
  if (found === undefined) throw new Error(`no section ${String(title)} in the contract`);
  return found;
};
const names = (cell: string): string[] =>
  cell
    .split(/,\s*/)
    .map((name) => name.replaceAll('`', '').trim())
    .filter((name) => /^[A-Za-z]\w*$/.test(name));
/** "merchant_key (string, y), app_lang (n)": the names before the brackets. */
const named = (prose: string): string[] =>
  [...prose.matchAll(/(\w+) \((?:string|number|integer|[yn]\b)/g)].map(([, name]) => name!);

/**
 * "14, 31/32 order not found, 90–97 hash": the numbers that begin each part; what is in brackets
 * explains.
 */
export function codesOf(list: string): string[] {
  const sentence = list.replace(/\([^()]*\)/g, '').split(/\.(?:\s|$)/)[0]!;
  return sentence.split(/[,;]/).flatMap((part) => {
    const range = /^\s*(\d{1,3})–(\d{1,3})\b/.exec(part);
    if (range)
      return Array.from({ length: Number(range[2]) - Number(range[1]) + 1 }, (_, n) =>
        String(Number(range[1]) + n),
      );
    return (
      /^\s*(?:HTTP )?(\d{1,3}(?:\s?\/\s?\d{1,3})*)\b/.exec(part)?.[1] ??
      /-> (\d{1,3})\b/.exec(part)?.[1] ??
      ''
    )
      .split('/')
      .map((code) => code.trim())
      .filter((code) => code !== '');
  });
}

/** The names the coverage knows an operation by: the end of its path. */
export const operationOfPath = (path: string): string =>
  path
    .replace(/^\{\w+\}/, '')
    .replace(/^\/ccpayment\/(?:api\/(?=\w)|(?=p))/, '')
    .replace(/^\/?(?:api\/)/, '')
    .replace(/^\/v1\/(?:Account|Transaction|TransactionData|Wallet(?=\/Create))\//, '')
    .replace(/^\/v1\//, '');

const tableFields = (
  file: string,
  { title, text }: Section,
  operations: (row: string[]) => string[],
): Demand[] =>
  tablesOf(text)
    .slice(0, 1)
    .flatMap(({ rows }) =>
      rows.flatMap((row) =>
        names(row[0]!).map((item) => ({
          file,
          section: title,
          kind: 'field' as const,
          item,
          operations: operations(row),
        })),
      ),
    );

/** What "Operations named only" calls them. */
const NAMED_ONLY: Record<string, string> = {
  'Installment details': 'getpos',
  'merchant installments': 'installments',
  commission: 'commissions',
  'complete-payment': 'payment/complete',
  'confirm-payment': 'confirmPayment',
  'check status': 'checkstatus',
  'pos listing': 'getpos',
  'saved card registration': 'saveCard',
  query: 'getCardTokens',
  'edit and deletion': 'editCard',
  'recurring query and plan process and update': 'recurringPlan/query',
  refund: 'refund',
  'cashout to bank': 'cashout/tobank',
  'webhook page': 'web hooks',
  'hash creation and validation pages': 'paySmart2D',
  recurring: 'paySmart2D',
  insurance: 'paySmart2D',
  'pre-authorization and agriculture payment variants': 'paySmart3D',
};

export function cardDemands(text: string): Demand[] {
  const file = 'card-gateway.md';
  const all = sectionsOf(text);
  const of = (title: RegExp): Section => section(all, title);
  const demand = (
    title: string,
    kind: Kind,
    item: string,
    operations: string[],
    anywhere?: 'card' | 'login',
  ): Demand => ({
    file,
    section: title,
    kind,
    item,
    operations,
    ...(anywhere ? { anywhere } : {}),
  });
  const endpoints = all.flatMap(({ title, text: said }) => {
    const path = /^(?:POST|GET) (\S+)$/.exec(title)?.[1];
    if (path === undefined) return [];
    const operation = path.endsWith('dpl/create')
      ? 'dpl/create (currencies)'
      : operationOfPath(path);
    const request = /(?:Request(?: \([^)]*\))?|Headers): ([^.]*)/.exec(said)?.[1] ?? '';
    return [
      demand(title, 'operation', operation, [operation]),
      ...named(request).map((item) => demand(title, 'field', item, [operation])),
    ];
  });
  const only = of(/^Operations named only/);
  const phrases = only.text
    .split('\n')
    .slice(1)
    .join(' ')
    .replace(/:.*$/s, '')
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
  return [
    ...tableFields(file, of(/^Order request fields \(paySmart2D/), (row) =>
      row[2]!.includes('3D only') ? ['paySmart3D'] : PAYMENTS,
    ),
    ...tableFields(file, of(/^Recurring fields/), () => [...PAYMENTS, 'payByCardToken']),
    ...tableFields(file, of(/^Agriculture fields/), () => ['paySmart3D']),
    ...tableFields(file, of(/^Order request fields \(payByCardToken/), () => ['payByCardToken']),
    ...endpoints,
    ...phrases.map((phrase) =>
      demand(only.title, 'operation', NAMED_ONLY[phrase] ?? `"${phrase}"`, [
        NAMED_ONLY[phrase] ?? phrase,
      ]),
    ),
    ...tablesOf(of(/^Errors/).text)[0]!.rows.map(([code, where]) => {
      const host = { 'payment API': 'card', 'merchant login API': 'login' }[where!] as
        | 'card'
        | 'login'
        | undefined;
      return demand('Errors', 'code', /\d+$/.exec(code!)![0], host ? [] : [where!], host);
    }),
    ...['sale', 'recurring']
      .filter((event) => new RegExp(`^- ${event} web hook:`, 'im').test(of(/^Events/).text))
      .map((event) => demand('Events', 'event', event, ['web hooks'])),
  ];
}

/**
 * "2.5 POST /ccpayment/payment/complete (complete-payment)" is about `payment/complete`; a heading
 * without a path is about none.
 */
function factOperation(title: string): string | undefined {
  const path = /(?:POST|GET) (?:\(older: GET\) )?(\/\S+)/.exec(title)?.[1];
  return path === undefined ? undefined : operationOfPath(path);
}

export function factDemands(text: string): Demand[] {
  const file = 'provider-facts.md';
  const all = sectionsOf(text);
  const of = (title: RegExp): Section => section(all, title);
  const requests = all.flatMap((one): Demand[] => {
    const operation = factOperation(one.title);
    if (operation === undefined) return [];
    const table = tablesOf(one.text).find(({ head }) => head.includes('Req'));
    const prose = /(?:Request|Parameters): (.*?)(?:\.\s|$)/m.exec(one.text)?.[1] ?? '';
    const fields = table ? table.rows.flatMap((row) => names(row[0]!)) : named(prose);
    const codes = [...one.text.matchAll(/(?:Errors|Codes): (.*)$/gm)].flatMap(([, list]) =>
      codesOf(list!),
    );
    const demand = (kind: Kind, item: string): Demand => ({
      file,
      section: one.title,
      kind,
      item,
      operations: [operation],
    });
    return [
      demand('operation', operation),
      ...fields.map((item) => demand('field', item)),
      ...codes.map((item) => demand('code', item)),
    ];
  });
  const codes = tablesOf(of(/^3\.1 Status codes/).text)[0]!.rows.flatMap(([cell]) =>
    cell!.split('/').map((code): Demand => ({
      file,
      section: '3.1',
      kind: 'code',
      item: code.trim(),
      operations: [],
      anywhere: 'card',
    })),
  );
  const hooks = tablesOf(of(/^2\.15/).text)[0]!.rows.map(([cell]): Demand => ({
    file,
    section: '2.15',
    kind: 'event',
    item: cell!.replace(/\s*\(.*$/, ''),
    operations: ['web hooks'],
  }));
  return [...requests, ...codes, ...hooks];
}

export function loginDemands(facts: string): Demand[] {
  const said = section(sectionsOf(facts), /^3\.3/).text;
  const make = /POST api\/dpl\/create[^:]*: (.*?) required; (.*?) optional/s.exec(said);
  const fields = (list: string | undefined): string[] =>
    (list ?? '')
      .split(',')
      .map((part) => /^\s*(\w+)/.exec(part)?.[1] ?? '')
      .filter((name) => name !== '');
  const demand = (operation: string, kind: Kind, item: string): Demand => ({
    file: 'provider-facts.md',
    section: '3.3',
    kind,
    item,
    operations: [operation],
  });
  const paths = [...said.matchAll(/(?:api\/)(dpl\/(?:sendemail|sendsms|details|list))/g)].map(
    ([, path]) => path!,
  );
  return [
    ...[...fields(make?.[1]), ...fields(make?.[2])].map((item) =>
      demand('dpl/create (link)', 'field', item),
    ),
    ...[...new Set(paths)].map((path) => demand(path, 'operation', path)),
  ];
}

/**
 * Sections of the wallet contract that list a record's fields, and the names the coverage knows the
 * records by.
 */
const WALLET_RECORDS: readonly (readonly [section: RegExp, record: string])[] = [
  [/^Wallet record/, 'wallet record'],
  [/^Business account record/, 'business account record'],
  [/^Transaction record/, 'transaction record'],
  [/^Withdraw request record/, 'withdraw request record'],
  [/^Paged list wrapper/, 'paged list'],
  [/^Payment type/, 'payment type'],
];
/** "Listed for" of the wallet's error table: the operations it means. */
const TRANSFERS = [
  'BusinessToPersonalTransfer',
  'BusinessToBusinessTransfer',
  'TransferToVirement',
];
const LISTED_FOR: readonly (readonly [words: RegExp, operations: readonly string[]])[] = [
  [/Wallet\/Info/, ['Wallet/Info']],
  [/transfers/, TRANSFERS],
  [/business-to-personal/, TRANSFERS],
  [/SendMoneyToBankAccount|bank payout/, ['SendMoneyToBankAccount']],
  [/wallet creation/, ['CreateWalletForBusinessAccount']],
  [/^payouts$/, ['SummaryRecordByFilter']],
];

/** Names of an enumeration in prose or in a table's first column; what is in brackets explains. */
const listedNames = (text: string): string[] =>
  names(
    text
      .replace(/^#.*$/m, '')
      .replace(/\([^()]*\)/g, '')
      .split(/\.(?:\s|$)/)[0]!,
  );

function recordFields({ text }: Section): string[] {
  const table = tablesOf(text)[0];
  return table
    ? table.rows.flatMap((row) => names(row[0]!.replace(/\([^()]*\)/g, '')))
    : listedNames(text);
}

/**
 * Answers that are records of their own: "as above plus" and "same as" point to another row of the
 * table.
 */
const OWN_ANSWERS = new Set(['CheckPersonalWallet', ...TRANSFERS, 'SendMoneyToBankAccount']);

function answerDemands({ title, text }: Section): Demand[] {
  const known = new Map<string, string[]>();
  let above: string[] = [];
  for (const [, path = '', , answer = ''] of tablesOf(text)[0]!.rows) {
    const plain = answer.replace(/\([^()]*\)/g, '').replaceAll(' and ', ', ');
    const like =
      known.get(/^same as (\w+)/.exec(plain)?.[1] ?? '') ??
      (plain.startsWith('as above') ? above : []);
    above = [...like, ...names(plain.replace(/^as above plus|^same as \w+/, ''))];
    known.set(operationOfPath(path), above);
  }
  return [...known]
    .filter(([operation]) => OWN_ANSWERS.has(operation))
    .flatMap(([operation, fields]) =>
      fields.map((item): Demand => ({
        file: 'wallet-service.md',
        section: title,
        kind: 'field',
        item,
        operations: [`${operation} answer`],
      })),
    );
}

export function walletDemands(text: string): Demand[] {
  const file = 'wallet-service.md';
  const all = sectionsOf(text);
  const of = (title: RegExp): Section => section(all, title);
  const demand = (
    title: string,
    kind: Kind,
    item: string,
    operations: readonly string[],
  ): Demand => ({ file, section: title, kind, item, operations: [...operations] });
  const endpoints = tablesOf(of(/^Endpoints/).text)[0]!.rows.flatMap(([, path, request]) => {
    const operation = operationOfPath(path!);
    const fields = names(
      request!
        .replace(/^phone form: /, '')
        .replace(/\([^()]*\)/g, '')
        .replace(/;.*$/, ''),
    ).filter((name) => name !== 'none');
    return [
      demand('Endpoints', 'operation', operation, [operation]),
      ...fields.map((item) => demand('Endpoints', 'field', item, [operation])),
    ];
  });
  const answers = answerDemands(of(/^Endpoints/));
  const kyc = names(
    /user_kyc_info \| object or null: ([^|]*)/.exec(of(/^Wallet record/).text)?.[1] ?? '',
  ).map((item) => demand('Wallet record', 'field', item, ['user kyc info']));
  const codes = tablesOf(of(/^Errors/).text)[0]!.rows.flatMap(([cell, , where]) =>
    cell!.split(', ').flatMap((code) => {
      const operations =
        where === 'all'
          ? endpoints.filter((one) => one.kind === 'operation').map((one) => one.item)
          : LISTED_FOR.filter(([words]) => words.test(where!)).flatMap(([, list]) => list);
      return demand('Errors', 'code', code, operations.length > 0 ? operations : [`"${where}"`]);
    }),
  );
  const notice = /Fields: ([\s\S]*?)\.\n/.exec(of(/^Bank transfer notification/).text)?.[1] ?? '';
  return [
    ...endpoints,
    ...codes,
    ...answers,
    ...kyc,
    ...WALLET_RECORDS.flatMap(([title, record]) =>
      recordFields(of(title)).map((item) => demand(of(title).title, 'field', item, [record])),
    ),
    ...names(notice.replace(/\([^()]*\)/g, '')).map((item) =>
      demand('Bank transfer notification', 'field', item, ['payout notification']),
    ),
  ];
}

/** 4.3 and 4.5 of the facts: the fields of every wallet operation, and the codes. */
export function walletFactDemands(facts: string): Demand[] {
  const all = sectionsOf(facts);
  const { title, text } = section(all, /^4\.3/);
  const codes = tablesOf(section(all, /^4\.5/).text)[0]!.rows.map(([item]): Demand => ({
    file: 'provider-facts.md',
    section: '4.5',
    kind: 'code',
    item: item!,
    operations: [],
    anywhere: 'wallet',
  }));
  const fields = tablesOf(text)[0]!.rows.flatMap(([who, required, optional]) => {
    const operations = who!
      .replaceAll('*', '')
      .replace(/,? ?(?:phone form|account-number form)/, '')
      .split(', ');
    const named = [required, optional]
      .flatMap((cell) =>
        cell!
          .replace(/; older: .*$/, '')
          .replace(/\([^()]*\)?/g, '')
          .split(/[,;)]/),
      )
      .map((name) => name.trim())
      .filter((name) => /^[a-z]+(?:_[a-z]+)+$|^(?:id|name|amount|description|min|max)$/.test(name));
    return named.map((item): Demand => ({
      file: 'provider-facts.md',
      section: title,
      kind: 'field',
      item,
      operations,
    }));
  });
  return [...fields, ...codes];
}
