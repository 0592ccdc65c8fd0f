import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { RefusalCode } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import type { AuditDetail } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { noteStored } from '#lib/runtime/trace.ts';
import { rememberPayee } from '#lib/recipients/remember.ts';
import { kindOf, UNNAMED_KIND } from './kinds.ts';
import { contentHash, newExtId } from './content.ts';
import type { MovementContent } from './content-text.ts';
import { record } from './evidence.ts';
import { wakeWorkers } from '#lib/live/publish.ts';
import { parentMayBePaidAgain } from './parent.ts';
import { findMovement } from './row.ts';
import type { MovementRow } from './row.ts';
import { storedText } from '#lib/policy/stored-rules.ts';
import { judgeByPolicy } from './policy-facts.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { approvalsToStore, requirementOf } from './requirement.ts';
import { APPROVAL_LIFE_MS } from './schedule.ts';

/**
 * One decision to pay one amount to one payee. `id` was made with the form; `extId`: our reference,
 * where it was made before, with the rows of a batch; `overrides`: codes of the findings that the
 * person ticked.
 */
export type Intent = {
  id: string;
  extId?: string;
  /** The fewest approvals, whatever the policy asks of it alone: those of its batch. */
  leastApprovals?: number;
  kind: string;
  content: MovementContent;
  overrides: string[];
  overrideReason: string | null;
  retryOf: string | null;
};

/** The movement that an earlier submission of the same form stored. */
export type Earlier = Pick<MovementRow, 'id' | 'contentHash' | 'currency' | 'name' | 'foundName'>;

/** The verdict of the rules on one form. */
export type Verdict<Found> =
  /** The form was stored before, with the same content. */
  | { kind: 'earlier'; id: string }
  | { kind: 'refused'; code: RefusalCode; params?: Record<string, string> }
  /** Findings that block the form, or that need a tick and a reason. */
  | { kind: 'findings'; findings: Found[] }
  | { kind: 'new'; content: MovementContent };

export type SubmitResult<Found> =
  /** The movement's page; for a second submission of the same form, the page of the first. */
  | { kind: 'submitted'; id: string }
  /** Nothing was stored. */
  | { kind: 'findings'; findings: Found[] };

/** A form as the store needs it; `retryOf`: the movement that it pays again. */
type Submission = Omit<Intent, 'content'>;

/**
 * Judges a form with facts of its own transaction and stores one intent with its reference, content
 * hash and audit entries, ready to be sent. No request is made here: the worker claims the row.
 *
 * @throws Refusal the verdict's; parent_alive, already_paid_again
 */
export async function submitJudged<Found>(
  actor: Person,
  submission: Submission,
  judge: (tx: Tx, earlier: Earlier | null) => Promise<Verdict<Found>>,
): Promise<SubmitResult<Found>> {
  const { id, kind, retryOf } = submission;
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const verdict = await judge(tx, await findMovement(tx, id));
    switch (verdict.kind) {
      case 'refused':
        throw new Refusal(verdict.code, verdict.params);
      case 'findings':
        return verdict;
      case 'earlier':
        return { kind: 'submitted', id: verdict.id };
      case 'new':
        if (retryOf !== null) await parentMayBePaidAgain(tx, retryOf, kind);
        await storeIntent(tx, actor, { ...submission, content: verdict.content });
        return { kind: 'submitted', id };
    }
  });
}

/** The verdict on a form that was submitted before: the same movement, or a refusal. */
export function judgeEarlier(
  earlier: Earlier,
  kind: string,
  content: MovementContent,
): Verdict<never> {
  return earlier.contentHash === contentHash(kind, content)
    ? { kind: 'earlier', id: earlier.id }
    : { kind: 'refused', code: 'same_id_other_content', params: { id: earlier.id } };
}

/**
 * Serializes submits per merchant across all kinds: two tabs that pay one payee in two ways at once
 * see each other's intent. It also keeps policy, people and limits as they are until the commit:
 * their changes lock the merchant's row (`lib/policy/proposals.ts`, `lib/people/lock.ts`), so what
 * is judged by the rules of before is in the audit log before their change.
 */
