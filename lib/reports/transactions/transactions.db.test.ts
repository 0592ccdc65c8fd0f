import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import type * as Ask from '#lib/exports/ask.ts';
import type * as Make from '#lib/exports/make.ts';
import type * as Take from '#lib/exports/take.ts';
import { FRAME } from '#lib/exports/testing/frame.ts';
import { readCsv, unzip } from '#lib/exports/testing/unzip.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { readTransactionQuery, transactionParams } from './filter.ts';
import type { TransactionFilter } from './filter.ts';
import type * as List from './list.ts';
import type * as View from './view.ts';

/**
 * The transaction report on a real database: its rows, pages, sums and file are compared with a
 * simple evaluation of the same entries.
 */

const NOW = '2026-03-08T12:00:00Z';
const [MAIN, SECOND, FOREIGN] = ['4410270001', '4410270002', '5550000001'];
const NAMES = ['Işık Düğme', 'ISIK OPTİK', 'Çınar Ltd.', null];
const SENDER_IBAN = 'TR330006100519786457841326';
const TYPES = [1001, 2002, 3006, 3003, 9999];
const STATUSES = [20, 20, 60, 40, 10, 77];
const ROUTES: [string | null, string | null][] = [
  [MAIN, null],
  [null, MAIN],
  [MAIN, SECOND],
  [SECOND, FOREIGN],
  [FOREIGN, SECOND],
  [null, null],
];
const ROWS = 83;

type Line = {
  id: string;
  type: number;
  status: number;
  direction: 'in' | 'out';
  amount: bigint;
  fee: bigint;
  receiverFee: bigint;
  currency: string;
  from: string | null;
  to: string | null;
  sender: string | null;
  at: string;
  ext: string;
  refersTo: string | null;
  description: string;
};

/**
 * Entries with few different amounts and times, so that every sort order has ties, on both sides of
 * two midnights.
 */
const LINES: Line[] = Array.from({ length: ROWS }, (_, n) => {
  const [from, to] = ROUTES[n % ROUTES.length]!;
  const isReturn = n % 13 === 0 && from === null;
  return {
    id: `${9_000_000_000_000_000_000n + BigInt((n * 37) % ROWS)}`,
    type: TYPES[n % TYPES.length]!,
    status: STATUSES[n % STATUSES.length]!,
    direction: from !== null ? 'out' : 'in',
    amount: 1_240_000n + BigInt(n % 4) * 100n,
    fee: n % 3 === 0 ? 0n : 640n,
    receiverFee: n % 5 === 0 ? 100n : 0n,
    currency: n % 7 === 0 ? 'USD' : 'TRY',
    from,
    to,
    sender: NAMES[n % NAMES.length]!,
    at: new Date(
      Date.parse('2026-03-05T20:30:00.123Z') + Math.floor(n / 3) * 3_600_000,
    ).toISOString(),
    ext: `REF${String(n).padStart(9, '0')}`,
    refersTo: isReturn ? '9000000000000000001' : null,
    description:
      n % 6 === 0 ? 'Kira 100% Mart_Nisan' : n % 6 === 1 ? 'Kira 1000 Martta Nisan' : 'Fatura',
  };
});

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let worker: Process;
let list: typeof List;
let view: typeof View;
let [ask, take, make] = [] as unknown as [typeof Ask, typeof Take, typeof Make];

beforeAll(async () => {
  stranger = await testMerchant();
  await store(stranger, LINES.slice(0, 5));
  merchant = await testMerchant();
  await store(merchant, LINES);
  for (const number of [MAIN, SECOND])
    await merchant.owner.query(
      `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at) VALUES ($1, $2, '{}', now())`,
      [merchant.merchantId, number],
    );
  web = await openProcess('dashboard_web');
  [list, view, ask, take] = [
    await import('./list.ts'),
    await import('./view.ts'),
    await import('#lib/exports/ask.ts'),
    await import('#lib/exports/take.ts'),
  ];
  worker = await openProcess('dashboard_worker');
  make = await import('#lib/exports/make.ts');
});
afterAll(async () => {
  await Promise.all([
    web.db.disconnect(),
    worker.db.disconnect(),
    merchant.close(),
    stranger.close(),
  ]);
});

