import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freshIban, payout, range, startSandbox, WALLET } from './sandbox-fixture.ts';
import type { Sandbox } from './sandbox-fixture.ts';
import { decodeWebhook } from './wallet/webhooks.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.control('DELETE', 'faults'));

describe('sign-in', () => {
  test('password, code from the phone, token, currencies', async () => {
    const sent = await sandbox.login.startLogin({
      email: 'ayse@demo.test',
      password: 'demo-Parola-1',
      locale: 'tr',
    });
    if (sent.kind !== 'code_sent') throw new Error(sent.kind);
    expect(sent.user).toMatchObject({ firstName: 'Ayşe', email: 'ayse@demo.test' });
    expect(sent.merchantKeys).toHaveLength(1);
    expect(
      await sandbox.login.verifyCode({ userId: sent.userId, code: '000000x', locale: 'tr' }),
    ).toEqual({ kind: 'wrong_code' });
    const [message] = await sandbox.control<{ code: string }[]>(
      'GET',
      'messages?to=ayse@demo.test',
    );
    const signedIn = await sandbox.login.verifyCode({
      userId: sent.userId,
      code: message?.code ?? '',
      locale: 'tr',
    });
    if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind);
    expect(signedIn.merchants.map((merchant) => merchant.merchantKey)).toEqual(sent.merchantKeys);
    const currencies = await sandbox.login.listCurrencies(signedIn.token);
    expect(
      currencies.kind === 'listed' && currencies.currencies.map((currency) => currency.code),
    ).toEqual(['TRY', 'USD', 'EUR']);
    expect(await sandbox.login.listCurrencies('no-token')).toEqual({ kind: 'unauthorized' });
  });

  test('wrong password, unknown person, and a service in trouble', async () => {
    expect(
      await sandbox.login.startLogin({ email: 'ayse@demo.test', password: 'wrong', locale: 'tr' }),
    ).toEqual({ kind: 'wrong_credentials' });
    expect(
      await sandbox.login.startLogin({
        email: 'nobody@demo.test',
        password: 'wrong',
        locale: 'en',
      }),
    ).toEqual({ kind: 'wrong_credentials' });
    for (const [kind, more] of [
      ['status', { status: 503 }],
      ['html', {}],
      ['reset', {}],
      ['unknown_code', {}],
      ['truncated', {}],
      ['malformed', {}],
    ] as const) {
      await sandbox.fault('corporatelogin', kind, more);
      expect(
        (
          await sandbox.login.startLogin({
            email: 'ayse@demo.test',
            password: 'demo-Parola-1',
            locale: 'tr',
          })
        ).kind,
      ).toBe('unavailable');
    }
  });
});

