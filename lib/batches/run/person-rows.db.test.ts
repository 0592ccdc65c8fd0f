import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Facts from '#lib/transfers/facts.ts';
import type * as Many from '#lib/transfers/facts-of-many.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import { keyText } from '#lib/values/person-key.ts';
import type { PersonKey } from '#lib/values/person-key.ts';
import type * as Frozen from '../approval/frozen.ts';
import type * as Payees from '../approval/payees.ts';
import type * as Change from '../draft/change.ts';
import type * as Create from '../draft/create.ts';
import type * as FromEarlier from '../draft/from-earlier.ts';
import type * as Read from '../draft/read.ts';
import type * as SeenHash from './seen-hash.ts';
import type * as Submit from './submit.ts';
import type * as View from './view.ts';

/** Rows that pay the wallets of people, from the file to the transfer, beside rows that pay IBANs. */

const WALLET = '1000000001';
const provider = {
  silent: false,
  people: new Map<string, PersonFound>(),
  asked: [] as string[],
};
let merchant: TestMerchant;
let web: Process;
let worker: Process;
let draft: typeof Change & typeof Create & typeof Read & typeof FromEarlier;
let run: typeof SeenHash & typeof Submit & typeof View;
let approval: typeof Frozen & typeof Payees;
let facts: typeof Facts & typeof Many;

