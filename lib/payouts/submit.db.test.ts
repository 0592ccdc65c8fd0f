import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { linkAudit, openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import {
  readyMovements,
  rowOf,
  setColumns,
  storedMovement,
} from '#lib/movements/testing/stored.ts';
import type { PayoutForm } from './schema.ts';
import type { SubmitResult } from '#lib/movements/submit.ts';
import type { Finding } from './rules.ts';

/** One click makes one payout, even when submits are repeated or concurrent. */

/** The provider's current list of payment types. */
let purposes = [{ code: '1', name: 'Other', descriptionMin: 3 }];
const wallets = { available: 100_000_000n as bigint | null, silent: false, access: 'active' };
let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) =>
      wallets.silent
        ? null
        : {
            number,
            currency: 'TRY',
            access: wallets.access,
            availableMinor: wallets.available,
            limits: { withdrawalMinor: null },
          },
    paymentTypes: async () => purposes,
  }));
  web = await openProcess('dashboard_web');
  worker = await openProcess('dashboard_worker');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});
beforeEach(() =>
  Object.assign(wallets, { available: 100_000_000n, silent: false, access: 'active' }),
);

/**
 * Findings that a person ticks in every form: all payees of this file have one name, and these
 * findings are not under test.
 */
const BESIDES = [
  'payee_other_iban',
  'unknown_same_payee',
  'duplicate_other_iban',
  'near_duplicate',
];
let serial = 0;

/** Makes a new valid Turkish IBAN. */
function anIban(): string {
  serial += 1;
  const account = `00062${'0'}${String(Date.now() % 1_000_000).padStart(6, '0')}${String(serial).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${account}292700`) % 97n);
  return `TR${String(check).padStart(2, '0')}${account}`;
}

type Content = PayoutForm['content'];

function aForm(
  content: Partial<Record<keyof Content, unknown>> = {},
  form: Partial<PayoutForm> = {},
): PayoutForm {
  return {
    content: {
      id: randomUUID(),
      source: { kind: 'wallet', number: '1000000001' },
      iban: anIban(),
      name: 'Ayşe Yılmaz',
      taxNumber: '10000000146',
      amountMinor: 12_345n,
      paymentType: '1',
      description: 'fatura 1',
      ...content,
    } as Content,
    writtenCurrency: null,
    overrides: [...BESIDES],
    overrideReason: 'separate_invoice',
    ...form,
  };
}

const submit = (form: PayoutForm, retryOf: string | null = null): Promise<SubmitResult<Finding>> =>
  web.submit.submitPayout(merchant.person('clerk'), form, { locale: 'tr', retryOf });
const codes = (result: SubmitResult<Finding>): string[] =>
  result.kind === 'findings'
    ? result.findings
        .filter(
          (one) => (one.level === 'warn' || one.level === 'block') && !BESIDES.includes(one.code),
        )
        .map((one) => one.code)
    : [];
const stored = async (iban: string): Promise<number> =>
  (
    await merchant.owner.query(
      `SELECT count(*)::int AS n FROM movements WHERE merchant_id = $1 AND iban = $2`,
      [merchant.merchantId, iban],
    )
  ).rows[0].n;

