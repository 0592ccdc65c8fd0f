import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { ReceiptAnswer } from '#lib/providers/wallet/types.ts';
import { readReceiptQuery } from './filter.ts';
import type * as List from './list.ts';
import type * as View from './view.ts';
import type * as Ask from './ask-again.ts';
import type * as Want from './request.ts';

/** Viewing, requesting and downloading receipts. */

let merchant: TestMerchant;
let web: Process;
let list: typeof List;
let view: typeof View;
let ask: typeof Ask;
let want: typeof Want;
let worker: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
  view = await import('./view.ts');
  ask = await import('./ask-again.ts');
  want = await import('./request.ts');
  worker = await openProcess('dashboard_worker');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

type Kept = { state?: string; format?: string; text?: string; tries?: number; dueInMs?: number };

/**
 * Creates a completed payment with its receipt. `inLedger`: whether the payment's ledger entry has
 * been seen.
 */
async function aReceipt(
  kept: Kept = {},
  inLedger = true,
  of: TestMerchant = merchant,
): Promise<{ id: string; movement: string }> {
  const movement = await storedMovement(of, 'COMPLETED', {
    ledger_seen_at: inLedger ? new Date() : null,
    transaction_id: inLedger ? '9000000000000000001' : null,
    ended_at: new Date(),
  });
  const { rows } = await of.owner.query<{ id: string }>(
    `INSERT INTO receipts (merchant_id, movement_id, state, format, bytes, sha256, tries, next_at,
      created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8::int IS NULL THEN NULL
       ELSE clock_timestamp() + make_interval(secs => $8) END, clock_timestamp()) RETURNING id`,
    [
      of.merchantId,
      movement,
      kept.state ?? 'READY',
      kept.format ?? null,
      kept.text === undefined ? null : Buffer.from(kept.text),
      kept.text === undefined ? null : 'feed',
      kept.tries ?? 0,
      kept.dueInMs === undefined ? null : kept.dueInMs / 1_000,
    ],
  );
  return { id: rows[0]!.id, movement };
}

