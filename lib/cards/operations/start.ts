import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { contentHash } from '#lib/movements/content.ts';
import type { CardPart } from '#lib/movements/content-text.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { findMovement } from '#lib/movements/row.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { lockSubmissions, storeIntent } from '#lib/movements/submit.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { askRegister, paymentFacts, readPaymentFacts } from './facts.ts';
import type { PaymentFacts } from './facts.ts';
import { judge, KIND_OF } from './operation.ts';
import type { Operation, OperationStop } from './operation.ts';

const REASON_MIN = 3;
const REASON_MAX = 300;

/**
 * `started`: stored, and the worker sends it; a second submit of the same form returns what the
 * first one started. `stopped`: nothing was stored.
 */
export type Started = { kind: 'started'; id: string } | { kind: 'stopped'; why: OperationStop };

/** `id` was made with the form. `amountMinor` null: the whole authorized amount. */
type Asked = {
  id: string;
  operation: Operation;
  paymentId: string;
  amountMinor: bigint | null;
  reason: string;
};
type Asking = Pick<CardClient, 'readRecord'>;

/**
 * Captures an authorization, or a part of it; the rest is voided. The amount is always explicit.
 * Stored only if the gateway's record, read here and now, still has at least as much authorized;
 * the worker reads it once more directly before it sends.
 *
 * @throws Refusal not_allowed, not_found, same_id_other_content, too_many
 */
export async function startCapture(
  actor: Person,
  { id, paymentId, amountMinor }: { id: string; paymentId: string; amountMinor: bigint },
  card: Asking = cardClient(),
): Promise<Started> {
  assertMay(actor, 'card.capture');
  return isAmount(amountMinor)
    ? start(actor, { id, operation: 'capture', paymentId, amountMinor, reason: '' }, card)
    : { kind: 'stopped', why: 'amount_invalid' };
}

/** Voids the whole authorization. Refusals as for a capture. */
export async function startVoid(
  actor: Person,
  { id, paymentId, reason }: { id: string; paymentId: string; reason: string },
  card: Asking = cardClient(),
): Promise<Started> {
  assertMay(actor, 'card.capture');
  return isReason(reason)
    ? start(actor, { id, operation: 'release', paymentId, amountMinor: null, reason }, card)
    : { kind: 'stopped', why: 'reason_needed' };
}

/**
 * Refunds a captured payment, or a part of it. The amount is always explicit: to the gateway, no
 * amount means "everything that is left". Refusals as for a capture.
 */
export async function startRefund(
  actor: Person,
  {
    id,
    paymentId,
    amountMinor,
    reason,
  }: { id: string; paymentId: string; amountMinor: bigint; reason: string },
  card: Asking = cardClient(),
): Promise<Started> {
  assertMay(actor, 'card.refund');
  if (!isAmount(amountMinor)) return { kind: 'stopped', why: 'amount_invalid' };
  return isReason(reason)
    ? start(actor, { id, operation: 'refund', paymentId, amountMinor, reason }, card)
    : { kind: 'stopped', why: 'reason_needed' };
}

/**
 * Whether the value is an amount: checked at run time too, because the caller's types are not
 * enforced on input from a browser.
 */
function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value > 0n;
}

function isReason(text: string): boolean {
  const { length } = text.trim();
  return length >= REASON_MIN && length <= REASON_MAX;
}

async function start(actor: Person, asked: Asked, card: Asking): Promise<Started> {
  if (!UUID.test(asked.id) || !UUID.test(asked.paymentId)) throw new Refusal('not_found');
  await countAttempt(actor, 'card.operate');
  const earlier = await inTransaction(actor.merchantId, (tx) => findMovement(tx, asked.id));
  if (earlier) return sameOperation(earlier, asked);
  const facts = await paymentFacts(actor.merchantId, asked.paymentId);
  if (!facts) throw new Refusal('not_found');
  const record = await card.readRecord({
    invoiceId: facts.invoiceId,
    amountMinor: facts.known.amountMinor,
  });
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const now = await readPaymentFacts(tx, asked.paymentId);
    const same = await findMovement(tx, asked.id);
    if (same) return sameOperation(same, asked);
    const why =
      now === null
        ? 'not_verified'
        : (await isOneOpen(tx, asked.paymentId))
          ? 'one_open'
          : await store(tx, actor, asked, now, record);
    if (why === null) return { kind: 'started', id: asked.id };
    // The page showed an outdated state: expedite the next query of the register, which updates the
    // page.
    await askRegister(tx, asked.paymentId);
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id: asked.paymentId });
    return { kind: 'stopped', why };
  });
}

/**
 * The index `movements_card_open` enforces the same for movements; this check exists to give a
 * proper message. An operation that a restore removed from the database, that the journal still has
 * and that nobody has acknowledged counts as open too.
 */
async function isOneOpen(tx: Tx, paymentId: string): Promise<boolean> {
  const [open] = await tx.$queryRaw<unknown[]>`
    SELECT id FROM movements WHERE card_payment_id = ${paymentId}::uuid
      AND state IN ('DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'UNKNOWN', 'PENDING',
      'MANUAL_REVIEW')
    UNION ALL SELECT p.id FROM recovered_records r JOIN card_payments p ON p.invoice_id = r.about
      WHERE p.id = ${paymentId}::uuid AND r.source = 'journal' AND r.finding = 'foreign'
        AND r.acknowledged_at IS NULL`;
  return open !== undefined;
}

async function store(
  tx: Tx,
  actor: Person,
  asked: Asked,
  facts: PaymentFacts,
  record: RecordOutcome,
): Promise<OperationStop | null> {
  const judged = judge(asked.operation, facts.known, record, facts.at);
  if (judged.kind === 'stop') return judged.why;
  const { leftMinor, ...before } = judged.standing;
  const amountMinor = asked.amountMinor ?? leftMinor;
  if (amountMinor > leftMinor || amountMinor <= 0n) return 'more_than_left';
  await storeIntent(tx, actor, {
    id: asked.id,
    kind: KIND_OF[asked.operation],
    overrides: [],
    overrideReason: null,
    retryOf: null,
    content: contentOf(asked, {
      amountMinor,
      currency: facts.currency,
      invoiceId: facts.invoiceId,
      ...before,
    }),
  });
  return null;
}

type Learned = { amountMinor: bigint; currency: string; invoiceId: string } & Pick<
  CardPart,
  'beforeMinor' | 'refundIdsBefore'
>;

function contentOf(
  { paymentId, reason }: Asked,
  { amountMinor, currency, invoiceId, beforeMinor, refundIdsBefore }: Learned,
) {
  return {
    wallet: '',
    iban: '',
    name: invoiceId,
    taxNumber: '',
    toWallet: null,
    foundBy: null,
    foundName: null,
    amountMinor,
    currency,
    paymentType: '',
    description: reason.trim(),
    card: { paymentId, invoiceId, beforeMinor, refundIdsBefore },
  };
}

/**
 * Whether the form repeats the stored operation. Values that the form does not carry are copied
 * from the stored operation, so that only the typed ones are compared.
 */
function sameOperation(earlier: MovementRow, asked: Asked): Started {
  const { card, currency, amountMinor } = earlier;
  const hash =
    card &&
    contentHash(
      KIND_OF[asked.operation],
      contentOf(asked, { ...card, currency, amountMinor: asked.amountMinor ?? amountMinor }),
    );
  if (earlier.contentHash !== hash) throw new Refusal('same_id_other_content', { id: earlier.id });
  return { kind: 'started', id: earlier.id };
}
