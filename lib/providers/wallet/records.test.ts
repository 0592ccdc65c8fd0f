import { describe, expect, test } from 'vitest';
import { response, page, preparedClient } from './testing/prepared.ts';
import { EXT_ID, IBAN, LEDGER_LINE, OTHER_WALLET, SAMPLES, WALLET } from './testing/samples.ts';
import type { TransactionFilter, WithdrawalFilter } from './types.ts';

const RANGE = { from: '2026-11-01T00:00:00Z', to: '2026-11-30T00:00:00Z' };
const FIRST = { index: 0, size: 20 };
const answered = (sample: string) => preparedClient(response(200, sample));
const sent = (asked: { body?: string }[]) =>
  JSON.parse(asked.at(-1)?.body ?? '') as Record<string, unknown>;

describe('every field of the contract', () => {
  test('of the business account', async () => {
    const reply = await answered(SAMPLES.GetBusinessAccount).made.getBusinessAccount();
    expect(reply).toEqual({
      kind: 'answered',
      value: {
        id: '9007199254740993021',
        tenantId: '9007199254740993012',
        parentAccountId: '9007199254740993022',
        name: 'Örnek Ltd',
        alias: 'örnek',
        accountNumber: '5550001',
        extAccountNumber: 'E-1',
        businessType: '1',
        kycLevel: 'Contracted',
        ownerUserId: '9007199254740993023',
        contact: {
          firstName: 'Ayşe',
          lastName: 'Yılmaz',
          email: 'ayse@demo.test',
          phone: '905550001122',
          address: ['Bir Sokak 1', 'Kat 2'],
          postalCode: '34000',
          province: '34',
          country: 'TR',
        },
        taxNumber: '1234567890',
        taxOffice: 'Beşiktaş',
        sectorId: '7',
        groupCode: 'G1',
        locked: false,
        hidden: false,
        access: 'active',
        accessLevel: '1',
        createdAt: '2026-01-02T03:04:05Z',
        updatedAt: '2026-02-02T03:04:05Z',
      },
    });
  });

  test('of a wallet, without what is known of its owner as a person', async () => {
    const reply = await answered(SAMPLES.WalletInfo).made.getWallet(WALLET);
    expect(reply).toEqual({
      kind: 'answered',
      value: {
        id: '9007199254740993011',
        tenantId: '9007199254740993012',
        number: WALLET,
        name: 'Ana cüzdan',
        accountNumber: '5550001',
        extAccountNumber: 'E-1',
        currency: 'TRY',
        accountType: 'Business',
        phone: { country: '90', number: '5550001122' },
        email: 'kasa@demo.test',
        taxNumber: '1234567890',
        kycLevel: 'Contracted',
        access: 'active',
        accessText: 'Aktif',
        totalMinor: 18_425_075n,
        payment: { availableMinor: 18_000_050n, unavailableMinor: 25_025n },
        cash: { availableMinor: 400_000n, unavailableMinor: 0n },
        availableMinor: 18_400_050n,
        unavailableMinor: 25_025n,
        monthlyInMinor: 99_010n,
        monthlyOutMinor: 1_230n,
        limits: {
          maxBalanceMinor: 99_999_999n,
          topUpCreditMinor: 101n,
          topUpCashMinor: 202n,
          withdrawalMinor: 303n,
          paymentMinor: 404n,
          walletToWalletMinor: 505n,
        },
        iban: 'TR320010009999901234567890',
        topUpDefault: true,
        loyaltyRequired: false,
        hidden: false,
        createdAt: '2026-01-02T03:04:05.1234567Z',
        updatedAt: null,
      },
    });
    expect(
      JSON.stringify(reply, (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    ).not.toContain('10000000146');
  });

  test.each([
    [1, 'active'],
    ['1', 'active'],
    [2, 'blocked'],
    [3, 'banned'],
    [4, 'closed'],
    [5, 'unknown'],
    [0, 'unknown'],
    [null, 'unknown'],
    ['Aktif', 'unknown'],
  ])('access level %s is %s', async (level, access) => {
    const sample = SAMPLES.WalletInfo.replace(
      '"access_level_status_id":1',
      `"access_level_status_id":${JSON.stringify(level)}`,
    );
    expect(await answered(sample).made.getWallet(WALLET)).toMatchObject({
      kind: 'answered',
      value: { access },
    });
  });

  test('of a ledger line, and the whole of it with every digit', async () => {
    const reply = await answered(SAMPLES.SummaryRecordByFilter).made.listTransactions(RANGE, FIRST);
    if (reply.kind !== 'answered') throw new Error(reply.kind);
    const [payout, topUp] = reply.value.rows;
    const { raw, ...fields } = payout!;
    expect(fields).toEqual({
      transactionId: '9007199254740993001',
      groupId: '9007199254740993003',
      statusId: 20,
      level: 'completed',
      typeId: 2002,
      amountMinor: 1_240_000n,
      feeMinor: 640n,
      totalMinor: 1_240_640n,
      receivedMinor: 1_239_900n,
      receiverFeeMinor: 100n,
      currency: 'TRY',
      extId: EXT_ID,
      refersTo: null,
      direction: 'out',
      type: 'Send Money To Bank Account',
      status: 'NormalCompleted',
      resultCode: 'Success',
      createdAt: '2026-11-21T10:00:00.1234567Z',
      updatedAt: '2026-11-21T10:00:01Z',
      completedAt: '2026-11-21T10:00:02Z',
      postedAt: '2026-11-21T10:00:03Z',
      posted: true,
      walletId: '9007199254740993011',
      toWalletId: null,
      fromWallet: WALLET,
      toWallet: null,
      fromAccount: '5550001',
      toAccount: '5550002',
      description: 'Fatura 4711',
      fromDescription: 'Fatura 4711',
      toDescription: 'Fatura',
      receiptNumber: 'R-1',
      channel: 'Web',
      source: 'Api',
      topUp: null,
    });
    expect(JSON.stringify(raw)).toBe(LEDGER_LINE());
    expect(topUp).toMatchObject({
      direction: 'in',
      topUp: { senderName: 'Işık Çağrı', senderIban: IBAN, bankReceiptNo: '00017' },
    });
  });

  test('of a withdraw request', async () => {
    const reply = await answered(SAMPLES.GetRequestWithdrawListByFilter).made.listWithdrawals(
      RANGE,
      FIRST,
    );
    if (reply.kind !== 'answered') throw new Error(reply.kind);
    const { raw, ...fields } = reply.value.rows[0]!;
    expect(fields).toEqual({
      requestId: '9007199254740993002',
      extId: EXT_ID,
      correlationId: '9007199254740993001',
      walletId: '9007199254740993011',
      wallet: WALLET,
      accountType: '2',
      accountNumber: '5550001',
      level: 'completed',
      amountMinor: 1_240_000n,
      currency: 'TRY',
      iban: IBAN,
      name: 'Işık Çağrı Öğüt',
      taxNumber: '1234567890',
      toOwner: false,
      bankId: '62',
      bankName: 'Garanti BBVA',
      bankAccount: '6457841326',
      swift: 'TGBATRIS',
      branch: '01',
      description: 'Fatura 4711',
      reason: 'Hesap bulunamadı',
      createdAt: '2026-11-21T10:00:00Z',
      updatedAt: '2026-11-21T10:00:02Z',
    });
    expect(JSON.stringify(raw)).toContain('"id":9007199254740993002,');
  });
});

test('an IBAN is read alike, however it is written, and the record keeps it as it was', async () => {
  const written = 'tr33 0006 1005 1978 6457 8413 26';
  const sample = SAMPLES.GetRequestWithdrawListByFilter.replaceAll(IBAN, written);
  expect(sample).toContain(written);
  const reply = await answered(sample).made.listWithdrawals({ ...RANGE, iban: IBAN }, FIRST);
  if (reply.kind !== 'answered') throw new Error(reply.kind);
  const { iban, raw } = reply.value.rows[0]!;
  expect([iban, JSON.stringify(raw).includes(written)]).toEqual([IBAN, true]);
});

describe('what a list is asked for', () => {
  test('of the ledger: every filter under its name, one side of a wallet by direction', async () => {
    const { made, asked } = preparedClient(page([]));
    const filter: TransactionFilter = {
      ...RANGE,
      wallet: WALLET,
      extId: EXT_ID,
      transactionId: '9007199254740993001',
      typeIds: [2002, 3003],
      statusId: 20,
      currency: 'TRY',
      amountMinMinor: 1n,
      amountMaxMinor: 99_999_999_999n,
    };
    await made.listTransactions(filter, { index: 3, size: 50, order: 'largest' });
    expect(asked[0]?.body).toBe(
      `{"start_date":"${RANGE.from}","end_date":"${RANGE.to}","wallet_number":"${WALLET}",` +
        `"ext_transaction_id":"${EXT_ID}","id":9007199254740993001,` +
        '"transaction_type_code_list":[2002,3003],' +
        '"process_level_status_id":20,"currency_code":"TRY","min_amount":0.01,' +
        '"max_amount":999999999.99,"order_column":"TxBaseAmount","order_by":"desc",' +
        '"page_size":50,"page_index":3}',
    );
    await made.listTransactions({ ...RANGE, wallet: WALLET, direction: 'out' }, FIRST);
    expect(sent(asked)).toEqual({
      start_date: RANGE.from,
      end_date: RANGE.to,
      from_wallet_number: WALLET,
      order_column: 'CreatedDateUtc',
      order_by: 'desc',
      page_size: 20,
      page_index: 0,
    });
    await made.listTransactions(
      { ...RANGE, wallet: WALLET, direction: 'in' },
      { ...FIRST, order: 'smallest' },
    );
    expect(sent(asked)).toMatchObject({
      to_wallet_number: WALLET,
      order_column: 'TxBaseAmount',
      order_by: 'asc',
    });
  });

  test('of withdraw requests and wallets: every filter under its name', async () => {
    const { made, asked } = preparedClient(page([]));
    const filter: WithdrawalFilter = {
      ...RANGE,
      wallet: WALLET,
      accountNumber: '5550001',
      accountType: 'business',
      extId: EXT_ID,
      iban: IBAN,
      currency: 'TRY',
      level: 'pending',
      completed: false,
      amountMinMinor: 10n,
      amountMaxMinor: 20n,
    };
    await made.listWithdrawals(filter, { ...FIRST, order: 'largest' });
    expect(sent(asked)).toEqual({
      start_date: RANGE.from,
      end_date: RANGE.to,
      wallet_number: WALLET,
      account_number: '5550001',
      account_type_id: 2,
      ext_transaction_id: EXT_ID,
      iban: IBAN,
      currency_code: 'TRY',
      process_level_status_id: 0,
      is_completed: false,
      begin_amount: 0.1,
      end_amount: 0.2,
      order_column: 'BaseAmount',
      order_by: 'desc',
      page_size: 20,
      page_index: 0,
    });
    await made.listWallets(
      {
        ...RANGE,
        currency: 'TRY',
        number: WALLET,
        name: 'Ana',
        kycLevel: 'contracted',
        access: ['active', 'blocked', 'banned', 'closed'],
      },
      { ...FIRST, order: 'smallest' },
    );
    expect(sent(asked)).toEqual({
      start_date: RANGE.from,
      end_date: RANGE.to,
      currency_code: 'TRY',
      account_type_id: 2,
      wallet_number: WALLET,
      name: 'Ana',
      kyc_level_code: '40',
      access_level_status_ids: [1, 2, 3, 4],
      order_column: 'TotalBalance',
      order_by: 'asc',
      page_size: 20,
      page_index: 0,
    });
  });
});

describe('a list that does not say how long it is', () => {
  const list = (counts: string, rows = LEDGER_LINE()) =>
    answered(
      `{"status":0,"code":null,"payload":{"results":[${rows}],"page_index":0${counts}}}`,
    ).made.listTransactions(RANGE, FIRST);

  test.each([
    ['no counts', ''],
    ['no number of pages', ',"row_count":1'],
    ['no pages', ',"page_count":0,"row_count":1'],
    ['no number of rows', ',"page_count":1'],
    ['a number of pages that cannot be read', ',"page_count":"many","row_count":1'],
    ['fewer rows than it shows', ',"page_count":1,"row_count":0'],
  ])('is no answer with %s: its first page would pass for all of it', async (_name, counts) => {
    expect(await list(counts)).toEqual({ kind: 'no_answer', why: 'shape' });
  });

  test('is no answer when rows are counted and none is shown', async () => {
    for (const counts of [',"page_count":0,"row_count":7', ',"page_count":1,"row_count":7'])
      expect(await list(counts, '')).toEqual({ kind: 'no_answer', why: 'shape' });
  });

  test('is read when nothing is in it', async () => {
    expect((await list('', '')).kind).toBe('answered');
    expect((await list(',"page_count":0,"row_count":0', '')).kind).toBe('answered');
  });
});

describe('a provider that ignores what it was asked gives no answer', () => {
  const ledger = (filter: Partial<TransactionFilter>) =>
    answered(SAMPLES.TransferInLedger).made.listTransactions({ ...RANGE, ...filter }, FIRST);
  const requests = (filter: Partial<WithdrawalFilter>) =>
    answered(SAMPLES.GetRequestWithdrawListByFilter).made.listWithdrawals(
      { ...RANGE, ...filter },
      FIRST,
    );
  const IGNORED = { kind: 'no_answer', why: 'filter_ignored' };

  test('about the ledger', async () => {
    for (const kept of [
      {},
      { wallet: WALLET },
      { wallet: OTHER_WALLET },
      { wallet: WALLET, direction: 'out' as const },
      { wallet: OTHER_WALLET, direction: 'in' as const },
      { extId: EXT_ID },
      { typeIds: [3003] },
      { statusId: 20 },
      { currency: 'TRY' },
      { amountMinMinor: 1_240_000n, amountMaxMinor: 1_240_000n },
      { transactionId: '9007199254740993001' },
    ]) {
      expect((await ledger(kept)).kind).toBe('answered');
    }
    for (const broken of [
      { wallet: '9' },
      { wallet: WALLET, direction: 'in' as const },
      { wallet: OTHER_WALLET, direction: 'out' as const },
      { extId: 'P-2' },
      { typeIds: [2002] },
      { typeIds: [] },
      { statusId: 10 },
      { currency: 'USD' },
      { amountMinMinor: 1_240_001n },
      { amountMaxMinor: 1_239_999n },
      { transactionId: '9007199254740993' },
    ]) {
      expect(await ledger(broken)).toEqual(IGNORED);
    }
  });

  test('about withdraw requests and wallets', async () => {
    for (const kept of [
      {},
      {
        wallet: WALLET,
        extId: EXT_ID,
        iban: IBAN,
        currency: 'TRY',
        level: 'completed' as const,
        amountMinMinor: 1n,
        amountMaxMinor: 1_240_000n,
      },
    ])
      expect((await requests(kept)).kind).toBe('answered');
    for (const broken of [
      { wallet: '9' },
      { extId: 'P-2' },
      { iban: 'TR' },
      { currency: 'USD' },
      { level: 'pending' as const },
      { amountMinMinor: 1_240_001n },
      { amountMaxMinor: 1_239_999n },
    ])
      expect(await requests(broken)).toEqual(IGNORED);
    for (const broken of [{ currency: 'USD' }, { number: '9' }, { access: ['blocked' as const] }])
      expect(await answered(SAMPLES.ListByFilter).made.listWallets(broken, FIRST)).toEqual(IGNORED);
  });

  test('about the order of amounts', async () => {
    const two =
      `{"status":0,"code":null,"payload":{"results":[${LEDGER_LINE()},` +
      `${LEDGER_LINE({ tx_base_amount: '12400.01' })}],"page_index":0,"page_count":1,` +
      '"page_size":20,"row_count":2}}';
    const inOrder = async (order: 'largest' | 'smallest' | 'newest') =>
      (await answered(two).made.listTransactions(RANGE, { ...FIRST, order })).kind;
    expect([await inOrder('smallest'), await inOrder('largest'), await inOrder('newest')]).toEqual([
      'answered',
      'no_answer',
      'answered',
    ]);
  });
});
