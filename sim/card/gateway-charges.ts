import type { Random } from '../random.ts';
import { HOUR } from '../time.ts';
import { Order } from './order.ts';
import { Plan } from './plan.ts';
import { amountOf, fieldOf, money, coded } from './wire.ts';
import type { Answer } from './wire.ts';
import type { CardWorld } from './world.ts';

/**
 * Charges by the gateway: plans, with the charges that the gateway makes itself, and payments.
 * Where the behaviour is not published, the gateway behaves as badly as it may.
 */

const LISTED_LATE_MS = { min: 25 * HOUR, max: 60 * HOUR };

export class GatewayCharges {
  readonly plans = new Map<string, Plan>();
  /** Captured payments by invoice, with the moment from which the record shows them. */
  readonly paid = new Map<string, { order: Order; visibleAt: number }>();
  private readonly declined = new Map<string, boolean>();
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld) {
    this.world = world;
    this.random = world.random('gateway charges');
    world.knobs.plans.forEach((knob, index) => {
      const plan = new Plan(`F-PLAN-${index + 1}`, knob);
      this.plans.set(plan.planCode, plan);
      this.chargeItself(plan);
    });
  }

  /**
   * Makes the gateway's own charge, on its day or somewhat later, unless a person's request has
   * made it by then.
   */
  private chargeItself(plan: Plan): void {
    const { agenda } = this.world;
    const planned = plan.nextAt;
    agenda.at(planned + plan.knob.ownDelayMs, () => {
      if (plan.nextAt === planned) {
        this.world.note('gateway', () => `charges ${plan.planCode} by itself`);
        const isDeclined = this.random.chance(0.1) || this.world.fault('ownDeclined', this.random);
        plan.take(null, isDeclined ? 'failed' : 'completed', agenda.now);
        this.changed(plan, null);
      }
      this.chargeItself(plan);
    });
  }

  readPlan(planCode: string): Answer {
    const plan = this.plans.get(planCode);
    return plan === undefined
      ? this.say('32', {})
      : plan.record(this.world.agenda.now, this.world.wire);
  }

  /** The record of a payment. Null for an order that was not paid here. */
  readPayment(invoiceId: string): Answer | null {
    const paid = this.paid.get(invoiceId);
    if (paid === undefined) return null;
    return paid.visibleAt > this.world.agenda.now
      ? this.say('32', { invoice_id: invoiceId })
      : paid.order.record(this.world.agenda.now, this.world.wire);
  }

  /**
   * Answers `process` of a plan by making its next charge. The request has no idempotency key, so
   * that a repeated request charges again.
   */
  process(body: string, intent: string): Answer {
    const { world, random } = this;
    const plan = this.plans.get(fieldOf(body, 'plan_code') ?? '');
    const { now } = world.agenda;
    if (plan === undefined) return this.say('31', {});
    if (plan.nextAt > now && !world.knobs.questions.processesEarly) return this.say('72', {});
    if (world.fault('refused', random)) return this.say('72', {});
    const isDeclined = world.fault('declined', random);
    const taken = plan.take(intent, isDeclined ? 'failed' : 'completed', now);
    if (!isDeclined) {
      world.charges.executed(intent, plan.knob.recurringMinor);
      if (world.fault('carriedOutTwice', random)) {
        plan.take(intent, 'completed', now);
        world.charges.carriedOutTwice(intent);
      }
    }
    this.changed(plan, intent);
    return isDeclined
      ? this.say('72', {})
      : this.say('100', { plan_code: plan.planCode, recurring_number: taken.number });
  }

  pay(body: string, intent: string): Answer {
    const { world } = this;
    const invoiceId = fieldOf(body, 'invoice_id') ?? '';
    if (this.paid.has(invoiceId)) return this.say('117', { invoice_id: invoiceId });
    const isDeclined = this.declined.get(invoiceId) ?? world.fault('refused', this.random);
    this.declined.set(invoiceId, isDeclined);
    if (isDeclined) return this.say('41', { invoice_id: invoiceId });
    const amountMinor = amountOf(body, 'total') ?? 0n;
    const order = new Order(
      invoiceId,
      { hold: false, amountMinor, ageMs: 0 },
      world.knobs.questions,
    );
    this.paid.set(invoiceId, {
      order,
      visibleAt: world.agenda.now + this.lag(world.knobs.questions.lagMaxMs),
    });
    world.charges.executed(intent, amountMinor);
    const data = {
      payment_status: 1,
      order_no: `VP-${invoiceId}`,
      order_id: `VP-${invoiceId}`,
      invoice_id: invoiceId,
      error_code: 100,
      transaction_type: 'Auth',
      credit_card_no: null,
      hash_key: hashOf(['1', money(amountMinor), invoiceId, `VP-${invoiceId}`, 'TRY']),
    };
    return this.say('100', { data });
  }

  /**
   * Lets the plan's record show a change after a while, and a requested charge perhaps days later.
   */
  private changed(plan: Plan, intent: string | null): void {
    const { world, random } = this;
    const isLate = intent !== null && world.fault('listedLate', random);
    const lag = isLate
      ? random.between(LISTED_LATE_MS.min, LISTED_LATE_MS.max)
      : this.lag(world.knobs.questions.planLagMs);
    plan.write(world.agenda.now + lag);
  }

  private lag(maxMs: number): number {
    return maxMs === 0 ? 0 : this.random.between(0, maxMs);
  }

  private say(code: string, fields: Record<string, unknown>): Answer {
    return coded(code, fields, this.world.wire);
  }
}

/** A stand-in for the gateway's hash: it can be checked by comparing its parts. */
export function hashOf(parts: readonly string[]): string {
  return `hash:${parts.join(':')}`;
}
