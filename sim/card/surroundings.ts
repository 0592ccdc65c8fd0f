import type { Random } from '../random.ts';
import { DatabaseFault } from '../database.ts';
import { record } from '../claim.ts';
import { HOUR, MINUTE } from '../time.ts';
import { askRegister } from './register.ts';
import type { CardWorld } from './world.ts';

/**
 * What others do in a card world: people in the gateway's own panel, webhooks, and the kill switch.
 */

const PANEL_MINOR = 4_000n;
const NOTICE_MAX_MS = 10 * MINUTE;

export class Notices {
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld) {
    this.world = world;
    this.random = world.random('notices');
  }

  /**
   * Delivers a refund webhook: it expedites the read of the order's record, and nothing else in it
   * is believed.
   */
  refund(invoiceId: string): void {
    this.deliver(() =>
      this.world.database.transaction('notice', (tx) => {
        const payment = tx.payments().find((one) => one.invoiceId === invoiceId);
        if (payment !== undefined) askRegister(tx, payment.id);
      }),
    );
  }

  /**
   * Does what lib/payouts/card-balance/take-webhook.ts does: stores a claimed status, which is the
   * only source of this status.
   */
  cashoutCameBack(extId: string, _amount: string): void {
    this.deliver(() =>
      this.world.database.transaction('notice', (tx) => {
        const row = tx.rows().find((one) => one.extId === extId);
        if (row === undefined) return;
        const lease =
          row.leaseToken !== null && row.leaseUntil !== null
            ? { token: row.leaseToken, until: row.leaseUntil }
            : null;
        record(tx, row, { source: 'notice', kind: 'notice', hint: 'refunded' }, () => ({
          nextAt: row.nextAt,
          lease,
        }));
      }),
    );
  }

  /** Plans forged webhooks, which name orders and payouts without knowing anything about them. */
  plan(): void {
    const { knobs } = this.world;
    for (let n = knobs.faults.forged > 0 ? this.random.between(1, 4) : 0; n > 0; n--) {
      this.world.plans('forged', this.random.between(0, knobs.healsAt), () => {
        const rows = [...this.world.database.tables.rows.values()];
        if (rows.length > 0 && this.random.chance(0.5))
          this.cashoutCameBack(this.random.pick(rows).extId, '1.00');
        else this.refund('F-1');
      });
    }
  }

  private deliver(take: () => void): void {
    const { world, random } = this;
    const attempt = (): void => {
      try {
        take();
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error;
      }
    };
    if (world.fault('noticeLost', random)) return;
    const times = world.fault('noticeTwice', random) ? 2 : 1;
    for (let n = 0; n < times; n++) world.later(random.spread(100, NOTICE_MAX_MS), attempt);
  }
}

/** Another person works on the same orders, in the gateway's own panel. */
export function planPanel(world: CardWorld): void {
  const random = world.random('panel');
  const { knobs, gateway } = world;
  knobs.orders.forEach((_order, index) => {
    const invoiceId = `F-${index + 1}`;
    const at = random.between(0, knobs.healsAt);
    world.agenda.at(at, () => {
      if (world.fault('panelRefund', random)) gateway.byPanel('refund', invoiceId, PANEL_MINOR);
    });
    world.agenda.at(random.between(0, knobs.healsAt), () => {
      if (!world.fault('panelConfirm', random)) return;
      const kind = random.pick(['capture', 'release'] as const);
      gateway.byPanel(
        kind,
        invoiceId,
        random.chance(0.5) ? PANEL_MINOR : knobs.orders[index]!.amountMinor,
      );
    });
  });
}

export function planSwitch(world: CardWorld): void {
  const { knobs, database } = world;
  if (knobs.faults.killSwitch === 0) return;
  const random = world.random('switch');
  const at = random.between(0, knobs.healsAt);
  const turn = (off: boolean): void => {
    try {
      database.transaction('switch', (tx) => tx.turnSwitch(off));
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      if (!off) world.agenda.after(MINUTE, () => turn(off));
    }
  };
  world.plans('killSwitch', at, () => turn(true));
  world.agenda.at(Math.min(at + random.spread(MINUTE, 3 * HOUR), knobs.healsAt), () => turn(false));
}
