import type { Amounts } from '../governance.ts';
import type { Scene } from '../scene.ts';
import type { Row } from '../store.ts';
import type { CardWorld } from './world.ts';

/** What approvers and their judge see of a card world: refunds and payouts of the card balance. */

/** Around the amounts of whole refunds, of parts and of payouts. */
export const CARD_AMOUNTS: Amounts = {
  rules: [1n, 4_000n, 12_000n, 40_000n, 50_001n],
  signed: [1n, 1n, 12_340n, 40_000n],
  single: [null, 4_000n, 12_000n, 40_000n],
  day: [null, 10_000n, 50_000n],
};

export function cardSceneOf(world: CardWorld): Scene {
  return {
    get tables() {
      return world.database.tables;
    },
    get unguarded() {
      return world.unguarded;
    },
    get isRestoring() {
      return world.isUnnoticed;
    },
    get approvals() {
      return world.approvals;
    },
    agenda: world.agenda,
    now: () => world.database.clock(),
    judgeAgain: () => null,
    fault: (name, random) => world.fault(name, random),
    meets: () => undefined,
    note: (who, what) => world.note(who, what),
    laterUnlessRestored: (ms, run) => {
      const { restoredAt } = world;
      world.agenda.after(ms, () => {
        if (world.restoredAt === restoredAt) run();
      });
    },
    shown: shownOf,
  };
}

/** The judge of the wire (fidelity.ts) compares the same fields with the request itself. */
export function shownOf({ kind, extId, amountMinor, currency, iban, name, card }: Row): string {
  return [kind, extId, amountMinor, currency, iban, name, card?.invoiceId ?? ''].join(' ');
}