describe('questions', () => {
  test('account, wallets, one wallet', async () => {
    expect(await sandbox.wallet.getBusinessAccount()).toMatchObject({
      kind: 'answered',
      value: { locked: false, accessLevel: '1' },
    });
    const list = await sandbox.wallet.listWallets({}, { index: 0, size: 50 });
    if (list.kind !== 'answered') throw new Error(list.kind);
    expect(list.value.rows.length).toBe(list.value.rowCount);
    expect(new Set(list.value.rows.map((row) => row.currency))).toEqual(
      new Set(['TRY', 'USD', 'EUR']),
    );
    expect(list.value.rows.some((row) => row.access === 'blocked')).toBe(true);
    const one = await sandbox.wallet.getWallet(WALLET);
    expect(one).toMatchObject({
      kind: 'answered',
      value: {
        number: WALLET,
        currency: 'TRY',
        access: 'active',
        iban: expect.stringMatching(/^TR\d{24}$/) as string,
      },
    });
    if (one.kind === 'answered')
      expect((one.value.availableMinor ?? 0n) + (one.value.unavailableMinor ?? 0n)).toBe(
        one.value.totalMinor,
      );
    expect(await sandbox.wallet.getWallet('9999999999')).toEqual({ kind: 'not_found' });
  });

  test('pages follow one another without overlap', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      const part = await sandbox.wallet.listWallets({}, { index, size: 2, order: 'oldest' });
      if (part.kind === 'answered') ids.push(...part.value.rows.map((row) => row.id));
    }
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  });

  test('kinds of payment in both languages', async () => {
    const [turkish, english] = await Promise.all([
      sandbox.wallet.getPaymentTypes('tr'),
      sandbox.wallet.getPaymentTypes('en'),
    ]);
    if (turkish.kind !== 'answered' || english.kind !== 'answered') throw new Error('no answer');
    expect(turkish.value).toHaveLength(20);
    expect(turkish.value.find((type) => type.code === '07')?.descriptionMin).toBe(20);
    expect(turkish.value.map((type) => type.code)).toEqual(english.value.map((type) => type.code));
    expect(turkish.value[0]?.description).not.toBe(english.value[0]?.description);
  });

  test('transactions and withdrawals of months, in exact amounts', async () => {
    const months = {
      from: new Date(Date.now() - 300 * 86_400_000).toISOString(),
      to: new Date().toISOString(),
    };
    const lines = await sandbox.wallet.listTransactions(
      { ...months, wallet: WALLET },
      { index: 0, size: 200 },
    );
    if (lines.kind !== 'answered') throw new Error('no answer');
    expect(lines.value.rowCount).toBeGreaterThan(20);
    expect(new Set(lines.value.rows.map((line) => line.direction))).toEqual(new Set(['in', 'out']));
    expect(
      lines.value.rows.every(
        (line) =>
          line.amountMinor > 0n &&
          /^\d{15,19}$/.test(line.transactionId) &&
          line.refersTo !== line.transactionId,
      ),
    ).toBe(true);
    const requests = await sandbox.wallet.listWithdrawals(
      { ...months, level: 'completed' },
      { index: 0, size: 10 },
    );
    if (requests.kind !== 'answered') throw new Error('no answer');
    expect(requests.value.rows).toHaveLength(10);
    expect(new Set(requests.value.rows.map((row) => row.level))).toEqual(new Set(['completed']));
  });

  test('lists whose code is null are answers too', async () => {
    await sandbox.control('POST', 'questions', { list_code: 'null' });
    expect(await sandbox.wallet.listWallets({}, { index: 0, size: 1 })).toMatchObject({
      kind: 'answered',
    });
    await sandbox.control('POST', 'questions', { list_code: '100' });
  });
});

