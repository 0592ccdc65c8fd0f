import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { range, startSandbox, WALLET } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import { readFailedTopUp, readTopUp } from './top-ups.ts';
import type { PersonalWalletQuestion, TransferContent, TransferKind } from './types.ts';

/**
 * Tests the wallet operations against the sandbox, which was written from the contract's text
 * alone.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.control('DELETE', 'faults'));

const PERSON = '5510100001';
const BUSINESS = '4488810001';
const OPERATIONS = {
  person: 'BusinessToPersonalTransfer',
  business: 'BusinessToBusinessTransfer',
  own: 'TransferToVirement',
} as const;
const KINDS = Object.keys(OPERATIONS) as TransferKind[];
let receivers: Record<TransferKind, string>;
beforeAll(async () => {
  // A transfer is not listed before `posted()` advances the clock.
  await sandbox.control('POST', 'questions', {
    ledger_lag_min_ms: 9_000,
    ledger_lag_max_ms: 9_000,
  });
  const wallets = await sandbox.wallet.listWallets(
    { currency: 'TRY', access: ['active'] },
    { index: 0, size: 50 },
  );
  const own =
    wallets.kind === 'answered'
      ? wallets.value.rows.find((wallet) => wallet.number !== WALLET)
      : undefined;
  receivers = { person: PERSON, business: BUSINESS, own: own?.number ?? '' };
});

const transfer = (kind: TransferKind, more: Partial<TransferContent> = {}): TransferContent => ({
  extId: `T-${randomUUID()}`,
  wallet: WALLET,
  to: receivers[kind],
  amountMinor: 12_340n,
  currency: 'TRY',
  paymentType: kind === 'own' ? null : '06',
  description: 'Kira ve aidat ödemesi 11',
  ...more,
});
const send = (kind: TransferKind, content: TransferContent) =>
  sandbox.wallet.sendTransfer(kind, content, { endUserIp: '88.1.2.3', beforeWrite: () => true });
const posted = () => sandbox.control('POST', 'clock', { advance: '10s' });
const read = (content: TransferContent) => sandbox.wallet.readTransfer(content, range());
const executions = async (extId: string) =>
  (
    await sandbox.control<{ of: string | null }[]>('GET', `ledger?ext_transaction_id=${extId}`)
  ).filter((line) => line.of === null).length;
const posts = async (kind: TransferKind, extId: string) =>
  (
    await sandbox.control<{ body: string }[]>('GET', `requests?operation=${OPERATIONS[kind]}`)
  ).filter((request) => request.body.includes(extId)).length;

describe('whose wallet it is', () => {
  const ask = (question: PersonalWalletQuestion) => sandbox.wallet.findPersonalWallet(question);

  test('by phone and by account number: the same wallet, the name masked', async () => {
    const byPhone = await ask({ by: 'phone', country: '90', phone: '5330000201', currency: 'TRY' });
    expect(byPhone).toMatchObject({
      kind: 'found',
      wallet: PERSON,
      currency: 'TRY',
      name: expect.stringMatching(/^El\S*\*+ Şa\S*\*+$/) as string,
    });
    expect(await ask({ by: 'account', account: '5510000001', currency: 'TRY' })).toEqual(byPhone);
  });

  test("is nobody's for a stranger, in each of the three ways to say it, and for a closed wallet", async () => {
    for (const unknown_person_answer of ['exist_false', '313', '300']) {
      await sandbox.control('POST', 'questions', { unknown_person_answer });
      expect(
        await ask({ by: 'phone', country: '90', phone: '5999999999', currency: 'TRY' }),
      ).toEqual({ kind: 'nobody' });
      expect(await ask({ by: 'account', account: '1', currency: 'TRY' })).toEqual({
        kind: 'nobody',
      });
    }
    await sandbox.control('POST', 'questions', { unknown_person_answer: 'exist_false' });
    expect(await ask({ by: 'phone', country: '90', phone: '5330000205', currency: 'TRY' })).toEqual(
      { kind: 'nobody' },
    );
    expect(
      (await ask({ by: 'phone', country: '90', phone: '5330000207', currency: 'TRY' })).kind,
    ).not.toBe('found');
  });

  test('is no answer when a field is missing or nobody answers', async () => {
    expect(await ask({ by: 'phone', country: '90', phone: '', currency: 'TRY' })).toMatchObject({
      kind: 'no_answer',
    });
    await sandbox.fault('CheckPersonalWallet', 'status', { status: 500 });
    expect(await ask({ by: 'account', account: '5510000001', currency: 'TRY' })).toEqual({
      kind: 'no_answer',
      why: 'http_status',
    });
  });
});

/** The owner's personal data. The year alone may also be a part of a random id or of an amount. */
const PERSONAL = [/10000000146/, /Nermin/, /Halil/, /(?<![\w.])1984(?![\w.])/];

