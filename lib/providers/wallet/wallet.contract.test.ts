import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { range, startSandbox, WALLET } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import type { PersonalWalletQuestion, TransferContent, TransferKind } from './words.ts';

/** The verbs between wallets against the sandbox, which knows the contract from its text alone. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.control('DELETE', 'faults'));

const PERSON = '5510100001';
const BUSINESS = '4488810001';
const OPERATIONS = { person: 'BusinessToPersonalTransfer', business: 'BusinessToBusinessTransfer', own: 'TransferToVirement' } as const;
const KINDS = Object.keys(OPERATIONS) as TransferKind[];
let receivers: Record<TransferKind, string>;
beforeAll(async () => {
  const wallets = await sandbox.wallet.listWallets({ currency: 'TRY', access: ['active'] }, { index: 0, size: 50 });
  const own = wallets.kind === 'answered' ? wallets.value.rows.find((wallet) => wallet.number !== WALLET) : undefined;
  receivers = { person: PERSON, business: BUSINESS, own: own?.number ?? '' };
});

const transfer = (kind: TransferKind, more: Partial<TransferContent> = {}): TransferContent => ({
  extId: `T-${randomUUID()}`, wallet: WALLET, to: receivers[kind], amountMinor: 12_340n, currency: 'TRY', paymentType: kind === 'own' ? null : '06', description: 'Kira ve aidat ödemesi 11', ...more,
});
const send = (kind: TransferKind, content: TransferContent) => sandbox.wallet.sendTransfer(kind, content, { endUserIp: '88.1.2.3', beforeWrite: () => true });
const posted = () => sandbox.control('POST', 'clock', { advance: '10s' });
const read = (content: TransferContent) => sandbox.wallet.readTransfer(content, range());
const executions = async (extId: string) => (await sandbox.control<{ of: string | null }[]>('GET', `ledger?ext_transaction_id=${extId}`)).filter((line) => line.of === null).length;
const posts = async (kind: TransferKind, extId: string) => (await sandbox.control<{ body: string }[]>('GET', `requests?operation=${OPERATIONS[kind]}`)).filter((request) => request.body.includes(extId)).length;

describe('whose wallet it is', () => {
  const ask = (question: PersonalWalletQuestion) => sandbox.wallet.findPersonalWallet(question);

  test('by phone and by account number: the same wallet, the name masked', async () => {
    const byPhone = await ask({ by: 'phone', country: '90', phone: '5330000201', currency: 'TRY' });
    expect(byPhone).toMatchObject({ kind: 'found', wallet: PERSON, currency: 'TRY', name: expect.stringMatching(/^El\S*\*+ Şa\S*\*+$/) as string });
    expect(await ask({ by: 'account', account: '5510000001', currency: 'TRY' })).toEqual(byPhone);
  });

  test('is nobody\'s for a stranger, in each of the three ways to say it, and for a closed wallet', async () => {
    for (const unknown_person_answer of ['exist_false', '313', '300']) {
      await sandbox.control('POST', 'questions', { unknown_person_answer });
      expect(await ask({ by: 'phone', country: '90', phone: '5999999999', currency: 'TRY' })).toEqual({ kind: 'nobody' });
      expect(await ask({ by: 'account', account: '1', currency: 'TRY' })).toEqual({ kind: 'nobody' });
    }
    await sandbox.control('POST', 'questions', { unknown_person_answer: 'exist_false' });
    expect(await ask({ by: 'phone', country: '90', phone: '5330000205', currency: 'TRY' })).toEqual({ kind: 'nobody' });
    expect((await ask({ by: 'phone', country: '90', phone: '5330000207', currency: 'TRY' })).kind).not.toBe('found');
  });

  test('is no answer when a field is missing or nobody answers', async () => {
    expect(await ask({ by: 'phone', country: '90', phone: '', currency: 'TRY' })).toMatchObject({ kind: 'no_answer' });
    await sandbox.fault('CheckPersonalWallet', 'status', { status: 500 });
    expect(await ask({ by: 'account', account: '5510000001', currency: 'TRY' })).toEqual({ kind: 'no_answer', why: 'http_status' });
  });
});

describe.each(KINDS)('a transfer (%s)', (kind) => {
  test('accepted, open, then listed under our reference, with its receipt', async () => {
    const content = transfer(kind);
    const sent = await send(kind, content);
    if (sent.kind !== 'accepted') throw new Error(JSON.stringify(sent.raw));
    expect(sent).toMatchObject({ extId: content.extId, amountMinor: 12_340n, requestId: sent.transactionId });
    expect(await read(content)).toMatchObject({ kind: 'not_found' });
    await posted();
    expect(await read(content)).toMatchObject({ kind: 'found', level: 'completed', requestId: sent.transactionId, amountMinor: 12_340n, currency: 'TRY' });
    expect(await sandbox.wallet.findInLedger({ extId: content.extId, ...range(), wallet: WALLET })).toMatchObject({ kind: 'listed', lines: [{ transactionId: sent.transactionId, direction: 'out', statusId: 20, amountMinor: 12_340n }] });
    expect(['pdf', 'html']).toContain((await sandbox.wallet.getReceipt(sent.transactionId ?? '')).kind);
    expect(await executions(content.extId)).toBe(1);
  });

  test('sent twice is a duplicate, and the money left once', async () => {
    const content = transfer(kind);
    expect(await send(kind, content)).toMatchObject({ kind: 'accepted' });
    expect(await send(kind, content)).toMatchObject({ kind: 'duplicate', code: '301' });
    expect(await executions(content.extId)).toBe(1);
  });

  test.each<[string, object, boolean]>([
    ['lost_before', {}, false], ['lost_after', {}, true], ['lost_after', { hang: true }, true], ['reset', { work: true }, true], ['status', { status: 500 }, false], ['status', { status: 502, work: true }, true], ['status', { status: 429 }, false],
    ['status', { status: 307, work: true }, true], ['html', { work: true }, true], ['malformed', {}, true], ['truncated', {}, true], ['unknown_code', { work: true }, true], ['code', { code: '500' }, false], ['code', { code: '326' }, false],
  ])('under %s %o is unclear, one request, and the ledger tells', async (fault, more, worked) => {
    const content = transfer(kind);
    await sandbox.fault(OPERATIONS[kind], fault, more);
    expect((await send(kind, content)).kind).toBe('unclear');
    expect([await posts(kind, content.extId), await executions(content.extId)]).toEqual([1, worked ? 1 : 0]);
    await posted();
    expect(await read(content)).toMatchObject(worked ? { kind: 'found', level: 'completed' } : { kind: 'not_found' });
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

  test.each(['304', '307', '310', '311', '313', '316', '330', '334', '336', '480'])('to a magic wallet that answers %s is refused with that code', async (magic) => {
    const content = transfer(kind, { to: `9999000${magic}` });
    expect(await send(kind, content)).toMatchObject({ kind: 'refused', code: magic });
    expect(await executions(content.extId)).toBe(0);
  });

  test.each([['322', 'record_exists'], ['500', 'unclear'], ['501', 'unclear']])('to a magic wallet that answers %s is not over: %s', async (magic, outcome) => {
    expect(await send(kind, transfer(kind, { to: `9999000${magic}` }))).toMatchObject({ kind: outcome, code: magic });
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
    for (const other of [{ amountMinor: 1n }, { to: '1' }, { wallet: '1' }, { currency: 'USD' }]) expect(await read({ ...content, ...other })).toMatchObject({ kind: 'no_answer', why: 'mismatch' });
  });
});

describe('a person\'s wallet that takes no money', () => {
  test.each([['5510100003', '330'], ['5510100004', '334'], ['5510100005', '336'], ['5510100006', '310']])('%s answers %s', async (to, code) => {
    expect(await send('person', transfer('person', { to, amountMinor: 9_999_900n }))).toMatchObject({ kind: 'refused', code });
  });
});
