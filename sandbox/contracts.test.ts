import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractData, coverage } from './coverage.ts';
import { cardDemands, factDemands, loginDemands } from './testing/card-demands.ts';
import { codesOf } from './testing/contract-tables.ts';
import type { Demand } from './testing/contract-tables.ts';
import { walletDemands, walletFactDemands } from './testing/wallet-demands.ts';

const contract = (name: string): string =>
  readFileSync(new URL(`../docs/contracts/${name}.md`, import.meta.url), 'utf8');
const [card, wallet, facts] = [
  contract('card-gateway'),
  contract('wallet-service'),
  contract('provider-facts'),
];

/**
 * Items that a contract lists for one operation and coverage/ lists for another, each with the
 * reason.
 */
const ELSEWHERE: Record<string, string> = {
  'getpos code 30': 'a rule of the token: every JSON operation wants it',
  'getpos code 401': 'the same',
  'getpos code 102': "getpos answers 36; 102 is the payments' word for it (contract)",
  'saveCard code 97': 'names the card token, which the hash of saveCard does not have',
  'getCardTokens code 41': 'published as "41 or 14": 14',
  'recurringPlan/update code 72':
    "deletion of a plan's card, an operation nobody publishes; the code is that of recurring/plan/process",
};

const { rows } = coverage(contractData(), []);

function missing(demands: Demand[]): string[] {
  return demands.flatMap(({ file, section, kind, item, operations, anywhere }) => {
    const fits = rows.filter((row) => row.kind === kind && row.item === item);
    const without = anywhere
      ? fits.some((row) => row.area === anywhere)
        ? []
        : [anywhere]
      : operations.filter(
          (operation) =>
            !fits.some((row) => row.operation === operation) &&
            !(`${operation} ${kind} ${item}` in ELSEWHERE),
        );
    return without.map(
      (operation) => `${file}, ${section}: ${operation} has no row for the ${kind} ${item}`,
    );
  });
}

