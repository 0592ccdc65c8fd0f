import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';
import { recipientHistory } from '#lib/payment-checks/history.ts';
import type * as Facts from '#lib/payouts/facts.ts';
import { toDecimal } from '#lib/values/money.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Edit from './edit.ts';
import { NO_RECIPIENT_FILTER } from './filter.ts';
import type { RecipientFilter } from './filter.ts';
import type * as Known from './known.ts';
import type * as List from './list.ts';
import type * as Redirect from './redirect.ts';
import type * as View from './view.ts';

/** What people do with saved recipients: view, search, edit, redirect, archive. */

let merchant: TestMerchant;
let web: Process;
let edit: typeof Edit;
let facts: typeof Facts;
let known: typeof Known;
let list: typeof List;
let redirect: typeof Redirect;
let view: typeof View;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  [edit, facts, known, list, redirect, view] = await Promise.all([
    import('./edit.ts'),
    import('#lib/payouts/facts.ts'),
    import('./known.ts'),
    import('./list.ts'),
    import('./redirect.ts'),
    import('./view.ts'),
  ]);
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

let serial = 0;

function anIban(): string {
  serial += 1;
  const account = `00062${'0'}${String(Date.now() % 1_000_000).padStart(6, '0')}${String(serial).padStart(10, '0')}`;
  return `TR${String(98n - (BigInt(`${account}292700`) % 97n)).padStart(2, '0')}${account}`;
}

/** Creates a saved recipient; returns its id, and the id and number of its one account. */
async function saved(
  name: string,
  number = anIban(),
  taxNumber = '10000000146',
): Promise<{ id: string; payee: string; number: string }> {
  const { rows } = await merchant.owner.query(
    `WITH r AS (INSERT INTO recipients (merchant_id, name, tax_number) VALUES ($1, $2, $4)
      RETURNING id) INSERT INTO recipient_payees (merchant_id, recipient_id, number)
      SELECT $1, id, $3 FROM r RETURNING recipient_id AS id, id AS payee, number`,
    [merchant.merchantId, name, number, taxNumber],
  );
  return rows[0];
}

const look = (
  role: Role,
  filter: Partial<RecipientFilter> = {},
  place: Parameters<typeof List.listRecipients>[1]['place'] = null,
): Promise<List.RecipientPage> =>
  list.listRecipients(merchant.person(role), {
    filter: { ...NO_RECIPIENT_FILTER, ...filter },
    place,
  });
const trail = async (
  id: string,
): Promise<{ action: string; body: string; personal: Record<string, string> }[]> =>
  (
    await merchant.owner.query(
      `SELECT e.action, e.body, (SELECT jsonb_object_agg(p.field, p.value) FROM audit_personal p
        WHERE p.merchant_id = e.merchant_id AND p.seq = e.seq) AS personal
     FROM audit_entries e WHERE e.merchant_id = $1 AND e.subject = $2 ORDER BY e.seq`,
      [merchant.merchantId, `recipient:${id}`],
    )
  ).rows;
const savedOf = async (iban: string): Promise<Facts.RecipientFacts['saved']> =>
  (
    await facts.recipientFacts(merchant.person('clerk'), {
      iban,
      name: null,
      taxNumber: null,
      wallet: null,
    })
  ).saved;

describe('the list', () => {
  it('finds one person whichever i is typed, and by a part of the IBAN only for who may see the whole', async () => {
    const { number } = await saved('Ilgın Işıkçı İnşaat');
    for (const text of ['ISIKCI', 'ışıkçı', 'Işıkçı', 'isikci', 'ılgın ışıkçı inşaat'])
      expect(
        (await look('support', { text })).rows.map((row) => row.name),
        text,
      ).toEqual(['Ilgın Işıkçı İnşaat']);
    const part = number.slice(6, 22);
    expect([
      (await look('clerk', { text: part })).rows.length,
      (await look('support', { text: part })).rows.length,
      (await look('support', { text: number })).rows.length,
    ]).toEqual([1, 0, 1]);
    expect((await look('support', { text: number })).rows[0]!.accounts[0]!.shown).toBe(
      `TR**…${number.slice(-4)}`,
    );
  });

  it('is walked page by page without a row lost or twice, forwards and back, in either order', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        saved(
          `${['Çınar', 'Cihan', 'ışık', 'İpek', 'Öz'][n % 5]} ${n % 7} sayfa`,
          anIban(),
          `2${String(n).padStart(9, '0')}`,
        ),
      ),
    );
    for (const sort of ['used', 'name'] as const) {
      const filter = {
        text: 'sayfa',
        sort,
        order: sort === 'name' ? ('ascending' as const) : ('descending' as const),
      };
      const first = await look('clerk', filter);
      const second = await look('clerk', filter, first.older);
      const third = await look('clerk', filter, second.older);
      const all = [first, second, third].flatMap((page) => page.rows);
      expect([new Set(all.map((row) => row.id)).size, first.rows.length, third.older]).toEqual([
        60,
        25,
        null,
      ]);
      expect((await look('clerk', filter, second.newer)).rows).toEqual(first.rows);
      if (sort === 'name')
        expect(all.map((row) => row.name[0])).toEqual(
          [...'CÇıİÖ'].flatMap((letter) => Array.from({ length: 12 }, () => letter)),
        );
    }
  });
});

