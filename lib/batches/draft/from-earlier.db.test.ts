import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { makeIban } from '../file/testing/scenarios.ts';
import type * as Change from './change.ts';
import type * as Create from './create.ts';
import type * as From from './from-earlier.ts';
import type * as List from './list.ts';
import type * as Read from './read.ts';
import type * as Saved from './saved-rows.ts';
import type * as Split from './split.ts';
import type * as SeenHash from '../run/seen-hash.ts';
import type * as Submit from '../run/submit.ts';
import { aRow, csv } from './testing/drafts.ts';

/** Drafts of the rows of an earlier batch, and the templates that name these. */

let merchant: TestMerchant;
let theirs: TestMerchant;
let web: Process;
let change: typeof Change;
let create: typeof Create;
let from: typeof From;
let list: typeof List;
let read: typeof Read;
let saved: typeof Saved;
let split: typeof Split;
let seen: typeof SeenHash;
let submit: typeof Submit;

beforeAll(async () => {
  theirs = await testMerchant();
  merchant = await testMerchant();
  const wallet = {
    number: '1000000001',
    currency: 'TRY',
    access: 'active',
    availableMinor: 100_000_000n,
    limits: { withdrawalMinor: null },
  };
  vi.doMock('#lib/wallets/ask.ts', () => ({
    knownWallet: async () => ({ fresh: true, at: null, value: wallet }),
    freshWallet: async () => wallet,
    paymentTypes: async () => [{ code: '1', description: 'Diğer', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  [change, create, from, list, read, saved, split, submit, seen] = await Promise.all([
    import('./change.ts'),
    import('./create.ts'),
    import('./from-earlier.ts'),
    import('./list.ts'),
    import('./read.ts'),
    import('./saved-rows.ts'),
    import('./split.ts'),
    import('../run/submit.ts'),
    import('../run/seen-hash.ts'),
  ]);
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), theirs.close()]);
});

let serial = 0;
const anIban = (): string => makeIban('00062', `${Date.now()}${(serial += 1)}`.slice(-16));
/** A name of an own payee, for the same reason. */
const aName = (): string => `Firma ${'ABCDEFGHIJKLMNOPRSTUVYZ'[(serial += 1) % 23]}${serial} Ltd.`;
/** A number of an own payee: the rules compare payments of one number. */
function aTaxNumber(): string {
  const nine = `${Date.now() + (serial += 1)}`.slice(-9);
  const digits = Array.from({ length: 10 }, (_, last) => `${nine}${last}`);
  return digits.find((number) => checkTaxNumber(number).kind === 'ok')!;
}
const clerk = () => merchant.person('clerk');
const refused = (code: string) => expect.objectContaining({ code });

/** Two salaries, submitted. */
async function submitted(name = 'kasım maaşları.csv'): Promise<string> {
  const rows = [
    aRow({ name: aName(), iban: anIban(), tax: aTaxNumber(), amount: '45.000,50', text: 'Maaş' }),
    aRow({ name: aName(), iban: anIban(), amount: '38.250,00', text: 'Maaş', tax: aTaxNumber() }),
  ];
  const { id } = await create.createDraft(clerk(), { bytes: csv(rows), name }, '1000000001');
  const of = { id, version: 1 };
  const type = { paymentType: '1', description: '' };
  const { version } = await change.chooseDefaults(clerk(), of, type);
  const seenHash = seen.seenHashOf(await look(id));
  await submit.submitBatch(clerk(), { id, version, seenHash }, 'tr');
  return id;
}

/** Makes movements of all rows, as they were made `days` ago. */
async function paid(batchId: string, days: number): Promise<void> {
  while (await web.batches.feedOneBatch(merchant.merchantId));
  // No trigger lets a movement become older.
  await merchant.owner.query(
    `BEGIN; ALTER TABLE movements DISABLE TRIGGER USER;
     UPDATE movements SET created_at = created_at - interval '${days} days', next_at = NULL
      WHERE id IN (SELECT movement_id FROM batch_rows WHERE batch_id = '${batchId}');
     ALTER TABLE movements ENABLE TRIGGER USER; COMMIT`,
  );
}

const repeat = (batchId: string, withoutAmounts = false) =>
  from.draftFromBatch(clerk(), { batchId, withoutAmounts }, 'tr');
const look = (id: string) => read.readDraft(clerk(), id, 'tr');
async function makersOf(id: string): Promise<string[]> {
  const { rows } = await merchant.owner.query<{ maker: string }>(
    'SELECT maker FROM batch_makers($1) AS maker ORDER BY maker',
    [id],
  );
  return rows.map(({ maker }) => maker);
}

describe('a draft of an earlier batch', () => {
  it('has its rows as they were submitted, in a draft that can be changed and sent', async () => {
    const earlier = await submitted();
    const { id } = await repeat(earlier);
    const before = await merchant.owner.query(
      'SELECT iban, name, tax_number, amount_minor FROM batch_rows WHERE batch_id = $1 ORDER BY n',
      [earlier],
    );
    const { batch, rows } = await look(id);
    expect(
      rows.map(({ content }) => [
        content.iban,
        content.name,
        content.taxNumber,
        content.amountMinor,
      ]),
    ).toEqual(
      before.rows.map((row) => [row.iban, row.name, row.tax_number, BigInt(row.amount_minor)]),
    );
    expect(batch).toMatchObject({ format: 'earlier', from_id: earlier, parent_id: null });
    expect(batch.name).toBe('kasım maaşları.csv');

    const typed = { row: rows[0]!.key, field: 'amount', text: '46.000', locale: 'tr' as const };
    const { version } = await change.typeIntoCell(clerk(), { id, version: 1 }, typed);
    const part = await split.splitDraft(clerk(), { id, version }, [rows[1]!.key]);
    expect((await look(part.id)).rows).toHaveLength(1);
    expect((await look(id)).rows.map(({ content }) => content.amountMinor)).toEqual([4_600_000n]);
  });

  it('of one that was sent back leaves out what its approver asked, and has its makers', async () => {
    const earlier = await submitted();
    const owner = merchant.person('owner');
    await merchant.owner.query(
      `UPDATE batch_runs SET stopped_at = clock_timestamp(), stopped_by = $2,
        sent_back_reason = 'other amount', sent_back_rows = (SELECT jsonb_build_array(max(n))
          FROM batch_rows WHERE batch_id = $1) WHERE batch_id = $1`,
      [earlier, owner.personId],
    );
    const { id } = await from.draftFromBatch(
      owner,
      { batchId: earlier, withoutAmounts: false },
      'tr',
    );
    expect((await look(id)).rows.map(({ isOut }) => isOut)).toEqual([false, true]);
    expect(await makersOf(id)).toEqual([clerk().personId, owner.personId].sort());
    await submit.submitBatch(
      owner,
      { id, version: 1, seenHash: seen.seenHashOf(await look(id)) },
      'tr',
    );
    await paid(id, 0);
    const { rows: makers } = await merchant.owner.query<{ maker: string }>(
      `SELECT DISTINCT maker FROM batch_rows r, movement_makers(r.movement_id) AS maker
        WHERE r.batch_id = $1 ORDER BY maker`,
      [id],
    );
    expect(
      makers.map(({ maker }) => maker),
      'of a row that waits by itself',
    ).toEqual(await makersOf(id));
    const next = await from.draftFromBatch(
      owner,
      { batchId: await submitted(), withoutAmounts: false },
      'tr',
    );
    expect((await look(next.id)).rows.map(({ isOut }) => isOut)).toEqual([false, false]);
    expect(await makersOf(next.id)).toEqual([owner.personId]);
  });

  it('says that its rows were just paid, and pays nothing again by itself', async () => {
    const earlier = await submitted();
    await paid(earlier, 0);
    const { rows, isReady } = await look((await repeat(earlier)).id);
    expect(rows.map(({ findings }) => findings.some(({ code }) => code === 'duplicate'))).toEqual([
      true,
      true,
    ]);
    expect(isReady).toBe(false);
    const { rows: kept } = await merchant.owner.query(
      'SELECT 1 FROM batch_rows WHERE retry_of IS NOT NULL AND merchant_id = $1',
      [merchant.merchantId],
    );
    expect(kept).toEqual([]);
  });

  it('says nothing of duplicates a month later: salaries are paid every month', async () => {
    const earlier = await submitted();
    await paid(earlier, 30);
    const { rows } = await look((await repeat(earlier)).id);
    expect(rows.flatMap((row) => row.unticked)).toEqual([]);
  });

  it('has no amounts when they are to be typed', async () => {
    const { rows, summary } = await look((await repeat(await submitted(), true)).id);
    expect(rows.map(({ state, content }) => [state, content.amountMinor])).toEqual([
      ['error', undefined],
      ['error', undefined],
    ]);
    expect(summary.withoutAmount).toBe(2);
  });

  it('is no second upload of one file, and is made of submitted batches of this merchant alone', async () => {
    const earlier = await submitted();
    const [first, second] = [await repeat(earlier), await repeat(earlier)];
    expect(await list.batchOfSameFile(clerk(), second.id)).toBeNull();
    await expect(repeat(first.id)).rejects.toEqual(refused('not_found'));
    await expect(
      from.draftFromBatch(
        theirs.person('clerk'),
        { batchId: earlier, withoutAmounts: false },
        'tr',
      ),
    ).rejects.toEqual(refused('not_found'));
    await expect(
      from.draftFromBatch(
        merchant.person('support'),
        { batchId: earlier, withoutAmounts: false },
        'tr',
      ),
    ).rejects.toThrow();
  });
});

describe('a template', () => {
  it('names the rows of a submitted batch, once in whatever case, until it is deleted', async () => {
    const [one, two] = [await submitted('a.csv'), await submitted('b.csv')];
    const approver = merchant.person('approver');
    await saved.saveTemplate(clerk(), { batchId: one, name: ' Maaş  IŞIK ' });
    await expect(saved.saveTemplate(approver, { batchId: two, name: 'maaş ışık' })).rejects.toEqual(
      refused('template_exists'),
    );
    await expect(saved.saveTemplate(clerk(), { batchId: one, name: ' ' })).rejects.toEqual(
      refused('template_name'),
    );
    const [template] = (await saved.rowsToRepeat(approver, 'maas isik')).templates;
    expect(template).toMatchObject({
      name: 'Maaş IŞIK',
      batchId: one,
      rows: 2,
      sumMinor: 8_325_050n,
    });

    const of = { id: template!.id, withoutAmounts: false };
    const made = await saved.draftFromTemplate(approver, of, 'en');
    const draft = await read.readDraft(approver, made.id, 'en');
    expect([draft.batch.name, draft.summary.sum]).toEqual(['Maaş IŞIK', 8_325_050n]);

    await saved.saveTemplate(clerk(), { batchId: two, name: 'Kira' });
    await expect(saved.renameTemplate(clerk(), template!.id, 'KİRA')).rejects.toEqual(
      refused('template_exists'),
    );
    await saved.renameTemplate(clerk(), template!.id, 'Maaşlar');
    await saved.deleteTemplate(clerk(), template!.id);
    await expect(saved.draftFromTemplate(clerk(), of, 'tr')).rejects.toEqual(refused('not_found'));
    const names = (await saved.rowsToRepeat(clerk(), '')).templates.map(({ name }) => name);
    expect(names).toEqual(['Kira']);
    await saved.saveTemplate(clerk(), { batchId: two, name: 'Maaşlar' });
  });

  it('and the latest batches are found by name; drafts and those of others are not offered', async () => {
    const id = await submitted('Çöğür Özel.csv');
    await repeat(id);
    const found = await saved.rowsToRepeat(clerk(), 'COGUR');
    expect(found.batches.map(({ batchId }) => batchId)).toEqual([id]);
    expect((await saved.rowsToRepeat(theirs.person('clerk'), '')).batches).toEqual([]);
    await expect(saved.rowsToRepeat(merchant.person('support'), '')).rejects.toThrow();
  });
});
