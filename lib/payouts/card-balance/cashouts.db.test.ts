import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginPorts } from '#lib/movements/testing/fake-provider.ts';
import { workerKinds } from '#lib/movements/kind.ts';
import { rowOf, setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import type { PayoutForm } from '../schema.ts';
import type { SubmitResult } from '#lib/movements/submit.ts';
import type { Finding } from '../rules.ts';
import { makeHashKey } from '#lib/providers/card/hash-key.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { startSandbox } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { aged, agedMovement } from '#lib/second-person/testing/aged.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/**
 * Card-balance payouts to a bank account, from the form to the gateway's own records: each is sent
 * once, and two people close what its only answer leaves open.
 */

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let close: () => Promise<void>;
let sandbox: Sandbox;
let before = 0;

beforeAll(async () => {
  sandbox = await startSandbox();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) => ({
      number,
      currency: 'TRY',
      access: 'active',
      availableMinor: 100_000_000n,
      limits: { withdrawalMinor: null },
    }),
    paymentTypes: async () => [{ code: '1', name: 'Other', descriptionMin: 0 }],
  }));
  ({ merchant, web, worker, close } = await openProduct());
}, 30_000);
afterAll(async () => {
  await close();
  await sandbox.stop();
});
beforeEach(async () => {
  before = await asked();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.control('DELETE', 'faults');
  await merchant.owner.query(
    'UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL WHERE merchant_id = $1',
    [merchant.merchantId],
  );
});

let serial = 0;

/** Makes a new valid Turkish IBAN. */
function anIban(): string {
  serial += 1;
  const account = `000620${String(Date.now() % 1_000_000).padStart(6, '0')}${String(serial).padStart(10, '0')}`;
  return `TR${String(98n - (BigInt(`${account}292700`) % 97n)).padStart(2, '0')}${account}`;
}

/** Findings that a person ticks in every form, because all payees of this file have one name. */
const BESIDES = [
  'payee_other_iban',
  'unknown_same_payee',
  'duplicate_other_iban',
  'near_duplicate',
];
type Content = PayoutForm['content'];

const WALLET = { kind: 'wallet', number: '1000000001' };

function aForm(content: Partial<Record<keyof Content, unknown>> = {}): PayoutForm {
  const card = content.source === undefined;
  return {
    content: {
      id: randomUUID(),
      source: { kind: 'card_balance' },
      iban: anIban(),
      name: 'Ayşe Yılmaz',
      taxNumber: '10000000146',
      amountMinor: 1_234n,
      paymentType: card ? '' : '1',
      description: 'fatura 1',
      ...(card ? { phone: '905330000201' } : {}),
      ...content,
    } as Content,
    writtenCurrency: null,
    overrides: BESIDES,
    overrideReason: 'separate_invoice',
  };
}

const submit = (form: PayoutForm, retryOf: string | null = null): Promise<SubmitResult<Finding>> =>
  web.submit.submitPayout(merchant.person('clerk'), form, { locale: 'tr', retryOf });
const stopped = (result: SubmitResult<Finding>): string[] =>
  result.kind === 'findings'
    ? result.findings
        .filter(
          (one) => (one.level === 'warn' || one.level === 'block') && !BESIDES.includes(one.code),
        )
        .map((one) => `${one.level} ${one.code}`)
    : [];

