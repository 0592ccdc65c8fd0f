import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { PAYOUT_PARTS, payoutListAddress, readPayoutQuery } from '#lib/payouts/filter.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';
import type * as List from '#lib/payouts/list.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Ask from './ask.ts';
import type * as Claim from './claim.ts';
import type * as Exports from './list.ts';
import type * as Make from './make.ts';
import type { Profile } from './profile.ts';
import type * as Remove from './remove.ts';
import type * as Take from './take.ts';
import { FRAME } from './testing/frame.ts';
import { readCsv, readSheet, unzip } from './testing/unzip.ts';

/**
 * Exports of the list of payouts on a real database: their content, who may get them, and that they
 * survive the death of the worker.
 */

const NAMES = [
  '=Zeytin A.Ş.',
  'Çınar "Ltd"',
  'Cuma; San.',
  '+Irmak\nGıda',
  'Işık Düğme',
  'Şafak, Güvenlik',
];
const ROWS = 65;
const FIRST = Date.parse('2026-03-05T20:59:00.123Z');

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let worker: Process;
let ask: typeof Ask;
let take: typeof Take;
let remove: typeof Remove;
let exports: typeof Exports;
let list: typeof List;
let make: typeof Make;
let claim: typeof Claim;
let sweep: typeof Remove;

beforeAll(async () => {
  stranger = await testMerchant();
  merchant = await testMerchant();
  await drafts();
  web = await openProcess('dashboard_web');
  [ask, take, remove, exports, list] = [
    await import('./ask.ts'),
    await import('./take.ts'),
    await import('./remove.ts'),
    await import('./list.ts'),
    await import('#lib/payouts/list.ts'),
  ];
  worker = await openProcess('dashboard_worker');
  [make, claim, sweep] = [
    await import('./make.ts'),
    await import('./claim.ts'),
    await import('./remove.ts'),
  ];
});
afterAll(async () => {
  await Promise.all([
    web.db.disconnect(),
    worker.db.disconnect(),
    merchant.close(),
    stranger.close(),
  ]);
});

/**
 * Creates drafts with few different amounts, names and times, so that every sort order has ties,
 * and with names that break careless code.
 */