export async function lockSubmissions(tx: Tx, merchantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${merchantId}, 0))`;
  await tx.$executeRaw`SELECT FROM merchants WHERE id = ${merchantId}::uuid FOR SHARE`;
}

/**
 * Stores an intent with its reference, content hash and audit entries: ready to be sent, or waiting
 * for the approvals that the policy of this moment asks for. The number is stored with the intent,
 * so that a later policy never loosens an earlier intent. The caller has checked it in this
 * transaction, after `lockSubmissions`; a transaction begins before it waits there, so the movement
 * is dated by its judgement. No request is made here: the worker claims the row. Returns the movement
 * while it waits for approvals; null: it is ready to be sent.
 */
export async function storeIntent(
  tx: Tx,
  actor: Person,
  intent: Intent,
): Promise<MovementRow | null> {
  const { id, extId = newExtId(), kind, content, overrides, overrideReason, retryOf } = intent;
  const hash = contentHash(kind, content);
  const at = await databaseNow(tx);
  const verdict = await judgeByPolicy(tx, { id, kind, makerId: actor.personId, content, at });
  const needed = approvalsToStore(verdict, intent.leastApprovals);
  const idsBefore = content.card?.refundIdsBefore
    ? JSON.stringify(content.card.refundIdsBefore)
    : null;
  await tx.$executeRaw`
    INSERT INTO movements (id, merchant_id, kind, ext_id, state, retry_of, wallet, iban, name,
      tax_number, to_wallet, found_by, found_name, amount_minor, currency,
      payment_type, description, card_payment_id, invoice_id, before_minor, refund_ids_before,
        phone, content_hash, overrides, override_reason, maker_id, maker_ip, approvals_needed,
        created_at)
    VALUES (${id}::uuid, ${actor.merchantId}::uuid, ${kind}, ${extId}, 'DRAFT', ${retryOf}::uuid,
      ${content.wallet}, ${content.iban}, ${content.name},
      ${content.taxNumber}, ${content.toWallet}, ${content.foundBy}, ${content.foundName},
        ${content.amountMinor}, ${content.currency}, ${content.paymentType}, ${content.description},
      ${content.card?.paymentId ?? null}::uuid, ${content.card?.invoiceId ?? null},
        ${content.card?.beforeMinor ?? null}, ${idsBefore}::jsonb, ${content.phone ?? null}, ${hash},
      ${JSON.stringify(overrides)}::jsonb, ${overrideReason}, ${actor.personId}::uuid, ${actor.ip},
        ${needed}, ${at})`;
  await storeRequirement(tx, actor.merchantId, { id, contentHash: hash }, verdict);
  const draft = await readStored(tx, id);
  await rememberPaid(tx, actor.merchantId, kind, content);
  const now = (await databaseNow(tx)).getTime();
  await wakeWorkers(tx);
  // Keep this last: the first audit entry locks the chain until the commit, for all writers of the
  // merchant.
  await audit(
    tx,
    actor,
    'movement.drafted',
    `movement:${id}`,
    {
      ...(kind === UNNAMED_KIND ? {} : { kind }),
      extId,
      contentHash: hash,
      amountMinor: content.amountMinor.toString(),
      currency: content.currency,
      overrides,
      retryOf,
      ...(content.card
        ? { cardPaymentId: content.card.paymentId, invoiceId: content.card.invoiceId }
        : {}),
      ...askedDetail(verdict, needed),
    },
    { overrideReason },
  );
  const waiting = await record(
    tx,
    actor,
    draft,
    { source: 'person', kind: 'submitted' },
    now,
    () => ({ nextAt: now + APPROVAL_LIFE_MS + 1, lease: null }),
  );
  if (needed > 0) return waiting;
  await record(tx, actor, waiting, { source: 'person', kind: 'approved' }, now, () => ({
    nextAt: now,
    lease: null,
  }));
  return null;
}

/** Reads back what was just stored, and begins its trace. */
async function readStored(tx: Tx, id: string): Promise<MovementRow> {
  const draft = await findMovement(tx, id);
  if (!draft) throw new Error('a stored movement cannot be read back');
  noteStored(draft);
  return draft;
}

/** Nothing where the merchant has no policy and the maker's limit is not reached. */
function askedDetail({ version }: PolicyVerdict, needed: number): AuditDetail {
  return version === null && needed === 0
    ? {}
    : { policyVersion: version ?? NO_POLICY, approvalsNeeded: needed };
}

/** Own wallets are not recipients, and a card operation has no payee. */
async function rememberPaid(
  tx: Tx,
  merchantId: string,
  kind: string,
  { toWallet, iban, name, taxNumber }: MovementContent,
): Promise<void> {
  const { payee } = kindOf(kind);
  if (payee !== null && payee !== 'own_wallet')
    await rememberPayee(tx, merchantId, { number: toWallet ?? iban, name, taxNumber });
}

/** The number of the policy in a requirement that a person's own limit made without a policy. */
export const NO_POLICY = 0;

/**
 * Stores what the policy and the maker's own limit asked for. Nothing is stored where the merchant
 * has no policy and no limit is reached. A later, stricter one adds a row; the strictest counts.
 */
export async function storeRequirement(
  tx: Tx,
  merchantId: string,
  { id, contentHash: hash }: Pick<MovementRow, 'id' | 'contentHash'>,
  verdict: PolicyVerdict,
): Promise<void> {
  const requirement = requirementOf(verdict, hash);
  if (requirement === null) return;
  const { needed, ownersOnly, stepUp } = requirement;
  await tx.$executeRaw`
    INSERT INTO approval_requirements (merchant_id, movement_id, policy_version, needed,
      owners_only, reasons, content_hash, step_up)
    VALUES (${merchantId}::uuid, ${id}::uuid, ${verdict.version ?? NO_POLICY}, ${needed},
      ${ownersOnly}, ${storedText(verdict.judgement.reasons)}::jsonb, ${hash}, ${stepUp})`;
}
