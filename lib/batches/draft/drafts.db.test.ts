import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import type * as Many from '#lib/payouts/facts-of-many.ts';
import type * as Facts from '#lib/payouts/facts.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { marksOf } from '../file/cell.ts';
import { makeIban } from '../file/testing/scenarios.ts';
import { encoded } from '../file/testing/text-file.ts';
import { workbook } from '../file/testing/workbook.ts';
import type * as Change from './change.ts';
import type * as Create from './create.ts';
import type * as List from './list.ts';
import type * as Read from './read.ts';
import type * as Split from './split.ts';
import { aRow, B, csv, HEADINGS, TCKN } from './testing/drafts.ts';

/** The life of a draft: from a file to rows that are checked, split off or discarded. */

let merchant: TestMerchant;
let theirs: TestMerchant;
let web: Process;
let change: typeof Change;
let create: typeof Create;
let facts: typeof Facts;
let list: typeof List;
let many: typeof Many;
let read: typeof Read;
let split: typeof Split;
const provider = { available: 100_000_000n, fresh: true };

beforeAll(async () => {
  theirs = await testMerchant();
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    knownWallet: async (_actor: unknown, number: string) => ({
      fresh: provider.fresh,
      at: null,
      value: {
        number,
        currency: 'TRY',
        access: 'active',
        availableMinor: provider.available,
        limits: { withdrawalMinor: null },
      },
    }),
    freshWallet: async () => null,
    paymentTypes: async () => [{ code: '1', description: 'Diğer', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  [change, create, facts, list, many, read, split] = await Promise.all([
    import('./change.ts'),
    import('./create.ts'),
    import('#lib/payouts/facts.ts'),
    import('./list.ts'),
    import('#lib/payouts/facts-of-many.ts'),
    import('./read.ts'),
    import('./split.ts'),
  ]);
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), theirs.close()]);
});

const WALLET = '1000000001';
let serial = 0;
const anIban = (): string => makeIban('00062', `${Date.now()}${(serial += 1)}`.slice(-16));
const clerk = () => merchant.person('clerk');

/** A draft of these rows, with a payment type for all of them. */
async function aDraft(
  rows: readonly (readonly string[])[],
  role: Role = 'clerk',
): Promise<Change.OfDraft> {
  const actor = merchant.person(role);
  const { id } = await create.createDraft(actor, { bytes: csv(rows), name: 'test.csv' }, WALLET);
  const type = { paymentType: '1', description: '' };
  return { id, ...(await change.chooseDefaults(actor, { id, version: 1 }, type)) };
}

