import type { GatewayQuestions, OrderKnob } from './knobs.ts';
import { recordText } from './wire.ts';
import type { Answer, RecordText, WireStyle } from './wire.ts';

/**
 * One order in the gateway's records, and what its record shows at any time. Amounts in minor
 * units.
 */

export type RefundState = 'done' | 'waiting' | 'declined' | 'undone';
/**
 * `ours`: the number that we gave the refund; null for a refund that was made in the panel. `id`:
 * the gateway's own number.
 */
export type OrderRefund = {
  readonly id: string;
  readonly ours: string | null;
  readonly amountMinor: bigint;
  readonly at: number;
  state: RefundState;
};

type Version = { visibleAt: number; text: RecordText };

export class Order {
  readonly invoiceId: string;
  readonly orderedMinor: bigint;
  readonly refunds: OrderRefund[] = [];
  state: 'held' | 'completed' | 'captured' | 'cancelled';
  /** The captured part of the ordered amount; null while it is only authorized. */
  capturedMinor: bigint | null;
  private readonly ageMs: number;
  private readonly questions: GatewayQuestions;
  private readonly versions: Version[] = [];

  constructor(
    invoiceId: string,
    { hold, amountMinor, ageMs }: OrderKnob,
    questions: GatewayQuestions,
  ) {
    this.invoiceId = invoiceId;
    this.orderedMinor = amountMinor;
    this.ageMs = ageMs;
    this.questions = questions;
    this.state = hold ? 'held' : 'completed';
    this.capturedMinor = hold ? null : amountMinor;
    this.write(0);
  }

  age(now: number): number {
    return this.ageMs + now;
  }

  capture(amountMinor: bigint): void {
    this.state = 'captured';
    this.capturedMinor = amountMinor;
  }

  cancel(): void {
    this.state = 'cancelled';
  }

  refunded({ ours, amountMinor, state, at }: Omit<OrderRefund, 'id'>): OrderRefund {
    const row: OrderRefund = {
      id: `R-${this.invoiceId}-${this.refunds.length + 1}`,
      ours,
      amountMinor,
      state,
      at,
    };
    this.refunds.push(row);
    return row;
  }

  isTaken(): boolean {
    return this.state === 'completed' || this.state === 'captured';
  }

  /** All refunds that were carried out. Those that wait for manual approval do not count. */
  refundedMinor(): bigint {
    return this.refunds.reduce(
      (sum, one) => (one.state === 'done' ? sum + one.amountMinor : sum),
      0n,
    );
  }

  /** What may still be refunded: neither carried-out refunds nor those waiting for approval. */
  leftMinor(): bigint {
    const asked = this.refunds.reduce(
      (sum, one) => (one.state === 'done' || one.state === 'waiting' ? sum + one.amountMinor : sum),
      0n,
    );
    return (this.capturedMinor ?? 0n) - asked;
  }

  /**
   * Lets the record show the current state from `visibleAt` on, and never earlier than the state
   * before it.
   */
  write(visibleAt: number): void {
    const last = this.versions.at(-1)?.visibleAt ?? 0;
    this.versions.push({ visibleAt: Math.max(last, visibleAt), text: this.text() });
  }

  /** The sum of all refunds, as the record showed it at that time. */
  refundedBy(now: number): bigint {
    return this.at(now).refundedMinor;
  }

  private at(now: number): RecordText {
    return this.versions.findLast((one) => one.visibleAt <= now)?.text ?? this.versions[0]!.text;
  }

  record(now: number, style: WireStyle): Answer {
    return recordText(this.at(now), style);
  }

  private text(): RecordText {
    const { questions, invoiceId, orderedMinor } = this;
    const chargedMinor = (this.capturedMinor ?? orderedMinor) + questions.commissionMinor;
    return {
      invoiceId,
      code: '100',
      word: this.word(),
      type: this.type(),
      orderedMinor,
      chargedMinor: questions.saysCharged ? chargedMinor : null,
      refundedMinor: this.refundedMinor(),
      rows: this.rows(),
    };
  }

  private word(): string {
    if (this.state === 'held')
      return this.questions.heldWord === 'own' ? 'Pre-Authorized' : 'Completed';
    if (this.state === 'cancelled') return 'Cancelled';
    const back = this.refundedMinor();
    if (back === 0n || !this.questions.refundedWord) return 'Completed';
    return back < this.capturedMinor! ? 'Partially Refunded' : 'Refunded';
  }

  private type(): RecordText['type'] {
    if (this.state === 'held' || this.state === 'cancelled') return 'Pre-Authorization';
    return this.state === 'captured' ? this.questions.capturedType : 'Auth';
  }

  private rows(): RecordText['rows'] {
    const { rows, showsPending, showsDeclined } = this.questions;
    if (rows === 'totals') return [];
    const shown = this.refunds.filter((one) =>
      one.state === 'waiting' ? showsPending : one.state !== 'declined' || showsDeclined,
    );
    return shown.map((one) => ({
      id: rows === 'ours' ? (one.ours ?? one.id) : one.id,
      amountMinor: one.amountMinor,
      status: WORDS[one.state],
    }));
  }
}

const WORDS: Readonly<Record<RefundState, string>> = {
  done: 'Completed',
  waiting: 'Pending',
  declined: 'Rejected',
  undone: 'Completed',
};