async function submitted(content: Partial<Record<keyof Content, unknown>> = {}): Promise<string> {
  const result = await submit(aForm(content));
  if (result.kind !== 'submitted')
    throw new Error(
      JSON.stringify(result, (_key, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
    );
  return result.id;
}

/** Runs the worker for `rounds` checks, without the waits between them. */
async function work(
  id: string,
  rounds = 1,
  gateway: Pick<CardClient, 'sendCashout'> = sandbox.card,
): Promise<string> {
  const ports = {
    merchantId: merchant.merchantId,
    policy: { quietMs: 1_000, manualAfterMs: 1_000, autoResend: true },
    random: () => 0.5,
    monotonicNow: () => performance.now(),
    kinds: workerKinds([worker.cardBalance.cardBalanceKind(merchant.merchantId, gateway)]),
    rest: async () => undefined,
    ...beginPorts(),
  };
  for (let n = 0; n < rounds; n++) {
    await setColumns(merchant, id, { next_at: new Date(Date.now() - 1_000) });
    await worker.advance.advanceOne(ports);
  }
  return (await rowOf(merchant, id)).state;
}

/** The payout requests that the gateway received in this test. */
async function sent(): Promise<number> {
  return (await asked()) - before;
}
const asked = async (): Promise<number> =>
  (await sandbox.control<unknown[]>('GET', 'requests?operation=tobank&limit=500')).length;
const later = (id: string): Promise<unknown> =>
  merchant.owner.query(
    `UPDATE movements SET last_send_at = last_send_at - interval '30 days',
      watch_since = watch_since - interval '30 days',
      state_since = state_since - interval '30 days', accepted_at = accepted_at - interval '30 days'
      WHERE id = $1`,
    [id],
  );

/** A complete journal at its comparison: it has every send of the database. */
const COMPLETE = { files: 1, lines: 3, unreadable: 0, missing: 0 };
const recovered = (journal: object | null): Promise<unknown> =>
  merchant.owner.query(
    `INSERT INTO recoveries (merchant_id, why, began_at, ended_at, scan_from, listed_by, journal)
      VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(), clock_timestamp(),
      clock_timestamp(), $2)`,
    [merchant.merchantId, journal],
  );
/** Removes the recovery, so that it does not affect the next test. */
async function forgetRecovery(): Promise<void> {
  await merchant.owner.query(
    `ALTER TABLE recovered_records DISABLE TRIGGER USER; DELETE
      FROM recovered_records; ALTER TABLE recovered_records ENABLE TRIGGER USER`,
  );
  await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
}

describe('a cashout', () => {
  afterEach(forgetRecovery);

  it('is stored without a wallet, with the payee’s phone, sent once and accepted, and never completed', async () => {
    const id = await submitted();
    expect(await rowOf(merchant, id)).toMatchObject({
      kind: 'cashout',
      wallet: '',
      payment_type: '',
      phone: '905330000201',
      state: 'APPROVED',
    });
    expect(await work(id)).toBe('PENDING');
    expect(await sent()).toBe(1);
    expect(await rowOf(merchant, id)).toMatchObject({ next_at: null, sends: 1, alert: null });
    await later(id);
    expect(await work(id, 5)).toBe('PENDING');
    expect(await rowOf(merchant, id)).toMatchObject({ next_at: null, alert: null });
    expect(await sent()).toBe(1);
  });

  it('that the gateway refuses as a whole is rejected', async () => {
    const id = await submitted();
    await sandbox.fault('tobank', 'code', { code: '14' });
    expect(await work(id)).toBe('REJECTED');
    expect(await work(id, 3)).toBe('REJECTED');
    expect(await sent()).toBe(1);
  });

  it.each(['lost_after', 'lost_before', 'truncated'] as const)(
    'whose answer is lost (%s) is unknown, and is never sent again after all schedules have run',
    async (kind) => {
      const id = await submitted();
      await sandbox.fault('tobank', kind);
      expect(await work(id)).toBe('UNKNOWN');
      await later(id);
      expect(await work(id, 8)).toBe('UNKNOWN');
      const row = await rowOf(merchant, id);
      expect(row).toMatchObject({ sends: 1, alert: null });
      expect(Number(row.next_at) - Number(row.unclear_since), 'due once, for its age').toBe(
        24 * 3_600_000 + 1,
      );
      expect(await sent()).toBe(1);
    },
  );

  it('answered with 112 is not believed to be refused: a person decides with the gateway’s words', async () => {
    const id = await submitted({ amountMinor: 900_000_000_00n });
    expect(await work(id)).toBe('UNKNOWN');
    const { rows } = await merchant.owner.query(
      `SELECT detail FROM evidence WHERE movement_id = $1 AND kind = 'answer'`,
      [id],
    );
    expect(rows[0].detail).toMatchObject({
      kind: 'unclear',
      code: '112',
      message: expect.stringMatching(/Bakiye|balance/),
    });
    expect(await work(id, 3)).toBe('UNKNOWN');
    expect(await sent()).toBe(1);
  });

  it('stored in books restored later leaves only when a person other than its maker says "send it"', async () => {
    const id = await submitted();
    await recovered(COMPLETE);
    expect(await work(id, 3)).toBe('APPROVED');
    expect(await sent()).toBe(0);
    await web.confirmSend.confirmSend(merchant.person('approver'), id);
    expect(await work(id)).toBe('PENDING');
    expect(await sent()).toBe(1);
  });

  it.each([
    ['absent', { files: 0, lines: 0, unreadable: 0, missing: 0 }, false],
    ['not compared', null, false],
    ['without sends that the books know of', { ...COMPLETE, missing: 1 }, false],
    ['complete, and names it', COMPLETE, true],
  ])(
    'may have left when the journal is %s: a person\'s "send it" makes it unknown, and never sends it',
    async (_name, journal, isNamed) => {
      const id = await submitted();
      await recovered(journal);
      if (isNamed) {
        await merchant.owner.query(
          `INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference,
            ext_id, level, amount_minor, currency, made_at, kind)
         SELECT m.merchant_id, r.id, 'foreign', 'journal', 'cashout:' || m.ext_id, m.ext_id,
           'unknown', m.amount_minor, m.currency, clock_timestamp(), 'cashout' FROM movements m
           JOIN recoveries r ON r.merchant_id = m.merchant_id WHERE m.id = $1`,
          [id],
        );
      }
      await web.confirmSend.confirmSend(merchant.person('approver'), id);
      expect(await work(id)).toBe('UNKNOWN');
      await later(id);
      expect(await work(id, 3)).toBe('UNKNOWN');
      expect(await sent()).toBe(0);
    },
  );
});

describe('the door', () => {
  it('refuses a cashout where it is not configured, and one in place of another payment', async () => {
    await expect(submit(aForm(), randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    const { parseEnv } = await import('#lib/runtime/env.ts');
    const given = { ...process.env, CARD_CASHOUT: '0' };
    expect(parseEnv(given).cardCashout).toBe(false);
    vi.resetModules();
    vi.stubEnv('CARD_CASHOUT', '0');
    const { submitPayout } = await import('../submit.ts');
    await expect(
      submitPayout(merchant.person('clerk'), aForm(), { locale: 'tr', retryOf: null }),
    ).rejects.toMatchObject({ code: 'cashout_not_configured' });
  });

  it('the same form is one cashout; with another telephone number it is refused', async () => {
    const form = aForm();
    await Promise.all([submit(form), submit(form)]);
    await expect(
      submit({ ...form, content: { ...form.content, phone: '905330000202' } }),
    ).rejects.toMatchObject({ code: 'same_id_other_content' });
  });

  it('a cashout and a wallet’s payout to one payee are each other’s duplicate', async () => {
    const iban = anIban();
    await submitted({ iban });
    expect(stopped(await submit(aForm({ iban, source: WALLET })))).toEqual(['warn duplicate']);
    const other = anIban();
    await submitted({ iban: other, source: WALLET });
    expect(stopped(await submit(aForm({ iban: other })))).toEqual(['warn duplicate']);
  });

  it('one whose outcome is unknown locks its payee and amount for the other kind', async () => {
    const iban = anIban();
    const id = await submitted({ iban });
    await sandbox.fault('tobank', 'lost_after');
    await work(id);
    expect(stopped(await submit(aForm({ iban, source: WALLET })))).toEqual([
      'block unknown_same_amount',
    ]);
    const payout = await storedMovement(
      merchant,
      'UNKNOWN',
      {},
      { iban: anIban(), amountMinor: 1_234n },
    );
    const { iban: locked } = await rowOf(merchant, payout);
    expect(stopped(await submit(aForm({ iban: locked })))).toEqual(['block unknown_same_amount']);
  });
});

describe('two people', () => {
  async function unknown(): Promise<string> {
    const id = await submitted();
    await sandbox.fault('tobank', 'lost_before');
    expect(await work(id)).toBe('UNKNOWN');
    return id;
  }
  type Claim = 'taken' | 'done' | 'not_done';
  const say = (role: 'clerk' | 'approver' | 'owner' | 'support', id: string, claim: Claim | null) =>
    web.close.closeMovement(merchant.person(role), { id, claim, reason: 'panelde baktım' });

  it.each([
    ['taken', 'PENDING'],
    ['not_done', 'FAILED'],
  ] as const)(
    'who say the same (%s) close it; one person twice, its maker, or anybody too early does not',
    async (claim, state) => {
      const id = await unknown();
      await expect(say('approver', id, claim)).rejects.toMatchObject({ code: 'cashout_too_early' });
      await agedMovement(merchant, id, 30 * 24);
      await expect(say('support', id, claim)).rejects.toMatchObject({ code: 'not_allowed' });
      await expect(say('clerk', id, claim)).rejects.toMatchObject({ code: 'maker_has_no_word' });
      expect([await say('approver', id, claim), await say('approver', id, claim)]).toEqual([
        { kind: 'asked' },
        { kind: 'asked' },
      ]);
      expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
      expect(await say('owner', id, claim)).toEqual({ kind: 'closed' });
      expect((await rowOf(merchant, id)).state).toBe(state);
      expect(await work(id, 3)).toBe(state);
      expect(await sent()).toBe(1);
      await expect(say('owner', id, 'taken')).rejects.toMatchObject({ code: 'close_not_unknown' });
    },
  );

  it('may say it was taken after half an hour, and not taken a day after the first unclear moment', async () => {
    const id = await unknown();
    await agedMovement(merchant, id, 23);
    await expect(say('approver', id, 'not_done')).rejects.toMatchObject({
      code: 'close_not_a_day',
    });
    expect(await say('approver', id, 'taken')).toEqual({ kind: 'asked' });
    await agedMovement(merchant, id, 1);
    expect(await say('approver', id, 'not_done')).toEqual({ kind: 'asked' });
  });

  it('who disagree close nothing, and one who has changed their word agrees with nobody any more', async () => {
    const id = await unknown();
    await agedMovement(merchant, id, 25);
    expect([await say('approver', id, 'not_done'), await say('approver', id, 'taken')]).toEqual([
      { kind: 'asked' },
      { kind: 'asked' },
    ]);
    expect(await say('owner', id, 'not_done')).toEqual({ kind: 'contradicted' });
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
    const { viewMovement } = await import('#lib/movement-views/view.ts');
    expect((await viewMovement(merchant.person('owner'), id))?.statements).toMatchObject({
      standing: 'contradicted',
      own: true,
      words: [
        { counts: false },
        { counts: true, claim: 'taken' },
        { counts: true, claim: 'not_done' },
      ],
    });
    expect(await say('approver', id, null)).toEqual({ kind: 'taken_back' });
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
    expect(await say('approver', id, 'not_done')).toEqual({ kind: 'closed' });
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'FAILED',
      reason_code: 'people_said',
    });
    expect((await viewMovement(merchant.person('owner'), id))?.statements).toMatchObject({
      outcome: 'not_done',
      words: [{}, {}, {}, {}, {}],
    });
  });

  it('may not both be clerks', async () => {
    const id = await unknown();
    await agedMovement(merchant, id, 25);
    const clerks = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const { rows } = await merchant.owner.query(
          `INSERT INTO people (merchant_id, email, name, role) VALUES ($1, $2, $2, 'clerk') RETURNING id`,
          [merchant.merchantId, `${name}-${id}@test`],
        );
        return { ...merchant.person('clerk'), personId: String(rows[0].id) };
      }),
    );
    for (const clerk of [...clerks, clerks[0]!])
      expect(
        await web.close.closeMovement(clerk, { id, claim: 'not_done', reason: 'panelde baktım' }),
      ).toEqual({ kind: 'asked' });
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
    expect(await say('owner', id, 'not_done')).toEqual({ kind: 'closed' });
  });

  it('whose words are more than a day apart do not close it, and two who confirm at once close it once', async () => {
    const id = await unknown();
    await agedMovement(merchant, id, 25);
    await say('approver', id, 'not_done');
    await aged(merchant, 24);
    expect(await say('owner', id, 'not_done')).toEqual({ kind: 'asked' });
    const both = await Promise.allSettled([
      say('approver', id, 'not_done'),
      say('approver', id, 'not_done'),
    ]);
    expect(
      both.map((one) => (one.status === 'fulfilled' ? one.value.kind : one.reason.code)).sort(),
    ).toEqual(['close_not_unknown', 'closed']);
    expect(
      (
        await merchant.owner.query(
          `SELECT 1 FROM evidence WHERE movement_id = $1 AND kind = 'resolved_not_sent'`,
          [id],
        )
      ).rowCount,
    ).toBe(1);
  });

  it.each([
    ['done', 'COMPLETED'],
    ['not_done', 'FAILED'],
  ] as const)('end what the gateway accepted and nobody answers for: %s', async (claim, state) => {
    const id = await submitted();
    expect(await work(id)).toBe('PENDING');
    await agedMovement(merchant, id, 25);
    await say('approver', id, claim);
    expect(await say('owner', id, claim)).toEqual({ kind: 'closed' });
    expect(await rowOf(merchant, id)).toMatchObject({
      state,
      next_at: null,
      reason_code: 'people_said',
    });
    expect(
      (await merchant.owner.query('SELECT 1 FROM receipts WHERE movement_id = $1', [id])).rowCount,
    ).toBe(0);
  });

  it('are needed by the database itself: no web process ends what left on one word, or on none', async () => {
    const id = await unknown();
    const end = (state: string): Promise<number> =>
      web.db.inTransaction(
        merchant.merchantId,
        (tx) => tx.$executeRaw`UPDATE movements SET state = ${state} WHERE id = ${id}::uuid`,
      );
    await agedMovement(merchant, id, 25);
    await say('approver', id, 'taken');
    for (const state of ['PENDING', 'FAILED', 'COMPLETED'])
      await expect(end(state), state).rejects.toThrow(/two people/);
    const payout = await storedMovement(merchant, 'UNKNOWN');
    await expect(
      web.db.inTransaction(
        merchant.merchantId,
        (tx) => tx.$executeRaw`UPDATE movements SET state = 'PENDING' WHERE id = ${payout}::uuid`,
      ),
    ).rejects.toThrow('no step from UNKNOWN to PENDING');
  });
});