describe('one recipient', () => {
  it('has the figures that the payout form reckons from the same movements', async () => {
    const { id, number } = await saved('Rakam Ltd');
    for (const [state, columns, amountMinor] of [
      ['COMPLETED', {}, 100n],
      ['COMPLETED', {}, 500n],
      ['COMPLETED', {}, 300n],
      ['COMPLETED', {}, 250n],
      ['COMPLETED', { returned: 'CONFIRMED' }, 900n],
      ['REJECTED', {}, 7_000n],
      ['PENDING', {}, 60n],
    ] as const) {
      await storedMovement(merchant, state, columns, { iban: number, amountMinor });
    }
    const { recent } = await facts.recipientFacts(merchant.person('clerk'), {
      iban: number,
      name: null,
      taxNumber: null,
      wallet: null,
    });
    const history = recipientHistory(recent satisfies OwnMovement[], number, 'TRY');
    const { accounts } = (await view.viewRecipient(merchant.person('clerk'), id))!;
    expect(accounts[0]!.figures).toEqual([
      {
        currency: 'TRY',
        count: history.count,
        firstAt: history.firstAt,
        returns: history.returns,
        usual: { low: toDecimal(history.usual!.low), high: toDecimal(history.usual!.high) },
      },
    ]);
    expect([accounts[0]!.figures[0]!.count, accounts[0]!.last?.amount]).toEqual([
      4,
      toDecimal(history.last!.amountMinor),
    ]);
  });

  it('has what was transferred to its wallet, and a payout to its IBAN, each at its own account', async () => {
    const { id, number } = await saved('Çift Hesap');
    await merchant.owner.query(
      `INSERT INTO recipient_payees (merchant_id, recipient_id, number) VALUES ($1, $2, '4410277777')`,
      [merchant.merchantId, id],
    );
    await storedMovement(merchant, 'COMPLETED', {}, { iban: number, amountMinor: 400n });
    await storedMovement(
      merchant,
      'COMPLETED',
      {},
      { kind: 'transfer_business', toWallet: '4410277777', amountMinor: 900n },
    );
    const { accounts } = (await view.viewRecipient(merchant.person('clerk'), id))!;
    expect(
      accounts
        .map((account) => [account.kind, account.figures[0]?.count, account.last?.amount])
        .toSorted(),
    ).toEqual([
      ['iban', 1, '4.00'],
      ['wallet', 1, '9.00'],
    ]);
    expect((await look('clerk', { text: 'çift hesap' })).rows[0]!.last?.amount).toBe('9.00');
  });

  test.each([
    ['clerk', true],
    ['auditor', true],
    ['support', false],
  ] as const)('shows its numbers to %s: %s', async (role, whole) => {
    const name = `Maske ${role}`;
    const { id, number } = await saved(name);
    const seen = JSON.stringify([
      await view.viewRecipient(merchant.person(role), id),
      await look(role, { text: name }),
    ]).replaceAll(' ', '');
    expect([seen.includes(number), seen.includes('10000000146')]).toEqual([whole, whole]);
  });

  it('of another merchant is not there', async () => {
    const stranger = await testMerchant();
    const { rows } = await stranger.owner.query(
      `INSERT INTO recipients (merchant_id, name) VALUES ($1, 'Yabancı') RETURNING id`,
      [stranger.merchantId],
    );
    expect(await view.viewRecipient(merchant.person('owner'), rows[0].id)).toBeNull();
    await expect(
      edit.archiveRecipient(merchant.person('owner'), rows[0].id, true),
    ).rejects.toMatchObject({ code: 'not_found' });
    await stranger.close();
  });
});

