import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { setColumns } from '#lib/movements/testing/stored.ts';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import type * as Change from '../draft/change.ts';
import type * as Create from '../draft/create.ts';
import type * as Read from '../draft/read.ts';
import { aRow, csv, HEADINGS, VKN } from '../draft/testing/drafts.ts';
import { openFile } from '../file/open.ts';
import type { Frame } from '#lib/exports/profile.ts';
import type * as Result from './result.ts';
import type * as View from './view.ts';
import type * as Retry from './retry.ts';
import type * as SeenHash from './seen-hash.ts';
import type * as Split from '../draft/split.ts';
import type * as Submit from './submit.ts';

/** From a file to its movements, and the rows that were not paid to a second draft, once. */

let merchant: TestMerchant;
let web: Process;
let create: typeof Create;
let change: typeof Change;
let read: typeof Read;
let submit: typeof Submit;
let retry: typeof Retry;
let result: typeof Result;
let split: typeof Split;
let view: typeof View;
let seen: typeof SeenHash;

beforeAll(async () => {
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
  [create, change, read, submit, retry, result, split, view, seen] = await Promise.all([
    import('../draft/create.ts'),
    import('../draft/change.ts'),
    import('../draft/read.ts'),
    import('./submit.ts'),
    import('./retry.ts'),
    import('./result.ts'),
    import('../draft/split.ts'),
    import('./view.ts'),
    import('./seen-hash.ts'),
  ]);
});
afterAll(async () => {
  await web.db.disconnect();
  await merchant.close();
});
beforeEach(() =>
  merchant.owner.query(
    `UPDATE batch_runs SET stopped_at = clock_timestamp()
      WHERE merchant_id = $1 AND stopped_at IS NULL`,
    [merchant.merchantId],
  ),
);

const clerk = () => merchant.person('clerk');
let serial = 0;

type Shown = { id: string; version: number; seenHash: string | null };

/** A checked draft of `count` rows to new accounts; its first payments are ticked. */
async function draft(count: number): Promise<Shown> {
  const rows = Array.from({ length: count }, () => {
    serial += 1;
    return aRow({
      name: `Alıcı ${'ABCDEFGHIJKLMNOPRSTUVYZ'[serial % 23]}${serial} Ltd.`,
      iban: freshIban(),
      amount: `${1_000 + 37 * serial},50`,
      text: `Fatura ${serial}`,
    });
  });
  const { id } = await create.createDraft(
    clerk(),
    { bytes: csv(rows), name: 'a.csv' },
    '1000000001',
  );
  await change.chooseDefaults(clerk(), { id, version: 1 }, { paymentType: '1', description: '' });
  return ticked(id);
}

/** Ticks every warning. */
async function ticked(id: string): Promise<Shown> {
  const before = await read.readDraft(clerk(), id, 'tr');
  let { version } = before.batch;
  for (const { key, unticked } of before.rows)
    if (unticked.length > 0)
      ({ version } = await change.tickRow(
        clerk(),
        { id, version },
        {
          row: key,
          keys: unticked,
          reason: 'Sözleşmeye göre ayrı bir ödeme',
        },
      ));
  const seenHash = seen.seenHashOf(await read.readDraft(clerk(), id, 'tr'));
  return { id, version, seenHash };
}

async function submitted(count: number): Promise<string> {
  const of = await draft(count);
  await submit.submitBatch(clerk(), of, 'tr');
  return of.id;
}

const frame = {
  locale: 'tr',
  zone: 'Europe/Istanbul',
  role: 'clerk',
  ...{ by: 'Ayşe', fileName: 'sonuc', title: 'Sonuç', columns: { state: 'Durum' } },
  codes: { state: { PENDING: 'Bankada bekliyor', REFUSED: 'Gönderilmedi: kural' } },
  labels: new Proxy({} as Frame['labels'], { get: (_, label) => String(label) }),
} as const;
/** Our columns: the state, when it was sent, when it ended, what was paid. */
const PAID_AFTER_STATE = 3;
const FEE_AFTER_STATE = 7;
const REASON_AFTER_STATE = 11;

