import type { Random } from '../random.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { GatewayCharges } from './gateway-charges.ts';
import { Order } from './order.ts';
import { amountOf, fieldOf, money, coded } from './wire.ts';
import type { Answer } from './wire.ts';
import type { CardWorld } from './world.ts';

/**
 * The card gateway. It keeps what is published; where the behaviour is not published, it behaves as
 * badly as it may. Its records are the truth for the judges.
 */

export const HOLD_LIFE_MS = 20 * DAY;
const REPEAT_MS = 30_000;
const BY_HAND_MS = { min: 2 * MINUTE, max: 36 * HOUR };
const BACK_MAX_MS = 12 * HOUR;

export type WorkKind = 'capture' | 'release' | 'refund' | 'cashout';

/**
 * One operation that the gateway did, or has pending. `intent`: the reference of our operation, for
 * the judges only; null for an operation made in the panel.
 */
export type Work = {
  readonly kind: WorkKind;
  readonly intent: string | null;
  readonly order: string | null;
  readonly amountMinor: bigint;
  readonly at: number;
  state: 'done' | 'waiting' | 'declined' | 'undone';
};

export type Panel = {
  captured: bigint | null;
  cancelled: boolean;
  refunds: readonly { id: string; amountMinor: bigint; state: Work['state'] }[];
};

/** Whether money of the operation has moved or may still move. */
export function isLive({ state }: Work): boolean {
  return state === 'done' || state === 'waiting';
}

