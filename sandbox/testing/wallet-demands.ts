import { names, operationOfPath, section, sectionsOf, tablesOf } from './contract-tables.ts';
import type { Demand, Kind, Section } from './contract-tables.ts';

/** The rows that the contracts demand of the wallet service. */

/**
 * The sections of the wallet contract that list a record's fields, and the names of these records
 * in the coverage.
 */
const WALLET_RECORDS: readonly (readonly [section: RegExp, record: string])[] = [
  [/^Wallet record/, 'wallet record'],
  [/^Business account record/, 'business account record'],
  [/^Transaction record/, 'transaction record'],
  [/^Withdraw request record/, 'withdraw request record'],
  [/^Paged list wrapper/, 'paged list'],
  [/^Payment type/, 'payment type'],
];
/** The operations that the column "Listed for" of the wallet's error table means. */
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

/**
 * Returns the names of an enumeration, in prose or in a table's first column. Text in brackets is
 * left out.
 */
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
 * The operations whose answers are records of their own. In their table, "as above plus" and "same
 * as" refer to another row.
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

/**
 * Returns the demands of sections 4.3 and 4.5 of the provider facts: the fields of every wallet
 * operation, and the codes.
 */
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