describe('one form', () => {
  it('becomes one payout that is ready to leave, with its reference, its hash and its audit rows', async () => {
    const form = aForm({}, { overrideReason: 'advance' });
    expect(await submit(form)).toEqual({ kind: 'submitted', id: form.content.id });
    const row = await rowOf(merchant, form.content.id);
    expect(row).toMatchObject({
      state: 'APPROVED',
      sends: 0,
      amount_minor: '12345',
      currency: 'TRY',
      maker_ip: '203.0.113.7',
      overrides: BESIDES,
      override_reason: 'advance',
    });
    expect([
      /^[0-9A-HJKMNP-TV-Z]{20}$/.test(row.ext_id as string),
      /^[0-9a-f]{64}$/.test(row.content_hash as string),
      row.next_at!.getTime() <= Date.now(),
    ]).toEqual([true, true, true]);
    await linkAudit(merchant);
    const { rows } = await merchant.owner.query(
      `SELECT action, actor FROM audit_entries WHERE merchant_id = $1 AND subject = $2 ORDER BY seq`,
      [merchant.merchantId, `movement:${form.content.id}`],
    );
    const by = `person:${merchant.person('clerk').personId}`;
    expect(rows).toEqual([
      { action: 'movement.drafted', actor: by },
      { action: 'movement.submitted', actor: by },
      { action: 'movement.approved', actor: by },
    ]);
  });

  it('keeps whom it pays: the same name and number on a second IBAN is one recipient with two accounts', async () => {
    const forms = [
      aForm({ name: 'Işık Tekstil', taxNumber: '1234567890' }),
      aForm({ name: 'ISIK TEKSTİL', taxNumber: '1234567890' }),
    ];
    for (const form of forms) expect((await submit(form)).kind).toBe('submitted');
    const { rows } = await merchant.owner.query(
      `SELECT r.name, p.number, p.changed_at FROM recipients r
        JOIN recipient_payees p ON p.recipient_id = r.id WHERE r.merchant_id = $1
        AND r.tax_number = '1234567890' ORDER BY p.created_at`,
      [merchant.merchantId],
    );
    expect(rows).toEqual(
      forms.map(({ content }) => ({
        name: 'Işık Tekstil',
        number: content.iban,
        changed_at: null,
      })),
    );
  });

  it('submitted eight times at once, and again later, is still one', async () => {
    const form = aForm();
    const results = await Promise.all(Array.from({ length: 8 }, () => submit(form)));
    expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify({ kind: 'submitted', id: form.content.id })]),
    );
    expect(await submit(form)).toEqual({ kind: 'submitted', id: form.content.id });
    expect(await stored(form.content.iban)).toBe(1);
  });

  it.each([
    ['amount', { amountMinor: 12_346n }],
    ['recipient', { iban: anIban() }],
    ['name', { name: 'Someone Else' }],
    ['wallet', { source: { kind: 'wallet', number: '1000000002' } }],
    ['words', { description: 'fatura 2' }],
  ] as const)(
    'with the same id and another %s is refused, also when both come at once',
    async (_name, other) => {
      const form = aForm();
      const changed = { ...form, content: { ...form.content, ...other } as Content };
      const results = await Promise.allSettled([submit(form), submit(changed)]);
      expect(
        results.filter(
          (result) => result.status === 'fulfilled' && result.value.kind === 'submitted',
        ),
      ).toHaveLength(1);
      expect(results.find((result) => result.status === 'rejected')).toMatchObject({
        reason: { code: 'same_id_other_content' },
      });
      await expect(
        submit(
          (await rowOf(merchant, form.content.id)).description === form.content.description &&
            results[0]!.status === 'fulfilled'
            ? changed
            : form,
        ),
      ).rejects.toMatchObject({ code: 'same_id_other_content' });
    },
  );

  it('is answered with what it made even while the provider is silent, and a new one is not taken', async () => {
    const form = aForm();
    await submit(form);
    wallets.silent = true;
    expect(await submit(form)).toEqual({ kind: 'submitted', id: form.content.id });
    await expect(submit(aForm())).rejects.toMatchObject({ code: 'wallet_unverified' });
  });

  it('asks for as many letters as the provider names at that time, counted as people count them', async () => {
    const before = purposes;
    const personal = (description: string): PayoutForm => aForm({ paymentType: '07', description });
    try {
      await expect(submit(personal('ğ'.repeat(30)))).rejects.toThrow('payment_type_unknown');
      purposes = [{ code: '07', name: 'Personal', descriptionMin: 20 }];
      for (const letter of ['ğ', 'İ', 'ı', 'g\u0306', 'Ş']) {
        const short = personal(letter.repeat(19));
        expect(codes(await submit(short)), letter).toEqual(['description_too_short']);
        expect(await stored(short.content.iban)).toBe(0);
        expect(await submit(personal(letter.repeat(20))), letter).toMatchObject({
          kind: 'submitted',
        });
      }
      purposes = [{ code: '07', name: 'Personal', descriptionMin: 25 }];
      expect(codes(await submit(personal('ğ'.repeat(24))))).toEqual(['description_too_short']);
    } finally {
      purposes = before;
    }
  });

  it('from somebody who may only look is refused', async () => {
    for (const role of ['support', 'auditor'] as const) {
      const form = aForm();
      await expect(
        web.submit.submitPayout(merchant.person(role), form, { locale: 'tr', retryOf: null }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
      expect(await stored(form.content.iban)).toBe(0);
    }
  });

  it.each(['blocked', 'banned', 'closed'] as const)(
    'from a wallet that was %s after the form was opened stores nothing, whatever is ticked',
    async (access) => {
      wallets.access = access;
      const form = aForm({}, { overrides: [...BESIDES, `wallet_${access}`] });
      expect(codes(await submit(form))).toEqual([`wallet_${access}`]);
      expect(await stored(form.content.iban)).toBe(0);
      wallets.access = 'active';
      expect((await submit(form)).kind).toBe('submitted');
    },
  );

  it('that wants more than there is stores nothing', async () => {
    wallets.available = 12_344n;
    const form = aForm();
    expect(codes(await submit(form))).toContain('insufficient_balance');
    expect(await stored(form.content.iban)).toBe(0);
  });
});