describe('an edit', () => {
  it('of the name leaves what was paid as it was, and says in the trail what it was before', async () => {
    const { id, number } = await saved('Eski Ad');
    const movement = await storedMovement(merchant, 'COMPLETED', {}, { iban: number });
    await edit.editRecipient(merchant.person('clerk'), id, {
      name: 'Yeni Ad',
      taxNumber: '1234567890',
      nickname: '',
    });
    expect(
      (await merchant.owner.query('SELECT name FROM movements WHERE id = $1', [movement])).rows[0]
        .name,
    ).toBe('Ayşe Yılmaz');
    const [entry] = await trail(id);
    expect(entry).toMatchObject({
      action: 'recipient.edited',
      personal: {
        nameBefore: 'Eski Ad',
        nameAfter: 'Yeni Ad',
        taxNumberBefore: '10000000146',
        taxNumberAfter: '1234567890',
      },
    });
    expect(entry!.body).not.toMatch(/Ad"|1234567890/);
  });

  it('of one field leaves what another person has made of the others meanwhile', async () => {
    const { id } = await saved('Kira Eski', anIban(), '1234567890');
    const shown = { name: 'Kira Eski', taxNumber: '1234567890', nickname: '' };
    await edit.editRecipient(merchant.person('owner'), id, { ...shown, name: 'Kira Yeni' }, shown);
    await edit.editRecipient(merchant.person('clerk'), id, { ...shown, nickname: 'kiraci' }, shown);
    const read = async () => {
      const { name, nickname, taxNumber } = (await view.viewRecipient(
        merchant.person('owner'),
        id,
      ))!;
      return { name, nickname, taxNumber };
    };
    expect(await read()).toEqual({
      name: 'Kira Yeni',
      nickname: 'kiraci',
      taxNumber: '1234567890',
    });
    // A field that was emptied is emptied, and what was typed counts where both have changed it.
    const last = { name: 'Kira Son', taxNumber: '', nickname: '' };
    await edit.editRecipient(merchant.person('clerk'), id, last, { ...shown, nickname: 'kiraci' });
    expect(await read()).toEqual({ name: 'Kira Son', nickname: null, taxNumber: '' });
  });

  it.each(['name', 'taxNumber', 'nickname'] as const)(
    'that leaves the %s as it was shown does not undo what another person made of it',
    async (field) => {
      const before = { name: `Eski ${field}`, taxNumber: '1234567890', nickname: '' };
      const changed = { name: `Yeni ${field}`, taxNumber: '10000000146', nickname: `n-${field}` };
      const { id } = await saved(before.name, anIban(), before.taxNumber);
      const theirs = { ...before, [field]: changed[field] };
      await edit.editRecipient(merchant.person('owner'), id, theirs, before);
      const mine = { ...changed, [field]: before[field] };
      await edit.editRecipient(merchant.person('clerk'), id, mine, before);
      expect(await view.viewRecipient(merchant.person('owner'), id)).toMatchObject(changed);
    },
  );

  it('into somebody who is there already is refused', async () => {
    await saved('Işık Var', anIban(), '1234567890');
    const { id } = await saved('Başkası', anIban(), '1234567890');
    await expect(
      edit.editRecipient(merchant.person('clerk'), id, {
        name: 'ISIK VAR',
        taxNumber: '1234567890',
        nickname: '',
      }),
    ).rejects.toMatchObject({ code: 'recipient_exists' });
  });

  it('is only for who may', async () => {
    const { id } = await saved('Dokunma');
    for (const role of ['support', 'auditor'] as const) {
      await expect(
        edit.editRecipient(merchant.person(role), id, {
          name: 'Dokundum',
          taxNumber: '',
          nickname: '',
        }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
      await expect(edit.archiveRecipient(merchant.person(role), id, true)).rejects.toMatchObject({
        code: 'not_allowed',
      });
    }
    // The permission to prepare payments does not include changing a recipient's account, so that a
    // clerk may not do it.
    for (const role of ['clerk', 'support', 'auditor'] as const)
      await expect(
        redirect.redirectRecipient(merchant.person(role), id, { from: null, number: anIban() }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await trail(id)).toEqual([]);
  });
});

describe('another account for a known name', () => {
  it('keeps the old one with its history, and is told to whoever pays on either', async () => {
    const { id, payee, number } = await saved('Yön Ltd');
    await storedMovement(merchant, 'COMPLETED', {}, { iban: number, amountMinor: 700n });
    const next = anIban();
    await redirect.redirectRecipient(merchant.person('approver'), id, {
      from: payee,
      number: next,
    });
    expect(await savedOf(next)).toMatchObject({
      name: 'Yön Ltd',
      changed: { by: 'approver@test', before: number },
      retired: null,
    });
    expect(await savedOf(number)).toMatchObject({
      changed: null,
      retired: { by: 'approver@test', now: next },
    });
    const { accounts } = (await view.viewRecipient(merchant.person('clerk'), id))!;
    expect(
      accounts.map((account) => [
        account.shown.replaceAll(' ', ''),
        account.archived === null,
        account.figures[0]?.count ?? 0,
      ]),
    ).toEqual([
      [next, true, 0],
      [number, false, 1],
    ]);
    expect(
      (await known.knownRecipients(merchant.person('clerk'), 'yön ltd')).map((one) => one.iban),
    ).toEqual([next]);
    expect(await trail(id)).toMatchObject([
      {
        action: 'recipient.account_changed',
        personal: { recipient: 'Yön Ltd', accountBefore: number, accountAfter: next },
      },
    ]);
    expect((await trail(id))[0]!.body).not.toContain(next);
  });

  it('is not one that is another recipient’s, nor one in use, and of two at once one is refused', async () => {
    const [one, two] = [await saved('Bir Ltd'), await saved('İki Ltd')];
    const owner = merchant.person('owner');
    await expect(
      redirect.redirectRecipient(owner, one.id, { from: one.payee, number: two.number }),
    ).rejects.toMatchObject({ code: 'payee_of_other' });
    await expect(
      redirect.redirectRecipient(owner, one.id, { from: one.payee, number: one.number }),
    ).rejects.toMatchObject({ code: 'payee_changed' });
    const results = await Promise.allSettled(
      [anIban(), anIban()].map((number) =>
        redirect.redirectRecipient(owner, one.id, { from: one.payee, number }),
      ),
    );
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(
      (await view.viewRecipient(owner, one.id))!.accounts.filter(
        (account) => account.archived === null,
      ),
    ).toHaveLength(1);
  });

  it('and back again is a change like the first', async () => {
    const { id, payee, number } = await saved('Geri Ltd');
    const owner = merchant.person('owner');
    await redirect.redirectRecipient(owner, id, { from: payee, number: anIban() });
    const [now] = (await view.viewRecipient(owner, id))!.accounts;
    await redirect.redirectRecipient(owner, id, { from: now!.id, number });
    expect(await savedOf(number)).toMatchObject({ changed: { by: 'owner@test' }, retired: null });
  });
});

describe('the archive', () => {
  it('takes a recipient out of the form, tells whoever pays there all the same, and gives it back', async () => {
    const { id, number } = await saved('Arşiv Ltd');
    const offered = async (): Promise<number> =>
      (await known.knownRecipients(merchant.person('clerk'), 'arşiv ltd')).length;
    await edit.archiveRecipient(merchant.person('clerk'), id, true);
    expect([
      await offered(),
      (await look('clerk', { text: 'arşiv ltd' })).rows.length,
      (await look('clerk', { text: 'arşiv ltd', view: 'archived' })).rows.length,
    ]).toEqual([0, 0, 1]);
    expect(await savedOf(number)).toMatchObject({ retired: { by: 'clerk@test', now: null } });
    await edit.archiveRecipient(merchant.person('clerk'), id, false);
    expect([await offered(), (await savedOf(number))!.retired]).toEqual([1, null]);
    expect((await trail(id)).map((entry) => entry.action)).toEqual([
      'recipient.archived',
      'recipient.restored',
    ]);
  });

  it('takes one account alone, and nothing is ever deleted', async () => {
    const { id, payee } = await saved('Tek Ltd');
    await redirect.archiveAccount(merchant.person('approver'), id, payee, true);
    expect((await look('clerk', { text: 'tek ltd' })).rows).toMatchObject([{ accounts: [] }]);
    await redirect.archiveAccount(merchant.person('approver'), id, payee, false);
    expect((await look('clerk', { text: 'tek ltd' })).rows[0]!.accounts).toHaveLength(1);
    for (const table of ['recipients', 'recipient_payees']) {
      await expect(
        web.db.inTransaction(merchant.merchantId, (tx) =>
          tx.$executeRaw(
            Object.assign([`DELETE FROM ${table}`], {
              raw: [`DELETE FROM ${table}`],
            }) as unknown as TemplateStringsArray,
          ),
        ),
      ).rejects.toThrow(/permission denied/);
    }
  });
});