it('a notice that it came back is a hint on its page and asks a person to look; it ends nothing', async () => {
  const id = await submitted();
  await work(id);
  const { ext_id: extId, iban } = await rowOf(merchant, id);
  const fields = {
    unique_id: String(extId),
    iban: String(iban),
    amount: '12.34',
    currency: 'TRY',
    status: 'Reversed',
  };
  await web.receive.receiveWebhook(
    merchant.merchantId,
    'card',
    new URLSearchParams({
      ...fields,
      hash_key: makeHashKey('test', ['Reversed', '12.34', String(extId), String(iban)]),
    }).toString(),
  );
  expect(await rowOf(merchant, id)).toMatchObject({
    state: 'PENDING',
    returned: 'NONE',
    return_hinted: true,
    alert: 'return_not_confirmed',
    next_at: null,
  });
});

it('a webhook during the send leaves the lease to its worker, whose answer still counts', async () => {
  const id = await submitted();
  const { ext_id: extId, iban } = await rowOf(merchant, id);
  const fields = {
    unique_id: String(extId),
    iban: String(iban),
    amount: '12.34',
    currency: 'TRY',
    status: 'Reversed',
  };
  const body = new URLSearchParams({
    ...fields,
    hash_key: makeHashKey('test', ['Reversed', '12.34', String(extId), String(iban)]),
  }).toString();
  const sendCashout: typeof sandbox.card.sendCashout = async (content, sending) => {
    const before = await rowOf(merchant, id);
    await web.receive.receiveWebhook(merchant.merchantId, 'card', body);
    const { lease_token: token, lease_until: until, next_at: next } = await rowOf(merchant, id);
    expect([token, until, next]).toEqual([before.lease_token, before.lease_until, before.next_at]);
    return sandbox.card.sendCashout(content, sending);
  };
  expect(await work(id, 1, { sendCashout })).toBe('PENDING');
});

it('waits while its kind is switched off', async () => {
  const id = await submitted();
  await web.stop.stopSending(merchant.person('owner'), 'cashout', 'deneme amaçlı');
  expect(await work(id, 2)).toBe('APPROVED');
  expect(await sent()).toBe(0);
});
