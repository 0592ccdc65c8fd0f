import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsIn, spoiltMore, spoiltOnce, textOf, tokensIn, valuesIn } from '../testing/spoil.ts';
import type { WalletClient } from './client.ts';
import { PAYOUT_CODES, TRANSFER_CODES } from './codes.ts';
import { decodeWebhook } from './webhooks.ts';
import { compactIban } from './wire.ts';
import { response, preparedClient } from './testing/prepared.ts';
import { AMOUNT, EXT_ID, IBAN, OTHER_WALLET, SAMPLES, WALLET } from './testing/samples.ts';
import type { PayoutContent, TransferContent } from './types.ts';

/**
 * Corrupts each response to each operation: the client must not crash, must not return a final
 * state that the response does not say, and must not change an id or an amount.
 */

const PAYOUT: PayoutContent = {
  extId: EXT_ID,
  wallet: WALLET,
  iban: IBAN,
  name: 'Işık',
  taxNumber: '1234567890',
  amountMinor: AMOUNT,
  currency: 'TRY',
  paymentType: '06',
  description: 'x',
};
const TRANSFER: TransferContent = {
  extId: EXT_ID,
  wallet: WALLET,
  to: OTHER_WALLET,
  amountMinor: AMOUNT,
  currency: 'TRY',
  paymentType: null,
  description: 'x',
};
const SENDING = { endUserIp: null, beforeWrite: () => true };
const RANGE = { from: '2026-11-01T00:00:00Z', to: '2026-11-30T00:00:00Z' };
const FIRST = { index: 0, size: 20 };

type Result = { kind: string } & Record<string, unknown>;
type Verb = (wallet: WalletClient) => Promise<unknown>;

const VERBS: [name: string, verb: Verb, samples: string[]][] = [
  ['getBusinessAccount', (wallet) => wallet.getBusinessAccount(), [SAMPLES.GetBusinessAccount]],
  ['getWallet', (wallet) => wallet.getWallet(WALLET), [SAMPLES.WalletInfo]],
  [
    'listWallets',
    (wallet) => wallet.listWallets({ currency: 'TRY' }, FIRST),
    [SAMPLES.ListByFilter],
  ],
  [
    'createWallet',
    (wallet) => wallet.createWallet({ name: 'n', currency: 'TRY', fastIban: true }),
    [SAMPLES.CreateWalletForBusinessAccount],
  ],
  [
    'findPersonalWallet',
    (wallet) => wallet.findPersonalWallet({ by: 'account', account: '5', currency: 'TRY' }),
    [SAMPLES.CheckPersonalWallet],
  ],
  ['getPaymentTypes', (wallet) => wallet.getPaymentTypes('tr'), [SAMPLES.GetPaymentTypes]],
  ['sendPayout', (wallet) => wallet.sendPayout(PAYOUT, SENDING), [SAMPLES.SendMoneyToBankAccount]],
  ['readPayout', (wallet) => wallet.readPayout(PAYOUT), [SAMPLES.GetRequestWithdrawByExtId]],
  [
    'sendTransfer to a person',
    (wallet) => wallet.sendTransfer('person', TRANSFER, SENDING),
    [SAMPLES.Transfer],
  ],
  [
    'sendTransfer to a business',
    (wallet) => wallet.sendTransfer('business', TRANSFER, SENDING),
    [SAMPLES.Transfer],
  ],
  [
    'sendTransfer between own wallets',
    (wallet) => wallet.sendTransfer('own', TRANSFER, SENDING),
    [SAMPLES.Transfer],
  ],
  ['readTransfer', (wallet) => wallet.readTransfer(TRANSFER, RANGE), [SAMPLES.TransferInLedger]],
  [
    'findInLedger',
    (wallet) => wallet.findInLedger({ extId: EXT_ID, ...RANGE }),
    [SAMPLES.TransferInLedger],
  ],
  [
    'listTransactions',
    (wallet) => wallet.listTransactions(RANGE, FIRST),
    [SAMPLES.SummaryRecordByFilter],
  ],
  [
    'listWithdrawals',
    (wallet) => wallet.listWithdrawals(RANGE, FIRST),
    [SAMPLES.GetRequestWithdrawListByFilter],
  ],
  [
    'getReceipt',
    (wallet) => wallet.getReceipt('9007199254740993001'),
    [SAMPLES.TransactionReceipt],
  ],
];

