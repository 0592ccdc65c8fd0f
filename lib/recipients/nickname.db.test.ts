import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { makeIban } from '#lib/batches/file/testing/scenarios.ts';
import { aRow, csv } from '#lib/batches/draft/testing/drafts.ts';
import type * as Create from '#lib/batches/draft/create.ts';
import type * as Read from '#lib/batches/draft/read.ts';
import type * as Edit from './edit.ts';
import { NO_RECIPIENT_FILTER } from './filter.ts';
import type * as Known from './known.ts';
import type * as List from './list.ts';
import type * as View from './view.ts';

/** Nicknames: one recipient has each, and searches and payout files find it by them. */

let merchant: TestMerchant;
let theirs: TestMerchant;
let web: Process;
let edit: typeof Edit;
let known: typeof Known;
let list: typeof List;
let view: typeof View;
let create: typeof Create;
let read: typeof Read;

beforeAll(async () => {
  theirs = await testMerchant();
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    knownWallet: async (_actor: unknown, number: string) => ({
      fresh: true,
      at: null,
      value: {
        ...{ number, currency: 'TRY', access: 'active', availableMinor: 100_000_000n },
        limits: { withdrawalMinor: null },
      },
    }),
    paymentTypes: async () => [{ code: '1', description: 'Diğer', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  [edit, known, list, view, create, read] = await Promise.all([
    import('./edit.ts'),
    import('./known.ts'),
    import('./list.ts'),
    import('./view.ts'),
    import('#lib/batches/draft/create.ts'),
    import('#lib/batches/draft/read.ts'),
  ]);
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), theirs.close()]);
});

const clerk = () => merchant.person('clerk');

async function saved(
  name: string,
  number = freshIban(),
  of: TestMerchant = merchant,
): Promise<{ id: string; name: string; number: string }> {
  const { rows } = await of.owner.query<{ id: string }>(
    `WITH r AS (INSERT INTO recipients (merchant_id, name, tax_number)
        VALUES ($1, $2, '1234567890') RETURNING id)
      INSERT INTO recipient_payees (merchant_id, recipient_id, number)
        SELECT $1, id, $3 FROM r RETURNING recipient_id AS id`,
    [of.merchantId, name, number],
  );
  return { id: rows[0]!.id, name, number };
}

const call = (of: { id: string; name: string }, nickname: string, actor = clerk()) =>
  edit.editRecipient(actor, of.id, { name: of.name, taxNumber: '1234567890', nickname });
const nicknameOf = async (id: string) => (await view.viewRecipient(clerk(), id))!.nickname;
const found = async (text: string) =>
  (
    await list.listRecipients(clerk(), {
      filter: { ...NO_RECIPIENT_FILTER, text },
      place: null,
    })
  ).rows.map(({ id }) => id);

describe('a nickname', () => {
  it('belongs to one recipient, in whatever case and with whichever i, of each merchant', async () => {
    const [one, two] = [await saved('Işık Gıda A.Ş.'), await saved('Başka Ltd.')];
    await call(one, '  IŞIK  gıda ');
    expect(await nicknameOf(one.id)).toBe('IŞIK gıda');
    await expect(call(two, 'ışık GIDA')).rejects.toMatchObject({
      code: 'nickname_taken',
      params: { name: 'Işık Gıda A.Ş.' },
    });
    await edit.archiveRecipient(clerk(), one.id, true);
    await expect(call(two, 'isik gida')).rejects.toMatchObject({ code: 'nickname_taken' });
    const foreign = await saved('Işık', freshIban(), theirs);
    await call(foreign, 'ışık gıda', theirs.person('clerk'));

    await call(one, ' ');
    expect(await nicknameOf(one.id)).toBeNull();
    await call(two, 'ışık GIDA');
    await expect(call(two, 'a'.repeat(41))).rejects.toMatchObject({ code: 'nickname_long' });
    await expect(call(two, 'x', merchant.person('support'))).rejects.toMatchObject({
      code: 'not_allowed',
    });
  });

  it('is searched by like a name, in the list and in the payout form', async () => {
    const one = await saved('Umut Kırtasiye ve Ticaret A.Ş.');
    await call(one, 'Çınar 7');
    expect(await found('cinar')).toEqual([one.id]);
    expect((await known.knownRecipients(clerk(), 'ÇINAR 7')).map(({ iban }) => iban)).toEqual([
      one.number,
    ]);
    expect(await found('%')).toEqual([]);
  });

  it('stands for the recipient in a payout file, and is asked when it is the name of another', async () => {
    const one = await saved('Bereket Tarım A.Ş.', makeIban('00062', `${Date.now()}`));
    await call(one, 'Bereket');
    const draftOf = async () => {
      const row = aRow({ name: '', iban: '', tax: '', saved: 'BEREKET' });
      const given = { bytes: csv([row]), name: 'a.csv' };
      const { id } = await create.createDraft(clerk(), given, '1000000001');
      return (await read.readDraft(clerk(), id, 'tr')).rows[0]!;
    };
    expect((await draftOf()).content).toMatchObject({ iban: one.number, name: one.name });
    const other = await saved('Bereket', makeIban('00010', `${Date.now()}`));
    const asked = await draftOf();
    expect([asked.state, asked.content.iban]).toEqual(['error', undefined]);
    expect(asked.cells.recipient).toMatchObject({ state: 'ask', why: 'recipient_several' });
    expect(asked.offers.map(({ iban }) => iban).sort()).toEqual([one.number, other.number].sort());
  });
});