async function drafts(): Promise<void> {
  for (let n = 0; n < ROWS; n += 1) {
    await merchant.owner.query(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
        amount_minor, currency, payment_type, description, content_hash, maker_id, created_at)
       VALUES ($1, $2, 'payout', $3, 'DRAFT', $4, $5, $6, '1234567890', $7, $8, '06', '@açıklama',
         'h', $9, $10)`,
      [
        randomUUID(),
        merchant.merchantId,
        `REF${String(n).padStart(17, '0')}`,
        n % 2 ? '4410270001' : '4410270002',
        `TR33000610051978645784${String(n).padStart(4, '0')}`,
        NAMES[n % NAMES.length],
        1_240_000 + (n % 4) * 100,
        n % 5 === 0 ? 'USD' : 'TRY',
        merchant.person('clerk').personId,
        new Date(FIRST + Math.floor(n / 3) * 90_000),
      ],
    );
  }
}

const ALL = { source: 'payouts', profile: 'csv', filter: '', frame: FRAME } as const;
const askAs = (role: Role, asked: { filter?: string; profile?: Profile } = {}): Promise<string> =>
  ask.askForExport(merchant.person(role), { ...ALL, ...asked });

async function fileOf(id: string, role: Role = 'clerk'): Promise<Buffer | null> {
  const file = await take.takeExport(merchant.person(role), id);
  return file && Buffer.concat(await Array.fromAsync(file.pieces));
}

async function exported(
  role: Role,
  asked: { filter?: string; profile?: Profile } = {},
  pageRows = 7,
): Promise<Map<string, Buffer>> {
  const id = await askAs(role, asked);
  while (await make.makeOneExport(merchant.merchantId, undefined, pageRows));
  return unzip((await fileOf(id, role))!);
}

async function onScreen(
  role: Role,
  filter: PayoutFilter,
): Promise<{ rows: List.PayoutRow[]; totals: List.PayoutPage['totals'] }> {
  const rows: List.PayoutRow[] = [];
  let page = await list.listPayouts(merchant.person(role), { filter, place: null });
  for (;;) {
    rows.push(...page.rows);
    if (page.older === null) return { rows, totals: page.totals };
    page = await list.listPayouts(merchant.person(role), { filter, place: page.older });
  }
}

const filters: fc.Arbitrary<PayoutFilter> = fc.record({
  view: fc.constantFrom('all', 'attention', 'progress', 'completed'),
  part: fc.constantFrom(null, ...PAYOUT_PARTS),
  waits: fc.constant(null),
  batch: fc.constant(null),
  recipient: fc.constant(null),
  picked: fc.constant([]),
  wallet: fc.constantFrom(null, '4410270001'),
  from: fc.constantFrom(null, '2026-03-05', '2026-03-06'),
  to: fc.constantFrom(null, '2026-03-05', '2026-03-06'),
  text: fc.constantFrom(
    '',
    'ışık',
    '12.401,00',
    '=Zeytin',
    '4578400',
    '0064',
    'REF0000000000000000',
  ),
  sort: fc.constantFrom('date', 'amount', 'name'),
  order: fc.constantFrom('ascending', 'descending'),
});

describe('an export', () => {
  test('equals what the filter shows, row for row and in its order, with the same sums, whoever looks', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom('clerk' as const, 'support' as const),
        async (made, role) => {
          const filter = readPayoutQuery(
            Object.fromEntries(new URLSearchParams(payoutListAddress(made))),
          ).filter;
          const shown = await onScreen(role, filter);
          const [head, ...rows] = readCsv(
            (await exported(role, { filter: payoutListAddress(filter) }))
              .get('odemeler.csv')!
              .toString(),
            ',',
          );
          const cell = (row: string[], key: string) => row[head!.indexOf(key)]!.replace(/^'/, '');
          expect(
            rows.map((row) => [
              cell(row, 'reference'),
              cell(row, 'recipient'),
              cell(row, 'iban'),
              cell(row, 'amount'),
              cell(row, 'currency'),
              cell(row, 'state'),
              new Date(cell(row, 'created_at')).toISOString(),
            ]),
          ).toEqual(
            shown.rows.map((row) => [
              row.extId,
              row.name,
              row.iban,
              row.amount,
              row.currency,
              row.state,
              row.createdAt,
            ]),
          );
          const [newest] = (await exports.listExports(merchant.person(role))).rows;
          expect(newest).toMatchObject({
            state: 'READY',
            rows: shown.rows.length,
            expected: shown.rows.length,
          });
          const byPart = (sums: { part: string | null; currency: string }[]) =>
            sums.toSorted((a, b) =>
              `${a.part} ${a.currency}` < `${b.part} ${b.currency}` ? -1 : 1,
            );
          expect(byPart(newest!.sums)).toEqual(
            byPart(
              shown.totals!.map((total) => ({ ...total, part: FRAME.codes.part![total.part]! })),
            ),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('says who, when, in which zone, by which filter, how many, which sums, and proves its rows', async () => {
    const files = await exported('auditor', { profile: 'csv-excel' });
    const about = files.get('BENIOKU.txt')!.toString();
    expect(about).toContain('Hazırlayan: auditor\r\n');
    expect(about).toMatch(
      /İstendiği an: \d{1,2} \S+ 20\d\d \d\d:\d\d:\d\d\r\nSaat dilimi: Europe\/Istanbul\r\nFiltre: “şafak” içeren\r\n/,
    );
    expect(about).toContain(
      `Satır: ${ROWS}\r\nToplam TRY · Süren (52): ₺644.878,00\r\nToplam USD · Süren (13): $161.218,00\r\n`,
    );
    expect(about).toContain(
      `SHA-256 ${createHash('sha256').update(files.get('odemeler.csv')!).digest('hex')} (odemeler.csv)`,
    );
    const workbook = await exported('auditor', { profile: 'xlsx' });
    const first = readSheet(workbook.get('xl/worksheets/sheet1.xml')!.toString()).map((row) =>
      row.map(({ text }) => text),
    );
    const rowsDigest = createHash('sha256')
      .update(workbook.get('xl/worksheets/sheet2.xml')!)
      .digest('hex');
    expect(first).toContainEqual(['Satır', String(ROWS)]);
    expect(first).toContainEqual(['Özet', `SHA-256 ${rowsDigest} (xl/worksheets/sheet2.xml)`]);
  });

  test('21:30 UTC is 00:30 of the next day in what people read, and that day’s filter has it', async () => {
    const files = await exported('clerk', {
      profile: 'csv-excel',
      filter: '?from=2026-03-06&to=2026-03-06&sort=date',
    });
    const text = files.get('odemeler.csv')!.toString();
    expect(text.startsWith('\u{FEFF}Referans;')).toBe(true);
    const [, ...rows] = readCsv(text.slice(1), ';');
    expect(rows[0]![1]).toBe('06.03.2026 00:00:30');
    expect(rows.length).toBe(ROWS - 3);
    expect(rows[0]!.slice(4, 8)).toEqual([
      "'1234567890",
      expect.stringMatching(/^'441027000[12]$/),
      expect.stringMatching(/^1240[0-3],00$/),
      expect.stringMatching(/^TRY|USD$/),
    ]);
    expect(rows.every((row) => row[9] === 'Taslak' && row[11]!.startsWith("'@"))).toBe(true);
    const sheet = readSheet(
      (
        await exported('clerk', {
          profile: 'xlsx',
          filter: '?from=2026-03-06&to=2026-03-06&sort=date',
        })
      )
        .get('xl/worksheets/sheet2.xml')!
        .toString(),
    );
    expect(sheet.length).toBe(ROWS - 2);
    expect(Math.floor(Number(sheet[1]![1]!.text))).toBe(46_087);
  });

  test('of nothing is a file that says so', async () => {
    const files = await exported('clerk', { filter: '?q=nobody' });
    expect(readCsv(files.get('odemeler.csv')!.toString(), ',').length).toBe(1);
    expect(files.get('BENIOKU.txt')!.toString()).toContain('Satır: 0\r\n');
  });

  test('taken by support has no payee’s number in it', async () => {
    for (const profile of ['csv', 'csv-excel', 'xlsx'] as const) {
      for (const bytes of (await exported('support', { profile })).values())
        expect(bytes.toString()).not.toMatch(/TR33000610|1234567890/);
    }
    const [entry] = (
      await merchant.owner.query(
        `SELECT body FROM audit_entries WHERE merchant_id = $1 AND action = 'export.asked'
          ORDER BY seq DESC LIMIT 1`,
        [merchant.merchantId],
      )
    ).rows;
    expect(JSON.parse(entry.body).detail).toMatchObject({
      source: 'payouts',
      profile: 'xlsx',
      rows: ROWS,
      masked: true,
    });
  });

  test('is audited before it exists and at each download; the search words in it can be erased', async () => {
    const id = await askAs('clerk', { filter: '?view=progress&q=ışık' });
    while (await make.makeOneExport(merchant.merchantId));
    await fileOf(id);
    const { rows } = await merchant.owner.query(
      `SELECT e.action, e.body, p.value FROM audit_entries e
        LEFT JOIN audit_personal p ON p.merchant_id = e.merchant_id AND p.seq = e.seq
        AND p.field = 'search' WHERE e.merchant_id = $1 AND e.subject = $2 ORDER BY e.seq`,
      [merchant.merchantId, `export:${id}`],
    );
    expect(rows.map((row) => [row.action, row.value])).toEqual([
      ['export.asked', 'ışık'],
      ['export.downloaded', null],
    ]);
    expect(rows[0].body).not.toContain('ışık');
    expect(JSON.parse(rows[0].body).detail).toMatchObject({
      filter: 'view=progress',
      rows: expect.any(Number),
    });
    expect(JSON.parse(rows[1].body).detail.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('an export whose maker ends', () => {
  /** Creates a copy of the request, as if it had been made at the same moment. */
  async function twin(id: string): Promise<string> {
    const { rows } = await merchant.owner.query<{ id: string }>(
      `INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expected,
        created_at, expires_at)
       SELECT merchant_id, person_id, source, profile, filter, frame, expected, created_at,
         expires_at FROM exports WHERE id = $1 RETURNING id`,
      [id],
    );
    return rows[0]!.id;
  }
  const state = async (id: string) =>
    (
      await merchant.owner.query(
        `SELECT state, rows, tries, (SELECT count(*)::int FROM export_pieces WHERE export_id = id)
          AS pieces FROM exports WHERE id = $1`,
        [id],
      )
    ).rows[0];

  test.each(['csv', 'xlsx'] as const)(
    'after any piece is gone on with by another, to the same bytes (%s)',
    async (profile) => {
      const id = await askAs('clerk', { profile, filter: '?sort=name' });
      const whole = await twin(id);
      // The claim is released after each piece, so that each piece is made by another worker.
      await merchant.owner.query(`UPDATE exports SET lease_until = 'infinity' WHERE id = $1`, [
        whole,
      ]);
      for (let makers = 0; (await state(id)).state === 'MAKING'; makers += 1) {
        expect(makers).toBeLessThan(20);
        await make.makeOneExport(merchant.merchantId, stopAfterOnePiece(), 10);
      }
      expect((await state(id)).pieces).toBe(8);
      await merchant.owner.query(`UPDATE exports SET lease_until = now() WHERE id = $1`, [whole]);
      await make.makeOneExport(merchant.merchantId, undefined, 10);
      expect(
        createHash('sha256')
          .update((await fileOf(id))!)
          .digest('hex'),
      ).toBe(
        createHash('sha256')
          .update((await fileOf(whole))!)
          .digest('hex'),
      );
    },
  );

  /**
   * An abort signal that reads as not aborted before the first piece, and as aborted from the
   * second piece on.
   */
  function stopAfterOnePiece(): AbortSignal {
    let asked = 0;
    return {
      get aborted() {
        return (asked += 1) > 1;
      },
    } as AbortSignal;
  }

  test('is made by one at a time, and given up when it ends its maker again and again', async () => {
    const id = await askAs('clerk');
    await merchant.owner.query(
      `UPDATE exports SET lease_until = now() + interval '1 hour', lease_token = gen_random_uuid()
        WHERE id = $1`,
      [id],
    );
    expect(await make.makeOneExport(merchant.merchantId)).toBe(false);
    await merchant.owner.query(`UPDATE exports SET lease_until = now(), tries = 5 WHERE id = $1`, [
      id,
    ]);
    expect(await make.makeOneExport(merchant.merchantId)).toBe(false);
    expect(await state(id)).toMatchObject({ state: 'FAILED', pieces: 0 });
    expect(await fileOf(id)).toBeNull();
  });

  test('stays with its maker for longer with each piece, and has failed no time by then', async () => {
    const id = await askAs('clerk');
    const job = (await claim.claimExport(merchant.merchantId))!;
    await merchant.owner.query(`UPDATE exports SET lease_until = now(), tries = 4 WHERE id = $1`, [
      id,
    ]);
    const progress = { pieces: 1, rows: 1, place: null, ended: false, crc: 0, size: 1, packed: 1 };
    await claim.keepPiece(job, { ...progress, sums: {} }, [Buffer.from('a')]);
    expect(await claim.claimExport(merchant.merchantId)).toBeNull();
    expect(await state(id)).toMatchObject({ state: 'MAKING', tries: 0, pieces: 1 });
    await remove.removeExport(merchant.person('clerk'), id);
  });

  test('and that was thrown away meanwhile stores nothing more', async () => {
    const id = await askAs('clerk');
    // The export is deleted before its first piece is stored.
    let removing: Promise<void> | undefined;
    const watched = {
      get aborted() {
        removing ??= remove.removeExport(merchant.person('clerk'), id);
        return false;
      },
    } as AbortSignal;
    await expect(make.makeOneExport(merchant.merchantId, watched, 1)).rejects.toThrow(
      'claimed by another worker or deleted',
    );
    await removing;
    expect(await state(id)).toMatchObject({ state: 'DELETED', pieces: 0 });
  });

  test('can be taken while it is being made: every piece once, to the end', async () => {
    const id = await askAs('clerk');
    const taking = fileOf(id);
    while (await make.makeOneExport(merchant.merchantId, undefined, 5));
    const early = await taking;
    expect(early!.equals((await fileOf(id))!)).toBe(true);
  });

  test.each(['csv', 'xlsx'] as const)(
    'gives what precedes its rows before a worker has begun it, and the same file (%s)',
    async (profile) => {
      const id = await askAs('clerk', { profile });
      const file = await take.takeExport(merchant.person('clerk'), id);
      const opening = (await file!.pieces.next()).value as Buffer;
      expect(await state(id)).toMatchObject({ state: 'MAKING', pieces: 0 });
      while (await make.makeOneExport(merchant.merchantId, undefined, 5));
      const rest = await Array.fromAsync(file!.pieces);
      const whole = (await fileOf(id))!;
      expect(opening.equals(whole.subarray(0, opening.length))).toBe(true);
      expect(Buffer.concat([opening, ...rest]).equals(whole)).toBe(true);
    },
  );

  test('by another version with another beginning aborts a download that has begun', async () => {
    const id = await askAs('clerk');
    const file = await take.takeExport(merchant.person('clerk'), id);
    await file!.pieces.next();
    while (await make.makeOneExport(merchant.merchantId, undefined, 5));
    await merchant.owner.query(
      `UPDATE export_pieces SET bytes = set_byte(bytes, 10, 1) WHERE export_id = $1 AND n = 1`,
      [id],
    );
    await expect(file!.pieces.next()).rejects.toThrow('does not begin with the opening');
    await expect(fileOf(id)).resolves.not.toBeNull();
  });
});

describe('who gets an export', () => {
  test('nobody but its requester in the same merchant, and not after its deletion or its week', async () => {
    const id = await askAs('clerk');
    while (await make.makeOneExport(merchant.merchantId));
    for (const role of ['owner', 'approver', 'auditor', 'support'] as const)
      expect(await fileOf(id, role), role).toBeNull();
    expect(await take.takeExport(stranger.person('clerk'), id)).toBeNull();
    expect(
      await take.takeExport(
        { ...stranger.person('clerk'), personId: merchant.person('clerk').personId },
        id,
      ),
      'the wall',
    ).toBeNull();
    await expect(remove.removeExport(merchant.person('owner'), id)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await fileOf(id)).not.toBeNull();
    await merchant.owner.query(
      `UPDATE exports SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await fileOf(id)).toBeNull();
    await sweep.expireExports(merchant.merchantId);
    expect(
      (await merchant.owner.query('SELECT 1 FROM export_pieces WHERE export_id = $1', [id])).rows,
    ).toEqual([]);
    expect(
      (await exports.listExports(merchant.person('clerk'))).rows.find((row) => row.id === id)
        ?.state,
    ).toBe('EXPIRED');
    const other = await askAs('clerk');
    await remove.removeExport(merchant.person('clerk'), other);
    expect(await fileOf(other)).toBeNull();
  });

  test('sees in the list that there are more than it shows', async () => {
    const { merchantId } = stranger;
    const owner = stranger.person('owner');
    const add = (count: number) =>
      stranger.owner.query(
        `INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expires_at)
          SELECT $1, $2, 'payouts', 'csv', '', '{}', now() FROM generate_series(1, $3)`,
        [merchantId, owner.personId, count],
      );
    const shown = async () => {
      const { rows, isCut } = await exports.listExports(owner);
      return { shown: rows.length, isCut };
    };
    await add(50);
    expect(await shown()).toEqual({ shown: 50, isCut: false });
    await add(1);
    expect(await shown()).toEqual({ shown: 50, isCut: true });
  });

  test('a person who may no longer see payees’ numbers does not get the file that shows them', async () => {
    const id = await askAs('auditor');
    while (await make.makeOneExport(merchant.merchantId));
    const now = { ...merchant.person('auditor'), role: 'support' as const };
    expect(await take.takeExport(now, id)).toBeNull();
    expect(await fileOf(id, 'auditor')).not.toBeNull();
  });

  test('too many in a minute are refused with the seconds to wait, and leave nothing', async () => {
    const key = `export.ask:person:${merchant.person('owner').personId}`;
    await merchant.owner.query(
      `INSERT INTO rate_limits (merchant_id, key, window_start, count)
        SELECT $1, $2, to_timestamp((floor(extract(epoch FROM clock_timestamp()) / 60) + n) * 60),
        10000 FROM generate_series(0, 1) n`,
      [merchant.merchantId, key],
    );
    await expect(askAs('owner')).rejects.toMatchObject({
      code: 'too_many',
      params: { seconds: expect.any(Number) },
    });
    expect((await exports.listExports(merchant.person('owner'))).rows).toEqual([]);
  });
});