export class Gateway {
  readonly orders = new Map<string, Order>();
  readonly works: Work[] = [];
  readonly charges: GatewayCharges;
  private readonly refused = new Map<string, boolean>();
  private readonly cashoutIds = new Set<string>();
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld) {
    this.world = world;
    this.random = world.random('gateway');
    this.charges = new GatewayCharges(world);
    world.knobs.orders.forEach((knob, index) => {
      const order = new Order(`F-${index + 1}`, knob, world.knobs.questions);
      this.orders.set(order.invoiceId, order);
    });
  }

  /** A request that moves money. `intent`: its operation, for the judges. */
  receive(path: string, body: string, intent: string): Answer {
    switch (path) {
      case 'confirmPayment':
        return this.confirm(body, intent);
      case 'refund':
        return this.refund(body, intent);
      case 'cashout':
        return this.cashout(body, intent);
      case 'processPlan':
        return this.charges.process(body, intent);
      case 'pay':
        return this.charges.pay(body, intent);
      default:
        return this.say('1');
    }
  }

  /** Answers `checkstatus` about an order. The record may lag behind. */
  read(invoiceId: string): Answer {
    const paid = this.charges.readPayment(invoiceId);
    if (paid !== null) return paid;
    const order = this.order(invoiceId);
    return order === null
      ? this.say('32', { invoice_id: invoiceId })
      : order.record(this.world.agenda.now, this.world.wire);
  }

  /** What people see in the gateway's own panel, which never lags behind. */
  panel(invoiceId: string): Panel {
    const order = this.order(invoiceId)!;
    return {
      captured: order.capturedMinor,
      cancelled: order.state === 'cancelled',
      refunds: order.refunds,
    };
  }

  of(intent: string): Work[] {
    return this.works.filter((work) => work.intent === intent);
  }

  private confirm(body: string, intent: string): Answer {
    const invoiceId = fieldOf(body, 'invoice_id') ?? '';
    const order = this.order(invoiceId);
    if (order === null || order.state !== 'held') return this.say('113', { invoice_id: invoiceId });
    if (this.refuses(intent)) return this.say('41', { invoice_id: invoiceId });
    const takes = fieldOf(body, 'status') === '1';
    const asked = amountOf(body, 'total') ?? 0n;
    const amountMinor = asked === 0n ? order.orderedMinor : asked;
    if (takes && amountMinor > order.orderedMinor) return this.say('1', { invoice_id: invoiceId });
    if (takes) order.capture(amountMinor);
    else order.cancel();
    this.done({
      kind: takes ? 'capture' : 'release',
      intent,
      order: invoiceId,
      amountMinor: takes ? amountMinor : order.orderedMinor,
      state: 'done',
    });
    this.changed(order);
    return this.say('100', {
      transaction_status: 'Completed',
      order_id: `VP-${invoiceId}`,
      invoice_id: invoiceId,
    });
  }

  private refund(body: string, intent: string): Answer {
    const { questions } = this.world.knobs;
    const invoiceId = fieldOf(body, 'invoice_id') ?? '';
    const refundId = fieldOf(body, 'refund_transaction_id');
    const order = this.order(invoiceId);
    if (order === null) return this.say('32', { invoice_id: invoiceId });
    if (questions.knowsRefundIds && order.refunds.some((one) => one.ours === refundId))
      return this.say('104', { invoice_id: invoiceId });
    const { now } = this.world.agenda;
    const isRepeat =
      questions.refusesRepeats && order.refunds.some((one) => now - one.at < REPEAT_MS);
    const asked = amountOf(body, 'amount') ?? 0n;
    const amountMinor = asked === 0n ? order.leftMinor() : asked;
    if (isRepeat || !order.isTaken() || amountMinor > order.leftMinor())
      return this.say('49', { invoice_id: invoiceId });
    if (this.refuses(intent))
      return this.say(this.random.pick(['49', '110']), { invoice_id: invoiceId });
    const byHand = this.world.fault('byHand', this.random);
    const work = this.done({
      kind: 'refund',
      intent,
      order: invoiceId,
      amountMinor,
      state: byHand ? 'waiting' : 'done',
    });
    const row = order.refunded({ ours: refundId, amountMinor, state: work.state, at: now });
    this.changed(order);
    if (byHand) this.byHand(order, row, work);
    return this.say(byHand ? '101' : '100', {
      invoice_id: invoiceId,
      order_no: `VP-${invoiceId}`,
      ref_no: row.id,
    });
  }

  /**
   * People at the gateway carry out a refund by hand, decline it, or forget it. A forgotten refund
   * ends as declined, and the order's record is not updated.
   */
  private byHand(order: Order, row: { state: Work['state'] }, work: Work): void {
    const forgotten = this.world.fault('forgotten', this.random);
    const declined = this.world.fault('declined', this.random);
    this.world.later(this.random.spread(BY_HAND_MS.min, BY_HAND_MS.max), () => {
      const state = forgotten || declined ? 'declined' : 'done';
      this.world.note(
        'gateway',
        () =>
          `people ${state === 'done' ? 'did' : 'declined'} a refund of ${order.invoiceId} by hand`,
      );
      row.state = state;
      work.state = state;
      if (!forgotten) this.changed(order);
      this.world.notices.refund(order.invoiceId);
    });
  }

  private cashout(body: string, intent: string): Answer {
    const { questions } = this.world.knobs;
    const id = fieldOf(body, 'unique_id') ?? '';
    const amountMinor = amountOf(body, 'amount') ?? 0n;
    const row = { unique_id: id, reason: 'no' };
    if (questions.knowsCashoutIds && this.cashoutIds.has(id))
      return this.say('112', { data: [row] }, 'statuscode');
    if (this.refuses(intent)) {
      return this.random.chance(0.5)
        ? this.say('422', {}, 'statuscode')
        : this.say('112', { data: [row] }, 'statuscode');
    }
    this.cashoutIds.add(id);
    const work = this.done({ kind: 'cashout', intent, order: null, amountMinor, state: 'done' });
    if (this.world.fault('cameBack', this.random)) {
      this.world.later(this.random.spread(MINUTE, BACK_MAX_MS), () => {
        work.state = 'undone';
        this.world.notices.cashoutCameBack(id, money(amountMinor));
      });
    }
    return this.say('100', { data: [] }, 'statuscode');
  }

  /** A person captures, voids or refunds in the gateway's panel. No intent of ours asked for it. */
  byPanel(kind: 'refund' | 'capture' | 'release', invoiceId: string, amountMinor: bigint): boolean {
    const order = this.order(invoiceId)!;
    const isHold = kind !== 'refund';
    if (isHold ? order.state !== 'held' : !order.isTaken() || order.leftMinor() < amountMinor)
      return false;
    if (kind === 'capture') order.capture(amountMinor);
    else if (kind === 'release') order.cancel();
    else order.refunded({ ours: null, amountMinor, state: 'done', at: this.world.agenda.now });
    this.done({ kind, intent: null, order: invoiceId, amountMinor, state: 'done' });
    this.changed(order);
    this.world.note('panel', () => `${kind} of ${money(amountMinor)} on ${invoiceId}`);
    return true;
  }

  private done(work: Omit<Work, 'at'>): Work {
    const made = { ...work, at: this.world.agenda.now };
    this.works.push(made);
    if (work.intent !== null) this.world.judge.executed(made);
    return made;
  }

  /** Lets the order's record show a change after a while. */
  private changed(order: Order): void {
    const { lagMaxMs } = this.world.knobs.questions;
    order.write(this.world.agenda.now + (lagMaxMs === 0 ? 0 : this.random.between(0, lagMaxMs)));
  }

  /** Finds an order. An authorization that was not captured within its 20 days is voided here. */
  private order(invoiceId: string): Order | null {
    const order = this.orders.get(invoiceId) ?? null;
    if (order?.state === 'held' && order.age(this.world.agenda.now) >= HOLD_LIFE_MS) {
      order.cancel();
      order.write(this.world.agenda.now);
    }
    return order;
  }

  /** A refused request is refused again whenever the network repeats it. */
  private refuses(intent: string): boolean {
    const before = this.refused.get(intent);
    if (before !== undefined) return before;
    const refuses = this.world.fault('refused', this.random);
    this.refused.set(intent, refuses);
    return refuses;
  }

  private say(code: string, fields: Record<string, unknown> = {}, name = 'status_code'): Answer {
    return coded(code, fields, this.world.wire, name);
  }
}