/** Field names of ids and numbers in the clients' results. */
const IDS =
  /^(?:id|.*Id|number|wallet|wallets|fromWallet|toWallet|accountNumber|extAccountNumber|fromAccount|toAccount|iban|senderIban|receiverIban|taxNumber|refersTo|receiptNumber|bankReceiptNo|bankAccount)$/;
/** Fields of a result that are the sum of two amounts of the response. */
const SUMS = new Set(['availableMinor', 'unavailableMinor']);
const LEVELS: Record<string, string> = { pending: '0', completed: '1', rejected: '2', failed: '3' };
const LEDGER: Record<string, string[]> = {
  pending: ['10'],
  completed: ['20', '60'],
  failed: ['40'],
};

/** The envelope as JSON.parse reads it: its codes and statuses are short enough for that. */
function envelopeOf(body: string): { status: string; code: string; payload: unknown } {
  const plain = JSON.parse(body) as { status?: unknown; code?: unknown; payload?: unknown };
  return { status: textOf(plain.status), code: textOf(plain.code ?? null), payload: plain.payload };
}

/** The ids and amounts of the result that do not occur in the response; an IBAN in any spelling. */
function changedIn(value: unknown, body: string): string[] {
  const amounts = amountsIn(body);
  const tokens = tokensIn(body);
  const ibans = new Set([...tokens].map(compactIban));
  const isThere = (key: string, text: string): boolean =>
    tokens.has(text) || (/iban$/i.test(key) && ibans.has(text));
  return [...valuesIn(value)].flatMap(([key, value]) => {
    if (typeof value === 'bigint')
      return SUMS.has(key) ||
        amounts.has(value < 0n ? -value : value) ||
        (key === 'feeMinor' && value === 0n)
        ? []
        : [`${key} ${value}`];
    return typeof value === 'string' && IDS.test(key) && !isThere(key, value) && value !== EXT_ID
      ? [`${key} ${value}`]
      : [];
  });
}

function keepsItsWord(name: string, result: Result, body: string): void {
  if (['unclear', 'no_answer', 'unusable', 'unauthorized'].includes(result.kind)) return;
  expect(changedIn(result, body)).toEqual([]);
  const { status, code, payload } = envelopeOf(body);
  const isSuccess = status === '0' && (code === '100' || code === 'null');
  const isError = status === '1' || status === '2';
  const codes = name === 'sendPayout' ? PAYOUT_CODES : TRANSFER_CODES;
  switch (result.kind) {
    case 'accepted':
      return expect([status, code, result['extId'], result['amountMinor']]).toEqual([
        '0',
        '100',
        EXT_ID,
        AMOUNT,
      ]);
    case 'created':
      return expect([status, code]).toEqual(['0', '100']);
    case 'refused':
      return expect([
        isError,
        name === 'createWallet' ? ['999', '500'].includes(code) : codes.get(code),
      ]).toEqual([true, name === 'createWallet' ? true : 'refused']);
    case 'duplicate':
    case 'record_exists':
    case 'same_iban_wait':
      return expect(codes.get(code)).toBe(result.kind);
    case 'nobody':
      return expect(
        (isError && ['300', '313'].includes(code)) ||
          (isSuccess &&
            (payload === null || textOf((payload as { exist: unknown }).exist) === 'false')),
      ).toBe(true);
    case 'not_found':
    case 'not_listed':
    case 'not_ready':
      return expect(
        (isError && ['300', '312'].includes(code)) ||
          (isSuccess && (payload === null || body.includes('"results":'))),
      ).toBe(true);
    case 'found': {
      if (name === 'findPersonalWallet')
        return expect([isSuccess, textOf((payload as { exist: unknown }).exist)]).toEqual([
          true,
          'true',
        ]);
      expect([isSuccess, result['extId'], result['amountMinor']]).toEqual([true, EXT_ID, AMOUNT]);
      const record =
        name === 'readPayout'
          ? (payload as Record<string, unknown>)
          : ((payload as { results: Record<string, unknown>[] }).results[0] ?? {});
      return expect(
        name === 'readPayout' ? [LEVELS[String(result['level'])]] : LEDGER[String(result['level'])],
      ).toContain(textOf(record['process_level_status'] ?? record['transaction_status_id']));
    }
    // The codes for "nothing found" give a list that is empty.
    default:
      return expect(
        isSuccess ||
          (isError &&
            ['300', '312'].includes(code) &&
            (result['value'] as { rows?: unknown[] }).rows?.length === 0),
        `${result.kind} ${body}`,
      ).toBe(true);
  }
}