describe('a payout', () => {
  test('accepted, pending, completed, in the ledger, with its receipt', async () => {
    const content = payout();
    const sent = await sandbox.send(content);
    if (sent.kind !== 'accepted') throw new Error(JSON.stringify(sent.raw));
    expect(sent).toMatchObject({ extId: content.extId, amountMinor: 12_340n, feeMinor: 600n });
    expect(await sandbox.wallet.readPayout(content)).toMatchObject({
      kind: 'found',
      level: 'pending',
      requestId: sent.requestId,
      iban: content.iban,
      currency: 'TRY',
    });
    expect(await sandbox.wallet.findInLedger({ extId: content.extId, ...range() })).toMatchObject({
      kind: 'not_listed',
    });
    expect(await sandbox.wallet.getReceipt(sent.transactionId ?? '')).toEqual({
      kind: 'not_ready',
    });
    await sandbox.bank(content.extId, 'complete');
    expect(await sandbox.wallet.readPayout(content)).toMatchObject({
      kind: 'found',
      level: 'completed',
    });
    await sandbox.control('POST', 'clock', { advance: '10s' });
    const ledger = await sandbox.wallet.findInLedger({
      extId: content.extId,
      ...range(),
      wallet: WALLET,
    });
    expect(ledger).toMatchObject({
      kind: 'listed',
      lines: [
        {
          transactionId: sent.transactionId,
          statusId: 20,
          amountMinor: 12_340n,
          feeMinor: 600n,
          direction: 'out',
          extId: content.extId,
          refersTo: null,
        },
      ],
    });
    const receipt = await sandbox.wallet.getReceipt(sent.transactionId ?? '');
    expect(['pdf', 'html']).toContain(receipt.kind);
    const listed = await sandbox.wallet.listWithdrawals(
      { ...range(), extId: content.extId },
      { index: 0, size: 5 },
    );
    expect(listed).toMatchObject({
      kind: 'answered',
      value: {
        rowCount: 1,
        rows: [{ requestId: sent.requestId, level: 'completed', amountMinor: 12_340n }],
      },
    });
  });

  test('receipts come in both forms and are told by their bytes', async () => {
    const lines = await sandbox.wallet.listTransactions(
      { from: new Date(Date.now() - 90 * 86_400_000).toISOString(), to: new Date().toISOString() },
      { index: 0, size: 20 },
    );
    const kinds = new Set<string>();
    if (lines.kind === 'answered')
      for (const line of lines.value.rows)
        kinds.add((await sandbox.wallet.getReceipt(line.transactionId)).kind);
    expect(kinds).toEqual(new Set(['pdf', 'html']));
  });

  test.each([
    ['reject', 'rejected'],
    ['fail', 'failed'],
    ['cancel', 'rejected'],
  ])('that the bank ends with "%s" reads %s', async (outcome, level) => {
    const content = payout();
    await sandbox.send(content);
    await sandbox.bank(content.extId, outcome);
    expect(await sandbox.wallet.readPayout(content)).toMatchObject({ kind: 'found', level });
  });

  test('in manual operation is pending, and says so only when the record does', async () => {
    const content = payout();
    await sandbox.send(content);
    await sandbox.bank(content.extId, 'manual');
    expect(await sandbox.wallet.readPayout(content)).not.toHaveProperty('manual');
    await sandbox.control('POST', 'questions', { manual_shows_as: 'bank_response' });
    expect(await sandbox.wallet.readPayout(content)).toMatchObject({
      kind: 'found',
      level: 'pending',
      manual: true,
    });
    await sandbox.control('POST', 'questions', { manual_shows_as: 'pending' });
  });

  test.each(['credit_line', 'status60', 'both'])(
    'that the bank returns shows in the ledger as %s',
    async (form) => {
      await sandbox.control('POST', 'questions', { refund_shows: form });
      const content = payout();
      await sandbox.send(content);
      await sandbox.bank(content.extId, 'complete');
      await sandbox.bank(content.extId, 'return');
      await sandbox.control('POST', 'clock', { advance: '10s' });
      const ledger = await sandbox.wallet.findInLedger({
        extId: content.extId,
        ...range(),
        wallet: WALLET,
      });
      if (ledger.kind !== 'listed') throw new Error(ledger.kind);
      const debit = ledger.lines.find((line) => line.direction === 'out');
      const credit = ledger.lines.find((line) => line.direction === 'in');
      expect(debit?.statusId).toBe(form === 'credit_line' ? 20 : 60);
      if (form === 'credit_line')
        expect(credit).toMatchObject({ refersTo: debit?.transactionId, amountMinor: 12_340n });
      await sandbox.control('POST', 'questions', { refund_shows: 'credit_line' });
    },
  );

  test('sent twice is a duplicate, and the money left once', async () => {
    const content = payout();
    expect(await sandbox.send(content)).toMatchObject({ kind: 'accepted' });
    expect(await sandbox.send(content)).toMatchObject({ kind: 'duplicate', code: '1' });
    expect(await sandbox.executions(content.extId)).toBe(1);
  });

  test('to the same IBAN within a minute has to wait', async () => {
    const first = payout();
    await sandbox.send(first);
    expect(await sandbox.send(payout({ iban: first.iban }))).toMatchObject({
      kind: 'same_iban_wait',
      code: '326',
    });
  });

  test.each(['310', '311', '330', '334', '336', '480', '503'])(
    'to a magic IBAN ending in 9 and %s is refused with that code',
    async (code) => {
      const content = payout({ iban: freshIban('99999', `9${code}`) });
      expect(await sandbox.send(content)).toMatchObject({ kind: 'refused', code });
      expect(await sandbox.executions(content.extId)).toBe(0);
    },
  );

  test('with a wrong field is refused in words', async () => {
    expect(await sandbox.send(payout({ wallet: '9999999999' }))).toMatchObject({
      kind: 'refused',
      code: '300',
    });
    expect(await sandbox.send(payout({ iban: 'TR000006100519786457841326' }))).toMatchObject({
      kind: 'refused',
      code: '306',
    });
    expect(await sandbox.send(payout({ name: '' }))).toMatchObject({
      kind: 'refused',
      code: '999',
      message: expect.stringContaining('must not be empty') as string,
    });
    expect(await sandbox.send(payout({ paymentType: '07', description: 'kısa' }))).toMatchObject({
      kind: 'refused',
      code: '999',
    });
  });

  test.each([
    ['61', 'pending'],
    ['62', 'pending'],
    ['63', 'pending'],
    ['64', 'pending'],
  ])(
    "answered with a record's state (kuruş %s) is to be read, and the read finds it",
    async (kurus, level) => {
      const content = payout({ amountMinor: 12_300n + BigInt(kurus) });
      expect(await sandbox.send(content)).toMatchObject({ kind: 'record_exists' });
      expect(await sandbox.wallet.readPayout(content)).toMatchObject({ kind: 'found', level });
    },
  );

  test('nobody sent is not found by a code that says so; a success without a record is no answer', async () => {
    for (const [unknown_ext_id_answer, kind] of [
      ['300', 'not_found'],
      ['312', 'not_found'],
      ['null_payload', 'no_answer'],
    ]) {
      await sandbox.control('POST', 'questions', { unknown_ext_id_answer });
      expect(await sandbox.wallet.readPayout(payout())).toMatchObject({ kind });
    }
    await sandbox.control('POST', 'questions', { unknown_ext_id_answer: '300' });
  });

  test('asked for with another amount is a mismatch', async () => {
    const content = payout();
    await sandbox.send(content);
    expect(await sandbox.wallet.readPayout({ ...content, amountMinor: 1n })).toMatchObject({
      kind: 'no_answer',
      why: 'mismatch',
    });
  });

  test('held back at the last moment never reaches the provider', async () => {
    const content = payout();
    expect(await sandbox.send(content, () => false)).toMatchObject({
      kind: 'not_sent',
      why: 'held_back',
    });
    expect(await sandbox.posts(content.extId)).toBe(0);
  });
});

