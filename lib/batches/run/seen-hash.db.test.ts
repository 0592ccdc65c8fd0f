import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import type * as Edit from '#lib/recipients/edit.ts';
import type * as Remember from '#lib/recipients/remember.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Change from '../draft/change.ts';
import type * as Create from '../draft/create.ts';
import type * as Read from '../draft/read.ts';
import { aRow, csv, TCKN, VKN } from '../draft/testing/drafts.ts';
import type * as SeenHash from './seen-hash.ts';
import type * as Submit from './submit.ts';

/** A draft is sent exactly as its page showed it, although recipients that it names may change. */

let merchant: TestMerchant;
let web: Process;
let draft: typeof Change & typeof Create & typeof Read;
let run: typeof SeenHash & typeof Submit;
let recipients: typeof Edit & typeof Remember;
const wallet = {
  number: '1000000001',
  currency: 'TRY',
  access: 'active',
  availableMinor: 100_000_000n,
  limits: { withdrawalMinor: null },
};

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    knownWallet: async () => ({ fresh: true, at: null, value: wallet }),
    freshWallet: async () => wallet,
    paymentTypes: async () => [
      { code: '1', description: 'Diğer', descriptionMin: 3 },
      { code: '2', description: 'Kira', descriptionMin: 3 },
    ],
  }));
  web = await openProcess('dashboard_web');
  draft = {
    ...(await import('../draft/change.ts')),
    ...(await import('../draft/create.ts')),
    ...(await import('../draft/read.ts')),
  };
  run = { ...(await import('./seen-hash.ts')), ...(await import('./submit.ts')) };
  recipients = {
    ...(await import('#lib/recipients/edit.ts')),
    ...(await import('#lib/recipients/remember.ts')),
  };
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const clerk = () => merchant.person('clerk');

/** A saved recipient with one account, and the nickname if there is one. */
async function saved(name: string, taxNumber: string, nickname: string) {
  const iban = freshIban();
  const payee = { number: iban, name, taxNumber };
  await web.db.inTransaction(merchant.merchantId, (tx) =>
    recipients.rememberPayee(tx, merchant.merchantId, payee),
  );
  const { rows } = await merchant.owner.query<{ id: string }>(
    'SELECT recipient_id AS id FROM recipient_payees WHERE merchant_id = $1 AND number = $2',
    [merchant.merchantId, iban],
  );
  const names = (typed: string) => ({ name, taxNumber, nickname: typed });
  const rename = (typed: string) =>
    recipients.editRecipient(merchant.person('owner'), rows[0]!.id, names(typed));
  await rename(nickname);
  return { iban, rename };
}

/** A draft of one row that names its payee by a nickname, and what its page shows. */
async function shown(nickname: string) {
  const rows = [aRow({ name: '', iban: '', tax: '', saved: nickname, text: `Kira ${nickname}` })];
  const { id } = await draft.createDraft(
    clerk(),
    { bytes: csv(rows), name: 'kira.csv' },
    wallet.number,
  );
  const type = { paymentType: '1', description: '' };
  const { version } = await draft.chooseDefaults(clerk(), { id, version: 1 }, type);
  return { id, version, ...(await look(id)) };
}

async function look(id: string) {
  const page = await draft.readDraft(clerk(), id, 'tr');
  return { page, seenHash: run.seenHashOf(page) };
}

/** The state of the batch, and the accounts that its rows pay. */
async function stored(id: string) {
  const { rows } = await merchant.owner.query<{ state: string; ibans: string[] }>(
    `SELECT state, ARRAY(SELECT iban FROM batch_rows WHERE batch_id = b.id) AS ibans
      FROM batches b WHERE id = $1`,
    [id],
  );
  return rows[0];
}

describe('the Send button of a draft', () => {
  it('sends the payee whom the page showed while nothing has changed', async () => {
    const landlord = await saved('Eski Ev Sahibi', VKN, 'kira');
    const { page, ...of } = await shown('kira');
    expect(page.isReady).toBe(true);
    await run.submitBatch(clerk(), of, 'tr');
    expect(await stored(of.id)).toEqual({ state: 'SUBMITTED', ibans: [landlord.iban] });
  });

  it('sends nothing when the nickname was moved to another recipient since', async () => {
    const [before, after] = [
      await saved('Birinci Depo', VKN, 'depo'),
      await saved('İkinci Depo', TCKN, ''),
    ];
    const { page, ...of } = await shown('depo');
    await before.rename('');
    await after.rename('depo');
    expect((await look(of.id)).page).toMatchObject({ isReady: true, batch: page.batch });
    await expect(run.submitBatch(clerk(), of, 'tr')).rejects.toMatchObject({
      code: 'batch_rows_changed',
    });
    expect(await stored(of.id)).toEqual({ state: 'DRAFT', ibans: [] });

    const { seenHash } = await look(of.id);
    await run.submitBatch(clerk(), { ...of, seenHash }, 'tr');
    expect(await stored(of.id)).toEqual({ state: 'SUBMITTED', ibans: [after.iban] });
  });

  it('sends nothing for a page that said nothing of its rows', async () => {
    await saved('Üçüncü Depo', VKN, 'liman');
    const { page: _page, ...of } = await shown('liman');
    await expect(run.submitBatch(clerk(), { ...of, seenHash: '' }, 'tr')).rejects.toMatchObject({
      code: 'batch_rows_changed',
    });
    expect(await stored(of.id)).toEqual({ state: 'DRAFT', ibans: [] });
  });
});

it('the hash covers wallet, payee, amount, payment type and description of each row', async () => {
  const { iban } = await saved('Dördüncü Depo', VKN, 'ardiye');
  const { page } = await shown('ardiye');
  const [row] = page.rows;
  const person = { toWallet: '1', foundBy: 'account:1', foundName: 'E** Ş***' };
  const bank = { ...row!, content: { ...row!.content, iban } };
  const changed = [
    { ...bank, content: { ...bank.content, iban: freshIban() } },
    { ...bank, content: { ...bank.content, name: 'Başka' } },
    { ...bank, content: { ...bank.content, taxNumber: TCKN } },
    { ...bank, content: { ...bank.content, amountMinor: 1n as never } },
    { ...bank, content: { ...bank.content, paymentType: '2' } },
    { ...bank, content: { ...bank.content, description: 'Başka' } },
    { ...bank, content: { ...bank.content, person } },
  ];
  const { batch } = page;
  const hashes = [
    run.seenHashOf(page),
    ...changed.map((one) => run.seenHashOf({ batch, rows: [one] })),
    run.seenHashOf({ batch: { ...batch, wallet: '1000000002' }, rows: page.rows }),
    run.seenHashOf({ batch: { ...batch, currency: 'USD' }, rows: page.rows }),
    run.seenHashOf({ batch, rows: [...page.rows, ...page.rows] }),
    run.seenHashOf({ batch, rows: [] }),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(run.seenHashOf({ batch, rows: [bank] })).toBe(hashes[0]);
});
