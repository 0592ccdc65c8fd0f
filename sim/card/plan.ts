import { EPOCH } from '../database.ts';
import { DAY, HOUR } from '../time.ts';
import { money, coded } from './wire.ts';
import type { Answer, WireStyle } from './wire.ts';

/**
 * One recurring plan in the gateway's records, with its own charges, and what its record shows at
 * any time.
 */

export type PlanKnob = {
  recurringMinor: bigint;
  everyMs: number;
  firstAt: number;
  ownDelayMs: number;
  lists: boolean;
};
/**
 * `intent`: our request that made the charge; null for the gateway's own. `dueAt`: its planned
 * time.
 */
export type TakenCharge = {
  number: number;
  status: 'completed' | 'failed';
  at: number;
  dueAt: number;
  intent: string | null;
};

type Version = { visibleAt: number; upTo: number; fields: Record<string, unknown> };

export class Plan {
  readonly planCode: string;
  readonly knob: PlanKnob;
  readonly taken: TakenCharge[] = [];
  nextAt: number;
  private readonly versions: Version[] = [];

  constructor(planCode: string, knob: PlanKnob) {
    this.planCode = planCode;
    this.knob = knob;
    this.nextAt = knob.firstAt;
    this.taken.push({
      number: 1,
      status: 'completed',
      at: -30 * DAY,
      dueAt: -30 * DAY,
      intent: null,
    });
    this.write(0);
  }

  /** Makes the next charge now: the gateway makes it itself, or a person requested it. */
  take(intent: string | null, status: TakenCharge['status'], now: number): TakenCharge {
    const charge: TakenCharge = {
      number: this.taken.length + 1,
      status,
      at: now,
      dueAt: this.nextAt,
      intent,
    };
    this.taken.push(charge);
    this.nextAt = Math.max(this.nextAt, now) + this.knob.everyMs;
    return charge;
  }

  /**
   * Lets the record show the current state from `visibleAt` on, and never earlier than the state
   * before it.
   */
  write(visibleAt: number): void {
    const last = this.versions.at(-1)?.visibleAt ?? 0;
    this.versions.push({
      visibleAt: Math.max(last, visibleAt),
      upTo: this.taken.length,
      fields: this.fields(),
    });
  }

  /** When the plan's record first showed this charge, in the time of the world. */
  shownAt(number: number): number {
    return this.versions.find((one) => one.upTo >= number)?.visibleAt ?? Infinity;
  }

  record(now: number, style: WireStyle): Answer {
    const version = this.versions.findLast((one) => one.visibleAt <= now) ?? this.versions[0]!;
    return coded('100', version.fields, style);
  }

  private fields(): Record<string, unknown> {
    const amount = money(this.knob.recurringMinor);
    const done = this.taken.map(({ number, status, at }) => ({
      id: number,
      sale_id: `S-${this.planCode}-${number}`,
      recurring_number: number,
      amount,
      status: status === 'completed' ? 'Completed' : 'Failed',
      action_date: local(at),
      attempts: 1,
      remarks: null,
    }));
    const next = {
      id: null,
      sale_id: null,
      recurring_number: this.taken.length + 1,
      amount,
      status: 'Pending',
      action_date: local(this.nextAt),
      attempts: 0,
      remarks: null,
    };
    return {
      message: 'x',
      recurring_id: 7,
      plan_code: this.planCode,
      recurring_status: 'Active',
      currency: 'TRY',
      first_amount: amount,
      recurring_amount: amount,
      total_amount: null,
      payment_number: 121,
      payment_interval: 1,
      payment_cycle: 'D',
      first_order_id: `S-${this.planCode}-1`,
      merchant_id: 77,
      card_no: null,
      next_action_date: local(this.nextAt),
      transaction_date: local(-30 * DAY),
      transactionHistories: this.knob.lists ? [...done, next] : done,
    };
  }
}

/** The gateway writes Turkish local time without a zone. */
function local(now: number): string {
  return new Date(EPOCH + now + 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ');
}
