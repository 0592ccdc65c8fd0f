/** Makes the payouts and transfers of the demo's history. */
import { randomUUID } from 'node:crypto';
import { approveMovement } from '#lib/approvals/approve.ts';
import { sendBackMovement } from '#lib/approvals/send-back.ts';
import { viewWaiting } from '#lib/approvals/view.ts';
import { payoutSchema } from '#lib/payouts/schema.ts';
import { submitPayout } from '#lib/payouts/submit.ts';
import { transferSchema } from '#lib/transfers/schema.ts';
import { submitTransfer } from '#lib/transfers/submit.ts';
import type { Desk } from './desk.ts';
import type { Payee } from './recipients.ts';

export const MAIN_WALLET = '4410270001';
export const PETTY_WALLET = '4410270003';

/** The approver decides about what waits this long after it was prepared. */
const DECISION_MS = 2 * 60_000;

/**
 * Submits a bank payout of `amount` as the form has it: '12.400,00'. What the policy stops for
 * another person is approved two minutes later.
 */
export async function pay(desk: Desk, payee: Payee, amount: string): Promise<void> {
  const id = await prepare(desk, payee, amount);
  const seen = await seenByApprover(desk, id);
  if (seen === null) return;
  await desk.workUntil(desk.clock.now() + DECISION_MS);
  await approveMovement(desk.person('approver'), seen);
}

/** Submits a bank payout that the approver sends back with this reason. */
export async function paySentBack(
  desk: Desk,
  payee: Payee,
  { amount, reason }: { amount: string; reason: string },
): Promise<void> {
  const seen = await seenByApprover(desk, await prepare(desk, payee, amount));
  if (seen === null) throw new Error(`${amount} does not wait for approval`);
  await desk.workUntil(desk.clock.now() + DECISION_MS);
  await sendBackMovement(desk.person('approver'), { ...seen, reason });
}

/** Submits a bank payout and returns its id; nobody decides about it. */
export async function prepare(desk: Desk, payee: Payee, amount: string): Promise<string> {
  const form = payoutSchema.parse({
    id: randomUUID(),
    wallet: MAIN_WALLET,
    iban: payee.iban,
    name: payee.name,
    taxNumber: payee.taxNumber,
    amount,
    locale: 'tr',
    paymentType: payee.paymentType,
    description: payee.description,
  });
  const submitted = await submitPayout(desk.person('clerk'), form, { locale: 'tr', retryOf: null });
  if (submitted.kind === 'submitted') return submitted.id;
  const overrides = submitted.findings.map(({ code }) => code);
  const again = { ...form, overrides, overrideReason: 'Ayrı fatura' };
  const second = await submitPayout(desk.person('clerk'), again, { locale: 'tr', retryOf: null });
  if (second.kind !== 'submitted') throw new Error(`not stored: ${overrides.join(', ')}`);
  return second.id;
}

async function seenByApprover(
  desk: Desk,
  id: string,
): Promise<{ id: string; seenHash: string } | null> {
  const waiting = await viewWaiting(desk.person('approver'), id);
  return waiting && { id, seenHash: waiting.contentHash };
}

export async function transferToBranch(desk: Desk, amount: string): Promise<void> {
  const form = transferSchema.parse({
    id: randomUUID(),
    kind: 'transfer_own',
    wallet: MAIN_WALLET,
    toWallet: PETTY_WALLET,
    amount,
    locale: 'tr',
    description: 'Şube kasası besleme',
  });
  const submitted = await submitTransfer(desk.person('clerk'), form, {
    locale: 'tr',
    retryOf: null,
  });
  if (submitted.kind !== 'submitted')
    throw new Error(`not stored: ${submitted.findings.map(({ code }) => code).join(', ')}`);
}