const look = (id: string, role: Role = 'clerk') => read.readDraft(merchant.person(role), id, 'tr');
const states = async (id: string) => (await look(id)).rows.map(({ state }) => state);
const refused = (code: string) => expect.objectContaining({ code });
const actions = async (id: string) =>
  (
    await merchant.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE subject = $1 ORDER BY seq`,
      [`batch:${id}`],
    )
  ).rows.map(({ action }) => action);

/** What a restore does: no trigger is asked. */
async function asOwner(statement: string): Promise<void> {
  await merchant.owner.query('ALTER TABLE batches DISABLE TRIGGER USER');
  await merchant.owner.query(statement);
  await merchant.owner.query('ALTER TABLE batches ENABLE TRIGGER USER');
}

describe('a draft', () => {
  it('is made from a file of Turkish Excel, and every row is checked', async () => {
    const iban = anIban();
    const { id } = await aDraft([
      aRow({ iban }),
      aRow({ iban: '3,3E+24', tax: TCKN, amount: '10,00' }),
      aRow({ iban: anIban(), tax: TCKN, amount: '20,00', text: 'x' }),
    ]);
    const draft = await look(id);
    expect(draft.rows.map(({ state }) => state)).toEqual(['ok', 'error', 'blocked']);
    expect(draft).toMatchObject({ isReady: false, summary: { rows: 3, problems: 2 } });
    expect(read.formOf(draft.rows[0]!)).toMatchObject({
      content: { iban, amountMinor: 123450n },
      overrides: [],
      overrideReason: null,
    });
    expect(read.formOf(draft.rows[1]!)).toBeNull();
    expect(await actions(id)).toEqual(['batch.drafted']);
  });

  it('keeps what was typed, and is the same after a restart', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban(), amount: '1.234' })]);
    expect(await states(id)).toEqual(['ask']);
    const cell = { row: '0:2', field: 'amount', locale: 'tr' as const };
    const typed = await change.typeIntoCell(clerk(), { id, version }, { ...cell, text: '12,3,4' });
    vi.resetModules();
    const anew: typeof Read = await import('./read.ts');
    const after = await anew.readDraft(clerk(), id, 'tr');
    expect(after.batch.edits).toEqual({ '0:2': { amount: { typed: '12,3,4', locale: 'tr' } } });
    expect(after.rows[0]).toMatchObject({ state: 'error', cells: { amount: { source: '1.234' } } });
    const chosen = await change.chooseInCell(
      clerk(),
      { id, ...typed },
      { row: '0:2', field: 'amount', choice: 1 },
    );
    const [row] = (await look(id)).rows;
    expect(row?.content.amountMinor).toBe(123n);
    await change.restoreCell(clerk(), { id, ...chosen }, { row: '0:2', field: 'amount' });
    expect(await states(id)).toEqual(['ask']);
  });

  it('cuts a long text at a thousand characters, in the middle of a letter too', async () => {
    const draft = await aDraft([aRow({ iban: anIban() })]);
    const cell = { row: '0:2', field: 'description', locale: 'tr' as const };
    await change.typeIntoCell(clerk(), draft, { ...cell, text: `${'x'.repeat(999)}😀\u0000` });
    const { edits } = (await look(draft.id)).batch;
    expect(edits['0:2']?.description).toEqual({ typed: `${'x'.repeat(999)}\ufffd`, locale: 'tr' });
  });

  it('keeps its earlier defaults where a new payment type or description is refused', async () => {
    const { id, ...of } = await aDraft([aRow({ iban: anIban() })]);
    const earlier = { paymentType: '1', description: 'kira' };
    const { version } = await change.chooseDefaults(clerk(), { id, ...of }, earlier);
    for (const [wrong, code] of [
      [{ description: 'fatura\u202e 12' }, 'description_control_characters'],
      [{ description: 'x'.repeat(251) }, 'description_too_long'],
      [{ paymentType: '1;' }, 'not_found'],
    ] as const)
      await expect(
        change.chooseDefaults(clerk(), { id, version }, { ...earlier, ...wrong }),
      ).rejects.toThrow(refused(code));
    const { batch } = await look(id);
    expect([batch.version, batch.defaults]).toEqual([version, earlier]);
  });

  it('open in two tabs takes one change of one version; the other is refused and changes nothing', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban() })]);
    const type = (text: string) =>
      change.typeIntoCell(
        clerk(),
        { id, version },
        { row: '0:2', field: 'name', text, locale: 'tr' },
      );
    const both = await Promise.allSettled([type('Birinci Sekme'), type('İkinci Sekme')]);
    const [won] = both.filter(({ status }) => status === 'fulfilled');
    const [lost] = both.filter(({ status }) => status === 'rejected');
    expect([won?.status, lost]).toMatchObject(['fulfilled', { reason: refused('batch_changed') }]);
    const { batch, rows } = await look(id);
    expect(batch.version).toBe(version + 1);
    expect(['Birinci Sekme', 'İkinci Sekme']).toContain(rows[0]?.content.name);
  });

  it('shows what its database says of a version, also when a restored one gives its number again', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban() })]);
    const cell = { row: '0:2', field: 'amount', locale: 'tr' as const };
    const type = async (text: string) => {
      await change.typeIntoCell(clerk(), { id, version }, { ...cell, text });
      return (await look(id)).rows[0]?.content.amountMinor;
    };
    expect(await type('10,00')).toBe(1_000n);
    await asOwner(`UPDATE batches SET edits = '{}', version = ${version} WHERE id = '${id}'`);
    expect(await type('20,00')).toBe(2_000n);
  });

  it('is changed by its maker alone, and seen by nobody who prepares no payouts', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban() })]);
    const rows = { rows: ['0:2'], out: true };
    await expect(
      change.takeRows(merchant.person('approver'), { id, version }, rows),
    ).rejects.toThrow(refused('batch_of_other'));
    expect((await look(id, 'approver')).rows).toHaveLength(1);
    for (const role of ['support', 'auditor'] as const) {
      const actor = merchant.person(role);
      await expect(look(id, role)).rejects.toThrow(refused('not_allowed'));
      expect((await list.listBatches(actor)).rows).toEqual([]);
      await expect(change.discardDraft(actor, { id, version })).rejects.toThrow(
        refused('not_allowed'),
      );
      await expect(create.createDraft(actor, { text: 'IBAN\n1' }, WALLET)).rejects.toThrow(
        refused('not_allowed'),
      );
    }
  });

  it('of another merchant does not exist', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban() })]);
    const stranger = theirs.person('owner');
    await expect(read.readDraft(stranger, id, 'tr')).rejects.toThrow(refused('not_found'));
    await expect(change.discardDraft(stranger, { id, version })).rejects.toThrow(
      refused('not_found'),
    );
    expect((await list.listBatches(stranger)).rows).toEqual([]);
  });

  it('stays reachable, page by page, however many came after it', async () => {
    const { id } = await aDraft([aRow({ iban: anIban() })]);
    const { rowCount } = await merchant.owner.query(
      `INSERT INTO batches (merchant_id, maker_id, wallet, currency, name, format, shape, file_hash,
        source, created_at)
      SELECT merchant_id, maker_id, wallet, currency, name, format, shape, file_hash || n, source,
        created_at + n * interval '1 second' FROM batches, generate_series(1, 150) n WHERE id = $1`,
      [id],
    );
    expect(rowCount).toBe(150);
    const newest = await list.listBatches(clerk());
    expect([newest.rows.length, newest.newer]).toEqual([100, null]);
    const older = await list.listBatches(clerk(), newest.older);
    expect(older.rows.map((row) => row.id)).toContain(id);
    const all = [...newest.rows, ...older.rows].map((row) => row.id);
    expect(new Set(all).size, 'no row is on two pages').toBe(all.length);
    const back = await list.listBatches(clerk(), older.newer);
    expect(back.rows.map((row) => row.id)).toEqual(newest.rows.map((row) => row.id));
    const { side, edge } = newest.older!;
    expect(list.readBatchPlace({ [side]: edge })).toEqual(newest.older);
    expect(list.readBatchPlace({ after: edge.replace(/^\d{4}-\d{2}/, '2026-99') })).toBeNull();
  });

  it('that is discarded keeps no cell of its file, and is changed no more', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban() })]);
    await change.discardDraft(clerk(), { id, version });
    const { rows } = await merchant.owner.query(
      `SELECT length(source) AS bytes, edits, state FROM batches WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ bytes: 0, edits: {}, state: 'DISCARDED' }]);
    await expect(look(id)).rejects.toThrow(refused('batch_not_draft'));
    await expect(
      change.takeRows(clerk(), { id, version: version + 1 }, { rows: [], out: true }),
    ).rejects.toThrow(refused('batch_not_draft'));
    expect(await actions(id)).toEqual(['batch.drafted', 'batch.discarded']);
  });
});

