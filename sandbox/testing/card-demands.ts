import {
  codesOf,
  names,
  operationOfPath,
  section,
  sectionsOf,
  tablesOf,
} from './contract-tables.ts';
import type { Demand, Kind, Section } from './contract-tables.ts';

/** The rows that the contracts demand of the card gateway and of the login API. */

const PAYMENTS = ['paySmart2D', 'paySmart3D'];

/**
 * Returns the names before the brackets: "merchant_key (string, y), app_lang (n)" has merchant_key
 * and app_lang.
 */
const named = (prose: string): string[] =>
  [...prose.matchAll(/(\w+) \((?:string|number|integer|[yn]\b)/g)].map(([, name]) => name!);

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

/** The operations for the names in the section "Operations named only". */
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
  const endpoints = all.flatMap(({ title, text }) => {
    const path = /^(?:POST|GET) (\S+)$/.exec(title)?.[1];
    if (path === undefined) return [];
    const operation = path.endsWith('dpl/create')
      ? 'dpl/create (currencies)'
      : operationOfPath(path);
    const request = /(?:Request(?: \([^)]*\))?|Headers): ([^.]*)/.exec(text)?.[1] ?? '';
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
 * Returns the operation of a heading: `payment/complete` for "2.5 POST /ccpayment/payment/complete
 * (complete-payment)"; undefined for a heading without a path.
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
  const text = section(sectionsOf(facts), /^3\.3/).text;
  const make = /POST api\/dpl\/create[^:]*: (.*?) required; (.*?) optional/s.exec(text);
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
  const paths = [...text.matchAll(/(?:api\/)(dpl\/(?:sendemail|sendsms|details|list))/g)].map(
    ([, path]) => path!,
  );
  return [
    ...[...fields(make?.[1]), ...fields(make?.[2])].map((item) =>
      demand('dpl/create (link)', 'field', item),
    ),
    ...[...new Set(paths)].map((path) => demand(path, 'operation', path)),
  ];
}