describe('the coverage holds what the contracts hold', () => {
  it('has a row for every operation, field, code and event of the card gateway', () => {
    expect(missing([...cardDemands(card), ...factDemands(facts)])).toEqual([]);
  });

  it('has a row for every operation and field of the payment links', () => {
    expect(missing(loginDemands(facts))).toEqual([]);
  });

  it('finds what a contract gains: a field, a code, an operation, an event', () => {
    const more = card
      .replace(
        '| ip | string | no | IP address',
        '| tip | double | no | for the waiter |\n| ip | string | no | IP address',
      )
      .replace(
        '| status_code 102 | paySmart3D |',
        '| status_code 777 | paySmart3D | new |\n| status_code 102 | paySmart3D |',
      )
      .replace('refund, cashout to bank', 'refund, loyalty points, cashout to bank')
      .replace(
        '### POST /ccpayment/api/paySmart3D',
        '### POST /ccpayment/api/paySmart4D\n\nRequest: code (string, required).\n\n### POST /ccpayment/api/paySmart3D',
      );
    expect(missing(cardDemands(more))).toEqual([
      'card-gateway.md, Order request fields (paySmart2D and paySmart3D): paySmart2D has no row for the field tip',
      'card-gateway.md, Order request fields (paySmart2D and paySmart3D): paySmart3D has no row for the field tip',
      'card-gateway.md, POST /ccpayment/api/paySmart4D: paySmart4D has no row for the operation paySmart4D',
      'card-gateway.md, POST /ccpayment/api/paySmart4D: paySmart4D has no row for the field code',
      'card-gateway.md, Operations named only: loyalty points has no row for the operation "loyalty points"',
      'card-gateway.md, Errors: paySmart3D has no row for the code 777',
    ]);
    const grown = facts
      .replace('| 33 | quantity', '| 778 | new |\n| 33 | quantity')
      .replace('Errors: 86 not saved,', 'Errors: 779 too many, 86 not saved,')
      .replace('| chargeback | JSON', '| payout | form |\n| chargeback | JSON')
      .replace(
        '| refund_transaction_id | string | n |',
        '| reason | string | n | why |\n| refund_transaction_id | string | n |',
      );
    expect(missing(factDemands(grown)).map((line) => line.replace(/^.*: /, ''))).toEqual([
      'refund has no row for the field reason',
      'saveCard has no row for the code 779',
      'card has no row for the code 778',
      'web hooks has no row for the event payout',
    ]);
  });

  it('has a row for every operation, field, code and record of the wallet service', () => {
    expect(missing([...walletDemands(wallet), ...walletFactDemands(facts)])).toEqual([]);
  });

  it('finds what the wallet service gains: an operation, a field, a code, a record’s field, one of a notice', () => {
    const more = wallet
      .replace(
        '| POST | /v1/Wallet/Info |',
        '| POST | /v1/Wallet/Freeze | wallet_number (string), until (date) | string |\n| POST | /v1/Wallet/Info |',
      )
      .replace(
        'description, payment_type | as above plus',
        'description, payment_type, tip | as above plus',
      )
      .replace('| 480 | FraudCheck |', '| 481 | FraudCheck |')
      .replace('| tax_number | string or null |', '| tax_number, tax_mood | string or null |')
      .replace('to_name (string, masked), ', 'to_name (string, masked), to_mood (string), ')
      .replace('receipt_number, ip_address', 'receipt_number, receipt_mood, ip_address');
    expect(new Set(missing(walletDemands(more)).map((line) => line.replace(/^.*: /, '')))).toEqual(
      new Set([
        'Wallet/Freeze has no row for the operation Wallet/Freeze',
        'Wallet/Freeze has no row for the field wallet_number',
        'Wallet/Freeze has no row for the field until',
        'Wallet/Freeze has no row for the code 100',
        'BusinessToBusinessTransfer has no row for the field tip',
        ...[
          'BusinessToPersonalTransfer',
          'BusinessToBusinessTransfer',
          'TransferToVirement',
          'SendMoneyToBankAccount',
        ].map((operation) => `${operation} has no row for the code 481`),
        'wallet record has no row for the field tax_mood',
        'payout notification has no row for the field to_mood',
        'transaction record has no row for the field receipt_mood',
      ]),
    );
    const grown = facts
      .replace('| 322 | already cancelled |', '| 323 | too late |')
      .replace('| Wallet/Info | wallet_number |', '| Wallet/Info | wallet_number, wallet_mood |');
    expect(missing(walletFactDemands(grown)).map((line) => line.replace(/^.*: /, ''))).toEqual([
      'Wallet/Info has no row for the field wallet_mood',
      'wallet has no row for the code 323',
    ]);
  });

  it('reads lists of codes as they are written', () => {
    expect(
      codesOf(
        '14 merchant (3 in the old list), 30/401 auth, 90–92 hash; unknown plan: unpublished -> 31. Repeated: 113',
      ),
    ).toEqual(['14', '30', '401', '90', '91', '92', '31']);
  });

  it('reads as many as there are: a table that is no longer read would ask for nothing', () => {
    const count = (demands: Demand[], kind: Demand['kind']): number =>
      demands.filter((demand) => demand.kind === kind).length;
    expect([count(cardDemands(card), 'field'), count(cardDemands(card), 'code')]).toEqual([72, 7]);
    expect([
      count(factDemands(facts), 'operation'),
      count(factDemands(facts), 'field'),
      count(factDemands(facts), 'code'),
    ]).toEqual([15, 71, 131]);
    expect(loginDemands(facts)).toHaveLength(11);
    expect([
      count(walletDemands(wallet), 'operation'),
      count(walletDemands(wallet), 'field'),
      count(walletDemands(wallet), 'code'),
    ]).toEqual([14, 296, 20]);
    expect([
      count(walletFactDemands(facts), 'field'),
      count(walletFactDemands(facts), 'code'),
    ]).toEqual([81, 16]);
  });

  it('has no field and no code that is in no contract', () => {
    const isNamed = (item: string): boolean =>
      [card, wallet, facts].some((text) => new RegExp(`(?<![\\w-])${item}(?![\\w-])`).test(text));
    const named = rows
      .filter((row) => row.area !== 'login' && (row.kind === 'field' || row.kind === 'code'))
      .filter((row) => !isNamed(row.item));
    expect(named.map((row) => `${row.operation} ${row.kind} ${row.item}`)).toEqual([]);
  });
});
