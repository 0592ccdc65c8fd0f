import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type * as Approve from '#lib/approvals/approve.ts';
import type * as AskStepUp from '#lib/approvals/ask-step-up.ts';
import type * as ApproveMany from '#lib/approvals/approve-many.ts';
import type * as List from '#lib/approvals/list.ts';
import type * as SendBack from '#lib/approvals/send-back.ts';
import type { Role } from '#lib/access/actor.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import type * as AddKey from '#lib/passkeys/add.ts';
import type * as Answer from '#lib/passkeys/answer.ts';
import type * as Lost from '#lib/passkeys/lost.ts';
import type * as Remove from '#lib/passkeys/remove.ts';
import type * as Confirm from '#lib/policy/confirm.ts';
import type * as Proposals from '#lib/policy/proposals.ts';
import type * as Propose from '#lib/policy/propose.ts';
import type { PolicyRule } from '#lib/policy/rules.ts';
import type { StepUpRule } from '#lib/policy/step-up-rule.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/** The desk of an office with a policy: its web, a worker, and a provider that answers at once. */

export type Desk = {
  merchant: TestMerchant;
  web: Process;
  worker: Process;
  /** What the provider says of the paying wallet. */
  wallet: { availableMinor: bigint };
  approve: typeof Approve;
  many: typeof ApproveMany;
  sendBack: typeof SendBack;
  list: typeof List;
  propose: typeof Propose;
  confirm: typeof Confirm;
  proposals: typeof Proposals;
  askStepUp: typeof AskStepUp;
  passkeys: typeof AddKey & typeof Answer & typeof Lost & typeof Remove;
  close(): Promise<void>;
};

/** `also`: loads further verbs of the web, before the worker's modules take their place. */
export async function openDesk(also?: () => Promise<void>): Promise<Desk> {
  const merchant = await testMerchant();
  const wallet = { availableMinor: 100_000_000n };
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) => ({
      number,
      currency: 'TRY',
      access: 'active',
      availableMinor: wallet.availableMinor,
      limits: { withdrawalMinor: null, walletToWalletMinor: null },
    }),
    paymentTypes: async () => [{ code: '1', name: 'Other', descriptionMin: 3 }],
  }));
  // Mocks code that needs the running framework; no test here depends on it.
  vi.doMock('next/navigation', () => ({ redirect: () => undefined }));
  vi.doMock('next/headers', () => ({
    headers: async () => new Headers(),
    cookies: async () => new Map(),
  }));
  const web = await openProcess('dashboard_web');
  const verbs = {
    approve: await import('#lib/approvals/approve.ts'),
    many: await import('#lib/approvals/approve-many.ts'),
    sendBack: await import('#lib/approvals/send-back.ts'),
    list: await import('#lib/approvals/list.ts'),
    propose: await import('#lib/policy/propose.ts'),
    confirm: await import('#lib/policy/confirm.ts'),
    proposals: await import('#lib/policy/proposals.ts'),
    askStepUp: await import('#lib/approvals/ask-step-up.ts'),
    passkeys: {
      ...(await import('#lib/passkeys/add.ts')),
      ...(await import('#lib/passkeys/answer.ts')),
      ...(await import('#lib/passkeys/lost.ts')),
      ...(await import('#lib/passkeys/remove.ts')),
    },
  };
  await also?.();
  const worker = await openProcess('dashboard_worker');
  const close = async (): Promise<void> => {
    await Promise.all([web.db.disconnect(), worker.db.disconnect()]);
    await merchant.close();
  };
  return { merchant, web, worker, wallet, ...verbs, close };
}

/** The rules in force from now on: the owner proposes them, the approver confirms. */
export async function adopt(
  desk: Desk,
  rules: PolicyRule[],
  stepUp: StepUpRule | null = null,
): Promise<void> {
  await desk.propose.proposePolicy(desk.merchant.person('owner'), {
    rules,
    stepUp,
    reason: 'agreed at the meeting',
  });
  const open = await desk.web.db.inTransaction(desk.merchant.merchantId, (tx) =>
    desk.proposals.openProposal(tx),
  );
  await desk.confirm.confirmPolicy(desk.merchant.person('approver'), open!.id);
}

export function aRule(given: Partial<PolicyRule> = {}): PolicyRule {
  return {
    classes: ['payout', 'transfer', 'refund'],
    wallets: [],
    when: 'amount',
    currency: 'TRY',
    fromMinor: 2_500_000n,
    approvals: 1,
    who: 'approver',
    ...given,
  };
}

/** Adds a person: a second approver, a second owner. */
export async function addPerson(desk: Desk, role: Role) {
  const { merchant } = desk;
  const email = `${randomUUID()}@test`;
  const { rows } = await merchant.owner.query<{ id: string }>(
    'INSERT INTO people (merchant_id, email, name, role) VALUES ($1, $2, $2, $3) RETURNING id',
    [merchant.merchantId, email, role],
  );
  return { ...merchant.person(role), personId: rows[0]!.id, email, name: email };
}

let serial = 0;
/** A new valid Turkish IBAN. */
export function anIban(): string {
  serial += 1;
  const account = `00062${'0'}${String(Date.now() % 1_000_000).padStart(6, '0')}${String(serial).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${account}292700`) % 97n);
  return `TR${String(check).padStart(2, '0')}${account}`;
}

/** A payout by the form's own verb; returns its id. */
export async function prepare(
  desk: Desk,
  content: Partial<Record<keyof PayoutForm['content'], unknown>> = {},
  by: Role = 'clerk',
  retryOf: string | null = null,
): Promise<string> {
  serial += 1;
  const id = randomUUID();
  const form: PayoutForm = {
    content: {
      id,
      source: { kind: 'wallet', number: '1000000001' },
      iban: anIban(),
      name: `Firma ${'abcdefghij'[serial % 10]}${serial}`,
      taxNumber: '10000000146',
      amountMinor: 4_412_010n,
      paymentType: '1',
      description: 'fatura 1',
      ...content,
    } as PayoutForm['content'],
    writtenCurrency: null,
    overrides: [],
    overrideReason: null,
  };
  // Every payee of these tests has the same tax number: what follows from that alone is ticked.
  form.overrides = ['payee_other_iban', 'unknown_same_payee', 'duplicate_other_iban'];
  form.overrides.push('near_duplicate', 'name_other_iban', 'duplicate');
  form.overrideReason = 'separate_invoice';
  const done = await desk.web.submit.submitPayout(desk.merchant.person(by), form, {
    locale: 'tr',
    retryOf,
  });
  if (done.kind !== 'submitted') throw new Error(JSON.stringify(done));
  return id;
}

/** As the database's owner, without the guards: what no grant and no verb allows. */
export async function unguarded({ merchant }: Desk, statement: string): Promise<void> {
  const tables = ['movements', 'approvals', 'step_ups', 'step_up_challenges', 'passkeys'];
  tables.push('approval_requirements', 'policy_versions');
  const switched = (how: string) =>
    tables.map((table) => `ALTER TABLE ${table} ${how} TRIGGER USER;`).join('');
  const connection = await merchant.owner.connect();
  try {
    await connection.query(
      `BEGIN; ${switched('DISABLE')} ${statement}; ${switched('ENABLE')} COMMIT`,
    );
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  } finally {
    connection.release();
  }
}