describe('rows of a draft', () => {
  it('with problems become a draft of their own, and stay in no other', async () => {
    const [good, other] = [anIban(), anIban()];
    const { id, version } = await aDraft([
      aRow({ iban: good }),
      aRow({ iban: '3,3E+24', tax: TCKN, amount: '10,00' }),
      aRow({ iban: other, tax: TCKN, amount: '1.000,00' }),
    ]);
    const made = await split.splitProblems(clerk(), { id, version }, 'tr');
    const rest = await look(id);
    expect(rest.rows.map(({ number }) => number)).toEqual([2, 4]);
    expect(rest.isReady).toBe(true);
    expect((await look(made.id)).rows.map(({ number }) => number)).toEqual([3]);
    await expect(
      change.takeRows(clerk(), { id, version: made.version }, { rows: ['0:3'], out: false }),
    ).rejects.toThrow(refused('batch_row_gone'));
    await expect(
      split.splitDraft(clerk(), { id, version: made.version }, ['0:2', '0:4']),
    ).rejects.toThrow(refused('batch_nothing_to_split'));
    expect(await list.batchOfSameFile(clerk(), made.id)).toBeNull();
  });

  it('are taken out and back in, and their warnings ticked with a reason', async () => {
    const iban = anIban();
    const { id, version } = await aDraft([aRow({ iban }), aRow({ iban })]);
    const [, warned] = (await look(id)).rows;
    expect(warned?.state).toBe('warn');
    const out = await change.takeRows(clerk(), { id, version }, { rows: ['0:3'], out: true });
    expect(await states(id)).toEqual(['ok', 'out']);
    const back = await change.takeRows(clerk(), { id, ...out }, { rows: ['0:3'], out: false });
    const tick = { row: '0:3', keys: warned!.unticked };
    await expect(
      change.tickRow(clerk(), { id, ...back }, { ...tick, reason: 'kısa' }),
    ).rejects.toThrow(refused('reason_needed'));
    const done = await change.tickRow(
      clerk(),
      { id, ...back },
      { ...tick, reason: 'separate_invoice' },
    );
    const { rows, isReady } = await look(id);
    expect([rows[1]?.state, isReady]).toEqual(['ok', true]);
    expect(read.formOf(rows[1]!)).toMatchObject({
      overrides: ['duplicate'],
      overrideReason: 'separate_invoice',
    });
    // What was ticked was said of the row as it was.
    await change.typeIntoCell(
      clerk(),
      { id, ...done },
      { row: '0:3', field: 'name', text: 'Yeni Ad', locale: 'tr' },
    );
    expect((await look(id)).rows[1]?.state).toBe('warn');
  });

  it('are warned of what was paid before, and locked while an outcome is unknown', async () => {
    const [paid, unknown] = [anIban(), anIban()];
    await storedMovement(merchant, 'COMPLETED', {}, { iban: paid, amountMinor: 1_250n });
    await storedMovement(merchant, 'UNKNOWN', {}, { iban: unknown, amountMinor: 1_350n });
    const { id } = await aDraft([
      aRow({ iban: paid, tax: TCKN, amount: '12,50' }),
      aRow({ iban: unknown, tax: TCKN, amount: '13,50' }),
    ]);
    const [again, locked] = (await look(id)).rows;
    expect(again?.findings.map(({ code }) => code)).toContain('duplicate');
    expect([again?.state, locked?.state]).toEqual(['warn', 'blocked']);
    expect(locked?.findings.map(({ code }) => code)).toContain('unknown_same_amount');
  });

  it('have the facts that the form for one payout reads', async () => {
    const { rows } = await merchant.owner.query<{ iban: string; name: string; tax: string }>(
      `SELECT iban, name, tax_number AS tax FROM movements WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    const asked = [
      ...rows.map(({ iban, name, tax }) => ({ iban, name, taxNumber: tax })),
      { iban: anIban(), name: rows[0]!.name, taxNumber: null },
      { iban: null, name: null, taxNumber: rows[0]!.tax },
      { iban: anIban(), name: 'Kimse', taxNumber: null },
    ];
    const { inTransaction } = web.db;
    const [all, alone, each] = await inTransaction(merchant.merchantId, async (tx) => {
      const of = await many.readFactsOfMany(tx, asked, WALLET);
      const [single, form] = [[], []] as Facts.RecipientFacts[][];
      for (const one of asked) {
        single!.push((await many.readFactsOfMany(tx, [one], WALLET))(one));
        form!.push(await facts.readRecipientFacts(tx, { ...one, wallet: WALLET }));
      }
      return [asked.map(of), single!, form!] as const;
    });
    const comparable = ({ at: _at, recent, ...rest }: Facts.RecipientFacts) => ({
      ...rest,
      recent: recent.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect(asked.length).toBeGreaterThan(3);
    expect(each.some(({ recent }) => recent.length > 0)).toBe(true);
    expect(all.map(comparable)).toEqual(each.map(comparable));
    expect(alone.map(comparable)).toEqual(each.map(comparable));
  });
});

describe('a file', () => {
  it('of the same shape has the columns that a person chose before', async () => {
    const headings = 'Kime,Nereye,Kim,Ne Kadar\n';
    const line = `Örnek Ltd,${anIban()},${TCKN},12.50\n`;
    const upload = async (text: string) =>
      create.createDraft(clerk(), { bytes: encoded(text, 'utf-8'), name: 'a.csv' }, WALLET);
    const first = await upload(headings + line);
    expect((await look(first.id)).mapping.name).toMatchObject({ because: ['content'] });
    await change.chooseColumn(clerk(), { id: first.id, version: 1 }, { field: 'name', column: 0 });
    const second = await upload(headings + line + line);
    expect((await look(second.id)).mapping.name).toMatchObject({ column: 0, because: ['memory'] });
  });

  it('uploaded again is said, with the earlier batch, until that one is discarded', async () => {
    const rows = [aRow({ iban: anIban() })];
    const first = await aDraft(rows);
    const second = await aDraft(rows);
    expect((await list.batchOfSameFile(clerk(), second.id))?.id).toBe(first.id);
    await change.discardDraft(clerk(), first);
    expect(await list.batchOfSameFile(clerk(), second.id)).toBeNull();
  });

  it('is refused in a sentence when it cannot be read, and when reading takes too long', async () => {
    const open = await import('./open-aside.ts');
    await expect(
      create.createDraft(clerk(), { bytes: Buffer.from('%PDF-1.7'), name: 'a.csv' }, WALLET),
    ).rejects.toThrow(refused('file_renamed'));
    await expect(
      open.openAside({ bytes: csv([aRow({ iban: B })]), name: 'a.csv' }, 1),
    ).rejects.toThrow(refused('file_too_slow'));
    // The next file is opened all the same.
    await expect(
      open.openAside({ bytes: csv([aRow({ iban: B })]), name: 'a.csv' }),
    ).resolves.toMatchObject({ format: 'text' });
  });

  it('has another table when a person says so: other headings, and rows that were left out', async () => {
    const total = ['Toplam', '', '', '1.000,00', '', ''];
    const { id, version } = await aDraft([aRow({ iban: anIban() }), total]);
    expect((await look(id)).rows.map(({ number }) => number)).toEqual([2]);
    const taken = await change.chooseTable(clerk(), { id, version }, { takeAlso: 3 });
    expect((await look(id)).rows.map(({ number }) => number)).toEqual([2, 3]);
    await expect(change.chooseTable(clerk(), { id, ...taken }, { sheet: 1 })).rejects.toThrow(
      refused('not_found'),
    );
    await change.chooseTable(clerk(), { id, ...taken }, { headings: 'none' });
    expect((await look(id)).rows.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('takes the left-out lines of the sheet that a person chose, and of no other one', async () => {
    const rows = [HEADINGS, aRow({ iban: anIban() }), ['Toplam', '', '', '1.000,00', '', '', '']];
    const bytes = workbook({ sheets: [{ rows }, { rows }] });
    const { id } = await create.createDraft(clerk(), { bytes, name: 'test.xlsx' }, WALLET);
    const keys = async () => (await look(id)).rows.map(({ key }) => key);
    const taken = await change.chooseTable(clerk(), { id, version: 1 }, { takeAlso: 3 });
    expect(await keys()).toEqual(['0:2', '0:3']);
    await change.chooseTable(clerk(), { id, ...taken }, { sheet: 1 });
    expect(await keys()).toEqual(['1:2']);
  });

  it('that was pasted is read as well, and repairs are marked', async () => {
    const text = `Ad Soyad\tIBAN\tVKN\tTutar\nÖrnek Ltd\t${anIban().slice(2)}\t${TCKN}\t12,50\n`;
    const { id } = await create.createDraft(clerk(), { text }, WALLET);
    const { batch, rows } = await look(id);
    expect([batch.format, batch.name]).toEqual(['paste', '']);
    expect(marksOf(rows[0]!.cells.iban)).toMatchObject([{ reason: 'iban_country' }]);
  });
});

describe('the database', () => {
  const update = (id: string, set: string) =>
    web.db.inTransaction(merchant.merchantId, (tx) =>
      tx.$executeRaw(web.db.sql`UPDATE batches SET ${web.db.literal(set)} WHERE id = ${id}::uuid`),
    );

  it('changes only a draft, by one version at a time, and never what it came from', async () => {
    const { id, version } = await aDraft([aRow({ iban: anIban() })]);
    await expect(update(id, `edits = '{"a": {}}'`)).rejects.toThrow(/next version/);
    await expect(update(id, `version = version + 2`)).rejects.toThrow(/next version/);
    await expect(update(id, `version = version + 1, source = 'x'`)).rejects.toThrow(/came from/);
    await expect(update(id, `maker_id = gen_random_uuid()`)).rejects.toThrow(/permission denied/);
    await expect(
      update(id, `version = version + 1, state = 'SUBMITTED', submitted_at = now()`),
    ).rejects.toThrow(/batches_submitted/);
    await update(id, `version = version + 1, state = 'SUBMITTED', content_hash = 'h'`);
    await expect(update(id, `version = version + 1, wallet = '2'`)).rejects.toThrow(/only a draft/);
    await expect(merchant.owner.query('DELETE FROM batches WHERE id = $1', [id])).rejects.toThrow(
      /never deleted/,
    );
    await expect(change.discardDraft(clerk(), { id, version: version + 1 })).rejects.toThrow(
      refused('batch_not_draft'),
    );
  });

  it('takes a batch of nobody who prepares no payouts', async () => {
    const insert = (personId: string) =>
      merchant.owner.query(
        `INSERT INTO batches (merchant_id, maker_id, wallet, currency, name, format, shape,
          file_hash, source) VALUES ($1, $2, '1', 'TRY', '', 'paste', 's', 'h', 'x')`,
        [merchant.merchantId, personId],
      );
    await expect(insert(merchant.person('auditor').personId)).rejects.toThrow(/prepares no/);
    await expect(insert(theirs.person('clerk').personId)).rejects.toThrow(/prepares no/);
  });
});
