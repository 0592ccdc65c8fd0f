import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { FRAME } from '#lib/exports/testing/frame.ts';
import { readCsv, readSheet, unzip } from '#lib/exports/testing/unzip.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readReceiptQuery } from '../filter.ts';
import type * as List from '../list.ts';
import { MERGED_WORDS } from './testing/merged-words.ts';
import type * as Ask from './ask.ts';
import type { ArchiveAsked } from './ask.ts';
import type * as Gaps from './ask-gaps.ts';
import type * as Take from './take.ts';
import type * as View from './view.ts';

/** Many receipts as one file: its content, who may get it, and how it reports missing receipts. */

const IBAN = 'TR330006100519786457841326';
let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let list: typeof List;
let ask: typeof Ask;
let gaps: typeof Gaps;
let take: typeof Take;
let view: typeof View;

beforeAll(async () => {
  stranger = await testMerchant();
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  [list, ask, gaps, take, view] = [
    await import('../list.ts'),
    await import('./ask.ts'),
    await import('./ask-gaps.ts'),
    await import('./take.ts'),
    await import('./view.ts'),
  ];
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]);
});

type Kept = {
  state?: string;
  text?: string;
  name?: string;
  at?: string;
  inLedger?: boolean;
  tries?: number;
};

/**
 * Creates a receipt of a movement of ours or, when `name` is given, of a ledger entry with that
 * name, because the name of a stored movement never changes.
 */
async function aReceipt({
  state = 'READY',
  text = '<p>Dekont</p>',
  name,
  at = '2026-03-06T09:00:00Z',
  inLedger = true,
  tries = 0,
}: Kept = {}): Promise<string> {
  const movement =
    name === undefined
      ? await storedMovement(
          merchant,
          'COMPLETED',
          {
            ledger_seen_at: inLedger ? at : null,
            transaction_id: inLedger ? '9000000000000000001' : null,
            ended_at: at,
          },
          { iban: IBAN },
        )
      : null;
  const record = name === undefined ? null : await aLine(name, at);
  const ready = state === 'READY';
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO receipts (merchant_id, movement_id, record_id, state, format, bytes, sha256, tries,
      next_at, paid_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
      CASE WHEN $9 THEN clock_timestamp() + interval '1 hour' END, $10) RETURNING id`,
    [
      merchant.merchantId,
      movement,
      record,
      state,
      ready ? 'html' : null,
      ready ? Buffer.from(text) : null,
      ready ? sha256(Buffer.from(text)) : null,
      tries,
      state === 'WAITING' && inLedger,
      at,
    ],
  );
  return rows[0]!.id;
}

async function aLine(name: string, at: string): Promise<string> {
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, ext_id, sender_name, sender_iban, created_at, raw)
     VALUES ($1, gen_random_uuid()::text, 1004, 20, 'in', 100, 0, 'TRY',
       upper(left(md5(random()::text), 20)), $2, $3, $4, '{}') RETURNING id`,
    [merchant.merchantId, name, IBAN, at],
  );
  return rows[0]!.id;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const DEFAULTS = {
  withLedger: false,
  template: 'full',
  ascii: false,
  profile: 'csv',
  fileType: 'zip',
} as const;
const asked = (query: Record<string, string>, more: Partial<ArchiveAsked> = {}): ArchiveAsked => ({
  ...DEFAULTS,
  filter: readReceiptQuery(query).filter,
  picked: null,
  ...more,
});
const picked = (ids: string[], more: Partial<ArchiveAsked> = {}): ArchiveAsked =>
  asked({}, { picked: ids, ...more });
const of = (id: string) => [merchant.merchantId, id];
const rowsOf = async (ids: string[]) =>
  (
    await merchant.owner.query<{ id: string; state: string; tries: number; due: boolean | null }>(
      `SELECT id, state, tries, next_at <= clock_timestamp() AS due FROM receipts WHERE id = ANY($1)
        ORDER BY array_position($1, id)`,
      [ids],
    )
  ).rows.map(({ state, tries, due }) => [state, tries, due]);

