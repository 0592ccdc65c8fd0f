import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { Role } from '#lib/access/actor.ts';
import type * as Find from './find.ts';
import { understand } from '#lib/readings/understand.ts';

/** The search box on a real database: its results for each role, and the indexes that it uses. */

const IBAN = 'TR330006100519786457841326';
const STRANGERS_IBAN = 'TR470000100100000350930001';
const NAMES = ['Ahmet Işık', 'IŞIK DÜĞME A.Ş.', 'ışıklar ltd. şti.', 'Isik Tekstil'];

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let find: typeof Find;

beforeAll(async () => {
  stranger = await testMerchant();
  await payout(stranger, {
    name: 'Ahmet Işık',
    iban: STRANGERS_IBAN,
    request_id: '7000000000000000009',
  });
  await ledger(stranger, {
    id: '7000000000000000001',
    sender_name: 'Ahmet Işık',
    sender_iban: STRANGERS_IBAN,
  });
  await withdrawal(stranger, {
    request_id: '7000000000000000002',
    name: 'Ahmet Işık',
    iban: STRANGERS_IBAN,
  });
  merchant = await testMerchant();
  for (const name of NAMES) await payout(merchant, { name });
  web = await openProcess('dashboard_web');
  find = await import('./find.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]);
});

type Columns = Record<string, unknown>;

async function insert(of: TestMerchant, table: string, columns: Columns): Promise<void> {
  const all: Columns = { merchant_id: of.merchantId, ...columns };
  const names = Object.keys(all);
  await of.owner.query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(all),
  );
}

async function payout(
  of: TestMerchant,
  columns: Columns = {},
): Promise<{ id: string; ext_id: string }> {
  const made = {
    id: randomUUID(),
    ext_id: randomUUID().replaceAll('-', '').toUpperCase().slice(0, 20),
    ...columns,
  };
  await insert(of, 'movements', {
    kind: 'payout',
    state: 'DRAFT',
    wallet: '4410270001',
    iban: IBAN,
    name: 'Başkası',
    tax_number: '1234567890',
    amount_minor: 777_00,
    currency: 'TRY',
    payment_type: '06',
    description: '',
    content_hash: 'h',
    maker_id: of.person('clerk').personId,
    ...made,
  });
  return made;
}

async function ledger(of: TestMerchant, columns: Columns): Promise<void> {
  await insert(of, 'ledger_records', {
    type_id: 1004,
    status_id: 20,
    direction: 'in',
    amount_minor: 1,
    fee_minor: 0,
    currency: 'TRY',
    created_at: '2026-03-05T21:30:00Z',
    raw: '{}',
    ...columns,
  });
}

async function withdrawal(of: TestMerchant, columns: Columns): Promise<void> {
  await insert(of, 'withdraw_records', {
    level: 'completed',
    amount_minor: 1,
    currency: 'TRY',
    created_at: '2026-03-05T21:30:00Z',
    raw: '{}',
    ...columns,
  });
}

async function search(
  text: string,
  role: Role = 'clerk',
  of: TestMerchant = merchant,
): Promise<Find.Found> {
  const understood = understand(text);
  if (understood.kind !== 'readings') throw new Error(`not searched: ${understood.kind}`);
  return find.findHere(of.person(role), understood.readings);
}

const names = (found: Find.Found): string[] => found.payouts.rows.map((row) => row.name).toSorted();