/** The number of ledger entries that were created; each has a higher id than the one before. */
let lines = 0;
async function aLine(columns: Record<string, unknown> = {}): Promise<string> {
  const all = {
    id: `70000000000000${String(++lines).padStart(5, '0')}`,
    type_id: 2002,
    status_id: 20,
    direction: 'out',
    amount_minor: 5_000,
    fee_minor: 0,
    currency: 'TRY',
    created_at: new Date(),
    raw: '{}',
    ...columns,
  };
  const names = Object.keys(all);
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, ${names.join(', ')})
      VALUES ($1, ${names.map((_, n) => `$${n + 2}`).join(', ')})`,
    [merchant.merchantId, ...Object.values(all)],
  );
  return all.id;
}

const rowOfReceipt = async (id: string) =>
  (
    await merchant.owner.query(
      `SELECT state, tries, next_at, next_at <= clock_timestamp() AS due FROM receipts WHERE id = $1`,
      [id],
    )
  ).rows[0];
const audited = async (id: string) =>
  (
    await merchant.owner.query<{ action: string }>(
      'SELECT action FROM audit_entries WHERE merchant_id = $1 AND subject = $2 ORDER BY seq',
      [merchant.merchantId, `receipt:${id}`],
    )
  ).rows.map((row) => row.action);
const plain = readReceiptQuery({}).filter;

describe('the list', () => {
  it('tells what is there and what is missing, newest first, and finds every row by its pages', async () => {
    const failed = await aReceipt({ state: 'FAILED', tries: 10 });
    const noLine = await aReceipt({ state: 'WAITING' }, false);
    const noDocument = await aReceipt({ state: 'WAITING', tries: 2, dueInMs: 60_000 });
    for (let n = 0; n < 30; n++) await aReceipt({ format: 'pdf', text: '%PDF-1.4' });
    const first = await list.listReceipts(merchant.person('support'), readReceiptQuery({}));
    expect(first.counts).toEqual({ ready: 30, waiting: 2, failed: 1 });
    const second = await list.listReceipts(
      merchant.person('support'),
      readReceiptQuery({ after: first.older!.edge }),
    );
    const all = [...first.rows, ...second.rows];
    expect([
      first.rows.length,
      all.length,
      new Set(all.map((row) => row.id)).size,
      second.older,
    ]).toEqual([25, 33, 33, null]);
    const status = Object.fromEntries(all.map((row) => [row.id, row.status]));
    expect([status[failed.id], status[noLine.id], status[noDocument.id]]).toEqual([
      'failed',
      'waiting_ledger',
      'waiting_receipt',
    ]);
    const back = await list.listReceipts(
      merchant.person('support'),
      readReceiptQuery({ before: second.newer!.edge }),
    );
    expect(back.rows.map((row) => row.id)).toEqual(first.rows.map((row) => row.id));
    expect(
      (
        await list.listReceipts(merchant.person('support'), readReceiptQuery({ view: 'waiting' }))
      ).rows.map((row) => row.id),
    ).toEqual([noDocument.id, noLine.id]);
    expect(
      (
        await list.listReceipts(
          merchant.person('support'),
          readReceiptQuery({ q: 'AYSE yilmaz', view: 'failed' }),
        )
      ).rows,
    ).toHaveLength(1);
    expect(
      (await list.listReceipts(merchant.person('support'), readReceiptQuery({ q: 'nobody' }))).rows,
    ).toEqual([]);
  });

  it('names the receipts beside one in the list it was opened from', async () => {
    const { rows } = await list.listReceipts(
      merchant.person('clerk'),
      readReceiptQuery({ view: 'ready' }),
    );
    const [newest, middle, third] = rows;
    expect(
      await view.viewReceipt(
        merchant.person('clerk'),
        middle!.id,
        readReceiptQuery({ view: 'ready' }).filter,
      ),
    ).toMatchObject({ newer: newest!.id, older: third!.id });
    expect(await view.viewReceipt(merchant.person('clerk'), newest!.id, plain)).toMatchObject({
      newer: null,
      older: middle!.id,
    });
  });
});

describe('the document', () => {
  it('is given as the kind its bytes were found to be, and a copy taken away is written down', async () => {
    const { id, movement } = await aReceipt({ format: 'html', text: '<html>Dekont</html>' });
    const shown = await view.readReceiptFile(merchant.person('auditor'), id, false);
    expect([shown?.format, Buffer.from(shown!.bytes).toString()]).toEqual([
      'html',
      '<html>Dekont</html>',
    ]);
    expect(await audited(id)).toEqual([]);
    await view.readReceiptFile(merchant.person('auditor'), id, true);
    expect(await audited(id)).toEqual(['receipt.downloaded']);
    const { rows } = await merchant.owner.query(
      'SELECT body FROM audit_entries WHERE merchant_id = $1 AND subject = $2',
      [merchant.merchantId, `receipt:${id}`],
    );
    expect(JSON.parse(rows[0].body).detail).toMatchObject({ movement, role: 'auditor' });
  });

  it('of another merchant, or under an id that is none, is not there', async () => {
    const other = await testMerchant();
    try {
      const { id } = await aReceipt({ format: 'html', text: '<p>theirs</p>' }, true, other);
      const own = merchant.person('owner');
      expect([
        await view.readReceiptFile(own, id, true),
        await view.viewReceipt(own, id, plain),
      ]).toEqual([null, null]);
      await expect(ask.askForReceipt(own, id)).rejects.toMatchObject({ code: 'not_found' });
      for (const text of ['', '1', "x' OR '1'='1", '../raw'])
        expect(await view.readReceiptFile(own, text, false)).toBeNull();
    } finally {
      await other.close();
    }
  });
});

describe('asking again', () => {
  it('for a document that was given up begins its schedule anew and is due at once', async () => {
    const { id } = await aReceipt({ state: 'FAILED', tries: 10 });
    expect(await ask.askForReceipt(merchant.person('clerk'), id)).toBe('receipt');
    expect(await rowOfReceipt(id)).toMatchObject({ state: 'WAITING', tries: 0, due: true });
    expect(await audited(id)).toEqual(['receipt.asked']);
  });

  it('before the ledger names the payment asks the ledger, not for a document that nobody can name', async () => {
    const { id, movement } = await aReceipt({ state: 'WAITING', tries: 0 }, false);
    expect(await ask.askForReceipt(merchant.person('support'), id)).toBe('ledger');
    expect(await rowOfReceipt(id)).toMatchObject({ state: 'WAITING', next_at: null });
    expect((await rowOf(merchant, movement)).next_at!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('twice within five seconds is asking once, also when eight ask at the same time', async () => {
    const { id } = await aReceipt({ state: 'FAILED', tries: 10 });
    const key = [merchant.merchantId, `receipt-ask:${id}`];
    const press = async (times: number) =>
      (
        await Promise.allSettled(
          Array.from({ length: times }, () => ask.askForReceipt(merchant.person('clerk'), id)),
        )
      ).map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'asked'));
    const answers = await press(8);
    const { rows } = await merchant.owner.query<{ apart: number | null }>(
      `SELECT extract(epoch
        FROM window_start - lag(window_start) OVER (ORDER BY window_start))::float8 AS apart
        FROM rate_limits WHERE merchant_id = $1 AND key = $2`,
      key,
    );
    // On a slow machine the eight requests take more than five seconds. Then one more of them is
    // permitted, which is right.
    expect(answers.filter((one) => one === 'asked')).toHaveLength(rows.length);
    expect(answers.filter((one) => one !== 'asked')).toEqual(
      Array.from({ length: 8 - rows.length }, () => 'asked_too_often'),
    );
    expect(rows.every(({ apart }) => apart === null || apart >= 5)).toBe(true);
    const lastAsked = (time: string) =>
      merchant.owner.query(
        `UPDATE rate_limits SET window_start = clock_timestamp() + $3::interval
          WHERE merchant_id = $1 AND key = $2
          AND window_start = (SELECT max(window_start) FROM rate_limits WHERE merchant_id = $1
          AND key = $2)`,
        [...key, time],
      );
    await lastAsked('1 hour');
    expect(await press(1)).toEqual(['asked_too_often']);
    await lastAsked('-5 seconds');
    expect(await press(1)).toEqual(['asked']);
  });

  it.each([
    ['no document', { kind: 'not_ready' }, 2],
    ['no answer at the last try', { kind: 'no_answer', why: 'timeout' }, 99],
  ] as const)(
    'while a fetch is under way begins another, and what that one receives outlasts %s of the first',
    async (_what, late, tries) => {
      const other = await testMerchant();
      try {
        const { id } = await aReceipt({ state: 'WAITING', tries, dueInMs: 0 }, true, other);
        const fetchOne = (getReceipt: () => Promise<ReceiptAnswer>) =>
          worker.receipts.fetchOneDueReceipt(other.merchantId, { getReceipt });
        await fetchOne(async () => {
          await ask.askForReceipt(other.person('clerk'), id);
          await fetchOne(async () => ({ kind: 'pdf', bytes: Buffer.from('%PDF-1.4') }));
          return late;
        });
        const shown = await view.readReceiptFile(other.person('clerk'), id, false);
        expect(shown && Buffer.from(shown.bytes).toString()).toBe('%PDF-1.4');
        expect(
          (
            await other.owner.query('SELECT state, problem, next_at FROM receipts WHERE id = $1', [
              id,
            ])
          ).rows,
        ).toEqual([{ state: 'READY', problem: null, next_at: null }]);
      } finally {
        await other.close();
      }
    },
  );

  it('while a fetch is under way leaves one document: the first that came, with its own sum', async () => {
    const other = await testMerchant();
    try {
      const { id } = await aReceipt({ state: 'WAITING', tries: 2, dueInMs: 0 }, true, other);
      const fetchOne = (getReceipt: () => Promise<ReceiptAnswer>) =>
        worker.receipts.fetchOneDueReceipt(other.merchantId, { getReceipt });
      await fetchOne(async () => {
        await ask.askForReceipt(other.person('clerk'), id);
        await fetchOne(async () => ({ kind: 'pdf', bytes: Buffer.from('%PDF-1.4 first') }));
        return { kind: 'html', bytes: Buffer.from('<p>second</p>') };
      });
      const shown = await view.readReceiptFile(other.person('clerk'), id, false);
      expect([shown?.format, Buffer.from(shown!.bytes).toString()]).toEqual([
        'pdf',
        '%PDF-1.4 first',
      ]);
    } finally {
      await other.close();
    }
  });

  it('for a receipt that is there changes nothing', async () => {
    const { id } = await aReceipt({ format: 'pdf', text: '%PDF-1.4' });
    expect(await ask.askForReceipt(merchant.person('clerk'), id)).toBe('ready');
    expect(await rowOfReceipt(id)).toMatchObject({ state: 'READY', next_at: null });
  });

  it('is refused to an auditor, who changes nothing', async () => {
    const { id } = await aReceipt({ state: 'FAILED', tries: 10 });
    await expect(ask.askForReceipt(merchant.person('auditor'), id)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    expect(await rowOfReceipt(id)).toMatchObject({ state: 'FAILED', tries: 10, next_at: null });
    expect(await audited(id)).toEqual([]);
  });
});

describe('a receipt of a line of the ledger that is no movement of ours', () => {
  const clerk = () => merchant.person('clerk');

  it('is requested once by a person, fetched by the id of the line, and listed with the line’s data', async () => {
    const line = await aLine({
      direction: 'in',
      sender_name: 'Çınar Lojistik',
      sender_iban: 'TR330006100519786457841326',
      ext_id: null,
      completed_at: new Date('2026-03-05T21:30:00Z'),
    });
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => want.requestReceipt(clerk(), line)),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await audited(ids[0]!)).toEqual(['receipt.asked']);
    const asked: string[] = [];
    while (
      await worker.receipts.fetchOneDueReceipt(merchant.merchantId, {
        getReceipt: async (id) => {
          asked.push(id);
          return { kind: 'html', bytes: Buffer.from('<p>Dekont</p>') };
        },
      })
    );
    expect(asked).toContain(line);
    // 21:30 UTC is already the next day in Istanbul.
    const { rows } = await list.listReceipts(
      clerk(),
      readReceiptQuery({ from: '2026-03-06', to: '2026-03-06' }),
    );
    expect(rows).toEqual([
      expect.objectContaining({
        id: ids[0],
        status: 'ready',
        recordId: line,
        movementId: null,
        direction: 'in',
        name: 'Çınar Lojistik',
        iban: 'TR330006100519786457841326',
        amount: '50.00',
        paidAt: '2026-03-05T21:30:00.000Z',
      }),
    ]);
    const masked = await list.listReceipts(
      merchant.person('support'),
      readReceiptQuery({ from: '2026-03-06', to: '2026-03-06' }),
    );
    expect(
      masked.rows.map((row) => row.iban),
      'who may not see it',
    ).toEqual(['TR**…1326']);
    expect(
      (await list.listReceipts(clerk(), readReceiptQuery({ q: 'cinar LOJISTIK' }))).rows.map(
        (row) => row.id,
      ),
    ).toEqual(ids.slice(0, 1));
    expect(await want.receiptsOf(clerk(), [line, '1'])).toEqual(
      new Map([[line, { id: ids[0], state: 'READY' }]]),
    );
  });

  it('names who was paid when the payout was made elsewhere: the other listing knows', async () => {
    await merchant.owner.query(
      `INSERT INTO withdraw_records (merchant_id, request_id, ext_id, level, amount_minor, currency,
        iban, name, created_at, raw) VALUES ($1, 'w1', 'ELSEWHERE1', 'completed', 5000, 'TRY',
        'TR330006100519786457841326', 'Deniz Nakliyat', now(), '{}')`,
      [merchant.merchantId],
    );
    const id = await want.requestReceipt(clerk(), await aLine({ ext_id: 'ELSEWHERE1' }));
    expect(await view.viewReceipt(clerk(), id, plain)).toMatchObject({
      name: 'Deniz Nakliyat',
      iban: 'TR330006100519786457841326',
      extId: 'ELSEWHERE1',
      status: 'waiting_receipt',
    });
    expect(await ask.askForReceipt(clerk(), id)).toBe('receipt');
    const foundBy = async (q: string, who = clerk()) =>
      (await list.listReceipts(who, readReceiptQuery({ q }))).rows.some((row) => row.id === id);
    for (const q of ['deniz NAKLİYAT', 'TR33 0006 1005 1978 6457 8413 26', '7841326'])
      expect(await foundBy(q), `by ${q}, as the list shows it`).toBe(true);
    expect(await foundBy('Deniz Kargo')).toBe(false);
    for (const q of ['\u200b', '\u0301'])
      expect(await foundBy(q), 'a text without a letter matches nothing').toBe(false);
    const support = merchant.person('support');
    expect(await foundBy('7841326', support), 'no more than they see').toBe(false);
    expect(await foundBy('1326', support)).toBe(true);
  });

  it('of a transfer to an own wallet is of money from its sender', async () => {
    const [own, branch, theirs] = ['4410270001', '4410270002', '4488810801'];
    for (const number of [own, branch])
      await merchant.owner.query(
        `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
          VALUES ($1, $2, '{}', now())`,
        [merchant.merchantId, number],
      );
    for (const [from, to, shown] of [
      [theirs, own, { direction: 'in', name: theirs, otherWallet: theirs, wallet: own }],
      [own, theirs, { direction: 'out', name: theirs, otherWallet: theirs, wallet: own }],
      [own, branch, { direction: 'out', name: branch, otherWallet: branch, wallet: own }],
    ] as const) {
      // As the provider's entries are read: with a sender, an entry is outgoing.
      const line = await aLine({ type_id: 3003, from_wallet: from, to_wallet: to });
      const id = await want.requestReceipt(clerk(), line);
      expect(await view.viewReceipt(clerk(), id, plain)).toMatchObject(shown);
    }
  });

  it('is our own movement’s receipt when the line is its own; the line of a return has another', async () => {
    const { id, movement } = await aReceipt({ state: 'WAITING' }, false);
    const { ext_id: extId } = await rowOf(merchant, movement);
    const out = await aLine({ ext_id: extId });
    const back = await aLine({ ext_id: extId, direction: 'in' });
    expect(await want.receiptsOf(clerk(), [out, back])).toEqual(
      new Map([
        [out, { id, state: 'WAITING' }],
        [back, null],
      ]),
    );
    expect(await want.requestReceipt(clerk(), out)).toBe(id);
    expect(await want.requestReceipt(clerk(), back)).not.toBe(id);
    const early = await storedMovement(merchant, 'PENDING');
    const line = await aLine({ ext_id: (await rowOf(merchant, early)).ext_id });
    await expect(want.requestReceipt(clerk(), line)).rejects.toMatchObject({
      code: 'receipt_by_itself',
    });
  });

  it('is refused for a line that is not there, of another merchant, and to an auditor', async () => {
    const line = await aLine();
    const other = await testMerchant();
    try {
      await expect(want.requestReceipt(other.person('clerk'), line)).rejects.toMatchObject({
        code: 'not_found',
      });
    } finally {
      await other.close();
    }
    await expect(want.requestReceipt(clerk(), '99')).rejects.toMatchObject({ code: 'not_found' });
    await expect(want.requestReceipt(merchant.person('auditor'), line)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    expect(await want.receiptsOf(merchant.person('auditor'), [line])).toEqual(
      new Map([[line, null]]),
    );
  });

  it('belongs to one of the two, never to both or none', async () => {
    const movement = await storedMovement(merchant, 'COMPLETED');
    const insert = (of: string | null, record: string | null) =>
      merchant.owner.query(
        `INSERT INTO receipts (merchant_id, movement_id, record_id, state) VALUES ($1, $2, $3, 'WAITING')`,
        [merchant.merchantId, of, record],
      );
    await expect(insert(null, null)).rejects.toThrow('receipts_of_one');
    await expect(insert(movement, await aLine())).rejects.toThrow('receipts_of_one');
  });
});