describe('a wallet with its owner', () => {
  afterEach(() => sandbox.control('POST', 'questions', { kyc_info: 'object' }));

  test('leaves nobody’s personal data in the evidence of a payment', async () => {
    const sent = await send('person', transfer('person'));
    expect(sent).toMatchObject({
      kind: 'accepted',
      raw: expect.stringContaining('"user_kyc_info":null'),
    });
    for (const value of PERSONAL) expect(sent.raw).not.toMatch(value);
  });

  test('is read the same with the owner’s fifteen fields and without, and none of them goes further', async () => {
    const known = await sandbox.wallet.getWallet(WALLET);
    await sandbox.control('POST', 'questions', { kyc_info: 'null' });
    const unknown = await sandbox.wallet.getWallet(WALLET);
    expect(known).toMatchObject({ kind: 'answered', value: { number: WALLET } });
    expect(known).toEqual(unknown);
    for (const value of PERSONAL) expect(inspect(known, { depth: null })).not.toMatch(value);
  });
});

describe.each(KINDS)('a transfer (%s)', (kind) => {
  test('accepted, open, then listed under our reference, with its receipt', async () => {
    const content = transfer(kind);
    const sent = await send(kind, content);
    if (sent.kind !== 'accepted') throw new Error(JSON.stringify(sent.raw));
    expect(sent).toMatchObject({
      extId: content.extId,
      amountMinor: 12_340n,
      requestId: sent.transactionId,
    });
    expect(await read(content)).toMatchObject({ kind: 'not_found' });
    await posted();
    expect(await read(content)).toMatchObject({
      kind: 'found',
      level: 'completed',
      requestId: sent.transactionId,
      amountMinor: 12_340n,
      currency: 'TRY',
    });
    expect(
      await sandbox.wallet.findInLedger({ extId: content.extId, ...range(), wallet: WALLET }),
    ).toMatchObject({
      kind: 'listed',
      lines: [
        { transactionId: sent.transactionId, direction: 'out', statusId: 20, amountMinor: 12_340n },
      ],
    });
    expect(['pdf', 'html']).toContain(
      (await sandbox.wallet.getReceipt(sent.transactionId ?? '')).kind,
    );
    expect(await executions(content.extId)).toBe(1);
  });

  test('sent twice is a duplicate, and the money left once', async () => {
    const content = transfer(kind);
    expect(await send(kind, content)).toMatchObject({ kind: 'accepted' });
    expect(await send(kind, content)).toMatchObject({ kind: 'duplicate', code: '301' });
    expect(await executions(content.extId)).toBe(1);
  });

  test.each<[string, object, boolean]>([
    ['lost_before', {}, false],
    ['lost_after', {}, true],
    ['lost_after', { hang: true }, true],
    ['reset', { work: true }, true],
    ['status', { status: 500 }, false],
    ['status', { status: 502, work: true }, true],
    ['status', { status: 429 }, false],
    ['status', { status: 307, work: true }, true],
    ['html', { work: true }, true],
    ['malformed', {}, true],
    ['truncated', {}, true],
    ['unknown_code', { work: true }, true],
    ['code', { code: '500' }, false],
    ['code', { code: '326' }, false],
  ])('under %s %o is unclear, one request, and the ledger tells', async (fault, more, worked) => {
    const content = transfer(kind);
    await sandbox.fault(OPERATIONS[kind], fault, more);
    expect((await send(kind, content)).kind).toBe('unclear');
    expect([await posts(kind, content.extId), await executions(content.extId)]).toEqual([
      1,
      worked ? 1 : 0,
    ]);
    await posted();
    expect(await read(content)).toMatchObject(
      worked ? { kind: 'found', level: 'completed' } : { kind: 'not_found' },
    );
  });

  test('with the wrong wallets, amount or balance is refused with its code', async () => {
    const code = async (more: Partial<TransferContent>) => {
      const content = transfer(kind, more);
      const outcome = await send(kind, content);
      expect([outcome.kind, await executions(content.extId)]).toEqual(['refused', 0]);
      return outcome.code;
    };
    expect(await code({ to: WALLET })).toBe('303');
    expect(await code({ to: kind === 'person' ? BUSINESS : PERSON })).toBe('303');
    expect(await code({ to: '9999999999' })).toBe('300');
    expect(await code({ wallet: '9999999999' })).toBe('300');
    expect(await code({ amountMinor: 99_999_999_900n })).toMatch(/^31[01]$/);
    expect(await code({ currency: '' })).toBe('999');
    expect(await code({ amountMinor: 12_348n })).toBe('480');
  });

  test.each(['304', '307', '310', '311', '313', '316', '330', '334', '336', '480'])(
    'to a magic wallet that answers %s is refused with that code',
    async (magic) => {
      const content = transfer(kind, { to: `9999000${magic}` });
      expect(await send(kind, content)).toMatchObject({ kind: 'refused', code: magic });
      expect(await executions(content.extId)).toBe(0);
    },
  );

  test.each([
    ['322', 'record_exists'],
    ['500', 'unclear'],
    ['501', 'unclear'],
  ])('to a magic wallet that answers %s is not over: %s', async (magic, outcome) => {
    expect(await send(kind, transfer(kind, { to: `9999000${magic}` }))).toMatchObject({
      kind: outcome,
      code: magic,
    });
  });

  test('work done after we gave up is found later', async () => {
    const content = transfer(kind);
    await sandbox.fault(OPERATIONS[kind], 'late', { ms: 60_000 });
    expect((await send(kind, content)).kind).toBe('unclear');
    expect(await read(content)).toMatchObject({ kind: 'not_found' });
    await sandbox.control('POST', 'clock', { advance: '61s' });
    await posted();
    expect(await read(content)).toMatchObject({ kind: 'found', level: 'completed' });
    expect(await executions(content.extId)).toBe(1);
  });

  test('asked for with another amount, receiver or currency is a mismatch', async () => {
    const content = transfer(kind);
    await send(kind, content);
    await posted();
    for (const other of [{ amountMinor: 1n }, { to: '1' }, { wallet: '1' }, { currency: 'USD' }])
      expect(await read({ ...content, ...other })).toMatchObject({
        kind: 'no_answer',
        why: 'mismatch',
      });
  });
});