describe('the token', () => {
  test('that has run out is renewed once for a question; a send is handed up and works the next time', async () => {
    await sandbox.wallet.getBusinessAccount();
    await sandbox.control('POST', 'clock', { advance: '2h' });
    const before = (await sandbox.control<unknown[]>('GET', 'requests?operation=token')).length;
    expect((await sandbox.wallet.getBusinessAccount()).kind).toBe('answered');
    await sandbox.control('POST', 'clock', { advance: '2h' });
    const content = payout();
    expect(await sandbox.send(content)).toMatchObject({ kind: 'unauthorized' });
    expect(await sandbox.send(content)).toMatchObject({ kind: 'accepted' });
    expect(
      (await sandbox.control<unknown[]>('GET', 'requests?operation=token')).length - before,
    ).toBe(2);
    expect(await sandbox.executions(content.extId)).toBe(1);
  });

  test('that cannot be had leaves nothing sent, and the service in peace', async () => {
    const stranger = sandbox.newWalletClient({
      client_id: 'nobody',
      client_secret: 'x',
      scope: 'sts_business_api',
    });
    const before = (await sandbox.control<unknown[]>('GET', 'requests?operation=token')).length;
    const content = payout();
    for (let i = 0; i < 20; i++)
      expect(
        await stranger.sendPayout(content, { endUserIp: null, beforeWrite: () => true }),
      ).toMatchObject({ kind: 'not_sent', why: 'no_token' });
    expect(await stranger.getWallet(WALLET)).toEqual({ kind: 'no_answer', why: 'no_token' });
    expect(
      (await sandbox.control<unknown[]>('GET', 'requests?operation=token')).length - before,
    ).toBe(3);
    expect(await sandbox.posts(content.extId)).toBe(0);
  });
});

describe('notices', () => {
  const arrived = async (extId: string, hint: string) => {
    for (let i = 0; i < 300; i++) {
      const notice = sandbox.notices
        .map(decodeWebhook)
        .find((one) => one.extId === extId && one.hint === hint);
      if (notice) return notice;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no ${hint} for ${extId}`);
  };

  test('of completion, return and rejection are read as what they hint at', async () => {
    const content = payout();
    const sent = await sandbox.send(content);
    if (sent.kind !== 'accepted') throw new Error(sent.kind);
    await sandbox.bank(content.extId, 'complete');
    expect(await arrived(content.extId, 'completed')).toEqual({
      topic: 'payout',
      extId: content.extId,
      hint: 'completed',
      requestId: sent.requestId,
      transactionId: sent.transactionId,
      wallet: WALLET,
      reason: expect.any(String) as string,
    });
    await sandbox.bank(content.extId, 'return');
    expect(await arrived(content.extId, 'refunded')).toMatchObject({ topic: 'payout' });
    const other = payout();
    await sandbox.send(other);
    await sandbox.bank(other.extId, 'reject');
    expect(await arrived(other.extId, 'rejected')).toMatchObject({
      topic: 'payout',
      transactionId: null,
    });
  });
});
