import { isDead } from '#lib/movements/state.ts';
import { isLive } from './provider.ts';
import { heldOf, mayHaveLeft } from './recovery-table.ts';
import type { Change, Row } from './store.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/**
 * What a page says of an intent, as claims about the world. Each claim is compared with the
 * requests and the provider's records whenever somebody could read it: at every commit, whenever
 * the provider does something, and at the end.
 */

type Truth = {
  live: boolean;
  underWay: boolean;
  executed: number;
  written: number;
  completed: boolean;
  returned: boolean;
};
type Claim = {
  sentence: string;
  isShown: (row: Row, isUnproven: boolean) => boolean;
  holds: (truth: Truth, row: Row) => boolean;
  /** The claim is also checked for a restored row, from the moment a recovery has begun. */
  isOfRestored?: true;
};

/**
 * Each claim has the sentence that the page shows in a state. The texts are in `messages/`, under
 * "situation" and "timeline".
 */
const CLAIMS: readonly Claim[] = [
  {
    sentence: 'not paid',
    isShown: ({ state, alert }, isUnproven) =>
      (state === 'FAILED' && alert !== 'contradiction') || (state === 'REJECTED' && !isUnproven),
    holds: ({ live, underWay }) => !live && !underWay,
  },
  {
    sentence: 'nothing was sent',
    isShown: ({ state, sends }, isUnproven) =>
      ['DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'CANCELLED', 'EXPIRED'].includes(state) &&
      sends === 0 &&
      !isUnproven,
    holds: ({ written, executed }) => written === 0 && executed === 0,
    isOfRestored: true,
  },
  {
    sentence: 'could not be sent, no money left',
    isShown: ({ state, sends }, isUnproven) =>
      ['APPROVED', 'CANCELLED'].includes(state) && sends > 0 && !isUnproven,
    holds: ({ executed, underWay }) => executed === 0 && !underWay,
  },
  {
    sentence: 'may be paid again',
    isShown: (row, isUnproven) => isDead(row) && !isUnproven,
    holds: ({ live, underWay }) => !live && !underWay,
  },
  {
    sentence: 'accepted by the bank, on its way',
    isShown: ({ state }) => state === 'PENDING' || state === 'MANUAL_REVIEW',
    holds: ({ executed }) => executed > 0,
  },
  {
    sentence: 'paid',
    isShown: ({ state }) => state === 'COMPLETED',
    holds: ({ completed }) => completed,
  },
  {
    sentence: 'returned by the bank',
    isShown: ({ returned }) => returned === 'CONFIRMED',
    holds: ({ returned }) => returned,
  },
];

export class PageClaims {
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  committed(change: Change): void {
    for (const { after } of change.rows) this.check(after);
  }

  /** Checks the claims of every row, as a reader could see them now. */
  all(): void {
    for (const row of this.world.database.rows()) this.check(row);
  }

  check(row: Row): void {
    const { watch, restore } = this.world;
    if (restore.phase === 'unseen' && restore.forgets(row.extId)) return;
    const isOutOfDate = watch.excused.has(row.extId) || restore.forgets(row.extId);
    const isUnproven = this.isUnproven(row);
    const claims = CLAIMS.filter(
      ({ isShown, isOfRestored }) =>
        (!isOutOfDate || isOfRestored === true) && isShown(row, isUnproven),
    );
    if (claims.length === 0) return;
    const truth = this.truthOf(row);
    const untrue = claims.find(({ holds }) => !holds(truth, row));
    if (untrue !== undefined)
      throw new Violation(
        'T',
        `"${untrue.sentence}" is said of ${row.extId} (${row.state}, ` +
          `${row.alert ?? 'no alert'}): ${JSON.stringify(truth)}`,
      );
  }

  /**
   * Does what lib/movement-views/situation.ts does: the page says that a send may be missing here.
   */
  private isUnproven(row: Row): boolean {
    const { recovery } = this.world.database.tables;
    return (
      row.alert === 'contradiction' ||
      mayHaveLeft(recovery, row) ||
      (row.state === 'APPROVED' && heldOf(recovery, row, this.world.database.clock()) !== null)
    );
  }

  private truthOf({ extId, amountMinor }: Row): Truth {
    const { provider, network, watch, agenda } = this.world;
    const payments = provider.payments.filter((one) => one.extId === extId);
    return {
      live: payments.some(isLive),
      underWay: (network.underWay.get(extId) ?? 0) > 0,
      executed: payments.length,
      written: watch.writtenOf(extId),
      completed: payments.some((one) => one.state === 'completed'),
      returned: payments.some(
        (one) => one.back?.amountMinor === amountMinor && one.back.postedAt <= agenda.now,
      ),
    };
  }
}