async function store(of: TestMerchant, lines: readonly Line[]): Promise<void> {
  for (const line of lines) {
    await of.owner.query(
      `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
        fee_minor, receiver_fee_minor, currency, from_wallet, to_wallet, sender_name, sender_iban,
        created_at, ext_id, refers_to, description, raw)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
         '{"id":9000000000000000001}')`,
      [
        of.merchantId,
        line.id,
        line.type,
        line.status,
        line.direction,
        line.amount,
        line.fee,
        line.receiverFee,
        line.currency,
        line.from,
        line.to,
        line.sender,
        line.sender && SENDER_IBAN,
        line.at,
        line.ext,
        line.refersTo,
        line.description,
      ],
    );
  }
}

const query = (address: Record<string, string>) =>
  readTransactionQuery({ from: '2026-03-05', to: '2026-03-08', ...address }, NOW, 'tr');
const read = (address: Record<string, string>, role: Role = 'clerk') =>
  list.listTransactions(merchant.person(role), query(address));

async function allPages(
  filter: TransactionFilter,
  role: Role = 'clerk',
): Promise<List.TransactionRow[]> {
  const rows: List.TransactionRow[] = [];
  let page = await list.listTransactions(merchant.person(role), { filter, place: null, page: 1 });
  for (;;) {
    rows.push(...page.rows);
    if (page.older === null) return rows;
    page = await list.listTransactions(merchant.person(role), {
      filter,
      place: page.older,
      page: 1,
    });
  }
}

/** The direction of an entry, evaluated by itself and not by SQL. */
function wayOf(line: Line, wallet: string | null): 'in' | 'out' | 'own' {
  if (wallet !== null) return line.from === wallet ? 'out' : 'in';
  const [from, to] = [line.from, line.to].map((one) => one === MAIN || one === SECOND);
  return from ? (to ? 'own' : 'out') : to ? 'in' : line.direction;
}
/** What the own wallets paid: both sides of a transfer between them. */
function feesOf({ fee, receiverFee }: Line, way: ReturnType<typeof wayOf>): bigint {
  return (way === 'in' ? 0n : fee) + (way === 'out' ? 0n : receiverFee);
}
function typeOf(line: Line): string {
  if (line.direction === 'in' && line.refersTo !== null) return 'return';
  return (
    (
      { 1001: 'top_up', 2002: 'payout', 3003: 'transfer', 3006: 'transfer' } as Record<
        number,
        string
      >
    )[line.type] ?? 'other'
  );
}
const statusOf = (line: Line): string =>
  ({ 10: 'pending', 20: 'completed', 40: 'cancelled', 60: 'refunded' } as Record<number, string>)[
    line.status
  ] ?? 'other';

function matching(filter: TransactionFilter): Line[] {
  return LINES.filter((line) => {
    const day = dayIn(line.at);
    const isOwn = [line.from, line.to].every((one) => one === MAIN || one === SECOND);
    const searched = foldForSearch(`${line.sender ?? ''} ${line.description}`);
    return (
      day >= filter.from &&
      day <= filter.to &&
      (filter.wallet === null || line.from === filter.wallet || line.to === filter.wallet) &&
      (filter.type === null || typeOf(line) === filter.type) &&
      (filter.direction === null ||
        (filter.direction === 'own' ? isOwn : wayOf(line, filter.wallet) === filter.direction)) &&
      (filter.status === null || statusOf(line) === filter.status) &&
      (filter.min === null || line.amount >= filter.min) &&
      (filter.max === null || line.amount <= filter.max) &&
      (filter.text === '' ||
        searched.includes(foldForSearch(filter.text)) ||
        line.ext.startsWith(filter.text))
    );
  }).toSorted((a, b) => {
    const [first, second] = filter.sort === 'date' ? [a.at, b.at] : [a.amount, b.amount];
    if (first !== second)
      return (first < second ? -1 : 1) * (filter.order === 'ascending' ? 1 : -1);
    const idsUp =
      filter.sort === 'date' ? filter.order !== 'ascending' : filter.order === 'ascending';
    return (a.id < b.id ? -1 : 1) * (idsUp ? 1 : -1);
  });
}