/** The cells of the result file, without its headings. */
async function resultOf(id: string): Promise<string[][]> {
  const { name, bytes } = await result.batchResult(clerk(), id, {
    profile: 'xlsx',
    frame: { ...frame, filter: [] },
    reasonOf: (code) => code,
  });
  const sheet = openFile(bytes, name).sheets[1]!;
  return sheet.rows.slice(1).map(({ cells }) => cells.map(({ text }) => text));
}

async function feed(): Promise<void> {
  while (await web.batches.feedOneBatch(merchant.merchantId));
}

type Stored = {
  n: number;
  id: string;
  state: string | null;
  iban: string;
  retry_of: string | null;
};
async function stored(id: string): Promise<Stored[]> {
  const { rows } = await merchant.owner.query<Stored>(
    `SELECT w.n, w.movement_id AS id, m.state, w.iban, w.retry_of FROM batch_rows w
      LEFT JOIN movements m ON m.id = w.movement_id WHERE batch_id = $1 ORDER BY n`,
    [id],
  );
  return rows;
}

/** Ends the movements of a batch in these states, in the order of its rows, and the run with them. */
async function ended(id: string, states: readonly string[]): Promise<void> {
  const rows = await stored(id);
  for (const [at, to] of states.entries()) {
    if (to === 'CANCELLED') await setColumns(merchant, rows[at]!.id, { state: to });
    else {
      await setColumns(merchant, rows[at]!.id, { state: 'SUBMITTING', sends: 1 });
      if (to === 'UNKNOWN') await setColumns(merchant, rows[at]!.id, { ever_ambiguous: true });
      await setColumns(merchant, rows[at]!.id, { state: to, next_at: null });
    }
  }
  await merchant.owner.query(
    'UPDATE batch_runs SET feed_at = clock_timestamp() WHERE batch_id = $1',
    [id],
  );
  await feed();
}

describe('a checked draft', () => {
  it('is submitted as its rows were checked, and becomes movements of the same content', async () => {
    const of = await draft(3);
    const checked = await read.readDraft(clerk(), of.id, 'tr');
    expect(checked.isReady).toBe(true);
    await submit.submitBatch(clerk(), of, 'tr');
    await feed();
    const rows = await stored(of.id);
    expect(rows.map(({ state }) => state)).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
    expect(rows.map(({ iban }) => iban)).toEqual(checked.rows.map((row) => row.content.iban));
  });

  it('with a row that has a problem is not submitted, and nothing of it is stored', async () => {
    const of = await draft(2);
    const { rows } = await read.readDraft(clerk(), of.id, 'tr');
    const { version } = await change.typeIntoCell(clerk(), of, {
      row: rows[1]!.key,
      field: 'amount',
      text: 'x',
      locale: 'tr',
    });
    await expect(submit.submitBatch(clerk(), { ...of, version }, 'tr')).rejects.toMatchObject({
      code: 'batch_not_ready',
    });
    expect(await stored(of.id)).toEqual([]);
  });
});