describe.each(VERBS)('%s', (name, verb, samples) => {
  const resultOf = async (body: string, status = 200): Promise<Result> =>
    (await verb(preparedClient(response(status, body)).made)) as Result;
  const answers = [...samples, SAMPLES.Refused, SAMPLES.Refused.replace('311', '300')];

  test('with any one field dropped, changed or of another type never says more than was said', async () => {
    for (const sample of answers)
      for (const body of spoiltOnce(sample)) keepsItsWord(name, await resultOf(body), body);
  }, 60_000);

  test('with several fields spoilt, scarred bytes, or anything at all does not either', async () => {
    for (const sample of answers)
      await fc.assert(
        fc.asyncProperty(
          spoiltMore(sample),
          async (body) => void keepsItsWord(name, await resultOf(body), body),
        ),
        { numRuns: 150 },
      );
  }, 60_000);

  test('under no other HTTP status says anything final', async () => {
    for (const status of [
      100, 201, 204, 301, 302, 307, 400, 403, 404, 409, 418, 429, 500, 502, 503, 504,
    ]) {
      for (const body of answers)
        expect(['unclear', 'no_answer', 'unusable']).toContain((await resultOf(body, status)).kind);
    }
  });
});

const NOTICE = `{"tenant_id":42,"amount":12400.00,"currency_code":"TRY",
  "ext_transaction_id":"${EXT_ID}","request_withdraw_id":9007199254740993002,
  "transaction_id":9007199254740993001,"account_type_id":2,
  "account_number":"1","wallet_number":"${WALLET}","before_process_status":1,
  "after_process_status":1,"money_transfer_state":0,"money_transfer_type":3,"to_iban":"${IBAN}",
  "response_status":2,
  "response_code":"312","response_message":"","transaction_type":"A01","to_name":"I*** Ç***",
  "reason":"İşlem başarılı"}`;

test('a payout notice with anything spoilt hints at no more than its after_process_status says', () => {
  const HINTS: Record<string, string[]> = {
    completed: ['1'],
    rejected: ['2', '4'],
    manual: ['3'],
    refunded: ['5'],
  };
  const check = (body: string): void => {
    const notice = decodeWebhook(body);
    for (const [key, value] of valuesIn(notice))
      if (typeof value === 'string' && IDS.test(key)) expect(tokensIn(body)).toContain(value);
    if (notice.hint !== 'unknown')
      expect(HINTS[notice.hint]).toContain(
        textOf((JSON.parse(body) as { after_process_status: unknown }).after_process_status),
      );
  };
  for (const body of spoiltOnce(NOTICE)) check(body);
  fc.assert(
    fc.property(spoiltMore(NOTICE), (body) => void check(body)),
    { numRuns: 1_000 },
  );
});