describe('two forms for one recipient and amount', () => {
  it('at once: one is stored, the other is asked whether it is meant twice', async () => {
    for (let round = 0; round < 5; round++) {
      const iban = anIban();
      const results = await Promise.all([submit(aForm({ iban })), submit(aForm({ iban }))]);
      expect(results.map((result) => result.kind).toSorted()).toEqual(['findings', 'submitted']);
      expect(results.flatMap(codes)).toEqual(['duplicate']);
      expect(await stored(iban)).toBe(1);
    }
  });

  it('the second, ticked and with a reason, is stored', async () => {
    const iban = anIban();
    await submit(aForm({ iban }));
    const again = aForm({ iban }, { overrides: [...BESIDES, 'duplicate'] });
    expect(await submit(again)).toEqual({ kind: 'submitted', id: again.content.id });
  });
});

describe('while an outcome is unknown', () => {
  it.each(['UNKNOWN', 'SUBMITTING'] as const)(
    'the same amount to the same IBAN is locked (%s), whatever is ticked',
    async (state) => {
      const iban = anIban();
      await storedMovement(merchant, state, {}, { iban });
      const ticked = {
        overrides: [...BESIDES, 'duplicate', 'unknown_same_amount', 'unknown_other_amount'],
      };
      expect(codes(await submit(aForm({ iban }, ticked)))).toEqual(['unknown_same_amount']);
      expect(codes(await submit(aForm({ iban, amountMinor: 1n })))).toContain(
        'unknown_other_amount',
      );
      expect((await submit(aForm({ iban, amountMinor: 1n }, ticked))).kind).toBe('submitted');
    },
  );

  it('the lock holds however many movements came after it', async () => {
    const iban = anIban();
    const first = await storedMovement(merchant, 'UNKNOWN', {}, { iban });
    await readyMovements(merchant, 230, { iban, amountMinor: 77n, dueInMs: 3_600_000 });
    const { rows } = await merchant.owner.query(
      `SELECT count(*)::int AS n FROM movements WHERE iban = $1
        AND created_at > (SELECT created_at FROM movements WHERE id = $2)`,
      [iban, first],
    );
    expect(rows[0].n).toBe(230);
    expect(
      codes(
        await submit(
          aForm({ iban }, { overrides: [...BESIDES, 'duplicate', 'unknown_other_amount'] }),
        ),
      ),
    ).toContain('unknown_same_amount');
  });
});