async function filesOf(
  id: string,
  role: Role = 'clerk',
  maxBytes?: number,
): Promise<Map<string, Buffer>> {
  const file = (await take.takeArchive(merchant.person(role), id))!;
  const frame = { ...FRAME, role, by: role, zone: 'Europe/Istanbul', fileName: 'dizin' };
  return unzip(
    Buffer.concat(
      await Array.fromAsync(
        file.pieces(
          {
            frame,
            contents: (ready, missing) => `${ready} var, ${missing} yok`,
            merged: MERGED_WORDS,
          },
          maxBytes,
        ),
      ),
    ),
  );
}
const documents = (files: Map<string, Buffer>): string[] =>
  [...files.keys()].filter((name) => name.endsWith('.html'));
function index(files: Map<string, Buffer>): Record<string, string>[] {
  const [head, ...lines] = readCsv(files.get('dizin.csv')!.toString(), ',');
  return lines.map((line) => Object.fromEntries(head!.map((key, n) => [key, line[n]!])));
}

describe('an archive of receipts', () => {
  it('holds what the filter shows, in its order, or what was picked of it; a later receipt is not in it', async () => {
    for (let n = 0; n < 30; n += 1)
      await aReceipt({
        name: `Sıra ${n}`,
        text: `<p>${n}</p>`,
        at: `2026-01-02T10:${String(n).padStart(2, '0')}:00Z`,
      });
    const query = { from: '2026-01-02', to: '2026-01-02' };
    const id = await ask.askForArchive(merchant.person('clerk'), asked(query));
    await aReceipt({ name: 'Sonradan', at: '2026-01-02T11:00:00Z' });
    const first = await list.listReceipts(merchant.person('clerk'), readReceiptQuery(query));
    const second = await list.listReceipts(
      merchant.person('clerk'),
      readReceiptQuery({ ...query, after: first.older!.edge }),
    );
    const shown = [...first.rows, ...second.rows].filter((row) => row.name !== 'Sonradan');
    const files = await filesOf(id);
    expect(index(files).map((line) => line['other_side'])).toEqual(shown.map((row) => row.name));
    expect(documents(files).map((name) => files.get(name)!.toString())).toEqual(
      shown.map((row) => `<p>${row.name.slice(5)}</p>`),
    );
    const two = [shown[3]!.id, shown[20]!.id];
    const some = await filesOf(
      await ask.askForArchive(
        merchant.person('clerk'),
        picked([...two, 'no id', '00000000-0000-4000-8000-000000000000']),
      ),
    );
    expect(index(some).map((line) => line['other_side'])).toEqual([
      shown[3]!.name,
      shown[20]!.name,
    ]);
    await expect(ask.askForArchive(merchant.person('clerk'), picked([]))).rejects.toMatchObject({
      code: 'nothing_chosen',
    });
    await expect(
      ask.askForArchive(merchant.person('clerk'), asked({ q: 'nobody' })),
    ).rejects.toMatchObject({ code: 'nothing_chosen' });
  });

  it('names each gap with its reason and deadline, and a gap that closes changes no other name', async () => {
    // All receipts have the same name, and the gaps come before the documents.
    const at = '2026-03-06T10:00:00Z';
    const ids = [
      await aReceipt({ text: 'bir' }),
      await aReceipt({ state: 'WAITING', tries: 3, at }),
      await aReceipt({ state: 'WAITING', inLedger: false, at }),
      await aReceipt({ state: 'FAILED', tries: 13, at }),
      await aReceipt({ text: 'iki' }),
    ];
    const id = await ask.askForArchive(merchant.person('clerk'), picked(ids));
    const before = await filesOf(id);
    const byState = (files: Map<string, Buffer>) =>
      index(files)
        .map((line) => line['state'])
        .toSorted();
    expect(byState(before)).toEqual([
      'failed',
      'ready',
      'ready',
      'waiting_ledger',
      'waiting_receipt',
    ]);
    expect(index(before).find((line) => line['state'] === 'waiting_receipt')).toMatchObject({
      file: '',
      sha256: '',
      tried_until: expect.stringMatching(/^20/),
      next_try: expect.stringMatching(/^20/),
    });
    expect(await view.viewArchive(merchant.person('clerk'), id)).toMatchObject({
      asked: 5,
      counts: { ready: 2, waiting: 2, failed: 1 },
      more: null,
    });
    expect(
      (await view.viewArchive(merchant.person('clerk'), id))!.gaps
        .map((gap) => gap.status)
        .toSorted(),
    ).toEqual(['failed', 'waiting_ledger', 'waiting_receipt']);
    await merchant.owner.query(
      `UPDATE receipts SET state = 'READY', format = 'html', bytes = 'x', sha256 = $2
        WHERE id = ANY($1) AND state <> 'READY'`,
      [ids, sha256(Buffer.from('x'))],
    );
    const after = await filesOf(id);
    expect(byState(after)).toEqual(['ready', 'ready', 'ready', 'ready', 'ready']);
    expect(
      documents(before)
        .map((name) => after.get(name)!.toString())
        .toSorted(),
      'under the names they had',
    ).toEqual(['bir', 'iki']);
    expect(new Set(documents(after)).size).toBe(5);
    expect(after.get('BENIOKU.txt')!.toString()).toContain('5 var, 0 yok');
  });

  it('has checksums that sha256sum reads, and an index as a workbook for people', async () => {
    const id = await ask.askForArchive(
      merchant.person('clerk'),
      picked(
        [
          await aReceipt({ name: '=HYPERLINK("http://evil.test")' }),
          await aReceipt({ state: 'FAILED' }),
        ],
        { profile: 'xlsx', ascii: true, template: 'reference' },
      ),
    );
    const files = await filesOf(id);
    const [document] = documents(files);
    expect(document).toMatch(/^2026-03-06_[0-9A-F]{20}\.html$/);
    expect(files.get('SHA256SUMS.txt')!.toString()).toBe(
      `${sha256(files.get(document!)!)}  ${document}\n`,
    );
    const sheet = readSheet(
      unzip(files.get('dizin.xlsx')!).get('xl/worksheets/sheet2.xml')!.toString(),
    );
    expect(
      sheet
        .slice(1)
        .map((row) => row[0]!.text)
        .toSorted(),
    ).toEqual(['', document]);
    expect(
      sheet.flat().find((cell) => cell.text.startsWith('=HYPER'))?.style,
      'text, never a formula',
    ).toBe(3);
  });

  it('is a file in one folder whatever the names are, and loses none of two equal file names', async () => {
    const names = [
      '../../etc/passwd',
      '..\\..\\x',
      'CON',
      'a\u202Efdp',
      'Ali',
      'ALI',
      'ali',
      'n/a',
      'n\\a',
      '/',
      '\u0007zil',
    ];
    const ids: string[] = [];
    for (const name of names) ids.push(await aReceipt({ name, text: `<p>${ids.length}</p>` }));
    const files = await filesOf(await ask.askForArchive(merchant.person('clerk'), picked(ids)));
    expect(documents(files)).toHaveLength(names.length);
    expect(
      documents(files).filter(
        (name) => /[/\\\p{C}]/u.test(name) || !name.startsWith('2026-03-06_'),
      ),
    ).toEqual([]);
    expect(new Set(documents(files).map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(new Set(documents(files).map((name) => files.get(name)!.toString())).size).toBe(
      names.length,
    );
  });

  it('that would not fit into its form names what it leaves out instead of breaking', async () => {
    const ids = [
      await aReceipt({ text: 'x'.repeat(600) }),
      await aReceipt({ text: 'y'.repeat(600) }),
      await aReceipt({ text: 'z'.repeat(600) }),
    ];
    const files = await filesOf(
      await ask.askForArchive(merchant.person('clerk'), picked(ids)),
      'clerk',
      800,
    );
    expect([
      documents(files).length,
      index(files).filter((line) => line['state'] === 'left_out' && line['file'] === '').length,
    ]).toEqual([2, 1]);
  });
});

describe('who gets an archive', () => {
  it('nobody but its requester in the same merchant; request and download are in the audit log', async () => {
    await aReceipt({ name: 'Gizem Arama' });
    const id = await ask.askForArchive(merchant.person('clerk'), asked({ q: 'gizem' }));
    for (const role of ['owner', 'approver', 'auditor', 'support'] as const)
      expect(
        [
          await take.takeArchive(merchant.person(role), id),
          await view.viewArchive(merchant.person(role), id),
        ],
        role,
      ).toEqual([null, null]);
    expect(
      await take.takeArchive(
        { ...stranger.person('clerk'), personId: merchant.person('clerk').personId },
        id,
      ),
      'the wall',
    ).toBeNull();
    for (const text of ['', '1', '../x', "' OR 1=1"])
      expect(await take.takeArchive(merchant.person('clerk'), text)).toBeNull();
    await expect(gaps.askForGaps(merchant.person('owner'), id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await filesOf(id);
    const { rows } = await merchant.owner.query(
      `SELECT e.action, e.body, p.value FROM audit_entries e
        LEFT JOIN audit_personal p ON p.merchant_id = e.merchant_id AND p.seq = e.seq
        AND p.field = 'search' WHERE e.merchant_id = $1 AND e.subject = 'archive:' || $2::text
        ORDER BY e.seq`,
      of(id),
    );
    expect(rows.map((row) => [row.action, row.value])).toEqual([
      ['receipt.archive_asked', 'gizem'],
      ['receipt.archive_downloaded', null],
    ]);
    expect(rows[0].body).not.toContain('gizem');
  });

  it('sees in the list that there are more than it shows', async () => {
    const { merchantId } = stranger;
    const owner = stranger.person('owner');
    const add = (count: number) =>
      stranger.owner.query(
        `INSERT INTO receipt_archives (merchant_id, person_id, filter, picked, asked, template,
          ascii, profile) SELECT $1, $2, '', false, 1, 'full', false, 'csv'
          FROM generate_series(1, $3)`,
        [merchantId, owner.personId, count],
      );
    const shown = async () => {
      const { rows, isCut } = await view.listArchives(owner);
      return { shown: rows.length, isCut };
    };
    await add(20);
    expect(await shown()).toEqual({ shown: 20, isCut: false });
    await add(1);
    expect(await shown()).toEqual({ shown: 20, isCut: true });
  });

  it('with whole IBANs in its index only for who may see them', async () => {
    const ids = [await aReceipt(), await aReceipt({ state: 'WAITING' })];
    const wholeFor = async (role: Role) =>
      [
        ...(
          await filesOf(await ask.askForArchive(merchant.person(role), picked(ids)), role)
        ).values(),
      ]
        .join('')
        .includes(IBAN);
    expect([await wholeFor('clerk'), await wholeFor('auditor'), await wholeFor('support')]).toEqual(
      [true, true, false],
    );
  });
});

describe('asking for what is missing', () => {
  it('makes every missing document due now, restarts abandoned ones, and leaves the others alone', async () => {
    const ids = [
      await aReceipt(),
      await aReceipt({ state: 'WAITING', tries: 4 }),
      await aReceipt({ state: 'WAITING', inLedger: false }),
      await aReceipt({ state: 'FAILED', tries: 14 }),
    ];
    const id = await ask.askForArchive(merchant.person('clerk'), picked(ids));
    expect(await gaps.askForGaps(merchant.person('clerk'), id)).toBe(2);
    expect(await rowsOf(ids)).toEqual([
      ['READY', 0, null],
      ['WAITING', 4, true],
      ['WAITING', 0, null],
      ['WAITING', 0, true],
    ]);
    await expect(gaps.askForGaps(merchant.person('clerk'), id)).rejects.toMatchObject({
      code: 'asked_too_often',
    });
    const theirs = await ask.askForArchive(merchant.person('auditor'), picked(ids));
    await expect(gaps.askForGaps(merchant.person('auditor'), theirs)).rejects.toMatchObject({
      code: 'not_allowed',
    });
  });
});

describe('an archive of days, with the ledger', () => {
  it('asks for every missing receipt of those Istanbul days, except those of our own movements', async () => {
    const line = (id: string, at: string, extId: string | null = null) =>
      merchant.owner.query(
        `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
          fee_minor, currency, ext_id, created_at, raw) VALUES ($1, $2, 2002, 20, 'out', 100, 0,
          'TRY', $3, $4, '{}')`,
        [merchant.merchantId, id, extId, at],
      );
    const own = await storedMovement(merchant, 'COMPLETED', { transaction_id: '603' });
    const {
      rows: [movement],
    } = await merchant.owner.query<{ ext_id: string }>(
      'SELECT ext_id FROM movements WHERE id = $1',
      [own],
    );
    // 21:30 UTC is already the next day in Istanbul, whose midnight is 21:00 UTC.
    await line('601', '2026-02-09T21:30:00Z');
    await line('602', '2026-02-10T20:59:59.999Z');
    await line('603', '2026-02-10T12:00:00Z', movement!.ext_id);
    await line('604', '2026-02-10T21:00:00Z');
    await line('605', '2026-02-09T20:59:59.999Z');
    const days = { from: '2026-02-10', to: '2026-02-10' };
    const clerk = merchant.person('clerk');
    expect(await ask.previewArchive(clerk, asked(days).filter, null)).toEqual({
      ready: 0,
      waiting: 0,
      failed: 0,
      ledger: 2,
    });
    expect(
      (await ask.previewArchive(merchant.person('auditor'), asked(days).filter, null)).ledger,
      'who may not ask',
    ).toBeNull();
    await expect(
      ask.askForArchive(merchant.person('auditor'), asked(days, { withLedger: true })),
    ).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(
      ask.askForArchive(clerk, asked(days)),
      'not asked for the ledger',
    ).rejects.toMatchObject({ code: 'nothing_chosen' });
    const id = await ask.askForArchive(clerk, asked(days, { withLedger: true }));
    expect(
      (await view.viewArchive(clerk, id))!.gaps.map((gap) => [gap.recordId, gap.status]),
    ).toEqual([
      ['602', 'waiting_receipt'],
      ['601', 'waiting_receipt'],
    ]);
    expect(await ask.previewArchive(clerk, asked(days).filter, null)).toEqual({
      ready: 0,
      waiting: 2,
      failed: 0,
      ledger: 0,
    });
    expect(
      (await ask.previewArchive(clerk, asked({ ...days, q: 'x' }).filter, null)).ledger,
      'a filter that says more than days',
    ).toBeNull();
  });

  it('is forgotten after ninety days, not before; its receipts are not', async () => {
    const receipt = await aReceipt();
    const [young, old] = [
      await ask.askForArchive(merchant.person('clerk'), picked([receipt])),
      await ask.askForArchive(merchant.person('clerk'), picked([receipt])),
    ];
    await merchant.owner.query(
      `UPDATE receipt_archives SET created_at = clock_timestamp() - CASE WHEN id = $1 THEN interval
        '89 days' ELSE interval '91 days' END WHERE id IN ($1, $2)`,
      [young, old],
    );
    const worker = await openProcess('dashboard_worker');
    await worker.db.inTransaction(
      merchant.merchantId,
      (tx) => tx.$executeRaw`DELETE FROM receipt_archives`,
    );
    await worker.db.disconnect();
    const { rows } = await merchant.owner.query<{ archive_id: string }>(
      'SELECT archive_id FROM receipt_archive_items WHERE archive_id IN ($1, $2)',
      [young, old],
    );
    expect(rows.map((row) => row.archive_id)).toEqual([young]);
    expect(await rowsOf([receipt])).toHaveLength(1);
  });
});