describe('the rows that were not paid', () => {
  it('become a draft without the paid and the unknown ones, and pay their own movements again', async () => {
    const id = await submitted(4);
    await feed();
    await ended(id, ['PENDING', 'UNKNOWN', 'REJECTED', 'CANCELLED']);
    const again = await retry.retryUnpaid(clerk(), id);
    const { rows } = await read.readDraft(clerk(), again.id, 'tr');
    const before = await stored(id);
    expect(rows.map(({ number }) => number)).toEqual([before[2]!.n, before[3]!.n]);
    await submit.submitBatch(clerk(), await ticked(again.id), 'tr');
    expect((await stored(again.id)).map((row) => row.retry_of)).toEqual([
      before[2]!.id,
      before[3]!.id,
    ]);
  });

  it('become a draft once, and again only after that one was discarded', async () => {
    const id = await submitted(1);
    await feed();
    await ended(id, ['REJECTED']);
    const tries = await Promise.allSettled([
      retry.retryUnpaid(clerk(), id),
      retry.retryUnpaid(merchant.person('approver'), id),
    ]);
    const made = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(made).toHaveLength(1);
    await expect(retry.retryUnpaid(clerk(), id)).rejects.toMatchObject({
      code: 'batch_retried',
      params: made[0],
    });
    const { rows } = await merchant.owner.query<{ maker_id: string }>(
      'SELECT maker_id FROM batches WHERE id = $1',
      [made[0]!.id],
    );
    const maker = (['clerk', 'approver'] as const)
      .map((role) => merchant.person(role))
      .find(({ personId }) => personId === rows[0]!.maker_id)!;
    await change.discardDraft(maker, { id: made[0]!.id, version: 1 });
    await retry.retryUnpaid(clerk(), id);
  });

  it('become a draft once, also when the clock was set back after the submission', async () => {
    const id = await submitted(1);
    await feed();
    await ended(id, ['REJECTED']);
    await merchant.owner.query(`BEGIN; ALTER TABLE batch_runs DISABLE TRIGGER USER;
      UPDATE batch_runs SET began_at = began_at + interval '5 minutes' WHERE batch_id = '${id}';
      ALTER TABLE batch_runs ENABLE TRIGGER USER; COMMIT`);
    const params = await retry.retryUnpaid(clerk(), id);
    await expect(retry.retryUnpaid(clerk(), id)).rejects.toMatchObject({
      code: 'batch_retried',
      params,
    });
  });

  it('stay those of one draft when it is split, and still pay their own movements again', async () => {
    const id = await submitted(2);
    await feed();
    await ended(id, ['REJECTED', 'REJECTED']);
    const again = await retry.retryUnpaid(clerk(), id);
    const { rows, batch } = await read.readDraft(clerk(), again.id, 'tr');
    const of = { id: again.id, version: batch.version };
    const part = await split.splitDraft(clerk(), of, [rows[1]!.key]);
    await change.discardDraft(clerk(), { id: again.id, version: part.version });
    await expect(retry.retryUnpaid(clerk(), id)).rejects.toMatchObject({
      code: 'batch_retried',
      params: { id: part.id },
    });
    await submit.submitBatch(clerk(), await ticked(part.id), 'tr');
    const before = await stored(id);
    expect((await stored(part.id)).map((row) => row.retry_of)).toEqual([before[1]!.id]);
  });

  it('that a second try did not even prepare pay the movement of the first again', async () => {
    const id = await submitted(1);
    await feed();
    await ended(id, ['REJECTED']);
    const second = await retry.retryUnpaid(clerk(), id);
    await submit.submitBatch(clerk(), await ticked(second.id), 'tr');
    await web.batches.stopBatch(clerk(), second.id);
    const third = await retry.retryUnpaid(clerk(), second.id);
    await submit.submitBatch(clerk(), await ticked(third.id), 'tr');
    const before = await stored(id);
    expect((await stored(third.id)).map((row) => row.retry_of)).toEqual([before[0]!.id]);
  });

  it('pay the movement of the latest try again, and not that of the first', async () => {
    const id = await submitted(1);
    await feed();
    await ended(id, ['REJECTED']);
    const second = await retry.retryUnpaid(clerk(), id);
    await submit.submitBatch(clerk(), await ticked(second.id), 'tr');
    await setColumns(merchant, (await stored(id))[0]!.id, { last_read_at: new Date() });
    await feed();
    await ended(second.id, ['REJECTED']);
    const third = await retry.retryUnpaid(clerk(), second.id);
    await submit.submitBatch(clerk(), await ticked(third.id), 'tr');
    const latest = await stored(second.id);
    expect((await stored(third.id)).map((row) => row.retry_of)).toEqual([latest[0]!.id]);
  });

  it('are refused while the provider was not asked about their movements just now', async () => {
    const id = await submitted(1);
    await feed();
    await ended(id, ['REJECTED']);
    const [parent] = await stored(id);
    const longAgo = new Date(Date.now() - 61_000);
    await setColumns(merchant, parent!.id, { last_read_at: longAgo });
    const second = await retry.retryUnpaid(clerk(), id);
    await submit.submitBatch(clerk(), await ticked(second.id), 'tr');
    // No worker asks: the batch waits for its answer, and then makes nothing.
    await feed();
    expect(await stored(second.id)).toMatchObject([{ state: null, retry_of: parent!.id }]);
    const { rows } = await merchant.owner.query(
      'SELECT refused FROM batch_rows WHERE batch_id = $1',
      [second.id],
    );
    expect(rows).toEqual([{ refused: 'parent_not_fresh' }]);
    const asked = await merchant.owner.query(
      'SELECT next_at IS NOT NULL AS due FROM movements WHERE id = $1',
      [parent!.id],
    );
    expect(asked.rows, 'the movement is due to be read').toEqual([{ due: true }]);
  });

  it('are those whose return is in the ledger, and not those whose return was only reported', async () => {
    const id = await submitted(2);
    await feed();
    await ended(id, ['PENDING', 'PENDING']);
    const [reported, confirmed] = await stored(id);
    for (const one of [reported, confirmed]) {
      await setColumns(merchant, one!.id, { state: 'COMPLETED' });
      await setColumns(merchant, one!.id, { returned: 'REPORTED' });
    }
    await setColumns(merchant, confirmed!.id, { returned: 'CONFIRMED' });
    const again = await retry.retryUnpaid(clerk(), id);
    const { rows } = await read.readDraft(clerk(), again.id, 'tr');
    expect(rows.map(({ number }) => number)).toEqual([confirmed!.n]);
    const sheet = await resultOf(id);
    expect(sheet.map((cells) => cells.includes('RETURNED'))).toEqual([false, true]);
    // What came back is not paid.
    const paid = sheet.map((cells, at) => {
      const state = at === 0 ? 'COMPLETED' : 'RETURNED';
      return cells[cells.indexOf(state) + PAID_AFTER_STATE] ?? '';
    });
    expect(paid).toEqual([expect.stringMatching(/^\d+([.,]\d+)?$/), '']);
  });

  it('and whose record contradicts that, are neither paid again nor called unpaid', async () => {
    const id = await submitted(3);
    await feed();
    await ended(id, ['REJECTED', 'REJECTED', 'PENDING']);
    const [contradicted, refused, returned] = await stored(id);
    await setColumns(merchant, contradicted!.id, { alert: 'contradiction' });
    for (const change of [
      { state: 'COMPLETED' },
      { returned: 'REPORTED' },
      { returned: 'CONFIRMED', alert: 'contradiction' },
    ])
      await setColumns(merchant, returned!.id, change);
    const { groups } = (await view.viewRun(clerk(), id))!;
    expect([groups.unknown.count, groups.failed.count]).toEqual([2, 1]);
    const states = (await resultOf(id)).map((cells) =>
      cells.find((cell) => ['UNKNOWN', 'REJECTED', 'RETURNED'].includes(cell)),
    );
    expect(states, 'in the result file').toEqual(['UNKNOWN', 'REJECTED', 'UNKNOWN']);
    const again = await retry.retryUnpaid(clerk(), id);
    const { rows } = await read.readDraft(clerk(), again.id, 'tr');
    expect(rows.map(({ number }) => number)).toEqual([refused!.n]);
  });

  it('are unknown in the result file where a restore may have lost a send of them', async () => {
    const id = await submitted(3);
    await feed();
    await ended(id, ['CANCELLED', 'REJECTED', 'REJECTED']);
    const late = (await stored(id))[2]!.id;
    await merchant.owner.query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at)
       VALUES ($1, 'asked', clock_timestamp(), now(), now(), now(), now())`,
      [merchant.merchantId],
    );
    await setColumns(merchant, late, {
      last_send_at: new Date(Date.now() + 1_000),
      fee_minor: '250',
    });
    const states = (await resultOf(id)).map((cells) => [
      cells.find((cell) => ['UNKNOWN', 'REJECTED', 'CANCELLED'].includes(cell)),
      cells[HEADINGS.length + FEE_AFTER_STATE],
    ]);
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect(states).toEqual([
      ['UNKNOWN', ''],
      ['REJECTED', ''],
      ['UNKNOWN', '2.50'],
    ]);
  });

  it('and each other row are shown by what is known of it', async () => {
    const id = await submitted(6);
    await feed();
    await ended(id, ['PENDING', 'UNKNOWN', 'REJECTED', 'CANCELLED', 'PENDING', 'PENDING']);
    const rows = await stored(id);
    await setColumns(merchant, rows[4]!.id, { state: 'COMPLETED' });
    await setColumns(merchant, rows[5]!.id, { state: 'FAILED' });
    const shown = await view.viewRun(clerk(), id);
    const counts = Object.entries(shown!.groups).map(([name, { count }]) => [name, count]);
    expect(Object.fromEntries(counts)).toEqual({
      ...{ completed: 1, under_way: 1, unknown: 1, approval: 0, in_line: 0, failed: 2, unsent: 1 },
    });
    const unknown = await view.readRunRows(clerk(), id, {
      group: 'unknown',
      only: null,
      after: 0,
      most: 9,
    });
    expect(unknown.map(({ number }) => number)).toEqual([rows[1]!.n]);
  });

  it('are not called unsent when the provider refused them before they were cancelled or ran out', async () => {
    const id = await submitted(3);
    await feed();
    const [refused, , late] = await stored(id);
    for (const one of [refused!.id, late!.id]) {
      await setColumns(merchant, one, { state: 'SUBMITTING', sends: 1 });
      await setColumns(merchant, one, { state: 'APPROVED', iban_waits: 1 });
    }
    // Its approval has lapsed, and nobody gave another one.
    for (const state of ['AWAITING_APPROVAL', 'EXPIRED'])
      await setColumns(merchant, late!.id, { state });
    await ended(id, ['CANCELLED', 'CANCELLED']);
    const { groups } = (await view.viewRun(clerk(), id))!;
    expect([groups.failed.count, groups.unsent.count]).toEqual([2, 1]);
    const failed = { group: 'failed', only: null, after: 0, most: 9 } as const;
    const rows = await view.readRunRows(clerk(), id, failed);
    expect(rows.map(({ number }) => number)).toEqual([refused!.n, late!.n]);
  });

  it('and all others come to the sum of the file, before and after they are movements', async () => {
    const id = await submitted(3);
    const { rows } = await merchant.owner.query<{ minor: string }>(
      'SELECT sum(amount_minor)::text AS minor FROM batch_rows WHERE batch_id = $1',
      [id],
    );
    const all = { count: 3, amountMinor: BigInt(rows[0]!.minor) };
    expect((await view.viewRun(clerk(), id))!.groups.in_line).toEqual(all);
    await feed();
    expect((await view.viewRun(clerk(), id))!.groups.under_way).toEqual(all);
  });

  it('of a batch that runs are left alone, and those of a stopped one are taken', async () => {
    const id = await submitted(2);
    await expect(retry.retryUnpaid(clerk(), id)).rejects.toMatchObject({ code: 'batch_runs' });
    await web.batches.stopBatch(clerk(), id);
    const again = await retry.retryUnpaid(clerk(), id);
    expect((await read.readDraft(clerk(), again.id, 'tr')).rows).toHaveLength(2);
  });

  it('are read again as they were submitted: lines, columns, and what was typed', async () => {
    const lines = [
      aRow({ iban: freshIban(), text: 'Fatura A' }),
      aRow({ name: 'Toplam', iban: '', tax: '', amount: '71,25', text: 'Fatura B' }),
    ];
    const { id } = await create.createDraft(
      clerk(),
      { bytes: csv(lines), name: 'a.csv' },
      '1000000001',
    );
    const type = (field: string, text: string) => (of: { version: number }) =>
      change.typeIntoCell(clerk(), { id, ...of }, { row: '0:3', field, text, locale: 'tr' });
    const contents = async (of: string) =>
      (await read.readDraft(clerk(), of, 'tr')).rows.map(({ content }) => content);
    await change
      .chooseDefaults(clerk(), { id, version: 1 }, { paymentType: '1', description: 'Kasım' })
      .then((of) =>
        change.chooseColumn(clerk(), { id, ...of }, { field: 'description', column: null }),
      )
      .then((of) => change.chooseTable(clerk(), { id, ...of }, { takeAlso: 3 }))
      .then(type('iban', freshIban()))
      .then(type('taxNumber', VKN));
    const meant = await contents(id);
    expect(meant.map(({ description }) => description)).toEqual(['Kasım', 'Kasım']);
    await merchant.owner.query('DELETE FROM batch_columns WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    await submit.submitBatch(clerk(), await ticked(id), 'tr');
    await web.batches.stopBatch(clerk(), id);
    expect(await contents((await retry.retryUnpaid(clerk(), id)).id)).toEqual(meant);
  });

  it('are none where every row was paid or is unknown', async () => {
    const id = await submitted(2);
    await feed();
    await ended(id, ['PENDING', 'UNKNOWN']);
    await expect(retry.retryUnpaid(clerk(), id)).rejects.toMatchObject({
      code: 'batch_nothing_to_retry',
    });
  });
});

describe('the result of a batch', () => {
  it('is the uploaded file row for row, with the state and our reference of each', async () => {
    const id = await submitted(3);
    await feed();
    await ended(id, ['PENDING', 'PENDING', 'PENDING']);
    const { rows: movements } = await merchant.owner.query<{ ext_id: string }>(
      'SELECT ext_id FROM batch_rows WHERE batch_id = $1 ORDER BY n',
      [id],
    );
    const texts = await resultOf(id);
    const { rows } = await merchant.owner.query<{ original: string[] }>(
      'SELECT original FROM batch_rows WHERE batch_id = $1 ORDER BY n',
      [id],
    );
    expect(texts.map((cells) => cells.slice(0, 5))).toEqual(
      rows.map(({ original }) => original.slice(0, 5)),
    );
    for (const [at, { ext_id: extId }] of movements.entries()) {
      expect(texts[at]).toContain(extId);
      expect(texts[at]).toContain('Bankada bekliyor');
    }
  });

  it('says of a row without a movement whether it waits for its turn, or was left by a stop', async () => {
    const id = await submitted(1);
    const state = async () => (await resultOf(id)).map((cells) => cells[HEADINGS.length]);
    expect(await state()).toEqual(['IN_LINE']);
    await web.batches.stopBatch(clerk(), id);
    expect(await state()).toEqual(['UNSENT']);
  });

  it('names the rule by which a row was refused, or the words of the provider', async () => {
    const id = await submitted(3);
    await feed();
    await ended(id, ['PENDING', 'REJECTED', 'CANCELLED']);
    const rows = await stored(id);
    await setColumns(merchant, rows[1]!.id, { reason_code: '310', reason_text: 'Hesap kapalı' });
    const stopped = await submitted(1);
    await merchant.owner.query(
      `UPDATE batch_rows SET refused = 'limit_exceeded', refused_params = '{}',
        refused_at = clock_timestamp() WHERE batch_id = $1`,
      [stopped],
    );
    const reasons = async (of: string) =>
      (await resultOf(of)).map((cells) => cells[HEADINGS.length + REASON_AFTER_STATE] ?? '');
    expect(await reasons(id)).toEqual(['', 'Hesap kapalı', '']);
    expect(await reasons(stopped)).toEqual(['limit_exceeded']);
  });

  it('has the fee of a row that may have been paid, and none of one that provably was not', async () => {
    const id = await submitted(3);
    await feed();
    await ended(id, ['PENDING', 'REJECTED', 'REJECTED']);
    const rows = await stored(id);
    for (const one of rows) await setColumns(merchant, one.id, { fee_minor: '250' });
    await setColumns(merchant, rows[2]!.id, { alert: 'contradiction' });
    const fees = (await resultOf(id)).map((cells) => cells[HEADINGS.length + FEE_AFTER_STATE]);
    expect(fees).toEqual(['2.50', '', '2.50']);
  });

  it('is for those who see whole accounts', async () => {
    const id = await submitted(1);
    await expect(
      result.batchResult(merchant.person('support'), id, {
        profile: 'xlsx',
        frame: { ...frame, filter: [] },
        reasonOf: (code) => code,
      }),
    ).rejects.toThrow();
  });
});