describe('pay again', () => {
  // The payouts of other tests are older in the queue than the one that is asked about.
  beforeEach(() =>
    merchant.owner.query('UPDATE movements SET next_at = NULL WHERE merchant_id = $1', [
      merchant.merchantId,
    ]),
  );
  const fresh = () => ({ last_read_at: new Date() });

  it.each(['REJECTED', 'FAILED', 'CANCELLED'] as const)(
    'after %s: a new payout, linked, with a reference of its own',
    async (state) => {
      const parent = await storedMovement(merchant, state, fresh());
      const form = aForm();
      expect((await submit(form, parent)).kind).toBe('submitted');
      const [child, before] = [
        await rowOf(merchant, form.content.id),
        await rowOf(merchant, parent),
      ];
      expect([child.retry_of, child.ext_id === before.ext_id]).toEqual([parent, false]);
    },
  );

  it.each(['APPROVED', 'SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW', 'COMPLETED'] as const)(
    'is refused while it is %s',
    async (state) => {
      const parent = await storedMovement(merchant, state, fresh());
      const form = aForm();
      await expect(submit(form, parent)).rejects.toMatchObject({ code: 'parent_alive' });
      expect(await stored(form.content.iban)).toBe(0);
    },
  );

  it('after a return: only when the ledger has shown it', async () => {
    const parent = await storedMovement(merchant, 'COMPLETED', {
      ...fresh(),
      returned: 'REPORTED',
    });
    await expect(submit(aForm(), parent)).rejects.toMatchObject({ code: 'parent_alive' });
    await setColumns(merchant, parent, { returned: 'CONFIRMED' });
    expect((await submit(aForm(), parent)).kind).toBe('submitted');
  });

  it('is refused while the record contradicts our end of it', async () => {
    const parent = await storedMovement(merchant, 'REJECTED', {
      ...fresh(),
      alert: 'contradiction',
    });
    await expect(submit(aForm(), parent)).rejects.toMatchObject({ code: 'parent_alive' });
  });

  it('twice at once: one payout, and the other names it', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = await storedMovement(merchant, 'REJECTED', fresh());
      const forms = [aForm(), aForm()];
      const results = await Promise.allSettled(forms.map((form) => submit(form, parent)));
      const won = forms[results.findIndex((result) => result.status === 'fulfilled')]!;
      expect(results.find((result) => result.status === 'rejected')).toMatchObject({
        reason: { code: 'already_paid_again', params: { id: won.content.id } },
      });
    }
  });

  it('is refused when a recovery finds a payment of it while pay again waits for its row', async () => {
    const parent = await storedMovement(merchant, 'REJECTED', fresh());
    const client = await merchant.owner.connect();
    const {
      rows: [own],
    } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await client.query('SELECT FROM movements WHERE id = $1 FOR UPDATE', [parent]);
    const again = submit(aForm(), parent).catch((error: unknown) => error);
    await expect
      .poll(
        async () =>
          (
            await merchant.owner.query(
              'SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
              [own!.pid],
            )
          ).rowCount,
        { interval: 5 },
      )
      .toBe(1);
    // It began and ended before the payment was made, so that nothing but its finding counts.
    await client.query(
      `WITH r AS (INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by,
          scanned_at, ended_at)
        SELECT $1, 'asked', at, at, at, at, at FROM (SELECT now() - interval '1 day' AS at) t
        RETURNING id)
       INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, level,
         amount_minor, currency, movement_id)
       SELECT $1, r.id, 'contradiction', 'withdrawal', 'W-1', 'completed', 100, 'TRY', $2 FROM r`,
      [merchant.merchantId, parent],
    );
    await client.query('COMMIT');
    client.release();
    expect(await again).toMatchObject({ code: 'parent_alive' });
  });

  it('again after the second one died too', async () => {
    const parent = await storedMovement(merchant, 'REJECTED', fresh());
    const form = aForm();
    await submit(form, parent);
    await web.cancel.cancelMovement(merchant.person('clerk'), form.content.id);
    expect((await submit(aForm(), parent)).kind).toBe('submitted');
  });

  it('is refused while any other generation of the payment is alive, also two generations apart', async () => {
    const parent = await storedMovement(merchant, 'REJECTED', fresh());
    const child = await storedMovement(merchant, 'REJECTED', fresh(), { retryOf: parent });
    const grandchild = await storedMovement(merchant, 'COMPLETED', fresh(), { retryOf: child });
    const refusal = { code: 'already_paid_again', params: { id: grandchild } };
    for (const dead of [parent, child])
      await expect(submit(aForm(), dead)).rejects.toMatchObject(refusal);
    await setColumns(merchant, grandchild, { returned: 'REPORTED' });
    await expect(submit(aForm(), parent)).rejects.toMatchObject(refusal);
    await setColumns(merchant, grandchild, { returned: 'CONFIRMED' });
    expect((await submit(aForm(), parent)).kind).toBe('submitted');
    // The rule also covers siblings: the first one's new payout is live, so that the old child may
    // not be paid again either.
    await expect(submit(aForm(), child)).rejects.toMatchObject({ code: 'already_paid_again' });
  });

  it('asks the provider about the old one first, and again only after a minute', async () => {
    const parent = await storedMovement(merchant, 'REJECTED', {
      last_read_at: new Date(Date.now() - 61_000),
    });
    const provider = fakeProvider();
    const ports = fakePorts(merchant.merchantId, provider);
    const submitted = submit(aForm(), parent);
    const until = Date.now() + 10_000;
    while (provider.asked.every((one) => one.id !== parent) && Date.now() < until) {
      await worker.advance.advanceOne(ports);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await submitted).kind).toBe('submitted');
    expect(provider.asked.filter((one) => one.id === parent).map((one) => one.kind)).toEqual([
      'read',
    ]);
  }, 30_000);

  it('of one that was tried and then cancelled: its record is asked for too', async () => {
    const parent = await storedMovement(merchant, 'APPROVED');
    await setColumns(merchant, parent, { next_at: new Date() });
    const provider = fakeProvider({
      send: (movement) =>
        movement.id === parent
          ? { kind: 'not_sent', why: 'dns', raw: null, code: null, message: null }
          : { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null },
    });
    const ports = fakePorts(merchant.merchantId, provider);
    while ((await rowOf(merchant, parent)).sends === 0) await worker.advance.advanceOne(ports);
    await web.cancel.cancelMovement(merchant.person('clerk'), parent);
    const submitted = submit(aForm(), parent);
    const until = Date.now() + 10_000;
    while (
      provider.asked.every((one) => one.id !== parent || one.kind !== 'read') &&
      Date.now() < until
    ) {
      await worker.advance.advanceOne(ports);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await submitted).kind).toBe('submitted');
  }, 30_000);

  it('without an answer about the old one is refused, but the form that was stored is answered', async () => {
    const parent = await storedMovement(merchant, 'REJECTED', fresh());
    const form = aForm();
    await submit(form, parent);
    await setColumns(merchant, parent, { last_read_at: new Date(Date.now() - 3_600_000) });
    expect(await submit(form, parent)).toEqual({ kind: 'submitted', id: form.content.id });
    await expect(submit(aForm(), parent)).rejects.toMatchObject({ code: 'parent_not_fresh' });
  }, 30_000);
});