const filters: fc.Arbitrary<TransactionFilter> = fc.record({
  from: fc.constantFrom('2026-03-05', '2026-03-06'),
  to: fc.constantFrom('2026-03-06', '2026-03-07'),
  wallet: fc.constantFrom(null, null, MAIN!, SECOND!),
  type: fc.constantFrom(null, null, 'top_up', 'payout', 'transfer', 'return', 'other'),
  direction: fc.constantFrom(null, null, 'in', 'out', 'own'),
  status: fc.constantFrom(null, null, 'completed', 'refunded', 'other'),
  min: fc.constantFrom(null, null, 1_240_100n),
  max: fc.constantFrom(null, null, 1_240_200n),
  text: fc.constantFrom('', '', 'ışık', 'ISIK', '100%', 'REF00000001', 'Mart_'),
  sort: fc.constantFrom('date', 'amount'),
  order: fc.constantFrom('ascending', 'descending'),
});

describe('the report of transactions', () => {
  test("shows exactly what its filter says, each line once, in one order, with the filter's sums", async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (made) => {
        const { filter } = readTransactionQuery(
          Object.fromEntries(
            Object.entries(transactionParams(made)).flatMap(([name, value]) =>
              value === null ? [] : [[name, value]],
            ),
          ),
          NOW,
          'tr',
        );
        expect(filter).toEqual(made);
        const expected = matching(filter);
        const rows = await allPages(filter);
        expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(rows.map((row) => [row.direction, row.type, row.status])).toEqual(
          expected.map((line) => [wayOf(line, filter.wallet), typeOf(line), statusOf(line)]),
        );
        const sum = (currency: string, pick: (line: Line) => bigint): string =>
          toDecimal(
            expected
              .filter((line) => line.currency === currency && [20, 60].includes(line.status))
              .reduce((all, line) => all + pick(line), 0n),
          );
        for (const total of await list.sumTransactions(merchant.person('clerk'), filter)) {
          const going = (way: string) =>
            sum(total.currency, (line) => (wayOf(line, filter.wallet) === way ? line.amount : 0n));
          expect(total).toEqual({
            currency: total.currency,
            count: expected.filter((line) => line.currency === total.currency).length,
            in: going('in'),
            out: going('out'),
            own: going('own'),
            fees: sum(total.currency, (line) => feesOf(line, wayOf(line, filter.wallet))),
          });
        }
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test('pages back through the same pages, and a page asked for by number equals the walked one', async () => {
    for (const sort of ['-date', 'amount']) {
      const pages: List.TransactionPage[] = [await read({ sort })];
      while (pages.at(-1)!.older !== null)
        pages.push(
          await list.listTransactions(merchant.person('clerk'), {
            ...query({ sort }),
            place: pages.at(-1)!.older,
            page: pages.length + 1,
          }),
        );
      expect(pages.map(({ rows }) => rows.length)).toEqual([25, 25, 25, ROWS - 75]);
      for (const [index, page] of pages.entries()) {
        expect((await read({ sort, page: String(index + 1) })).rows).toEqual(page.rows);
        if (index > 0)
          expect(
            (
              await list.listTransactions(merchant.person('clerk'), {
                ...query({ sort }),
                place: page.newer,
                page: index,
              })
            ).rows,
          ).toEqual(pages[index - 1]!.rows);
      }
      expect((await read({ sort, page: '900' })).rows).toEqual([]);
    }
  });

  test('counts a line of 21:30 UTC to the next day in Istanbul: in the list, the filter and the sums', async () => {
    const late = LINES.filter(({ at }) => at.startsWith('2026-03-05T21:30'));
    expect(late.length).toBeGreaterThan(0);
    const [fifth, sixth] = [
      await allPages(query({ from: '2026-03-05', to: '2026-03-05' }).filter),
      await allPages(query({ from: '2026-03-06', to: '2026-03-06' }).filter),
    ];
    for (const { id } of late)
      expect([fifth.some((row) => row.id === id), sixth.some((row) => row.id === id)]).toEqual([
        false,
        true,
      ]);
    const count = (
      await list.sumTransactions(
        merchant.person('clerk'),
        query({ from: '2026-03-05', to: '2026-03-05' }).filter,
      )
    ).reduce((all, one) => all + one.count, 0);
    expect(count).toBe(LINES.filter(({ at }) => at < '2026-03-05T21:00').length);
  });

  test('finds a line by its numbers, its amount in either notation, and the payee of our payout', async () => {
    const [line] = LINES as [Line];
    for (const q of [line.id, line.ext, line.ext.slice(0, 9)])
      expect((await allPages(query({ q }).filter)).map(({ id }) => id)).toContain(line.id);
    const amount = LINES.filter((one) => one.amount === 1_240_100n).length;
    for (const q of ['12.401,00', '12,401.00'])
      expect(await allPages(query({ q }).filter)).toHaveLength(amount);
    const id = await storedMovement(merchant, 'COMPLETED');
    const {
      rows: [movement],
    } = await merchant.owner.query<{ ext_id: string; name: string }>(
      'SELECT ext_id, name FROM movements WHERE id = $1',
      [id],
    );
    await store(merchant, [
      { ...line, id: '2', at: '2026-04-01T12:00:00Z', ext: movement!.ext_id, sender: null },
    ]);
    const april = query({
      from: '2026-04-01',
      to: '2026-04-01',
      q: movement!.name.toLocaleUpperCase('tr'),
    }).filter;
    expect(await allPages(april)).toMatchObject([
      { id: '2', name: movement!.name, movement: { id, kind: 'payout' } },
    ]);
    expect((await view.viewTransaction(merchant.person('clerk'), '2'))!.movement).toEqual({
      id,
      kind: 'payout',
      name: movement!.name,
    });
  });

  test('shows as a return, and not as a top-up, money that came back under the reference of our payout', async () => {
    const id = await storedMovement(merchant, 'COMPLETED');
    const {
      rows: [movement],
    } = await merchant.owner.query<{ ext_id: string }>(
      'SELECT ext_id FROM movements WHERE id = $1',
      [id],
    );
    const [line] = LINES as [Line];
    const came = { ...line, direction: 'in', from: null, to: MAIN!, refersTo: null } as const;
    const at = '2026-04-02T12:00:00Z';
    await store(merchant, [
      { ...came, id: '31', type: 1004, at, ext: movement!.ext_id },
      { ...came, id: '32', type: 1004, at, ext: 'REFOFANOTHER' },
      // A transfer of ours to an own wallet has its reference on the incoming side too.
      { ...came, id: '33', type: 3006, at, from: SECOND!, ext: movement!.ext_id },
    ]);
    const april = { from: '2026-04-02', to: '2026-04-02' };
    const of = async (type: string) =>
      (await allPages(query({ ...april, type }).filter)).map((row) => row.id);
    expect([await of('return'), await of('top_up'), await of('transfer')]).toEqual([
      ['31'],
      ['32'],
      ['33'],
    ]);
    expect(await view.viewTransaction(merchant.person('clerk'), '31')).toMatchObject({
      type: 'return',
      direction: 'in',
      movement: { id },
    });
  });

  test('hides sender IBANs and raw records from roles with masked payee numbers, also in searches', async () => {
    const { id } = LINES.find(({ sender }) => sender !== null)!;
    expect(await view.viewTransaction(merchant.person('auditor'), id)).toMatchObject({
      senderIban: SENDER_IBAN,
      raw: '{"id":9000000000000000001}',
    });
    const masked = await view.viewTransaction(merchant.person('support'), id);
    expect(masked).toMatchObject({ raw: null });
    expect(masked!.senderIban).toMatch(/…1326$/);
    expect((await allPages(query({ q: 'TR3300061005' }).filter, 'support')).length).toBe(0);
    expect((await allPages(query({ q: 'TR3300061005' }).filter, 'clerk')).length).toBeGreaterThan(
      0,
    );
  });

  test('has nothing of another merchant', async () => {
    const rows = await list.listTransactions(stranger.person('owner'), query({}));
    expect(rows.rows).toHaveLength(5);
    expect(await view.viewTransaction(stranger.person('owner'), LINES[50]!.id)).toBeNull();
  });
});

describe('its export', () => {
  async function exported(
    filter: TransactionFilter,
    role: Role = 'clerk',
  ): Promise<{ id: string; cell: (key: string) => string }[]> {
    const id = await ask.askForExport(merchant.person(role), {
      source: 'transactions',
      profile: 'csv',
      filter: addressOf(transactionParams(filter)),
      frame: FRAME,
    });
    return rowsOf(id, role);
  }

  /** Has the export made, and reads its file. */
  async function rowsOf(
    id: string,
    role: Role = 'clerk',
  ): Promise<{ id: string; cell: (key: string) => string }[]> {
    while (await make.makeOneExport(merchant.merchantId, undefined, 7));
    const file = await take.takeExport(merchant.person(role), id);
    const [head, ...rows] = readCsv(
      unzip(Buffer.concat(await Array.fromAsync(file!.pieces)))
        .get('odemeler.csv')!
        .toString(),
      ',',
    );
    return rows.map((row) => ({
      id: row[0]!.replace(/^'/, ''),
      cell: (key) => row[head!.indexOf(key)]!.replace(/^'/, ''),
    }));
  }

  test('holds the ids of all pages of the screen, row for row, with signed amounts', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const [shown, file] = [await allPages(filter), await exported(filter)];
        expect(file.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
        expect(
          file.map(({ cell }) => [
            cell('amount'),
            cell('fee'),
            cell('currency'),
            cell('direction'),
            cell('type'),
            cell('status'),
            new Date(cell('created_at')).toISOString(),
          ]),
        ).toEqual(
          shown.map((row) => [
            `${row.direction === 'out' ? '-' : ''}${row.amount}`,
            row.fee,
            row.currency,
            row.direction,
            row.type,
            row.status,
            row.at,
          ]),
        );
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  test('dates 21:30 UTC as the list does', async () => {
    const file = await exported(query({ from: '2026-03-06', to: '2026-03-06' }).filter);
    expect(
      file.map(({ cell }) => cell('created_at')).some((at) => at.includes('2026-03-05T21:30')),
    ).toBe(true);
    expect(file.every(({ cell }) => dayIn(cell('created_at')) === '2026-03-06')).toBe(true);
  });

  test("adds a day's net effects, fees included, to the day close's change of balance", async () => {
    const { netBetween } = await import('#lib/reports/day-close/figures.ts');
    const { startOf } = await import('#lib/provider-records/effects.ts');
    const change = (wallet: string, currency: string, day: string): Promise<bigint> =>
      netBetween(
        merchant.merchantId,
        { wallet, currency },
        startOf(day, 'Europe/Istanbul'),
        startOf(addDays(day, 1), 'Europe/Istanbul'),
      );
    const own = [MAIN!, SECOND!];
    for (const day of ['2026-03-05', '2026-03-06', '2026-03-07'])
      for (const wallet of [null, ...own]) {
        const filter = query({ from: day, to: day, ...(wallet === null ? {} : { wallet }) }).filter;
        const lines = (await exported(filter)).filter(({ cell }) =>
          own.some((one) => [cell('from_wallet'), cell('to_wallet')].includes(one)),
        );
        for (const currency of ['TRY', 'USD']) {
          const net = lines
            .filter(({ cell }) => cell('currency') === currency)
            .reduce((sum, { cell }) => sum + BigInt(cell('net').replace('.', '')), 0n);
          const closes = await Promise.all(
            (wallet === null ? own : [wallet]).map((one) => change(one, currency, day)),
          );
          expect([day, wallet, currency, net]).toEqual([
            day,
            wallet,
            currency,
            closes.reduce((sum, one) => sum + one, 0n),
          ]);
        }
      }
  }, 60_000);

  test('adds a debit without a sender that was returned as the day close does', async () => {
    const { netBetween } = await import('#lib/reports/day-close/figures.ts');
    const { startOf } = await import('#lib/provider-records/effects.ts');
    const [day, next] = ['2026-04-03', '2026-04-04'];
    const [line] = LINES as [Line];
    const all = {
      ...line,
      currency: 'TRY',
      fee: 640n,
      receiverFee: 100n,
      from: null,
      to: MAIN!,
      refersTo: null,
    };
    const debit = { ...all, direction: 'out', status: 60, at: `${day}T09:00:00Z` } as const;
    await store(merchant, [
      { ...debit, id: '41', ext: 'RETURNED41' },
      { ...debit, id: '42', ext: 'RETURNED42' },
      { ...debit, id: '43', ext: 'BACK43', direction: 'in', status: 20, refersTo: '42' },
    ]);
    const change = await netBetween(
      merchant.merchantId,
      { wallet: MAIN!, currency: 'TRY' },
      startOf(day, 'Europe/Istanbul'),
      startOf(next, 'Europe/Istanbul'),
    );
    const rows = await exported(query({ from: day, to: day }).filter);
    const nets = rows.map(({ id, cell }): [string, bigint] => [
      id,
      BigInt(cell('net').replace('.', '')),
    ]);
    expect(new Map(nets)).toEqual(
      new Map([
        ['41', -640n],
        ['42', -line.amount - 640n],
        ['43', line.amount - 100n],
      ]),
    );
    expect(change).toBe(nets.reduce((sum, [, net]) => sum + net, 0n));
  });

  test('counts a return by the entries that it holds, not by a credit that was read later', async () => {
    const day = '2026-04-05';
    const all = { ...(LINES[0] as Line), currency: 'TRY', at: `${day}T09:00:00Z`, fee: 640n };
    const debit: Line = {
      ...{ ...all, id: '51', ext: 'RETURNED51', status: 60, direction: 'out' },
      ...{ from: MAIN!, to: null, refersTo: null },
    };
    await store(merchant, [debit]);
    const id = await ask.askForExport(merchant.person('clerk'), {
      source: 'transactions',
      profile: 'csv',
      filter: addressOf(transactionParams(query({ from: day, to: day }).filter)),
      frame: FRAME,
    });
    await store(merchant, [
      {
        ...{ ...debit, id: '52', ext: 'BACK52', status: 20, direction: 'in' },
        ...{ from: null, to: MAIN!, refersTo: '51' },
      },
    ]);
    expect((await rowsOf(id)).map((row) => [row.id, row.cell('net')])).toEqual([['51', '-6.40']]);
  });

  test("masks a sender's IBAN by role, and leaves out what was first read after it was asked for", async () => {
    for (const { cell } of await exported(query({}).filter, 'support'))
      expect(cell('sender_iban')).not.toContain('0006100519');
    const id = await ask.askForExport(merchant.person('clerk'), {
      source: 'transactions',
      profile: 'csv',
      filter: addressOf(transactionParams(query({}).filter)),
      frame: FRAME,
    });
    await store(merchant, [{ ...LINES[0]!, id: '1', ext: 'LATER', refersTo: null }]);
    while (await make.makeOneExport(merchant.merchantId, undefined, 7));
    const file = await take.takeExport(merchant.person('clerk'), id);
    const csv = unzip(Buffer.concat(await Array.fromAsync(file!.pieces)))
      .get('odemeler.csv')!
      .toString();
    expect([readCsv(csv, ',').length - 1, csv.includes('LATER')]).toEqual([ROWS, false]);
    await merchant.owner.query(`DELETE FROM ledger_records WHERE merchant_id = $1 AND id = '1'`, [
      merchant.merchantId,
    ]);
  });
});

test('a page at any depth is found in an index, not sorted or counted out', async () => {
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, created_at, raw)
     SELECT $1, 'x' || n, 2002, 20, 'out', n * 37 % 1000, 0, 'TRY',
       timestamptz '2025-01-01' + n * interval '1 minute', '{}' FROM generate_series(1, 20000) n`,
    [merchant.merchantId],
  );
  await merchant.owner.query('ANALYZE ledger_records');
  const { transactionConditions, transactionOrder } = await import('./query.ts');
  for (const [sort, edge] of [
    ['-date', '2025-01-07T00:00:00.000000Z_x9000'],
    ['date', '2025-01-07T00:00:00.000000Z_x9000'],
    ['-amount', '500_x1'],
  ] as const) {
    const { filter } = query({ from: '2025-01-01', to: '2025-01-20', sort });
    const { beyond, order } = transactionOrder(filter, { side: 'after', edge });
    const plan = await worker.db.inTransaction(
      merchant.merchantId,
      (tx) =>
        tx.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN SELECT r.* FROM ledger_records r
          WHERE ${transactionConditions({ role: 'clerk' }, filter)} AND ${beyond} ORDER BY ${order}
          LIMIT 26`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(
      /Index Scan (Backward )?using ledger_records_merchant_id_(created_at|amount_minor)_id_idx/,
    );
    expect(text).not.toMatch(/Sort|Seq Scan/);
    expect(text).toMatch(
      sort.endsWith('date') ? /Index Cond: .*created_at/ : /Index Cond: .*amount_minor/,
    );
  }
  await merchant.owner.query(`DELETE FROM ledger_records WHERE merchant_id = $1 AND id LIKE 'x%'`, [
    merchant.merchantId,
  ]);
});
