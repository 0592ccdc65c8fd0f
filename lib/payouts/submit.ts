import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import { databaseNow, inTransaction } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import type { Locale } from '#lib/locale.ts';
import { contentHash, newExtId } from '#lib/movements/content.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { record, wakeWorkers } from '#lib/movements/evidence.ts';
import { pullLook } from '#lib/movements/pull.ts';
import { fromRaw } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/words.ts';
import { countKnock } from '#lib/rate-limit.ts';
import { rememberPayee } from '#lib/recipients/remember.ts';
import { Refusal } from '#lib/refusal.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { readRecipientFacts } from './facts.ts';
import { isFreshlyRead, payAgainRefusal } from './pay-again.ts';
import { blocking, checkPayout, needsReason } from './rules.ts';
import type { Finding } from './rules.ts';
import type { PayoutForm } from './schema.ts';

/** Policy: nobody has to approve yet. The number is frozen with the content, so that a later policy never loosens an earlier intent. */
const APPROVALS_NEEDED = 0;
const PARENT_PATIENCE_MS = 8_000;
const PARENT_POLL_MS = 200;

export type SubmitResult =
  /** The payout's page; for a second submit of the same form, the page of the first. */
  | { kind: 'submitted'; id: string }
  /** Not stored: what stands against it, or needs a tick and a reason. */
  | { kind: 'findings'; findings: Finding[] };

/**
 * Stores one intent with its reference, content hash and audit rows in one transaction, ready to be sent. Nothing leaves
 * here: the worker finds it. The same form submitted again returns the same payout.
 *
 * @throws Refusal not_allowed, wallet_unverified, payment_type_unknown, same_id_other_content, parent_alive, parent_not_fresh, already_paid_again, too_many
 */
export async function submitPayout(actor: Person, form: PayoutForm, options: { locale: Locale; retryOf: string | null }): Promise<SubmitResult> {
  require(actor, 'payout.prepare');
  await countKnock(actor, 'payout.create');
  const wallet = await freshWallet(form.content.wallet);
  const types = await paymentTypes(options.locale);
  const typeKnown = types.some((type) => type.code === form.content.paymentType);
  if (options.retryOf && !(await isStored(actor, form.content.id))) await refreshParent(actor, options.retryOf);
  return inTransaction(actor.merchantId, async (tx) => {
    // One submit at a time per merchant: two tabs that race, for one payee on one IBAN or on two, see each other's intent.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${actor.merchantId}, 0))`;
    const earlier = await findOwn(tx, form.content.id);
    if (!wallet) {
      if (earlier) return sameIntent(earlier, form, earlier.currency);
      throw new Refusal('wallet_unverified');
    }
    if (earlier) return sameIntent(earlier, form, wallet.currency);
    // Without the purpose's own rule (its least description) nothing is judged, so nothing is stored.
    if (!typeKnown) throw new Refusal(types.length === 0 ? 'wallet_unverified' : 'payment_type_unknown');
    const findings = await judge(tx, form, wallet, types);
    if (blocking(findings).length > 0 || needsReason(findings, form.overrides).length > 0) return { kind: 'findings', findings };
    if (options.retryOf) await parentMayBePaidAgain(tx, options.retryOf);
    await store(tx, actor, form, wallet.currency, options.retryOf);
    return { kind: 'submitted', id: form.content.id };
  });
}

/** The same form submitted again needs no fresh look at the parent: it is answered with what it made. */
async function isStored(actor: Person, id: string): Promise<boolean> {
  return inTransaction(actor.merchantId, async (tx) => (await findOwn(tx, id)) !== null);
}