describe("a person's wallet that takes no money", () => {
  test.each([
    ['5510100003', '330'],
    ['5510100004', '334'],
    ['5510100005', '336'],
    ['5510100006', '310'],
  ])('%s answers %s', async (to, code) => {
    expect(await send('person', transfer('person', { to, amountMinor: 9_999_900n }))).toMatchObject(
      { kind: 'refused', code },
    );
  });
});

describe('a new wallet', () => {
  test('is in the list at once, empty, with an IBAN when one was asked for, and takes money', async () => {
    const made = await sandbox.wallet.createWallet({
      name: 'Maaş ödemeleri',
      currency: 'TRY',
      fastIban: true,
    });
    if (made.kind !== 'created') throw new Error(made.kind);
    expect(await sandbox.wallet.getWallet(made.number)).toMatchObject({
      kind: 'answered',
      value: {
        name: 'Maaş ödemeleri',
        currency: 'TRY',
        totalMinor: 0n,
        access: 'active',
        iban: expect.stringMatching(/^TR\d{24}$/) as string,
      },
    });
    expect(await send('own', transfer('own', { to: made.number }))).toMatchObject({
      kind: 'accepted',
    });
    const plain = await sandbox.wallet.createWallet({
      name: 'Yedek',
      currency: 'USD',
      fastIban: false,
    });
    expect(
      await sandbox.wallet.getWallet(plain.kind === 'created' ? plain.number : ''),
    ).toMatchObject({ kind: 'answered', value: { currency: 'USD', iban: null } });
  });

  test('is refused in words for each of the four reasons its fields can cause, and for an invalid name', async () => {
    const refused = async (more: object) =>
      sandbox.wallet.createWallet({ name: 'x', currency: 'TRY', fastIban: false, ...more });
    expect(await refused({ tenantId: '999' })).toMatchObject({
      kind: 'refused',
      code: '500',
      reason: 'group_code',
    });
    expect(await refused({ currency: 'ZZZ' })).toMatchObject({
      kind: 'refused',
      code: '500',
      reason: 'currency',
    });
    expect(await refused({ currency: 'GBP' })).toMatchObject({
      kind: 'refused',
      code: '500',
      reason: 'kyc_limit',
    });
    expect(await refused({ name: '' })).toMatchObject({
      kind: 'refused',
      code: '999',
      reason: 'validation',
    });
  });

  test.each([
    ['lost_before', 0],
    ['lost_after', 1],
    ['html', 0],
    ['unknown_code', 0],
  ])('under %s may be there or not, and the list tells', async (fault, more) => {
    const count = async () => {
      const list = await sandbox.wallet.listWallets({}, { index: 0, size: 200 });
      return list.kind === 'answered' ? list.value.rowCount : null;
    };
    const before = await count();
    await sandbox.fault('CreateWalletForBusinessAccount', fault);
    expect(
      (await sandbox.wallet.createWallet({ name: 'Belki', currency: 'TRY', fastIban: false })).kind,
    ).toBe('unclear');
    expect(await count()).toBe((before ?? 0) + more);
  });
});