beforeAll(async () => {
  merchant = await testMerchant();
  const wallet = (number: string) => ({
    ...{ number, currency: 'TRY', access: 'active', availableMinor: 100_000_000n },
    limits: { withdrawalMinor: null, walletToWalletMinor: 50_000_000n },
  });
  vi.doMock('#lib/wallets/ask.ts', () => ({
    knownWallet: async (_actor: unknown, number: string) => ({
      fresh: true,
      at: null,
      value: wallet(number),
    }),
    freshWallet: async (number: string) => wallet(number),
    paymentTypes: async () => [{ code: '1', description: 'Diğer', descriptionMin: 3 }],
  }));
  vi.doMock('#lib/transfers/check-person.ts', () => ({
    askPerson: async (key: PersonKey): Promise<PersonFound> => {
      provider.asked.push(keyText(key));
      if (provider.silent) return { kind: 'unchecked' };
      return provider.people.get(keyText(key)) ?? { kind: 'nobody' };
    },
  }));
  worker = await openProcess('dashboard_worker');
  // The verbs below are those of the process that is opened last.
  web = await openProcess('dashboard_web');
  draft = {
    ...(await import('../draft/change.ts')),
    ...(await import('../draft/create.ts')),
    ...(await import('../draft/read.ts')),
    ...(await import('../draft/from-earlier.ts')),
  };
  run = {
    ...(await import('./seen-hash.ts')),
    ...(await import('./submit.ts')),
    ...(await import('./view.ts')),
  };
  approval = {
    ...(await import('../approval/frozen.ts')),
    ...(await import('../approval/payees.ts')),
  };
  facts = {
    ...(await import('#lib/transfers/facts.ts')),
    ...(await import('#lib/transfers/facts-of-many.ts')),
  };
});
afterAll(async () => {
  await Promise.all([web, worker].map((side) => side.db.disconnect()));
  await merchant.close();
});
beforeEach(async () => {
  Object.assign(provider, { silent: false, asked: [] });
  await merchant.owner.query(
    `UPDATE batch_runs SET stopped_at = clock_timestamp()
      WHERE merchant_id = $1 AND stopped_at IS NULL`,
    [merchant.merchantId],
  );
  await merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE merchant_id = $1`, [
    merchant.merchantId,
  ]);
});

const clerk = () => merchant.person('clerk');
let serial = 0;

/** A person whom the provider knows, with a wallet and a phone number of their own. */
function somebody() {
  serial += 1;
  const phone = `533${String(1_000_000 + serial).slice(-7)}`;
  const key = keyText({ by: 'phone', country: '90', phone });
  const first = `Elif${'abcdefghijklmnoprstu'[serial % 20]}${'çğıöşü'[serial % 6]}`;
  const found = { wallet: `5510${100_000 + serial}`, name: `${first.slice(0, 2)}** Şa***` };
  provider.people.set(key, { kind: 'found', ...found });
  return { key, phone: `0${phone}`, name: `${first} Şahin`, ...{ wallet: found.wallet } };
}

type Line = [name: string, iban: string, tax: string, amount: string, phone: string];
const toPerson = (one: ReturnType<typeof somebody>, amount: string): Line => [
  ...([one.name, '', '', amount, one.phone] as const),
];
const toBank = (amount: string): Line => {
  serial += 1;
  const name = `Firma ${'ABCDEFGHIJKLMNOPRSTU'[serial % 20]}${serial} Ltd.`;
  return [name, freshIban(), '10000000146', amount, ''];
};

async function drafted(lines: readonly Line[]): Promise<Change.OfDraft> {
  const headings = ['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Cüzdan / Telefon', 'Açıklama'];
  const rows = lines.map((line, n) => [...line, `Kasım ${serial}${n}`]);
  const text = [headings, ...rows].map((cells) => cells.join('\t')).join('\n');
  const { id } = await draft.createDraft(clerk(), { text }, WALLET);
  const chosen = { paymentType: '1', description: '' };
  return { id, ...(await draft.chooseDefaults(clerk(), { id, version: 1 }, chosen)) };
}

async function submitted(lines: readonly Line[]): Promise<string> {
  const of = await drafted(lines);
  const checked = await draft.readDraft(clerk(), of.id, 'tr');
  let { version } = of;
  for (const { key, unticked } of checked.rows)
    if (unticked.length > 0)
      ({ version } = await draft.tickRow(
        clerk(),
        { id: of.id, version },
        { row: key, keys: unticked, reason: 'ayrı fatura' },
      ));
  await sent({ id: of.id, version });
  return of.id;
}

/** Sends a draft as its page shows it now. */
async function sent(of: Change.OfDraft): Promise<void> {
  const seenHash = run.seenHashOf(await draft.readDraft(clerk(), of.id, 'tr'));
  await run.submitBatch(clerk(), { ...of, seenHash }, 'tr');
}

async function feed(id: string): Promise<void> {
  await merchant.owner.query(
    'UPDATE batch_runs SET feed_at = clock_timestamp() WHERE batch_id = $1',
    [id],
  );
  while (await web.batches.feedOneBatch(merchant.merchantId));
}

type Stored = {
  kind: string;
  state: string | null;
  refused: string | null;
  made_kind: string | null;
  same: boolean | null;
};
async function stored(id: string): Promise<Stored[]> {
  const { rows } = await merchant.owner.query<Stored>(
    `SELECT w.kind, m.state, w.refused, m.kind AS made_kind,
      (m.iban, m.tax_number, m.amount_minor, m.ext_id) = (w.iban, w.tax_number, w.amount_minor, w.ext_id)
        AND (m.to_wallet, m.found_by, m.found_name)
          IS NOT DISTINCT FROM (w.to_wallet, w.found_by, w.found_name) AS same
     FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
     WHERE w.batch_id = $1 ORDER BY w.n`,
    [id],
  );
  return rows;
}
const states = async (id: string) =>
  (await stored(id)).map(({ state, refused }) => refused ?? state);
const waitsFor = async (id: string) =>
  (await merchant.owner.query(`SELECT waits_for FROM batch_runs WHERE batch_id = $1`, [id]))
    .rows[0]!.waits_for;

/** Sends what is due; the kinds that left. */
async function work(script: Parameters<typeof fakeProvider>[0] = {}): Promise<string[]> {
  const left: string[] = [];
  const ports = fakePorts(
    merchant.merchantId,
    fakeProvider({
      ...script,
      send: (movement, beforeWrite) => {
        left.push(`${movement.kind} ${movement.toWallet ?? 'bank'}`);
        return script.send?.(movement, beforeWrite) as never;
      },
    }),
  );
  for (;;) if ((await worker.advance.advanceOne(ports)).kind === 'at_rest') return left.sort();
}

describe('a file that pays IBANs and people', () => {
  it('becomes payouts and transfers, each with what its row says', async () => {
    const [elif, can] = [somebody(), somebody()];
    const id = await submitted([toPerson(elif, '120,50'), toBank('340'), toPerson(can, '77')]);
    await feed(id);
    expect((await stored(id)).map((one) => [one.made_kind, one.same])).toEqual([
      ['transfer_person', true],
      ['payout', true],
      ['transfer_person', true],
    ]);
    expect(await work()).toEqual(
      ['payout bank', `transfer_person ${elif.wallet}`, `transfer_person ${can.wallet}`].sort(),
    );
  });

  it('shows the person of a row, and hides the number from who may not see payees', async () => {
    const elif = somebody();
    const id = await submitted([toPerson(elif, '31')]);
    await feed(id);
    const shown = async (role: 'clerk' | 'auditor' | 'support') =>
      (
        await run.readRunRows(merchant.person(role), id, {
          ...{ group: null, only: null, after: 0, most: 5 },
        })
      )[0]!;
    const row = await shown('clerk');
    expect(row).toMatchObject({ kind: 'transfer_person', iban: '', wait: null });
    expect(row.person?.key).toContain('+90 533');
    expect((await shown('support')).person?.key).not.toContain('533');
  });

  it('asks the provider once for a person in the draft, and anew before the money leaves', async () => {
    const elif = somebody();
    const of = await drafted([toPerson(elif, '41')]);
    await draft.readDraft(clerk(), of.id, 'tr');
    await draft.readDraft(clerk(), of.id, 'tr');
    expect(provider.asked).toEqual([elif.key]);
    await sent(of);
    await feed(of.id);
    expect(provider.asked).toEqual([elif.key, elif.key]);
  });

  it('is not submitted while a person could not be looked up, and the next look asks again', async () => {
    const elif = somebody();
    const of = await drafted([toPerson(elif, '43')]);
    provider.silent = true;
    const { rows, isReady } = await draft.readDraft(clerk(), of.id, 'tr');
    expect([isReady, rows[0]!.findings.map(({ code }) => code)]).toEqual([
      false,
      expect.arrayContaining(['person_unchecked']),
    ]);
    await expect(sent(of)).rejects.toMatchObject({
      code: 'batch_not_ready',
    });
    provider.silent = false;
    expect((await draft.readDraft(clerk(), of.id, 'tr')).isReady).toBe(true);
  });

  it('can be begun again with the same people', async () => {
    const elif = somebody();
    const id = await submitted([toPerson({ ...elif, name: elif.name }, '52,25'), toBank('60')]);
    const again = await draft.draftFromBatch(clerk(), { batchId: id, withoutAmounts: false }, 'tr');
    const { rows } = await draft.readDraft(clerk(), again.id, 'tr');
    expect(rows.map(({ content }) => content.person?.toWallet ?? null)).toEqual([
      elif.wallet,
      null,
    ]);
  });
});

describe('a row whose person is looked up again', () => {
  it('and has another wallet by now is refused, and nothing is sent', async () => {
    const elif = somebody();
    const id = await submitted([toPerson(elif, '110')]);
    provider.people.set(elif.key, { kind: 'found', wallet: '5519999999', name: 'El** Şa***' });
    await feed(id);
    expect([await states(id), await work()]).toEqual([['person_changed'], []]);
  });

  it('and has another name by now is refused: the name is what was approved', async () => {
    const elif = somebody();
    const id = await submitted([toPerson(elif, '111')]);
    provider.people.set(elif.key, { kind: 'found', wallet: elif.wallet, name: 'E*** Ş****' });
    await feed(id);
    expect([await states(id), await work()]).toEqual([['person_changed'], []]);
  });

  it('and is nobody by now is refused', async () => {
    const elif = somebody();
    const id = await submitted([toPerson(elif, '112')]);
    provider.people.delete(elif.key);
    await feed(id);
    expect(await states(id)).toEqual(['person_nobody']);
  });

  it('while the provider says nothing waits, and keeps no row to an IBAN back', async () => {
    const id = await submitted([toPerson(somebody(), '113'), toBank('114')]);
    provider.silent = true;
    await feed(id);
    expect(await states(id)).toEqual([null, 'APPROVED']);
    await work();
    await feed(id);
    expect([await states(id), await waitsFor(id)]).toEqual([[null, 'PENDING'], 'provider']);
    provider.silent = false;
    await feed(id);
    expect((await states(id))[0]).toBe('APPROVED');
  });

  it('while the provider says nothing of eight keeps back no row to a person behind them', async () => {
    const people = Array.from({ length: 9 }, somebody);
    const id = await submitted(people.map((one, n) => toPerson(one, String(130 + n))));
    for (const { key } of people.slice(0, 8)) provider.people.set(key, { kind: 'unchecked' });
    await feed(id);
    await feed(id);
    expect(await states(id)).toEqual([...people.slice(0, 8).map(() => null), 'APPROVED']);
    provider.people.set(people[7]!.key, { kind: 'nobody' });
    await feed(id);
    expect((await states(id))[7]).toBe('person_nobody');
  });
});

describe('two rows to one wallet', () => {
  it('leave one after the other, without the minute of an IBAN', async () => {
    const elif = somebody();
    const id = await submitted([toPerson(elif, '201'), toPerson(elif, '202')]);
    await feed(id);
    expect(await states(id)).toEqual(['APPROVED', null]);
    await work();
    await feed(id);
    expect((await states(id))[1]).toBe('APPROVED');
  });

  it('of one amount: the second is refused while the outcome of the first is unknown', async () => {
    const elif = somebody();
    const id = await submitted([toPerson(elif, '203'), toPerson(elif, '203')]);
    await feed(id);
    const unclear = { kind: 'unclear', why: 'timeout', raw: '{}', code: null, message: null };
    await work({ send: async () => unclear as never });
    await feed(id);
    expect(await states(id)).toEqual(['UNKNOWN', 'unknown_same_amount']);
  });
});

describe('the database', () => {
  it('refuses every change of whom a submitted row pays, and a row with two payees', async () => {
    const id = await submitted([toPerson(somebody(), '301')]);
    for (const set of [
      `to_wallet = '5519999999'`,
      `found_by = 'phone:90:5339999999'`,
      `found_name = 'X'`,
      `kind = 'payout'`,
    ])
      await expect(
        merchant.owner.query(`UPDATE batch_rows SET ${set} WHERE batch_id = $1`, [id]),
      ).rejects.toMatchObject({ code: 'MV073' });
    const of = await drafted([toBank('302')]);
    const both = (iban: string, toWallet: string | null, kind: string) =>
      merchant.owner.query(
        `INSERT INTO batch_rows (merchant_id, batch_id, n, original, iban, name, tax_number,
          amount_minor, currency, payment_type, description, movement_id, ext_id, kind, to_wallet,
          found_by)
         VALUES ($1, $2, 1, '[]', $3, 'A', '', 1, 'TRY', '1', 'x', gen_random_uuid(), 'E', $4, $5, $5)`,
        [merchant.merchantId, of.id, iban, kind, toWallet],
      );
    for (const [iban, toWallet, kind] of [
      ['TR1', '5510100001', 'payout'],
      ['TR1', '5510100001', 'transfer_person'],
      ['', null, 'payout'],
      ['', null, 'transfer_person'],
      ['', '5510100001', 'transfer_business'],
    ] as const)
      await expect(both(iban, toWallet, kind), `${iban} ${kind}`).rejects.toMatchObject({
        code: '23514',
      });
  });
});

describe('what is approved of a batch', () => {
  it('is another hash with another wallet, number or name of a person', () => {
    const person = { foundBy: 'phone:90:5330000201', toWallet: '5510100001', foundName: 'El**' };
    const row = {
      ...{ iban: '', name: 'Elif', taxNumber: '', amountMinor: 100n, paymentType: '1' },
      ...{ description: 'x', extId: 'E1', person },
    };
    const hash = (changed: Partial<typeof person>) =>
      approval.rootOf({ wallet: WALLET, currency: 'TRY' }, [
        { ...row, person: { ...person, ...changed } },
      ]);
    const hashes = [
      hash({}),
      hash({ toWallet: '5510100002' }),
      hash({ foundBy: 'account:5510000001' }),
      hash({ foundName: 'Me**' }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('shows a wallet as paid for the first time until a transfer to it was completed', async () => {
    const elif = somebody();
    const payee = {
      ...{ iban: '', name: elif.name },
      person: { foundBy: elif.key, toWallet: elif.wallet, foundName: null },
    };
    const known = () =>
      web.db.inTransaction(merchant.merchantId, (tx) => approval.readPayees(tx, [payee]));
    expect((await known()).isFirst(payee)).toBe(true);
    const id = await submitted([toPerson(elif, '401')]);
    await feed(id);
    await work();
    await merchant.owner.query(
      `UPDATE movements SET state = 'COMPLETED' WHERE to_wallet = $1 AND merchant_id = $2`,
      [elif.wallet, merchant.merchantId],
    );
    expect((await known()).isFirst(payee)).toBe(false);
    const moved = { ...payee, person: { ...payee.person, toWallet: '5518888888' } };
    const both = await web.db.inTransaction(merchant.merchantId, (tx) =>
      approval.readPayees(tx, [payee, moved]),
    );
    expect([both.isFirst(moved), both.isChanged(moved)]).toEqual([true, true]);
  });
});

describe('the facts of many wallets', () => {
  it('are those that the form for one transfer reads', async () => {
    const { rows } = await merchant.owner.query<{ to_wallet: string; name: string }>(
      `SELECT to_wallet, name FROM movements WHERE merchant_id = $1 AND to_wallet IS NOT NULL`,
      [merchant.merchantId],
    );
    const asked = [
      ...rows.map((row) => ({ toWallet: row.to_wallet, name: row.name })),
      { toWallet: '5517777777', name: rows[0]!.name },
      { toWallet: null, name: rows[0]!.name },
      { toWallet: '5517777777', name: 'Kimse' },
    ];
    const of = { kind: 'transfer_person', wallet: WALLET } as const;
    const [all, each] = await web.db.inTransaction(merchant.merchantId, async (tx) => {
      const many = await facts.readTransferFactsOfMany(tx, asked, of);
      const single: Facts.PayeeFacts[] = [];
      for (const one of asked) single.push(await facts.readPayeeFacts(tx, { ...of, ...one }));
      return [asked.map(many), single] as const;
    });
    const comparable = ({ at: _at, recent, ...rest }: Facts.PayeeFacts) => ({
      ...rest,
      recent: recent.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect(each.some(({ recent }) => recent.length > 0)).toBe(true);
    expect(all.map(comparable)).toEqual(each.map(comparable));
  });
});