async function findOwn(tx: Tx, id: string): Promise<MovementRow | null> {
  const [raw] = await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE id = ${id}::uuid`;
  return raw ? fromRaw(raw) : null;
}

function sameIntent(earlier: MovementRow, form: PayoutForm, currency: string): SubmitResult {
  if (earlier.contentHash !== contentHash('payout', contentOf(form, currency))) throw new Refusal('same_id_other_content', { id: earlier.id });
  return { kind: 'submitted', id: earlier.id };
}

function contentOf({ content }: PayoutForm, currency: string): MovementContent {
  const { wallet, iban, name, taxNumber, amountMinor, paymentType, description } = content;
  return { wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description };
}

/** The very function the form's summary calls, with facts read inside this transaction. */
async function judge(tx: Tx, form: PayoutForm, wallet: Wallet, types: PaymentType[]): Promise<Finding[]> {
  const { content } = form;
  const facts = await readRecipientFacts(tx, { iban: content.iban, name: content.name, taxNumber: content.taxNumber, wallet: content.wallet });
  const type = types.find((one) => one.code === content.paymentType);
  return checkPayout({
    content,
    writtenCurrency: form.writtenCurrency,
    wallet: { available: wallet.availableMinor, currency: wallet.currency, accessLevel: wallet.access, limits: { withdrawal: wallet.limits.withdrawalMinor } },
    paymentType: type ? { code: type.code, minDescription: type.descriptionMin } : null,
    recent: facts.recent,
    saved: facts.saved,
    foreign: facts.foreign,
    lastSendToIbanAt: facts.lastSendToIbanAt,
    limitLeft: null,
    fee: facts.fee,
    now: facts.at,
  });
}

async function store(tx: Tx, actor: Person, form: PayoutForm, currency: string, retryOf: string | null): Promise<void> {
  const content = contentOf(form, currency);
  const hash = contentHash('payout', content);
  const extId = newExtId();
  await tx.$executeRaw`
    INSERT INTO movements (id, merchant_id, rail, ext_id, state, retry_of, wallet, iban, name, tax_number, amount_minor, currency, payment_type, description,
      content_hash, overrides, override_reason, maker_id, maker_ip, approvals_needed)
    VALUES (${form.content.id}::uuid, ${actor.merchantId}::uuid, 'payout', ${extId}, 'DRAFT', ${retryOf}::uuid, ${content.wallet}, ${content.iban}, ${content.name},
      ${content.taxNumber}, ${content.amountMinor}, ${currency}, ${content.paymentType}, ${content.description}, ${hash},
      ${JSON.stringify(form.overrides)}::jsonb, ${form.overrideReason}, ${actor.personId}::uuid, ${actor.ip}, ${APPROVALS_NEEDED})`;
  const draft = await findOwn(tx, form.content.id);
  if (!draft) throw new Error('a stored movement is not there');
  await rememberPayee(tx, actor.merchantId, { number: content.iban, name: content.name, taxNumber: content.taxNumber });
  const now = (await databaseNow(tx)).getTime();
  await wakeWorkers(tx);
  // From the first link on everybody else's links wait for the commit: whatever can be done before it is.
  await audit(tx, actor, 'movement.drafted', `movement:${form.content.id}`, {
    extId, contentHash: hash, amountMinor: content.amountMinor.toString(), currency, overrides: form.overrides, retryOf,
  }, { overrideReason: form.overrideReason });
  const waiting = await record(tx, actor, draft, { witness: 'person', kind: 'submitted' }, now, () => ({ nextAt: now + APPROVAL_LIFE_MS + 1, lease: null }));
  if (APPROVALS_NEEDED === 0) await record(tx, actor, waiting, { witness: 'person', kind: 'approved' }, now, () => ({ nextAt: now, lease: null }));
}

/** Asks about the parent anew and waits, for as long as a person waits, until the provider has answered. */
async function refreshParent(actor: Person, parentId: string): Promise<void> {
  const askedAt = performance.now();
  while (!(await parentIsFresh(actor, parentId, performance.now() - askedAt < PARENT_POLL_MS))) {
    if (performance.now() - askedAt > PARENT_PATIENCE_MS) throw new Refusal('parent_not_fresh');
    await pause(PARENT_POLL_MS);
  }
}

async function parentIsFresh(actor: Person, parentId: string, ask: boolean): Promise<boolean> {
  return inTransaction(actor.merchantId, async (tx) => {
    const parent = await findOwn(tx, parentId);
    if (!parent) throw new Refusal('not_found');
    const now = (await databaseNow(tx)).getTime();
    if (isFreshlyRead(parent, now)) return true;
    if (ask) await pullLook(tx, parent, now, 0);
    return false;
  });
}

async function parentMayBePaidAgain(tx: Tx, parentId: string): Promise<void> {
  const [parent] = await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE id = ${parentId}::uuid FOR UPDATE`;
  const family = await tx.$queryRaw<RawMovement[]>`
    WITH RECURSIVE up AS (
      SELECT id, retry_of FROM movements WHERE id = ${parentId}::uuid UNION ALL SELECT m.id, m.retry_of FROM movements m JOIN up ON m.id = up.retry_of),
    family AS (
      SELECT id FROM up WHERE retry_of IS NULL UNION ALL SELECT m.id FROM movements m JOIN family f ON m.retry_of = f.id)
    SELECT m.* FROM movements m JOIN family USING (id) WHERE m.id <> ${parentId}::uuid ORDER BY m.created_at DESC`;
  const refusal = payAgainRefusal(parent ? fromRaw(parent) : null, family.map(fromRaw));
  if (refusal?.code === 'already_paid_again') throw new Refusal(refusal.code, { id: refusal.by.id });
  if (refusal) throw new Refusal(refusal.code);
}