describe('money that comes in', () => {
  const load = (wallet: string, amount: string, more: object = {}) =>
    sandbox.control<{ id: string }>('POST', `wallets/${wallet}/topup`, { amount, ...more });
  const arrived = async <T>(
    read: (body: string) => T | null,
    wanted: (notice: T) => boolean,
  ): Promise<T> => {
    for (let i = 0; i < 300; i++) {
      const notice = sandbox.notices.map(read).find((one) => one !== null && wanted(one));
      if (notice) return notice;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('no such notice');
  };

  test.each(['record', 'flat'])(
    'is announced in the form "%s" with the sender, and the ledger has the same line',
    async (topup_notice) => {
      await sandbox.control('POST', 'questions', { topup_notice });
      const { id } = await load(WALLET, '250.50');
      const notice = await arrived(readTopUp, (one) => one.transactionId === id);
      expect(notice).toMatchObject({
        wallet: WALLET,
        announcedMinor: 25_050n,
        currency: 'TRY',
        senderIban: expect.stringMatching(/^TR\d{24}$/) as string,
        senderName: expect.stringMatching(/./) as string,
      });
      await posted();
      const lines = await sandbox.wallet.listTransactions(
        { ...range(), transactionId: id },
        { index: 0, size: 5 },
      );
      expect(lines).toMatchObject({
        kind: 'answered',
        value: {
          rowCount: 1,
          rows: [{ transactionId: id, direction: 'in', amountMinor: 25_050n, toWallet: WALLET }],
        },
      });
      await sandbox.control('POST', 'questions', { topup_notice: 'record' });
    },
  );

  test('and finds no place is announced with the reason', async () => {
    await load('9999999999', '10.01').catch(() => undefined);
    expect(await arrived(readFailedTopUp, (one) => one.announcedMinor === 1_001n)).toMatchObject({
      reason: 'no_such_wallet',
      code: '300',
      wallet: null,
      currency: 'TRY',
    });
    await load(WALLET, '99999999.02').catch(() => undefined);
    expect(
      await arrived(readFailedTopUp, (one) => one.announcedMinor === 9_999_999_902n),
    ).toMatchObject({ reason: 'limit', code: '310', wallet: WALLET });
    await load(WALLET, '10.03', { bank_receipt_no: 'R-1' });
    await load(WALLET, '10.03', { bank_receipt_no: 'R-1' }).catch(() => undefined);
    expect(await arrived(readFailedTopUp, (one) => one.announcedMinor === 1_003n)).toMatchObject({
      reason: 'repeated',
      code: '301',
    });
  });
});

describe('a wallet of ours', () => {
  const MINE = '4410270002';

  test.each([
    [2, 'blocked', '330'],
    [3, 'banned', '334'],
  ] as const)('at access level %d is %s, and nothing leaves it', async (level, access, code) => {
    await sandbox.control('POST', `wallets/${MINE}`, { access_level_status_id: level });
    expect(await sandbox.wallet.getWallet(MINE)).toMatchObject({
      kind: 'answered',
      value: { access },
    });
    const listed = await sandbox.wallet.listWallets({ access: [access] }, { index: 0, size: 50 });
    expect(
      listed.kind === 'answered' && listed.value.rows.map((wallet) => wallet.number),
    ).toContain(MINE);
    for (const kind of KINDS)
      expect(
        await send(
          kind,
          transfer(kind, { wallet: MINE, to: kind === 'own' ? WALLET : receivers[kind] }),
        ),
      ).toMatchObject({ kind: 'refused', code });
    await sandbox.control('POST', `wallets/${MINE}`, { access_level_status_id: 1 });
    expect(await sandbox.wallet.getWallet(MINE)).toMatchObject({
      kind: 'answered',
      value: { access: 'active' },
    });
  });

  test('that is closed stays closed', async () => {
    const made = await sandbox.wallet.createWallet({
      name: 'Kapanacak',
      currency: 'TRY',
      fastIban: false,
    });
    const number = made.kind === 'created' ? made.number : '';
    await sandbox.control('POST', `wallets/${number}`, { access_level_status_id: 4 });
    expect(await sandbox.wallet.getWallet(number)).toMatchObject({
      kind: 'answered',
      value: { access: 'closed' },
    });
    expect(await send('own', transfer('own', { to: number }))).toMatchObject({
      kind: 'refused',
      code: '336',
    });
  });
});

describe('lists', () => {
  const months = {
    from: new Date(Date.now() - 200 * 86_400_000).toISOString(),
    to: new Date(Date.now() + 400 * 86_400_000).toISOString(),
  };
  const first = { index: 0, size: 50 };

  test('of the ledger keep to every filter and order, and add up', async () => {
    const all = await sandbox.wallet.listTransactions(
      { ...months, wallet: WALLET },
      { index: 0, size: 200 },
    );
    if (all.kind !== 'answered') throw new Error(JSON.stringify(all));
    const counts: Record<string, number> = {};
    for (const [name, filter] of Object.entries({
      in: { direction: 'in' as const },
      out: { direction: 'out' as const },
      payouts: { typeIds: [2002] },
      completed: { statusId: 20 },
      lira: { currency: 'TRY' },
      large: { amountMinMinor: 1_000_000n },
      small: { amountMaxMinor: 999_999n },
    })) {
      const some = await sandbox.wallet.listTransactions(
        { ...months, wallet: WALLET, ...filter },
        first,
      );
      if (some.kind !== 'answered') throw new Error(JSON.stringify(some));
      counts[name] = some.value.rowCount;
    }
    expect([
      counts['in']! + counts['out']!,
      counts['large']! + counts['small']!,
      counts['lira'],
    ]).toEqual([all.value.rowCount, all.value.rowCount, all.value.rowCount]);
    for (const order of ['largest', 'smallest', 'newest', 'oldest'] as const)
      expect(
        (await sandbox.wallet.listTransactions({ ...months, wallet: WALLET }, { ...first, order }))
          .kind,
      ).toBe('answered');
  });

  test('of withdraw requests keep to every filter and order', async () => {
    const some = await sandbox.wallet.listWithdrawals({ ...months, wallet: WALLET }, first);
    if (some.kind !== 'answered') throw new Error(JSON.stringify(some));
    const [one] = some.value.rows;
    if (!one) throw new Error('no request');
    const found = await sandbox.wallet.listWithdrawals(
      {
        ...months,
        wallet: WALLET,
        extId: one.extId ?? '',
        iban: one.iban ?? '',
        currency: one.currency,
        level: 'completed',
        accountType: 'business',
        accountNumber: one.accountNumber ?? '',
        completed: true,
        amountMinMinor: one.amountMinor,
        amountMaxMinor: one.amountMinor,
      },
      { ...first, order: 'largest' },
    );
    expect(found).toMatchObject({
      kind: 'answered',
      value: { rowCount: 1, rows: [{ requestId: one.requestId, amountMinor: one.amountMinor }] },
    });
    for (const order of ['largest', 'smallest'] as const)
      expect((await sandbox.wallet.listWithdrawals(months, { ...first, order })).kind).toBe(
        'answered',
      );
  });

  test('of wallets keep to every filter and order', async () => {
    expect(
      await sandbox.wallet.listWallets(
        { number: WALLET, currency: 'TRY', kycLevel: 'contracted', access: ['active'] },
        { ...first, order: 'largest' },
      ),
    ).toMatchObject({
      kind: 'answered',
      value: { rowCount: 1, rows: [{ number: WALLET, kycLevel: 'Contracted' }] },
    });
    const named = await sandbox.wallet.listWallets({ name: 'Ana Cüzdan' }, first);
    expect(named.kind === 'answered' && named.value.rows.map((wallet) => wallet.number)).toContain(
      WALLET,
    );
  });

  test('of a service that counts pages from one are no answer: no page is shown twice', async () => {
    await sandbox.control('POST', 'questions', { page_index_base: 1 });
    for (const index of [0, 1])
      expect((await sandbox.wallet.listWallets({}, { index, size: 2 })).kind).toBe(
        index === 0 ? 'no_answer' : 'answered',
      );
    await sandbox.control('POST', 'questions', { page_index_base: 0 });
  });
});

describe('what the contract leaves open', () => {
  test("a service that wants the client's id beside the token gets it", async () => {
    await sandbox.control('POST', 'questions', { x_client_id: 'required' });
    expect(await sandbox.wallet.getBusinessAccount()).toMatchObject({ kind: 'answered' });
    await sandbox.control('POST', 'questions', { x_client_id: 'optional' });
  });

  test('more calls than a service allows are unclear or no answer, and move nothing', async () => {
    // The requests have to be made in the same minute, so they are made at the beginning of one.
    const { now } = await sandbox.control<{ now: string }>('GET', 'clock');
    const minute = new Date((Math.floor(Date.parse(now) / 60_000) + 2) * 60_000);
    await sandbox.control('POST', 'clock', { now: minute.toISOString() });
    await sandbox.control('POST', 'questions', { rate_limit_per_minute: 1 });
    await sandbox.wallet.getWallet(WALLET);
    const content = transfer('own');
    expect(await send('own', content)).toMatchObject({ kind: 'unclear', why: 'http_status' });
    expect(await read(content)).toMatchObject({ kind: 'no_answer', why: 'http_status' });
    await sandbox.control('POST', 'questions', { rate_limit_per_minute: 0 });
    expect(await executions(content.extId)).toBe(0);
  });
});