describe('the search box', () => {
  test.each(['ISIK', 'ışık', 'Işık', 'IŞIK', 'isik', 'İSİK'])(
    'finds the same people by %s',
    async (text) => {
      expect(names(await search(text))).toEqual(NAMES.toSorted());
    },
  );

  test('finds a name by the beginnings of its words, in any order, and by initials with or without dots', async () => {
    expect(names(await search('işık ahm'))).toEqual(['Ahmet Işık']);
    for (const text of ['ışık aş', 'ISIK A.Ş.', 'düğme a s'])
      expect(names(await search(text))).toEqual(['IŞIK DÜĞME A.Ş.']);
    expect(names(await search('şık'))).toEqual([]);
  });

  test('finds whatever name is stored when it is typed as it is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({
            unit: fc.constantFrom(..."aıiİIşŞçğüöÖ 2.-/'&xQ9é"),
            minLength: 4,
            maxLength: 30,
          })
          .filter((name) => understand(name).kind === 'readings'),
        async (name) => {
          const understood = understand(name);
          if (
            understood.kind !== 'readings' ||
            !understood.readings.some((one) => one.kind === 'name')
          )
            return;
          const { id } = await payout(merchant, { name, iban: 'TR00' });
          const found = await find.findHere(
            merchant.person('clerk'),
            understood.readings.filter((one) => one.kind === 'name'),
          );
          expect([
            name,
            found.payouts.rows.some((row) => row.id === id) || found.payouts.more,
          ]).toEqual([name, true]);
        },
      ),
      { numRuns: 60, examples: [['9é9aaaa']] },
    );
  });

  test('finds a payout by its IBAN, our reference, the provider’s numbers, tax number or amount', async () => {
    const made = await payout(merchant, {
      ext_id: '7F3A9C04D1E8B2560FA7',
      name: 'Tek Kişi',
      iban: 'TR560006200119000006672315',
      tax_number: '9876543217',
      amount_minor: 1_234_567_89,
      request_id: '7111111111111111111',
      transaction_id: '7222222222222222222',
    });
    for (const text of [
      'tr56 0006 2001 1900 0006 6723 15',
      'TR56 0006 2001',
      '2315',
      made.ext_id,
      made.ext_id.slice(0, 9).toLowerCase(),
      '7111111111111111111',
      '7222 2222 2222 2222 222',
      '1.234.567,89',
      '1,234,567.89 TL',
      `https://desk.example/payouts/${made.id}`,
    ]) {
      expect([text, (await search(text)).payouts.rows.map((row) => row.id)]).toEqual([
        text,
        [made.id],
      ]);
    }
  });

  test('finds foreign ledger lines and withdraw requests, and webhooks by the reference they name', async () => {
    await ledger(merchant, {
      id: '7333333333333333333',
      sender_name: 'Çiğdem Öz',
      sender_iban: 'TR470000100100000350930001',
      receipt_number: '8444444444',
      amount_minor: 98_765_43,
      to_wallet: '4410270009',
      ext_id: 'INV-2024-001',
    });
    for (const text of [
      '7333333333333333333',
      'cigdem öz',
      'TR47 0000 1001 0000 0350 9300 01',
      '98.765,43',
      '4410270009',
      'inv-2024-001'.toUpperCase(),
    ])
      expect([text, (await search(text)).ledger.rows.map((row) => row.id)]).toEqual([
        text,
        ['7333333333333333333'],
      ]);
    await withdrawal(merchant, {
      request_id: '7555555555555555555',
      name: 'Gökçe Ağ',
      iban: 'TR320010009999901234567890',
      tax_number: '10000000146',
      amount_minor: 55_555_55,
      ext_id: 'INV-2024-002',
    });
    for (const text of [
      '7555555555555555555',
      'gokce ag',
      'TR32 0010 0099',
      '10000000146',
      '55.555,55',
      'INV-2024-002',
    ])
      expect([text, (await search(text)).withdrawals.rows.map((row) => row.id)]).toEqual([
        text,
        ['7555555555555555555'],
      ]);
    await insert(merchant, 'notices', {
      channel: 'wallet',
      body_hash: Buffer.from(randomUUID()),
      body: '{}',
      ext_id: 'INV-2024-003',
    });
    expect((await search('INV-2024-003')).notices.rows).toHaveLength(1);
    await insert(merchant, 'wallet_snapshots', {
      number: '4410270777',
      record: JSON.stringify({
        name: 'İhracat Kasası',
        currency: 'USD',
        iban: 'TR090006400000111111111111',
      }),
      fetched_at: new Date(),
    });
    for (const text of [
      '4410270777',
      '44102707',
      'ihracat',
      'KASASI',
      'TR09 0006 4000 0011 1111 1111 11',
    ])
      expect([text, (await search(text)).wallets.rows.map((row) => row.number)]).toEqual([
        text,
        ['4410270777'],
      ]);
  });

  test('shows as incoming what somebody else transferred to an own wallet', async () => {
    const [own, theirs] = ['4410270555', '4488810801'];
    await insert(merchant, 'wallet_snapshots', {
      number: own,
      record: JSON.stringify({ name: 'Üretim', currency: 'TRY', iban: null }),
      fetched_at: new Date(),
    });
    const ways = [
      [theirs, own, 'in'],
      [own, theirs, 'out'],
      [null, own, 'in'],
    ] as const;
    for (const [n, [from, to]] of ways.entries())
      await ledger(merchant, {
        id: `877777777777777777${n}`,
        type_id: 3003,
        direction: from === null ? 'in' : 'out',
        from_wallet: from,
        to_wallet: to,
      });
    for (const [n, [, , way]] of ways.entries())
      expect((await search(`877777777777777777${n}`)).ledger.rows).toMatchObject([
        { direction: way },
      ]);
  });

  test('names the day of the oldest match, though only the newest ones are shown', async () => {
    const days = Array.from({ length: 7 }, (_, n) => `2026-03-0${7 - n}T09:00:00.000Z`);
    for (const [n, day] of days.entries()) {
      await ledger(merchant, {
        id: `880000000000000000${n}`,
        created_at: day,
        sender_name: 'Gündüz Kargo',
      });
      await withdrawal(merchant, {
        request_id: `890000000000000000${n}`,
        created_at: day,
        name: 'Gündüz Kargo',
      });
    }
    const found = await search('gündüz kargo');
    for (const group of [found.ledger, found.withdrawals]) {
      expect(group.rows.map(({ at }) => at)).toEqual(days.slice(0, 5));
      expect(group).toMatchObject({ more: true, oldest: days[6] });
    }
    expect((await search('böyle biri yok')).ledger.oldest).toBeNull();
  });

  test('finds a transfer by the wallet that received it, its name and its amount, apart from the payouts', async () => {
    const { id } = await payout(merchant, {
      kind: 'transfer_person',
      to_wallet: '4410278888',
      found_by: 'phone',
      iban: '',
      tax_number: '',
      payment_type: '07',
      name: 'A*** K***',
      amount_minor: 333_44,
    });
    for (const text of ['4410278888', '333,44']) {
      const found = await search(text, 'support');
      expect([found.transfers.rows.map((row) => [row.id, row.to]), found.payouts.rows]).toEqual([
        [[id, '…8888']],
        [],
      ]);
      expect((await search(text)).transfers.rows.map((row) => row.to)).toEqual(['4410278888']);
    }
  });

  test('finds a recipient by name, tax number, account and wallet', async () => {
    const { rows } = await merchant.owner.query<{ id: string }>(
      `INSERT INTO recipients (merchant_id, name, tax_number)
        VALUES ($1, 'Yağız Çelik', '11111111110') RETURNING id`,
      [merchant.merchantId],
    );
    await insert(merchant, 'recipient_payees', {
      recipient_id: rows[0]!.id,
      number: 'TR180006400000111111111199',
      created_at: '2026-03-01T00:00:00Z',
    });
    await insert(merchant, 'recipient_payees', {
      recipient_id: rows[0]!.id,
      number: '4410279999',
      created_at: '2026-02-01T00:00:00Z',
    });
    for (const text of [
      'yagiz',
      'ÇELİK YAĞIZ',
      '11111111110',
      'TR18 0006 4000 0011 1111 1111 99',
      'TR18 0006 4000',
      '4410279999',
    ])
      expect([text, (await search(text)).recipients.rows.map((row) => row.id)]).toEqual([
        text,
        [rows[0]!.id],
      ]);
    expect((await search('yağız', 'support')).recipients.rows.map((row) => row.number)).toEqual([
      'TR**…1199',
    ]);
    expect((await search('TR18 0006 4000', 'support')).recipients.rows).toEqual([]);
  });

  test('finds the open case of a failed top-up by its amount, its wallet and its words', async () => {
    const { rows } = await merchant.owner.query<{ id: string }>(
      `INSERT INTO notices (merchant_id, channel, body_hash, body) VALUES ($1, 'wallet', $2, '{}')
        RETURNING id`,
      [merchant.merchantId, Buffer.from(randomUUID())],
    );
    const id = randomUUID();
    await insert(merchant, 'failed_top_ups', {
      id,
      fingerprint: randomUUID(),
      notice_id: rows[0]!.id,
      kind: 'no_such_wallet',
      wallet: '4410276666',
      announced_minor: 8_181_81,
      currency: 'TRY',
      description: 'Şükrü aidat',
    });
    for (const text of ['8.181,81', '4410276666', 'sukru'])
      expect([
        text,
        (await search(text, 'support')).failedTopUps.rows.map((row) => row.id),
      ]).toEqual([text, [id]]);
  });

  test('shows a receipt only when it is there', async () => {
    const id = await storedMovement(merchant, 'COMPLETED', {}, { amountMinor: 4_242_42n });
    await insert(merchant, 'receipts', { movement_id: id, state: 'WAITING' });
    expect((await search('4.242,42')).receipts.rows).toEqual([]);
    await merchant.owner.query(`UPDATE receipts SET state = 'READY' WHERE movement_id = $1`, [id]);
    expect((await search('4.242,42')).receipts.rows).toHaveLength(1);
  });

  test('shows support no whole IBAN, and lets nobody without the right guess one from its beginning', async () => {
    const by = await payout(merchant, { name: 'Gizli Hesap', iban: 'TR690006701000000012345678' });
    expect((await search('gizli hesap', 'support')).payouts.rows.map((row) => row.to)).toEqual([
      'TR**…5678',
    ]);
    expect((await search('gizli hesap')).payouts.rows.map((row) => row.to)).toEqual([
      'TR690006701000000012345678',
    ]);
    expect((await search('TR69 0006 7010 0000', 'support')).payouts.rows).toEqual([]);
    for (const text of ['5678', 'TR69 0006 7010 0000 0012 3456 78'])
      expect((await search(text, 'support')).payouts.rows.map((row) => row.id)).toEqual([by.id]);
    await ledger(merchant, {
      id: '7666666666666666666',
      sender_name: 'Gizli Gönderen',
      sender_iban: 'TR690006701000000012345678',
    });
    expect((await search('gizli gönderen', 'support')).ledger.rows.map((row) => row.iban)).toEqual([
      'TR**…5678',
    ]);
  });

  test('what stands beside the words cannot be reached by typing it', async () => {
    await payout(merchant, {
      name: 'Sıradan',
      iban: 'TR690006701000000087654321',
      request_id: '7777777777777777771',
    });
    for (const words of [['=7777777777777777771'], ['#4321'], ['4321'], ['iban4321']])
      expect(
        (
          await find.findHere(merchant.person('support'), [
            { kind: 'name', words: words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '')) },
          ])
        ).payouts.rows,
      ).toEqual([]);
  });

  test("another merchant's rows do not exist", async () => {
    for (const text of [
      'Ahmet Işık',
      STRANGERS_IBAN,
      '0001',
      '7000000000000000009',
      '7000000000000000001',
      '7000000000000000002',
    ]) {
      const found = await search(text);
      const seen = [...found.payouts.rows, ...found.ledger.rows, ...found.withdrawals.rows].map(
        (row) => row.id,
      );
      expect(seen.filter((id) => id.startsWith('70000'))).toEqual([]);
      expect(found.payouts.rows.filter((row) => row.to === STRANGERS_IBAN)).toEqual([]);
    }
    expect((await search('Ahmet Işık', 'clerk', stranger)).ledger.rows).toHaveLength(1);
    const { rows } = await merchant.owner.query<{ granted: boolean }>(
      `SELECT has_function_privilege('dashboard_worker', 'search_movements(tsquery, integer)',
        'execute') AS granted`,
    );
    expect(rows).toEqual([{ granted: false }]);
  });

  test('says that there are more than it shows', async () => {
    for (let n = 0; n < 7; n += 1)
      await payout(merchant, { name: 'Çok Aynı', amount_minor: 31_31 });
    const { payouts } = await search('çok aynı');
    expect([payouts.rows.length, payouts.more]).toEqual([5, true]);
  });
});
