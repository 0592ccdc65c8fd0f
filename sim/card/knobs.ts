import type { Choice } from '../knobs.ts';
import type { AnyFaultName } from '../play.ts';
import { drawGovernance } from '../governance.ts';
import type { GovernancePlan } from '../governance.ts';
import { Random } from '../random.ts';
import { APPROVAL_FAULTS } from '../scene.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { CARD_AMOUNTS } from './approvals.ts';
import type { PlanKnob } from './plan.ts';
import { themeOf } from './themes.ts';

/**
 * What kind of card world a seed gives: the gateway's behaviour where it is only assumed, which
 * faults happen and how often, and who wants which operations. Every knob has a random stream of
 * its own, so that a failing world can be made smaller without becoming another one.
 */

/**
 * Each fault is off in most worlds. Where it is on, its probability per occasion is drawn from this
 * range.
 */
export const CARD_FAULTS = {
  // Our processes and the database.
  crash: [0.002, 0.1],
  stall: [0.002, 0.1],
  databaseDown: [0.2, 1],
  databaseFalls: [0.002, 0.05],
  rollback: [0.005, 0.15],
  lostCommit: [0.005, 0.15],
  clockJump: [0.3, 1],
  wallJump: [0.01, 0.3],
  restored: [0.5, 1],
  // What the begin check requires of a process: its account, its folder, its journal.
  otherAccount: [0.2, 0.8],
  folderFails: [0.2, 0.8],
  journalFails: [0.05, 0.7],
  // A request that moves money.
  notSent: [0.05, 0.6],
  unauthorized: [0.02, 0.4],
  lostRequest: [0.02, 0.5],
  lateRequest: [0.02, 0.5],
  lostAnswer: [0.02, 0.6],
  statusBefore: [0.02, 0.4],
  statusAfter: [0.02, 0.4],
  redirect: [0.02, 0.2],
  garbled: [0.02, 0.4],
  misread: [0.02, 0.3],
  doubled: [0.02, 0.4],
  strangeCode: [0.02, 0.3],
  // A query.
  readsDown: [0.3, 1],
  readLost: [0.05, 0.7],
  readGarbled: [0.05, 0.5],
  readMisread: [0.02, 0.2],
  // The gateway and the people behind it.
  refused: [0.05, 0.4],
  listedLate: [0.1, 0.6],
  ownDeclined: [0.1, 0.8],
  carriedOutTwice: [0.05, 0.5],
  byHand: [0.2, 0.9],
  declined: [0.1, 0.7],
  forgotten: [0.3, 0.8],
  cameBack: [0.1, 0.8],
  // Webhooks.
  noticeLost: [0.1, 1],
  noticeTwice: [0.1, 0.8],
  forged: [0.2, 1],
  // People.
  twoTabs: [0.1, 0.9],
  doubleClick: [0.1, 0.8],
  pressAgain: [0.3, 1],
  pressAnother: [0.3, 1],
  cancel: [0.05, 0.4],
  askNow: [0.1, 0.8],
  killSwitch: [0.3, 1],
  panelRefund: [0.1, 0.8],
  panelConfirm: [0.1, 0.6],
  panelMisread: [0.05, 0.4],
  changedWord: [0.1, 0.8],
  hasty: [0.2, 1],
  journalLost: [0.3, 1],
  // A policy for refunds and payouts, and what changes around what waits.
  strangeApproval: [0.1, 0.8],
  ...APPROVAL_FAULTS,
} as const satisfies Record<string, readonly [number, number]>;
export type CardFaultName = keyof typeof CARD_FAULTS;
export const CARD_FAULT_NAMES = Object.keys(CARD_FAULTS) as CardFaultName[];

/** Behaviour of the gateway that no contract fixes (`assumed`): every world draws its own. */
export type GatewayQuestions = {
  /** How long an order's record may lag behind its changes, in ms. */
  lagMaxMs: number;
  /**
   * How a record shows refunds: rows with our numbers, rows with the gateway's, or the total alone.
   */
  rows: 'ours' | 'theirs' | 'totals';
  /** Whether a record shows the captured amount, beside the ordered amount. */
  saysCharged: boolean;
  /**
   * How a record shows an authorization: with a status of its own, or as "completed" with the type
   * of a pre-authorization.
   */
  heldWord: 'own' | 'type';
  capturedType: 'Auth' | 'Pre-Authorization';
  refundedWord: boolean;
  /** The buyer's commission, added to the ordered amount. */
  commissionMinor: bigint;
  /** A refund within 30 s of another one of the same order answers 49. */
  refusesRepeats: boolean;
  /** A refund number that was seen before answers 104. */
  knowsRefundIds: boolean;
  /** A refund that waits for the gateway's staff is listed as pending, or not at all. */
  showsPending: boolean;
  /** A refund that the gateway's staff declined is listed as rejected, or not at all. */
  showsDeclined: boolean;
  planLagMs: number;
  /**
   * Whether "process" makes a charge of a plan that is not due yet; otherwise it answers with code
   * 72.
   */
  processesEarly: boolean;
  /** Whether a card-balance payout whose id was seen before is refused (112). */
  knowsCashoutIds: boolean;
  codesAsTexts: boolean;
};

export const NEED_KINDS = ['capture', 'release', 'refund', 'cashout', 'plan', 'charge'] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** One thing that a person wants done, once. */
export type CardNeed = {
  index: number;
  kind: NeedKind;
  order: number;
  part: boolean;
  maker: string;
  startsAt: number;
};

export type OrderKnob = { hold: boolean; amountMinor: bigint; ageMs: number };

export type CardKnobs = {
  seed: number;
  questions: GatewayQuestions;
  faults: Record<CardFaultName, number>;
  orders: OrderKnob[];
  plans: PlanKnob[];
  needs: CardNeed[];
  /** Its people and policy, where the fault `policy` happens. */
  governance: GovernancePlan;
  workers: number;
  /** When the world heals: from then on no fault occurs and no new work starts. */
  healsAt: number;
  /**
   * How a stopped process stopped: its monotonic clock ran on (SIGSTOP), or it did not (the machine
   * was suspended).
   */
  suspends: boolean;
  stallMaxMs: number;
};

const ORDERS_MAX = 3;
const NEEDS_MAX = 5;
const CHARGE_WORLDS = 0.4;
const MAKERS = ['ayse', 'mehmet'] as const;

export function drawCardKnobs({ seed, needs, without = [] }: Choice): CardKnobs {
  const random = new Random(seed, 'card world');
  const calm = random.chance(0.05);
  const healsAt = random.spread(20 * MINUTE, 8 * HOUR);
  const orders = Array.from({ length: random.between(1, ORDERS_MAX) }, (_, index) =>
    drawOrder(seed, index),
  );
  const all = Array.from({ length: random.between(2, NEEDS_MAX) }, (_, index) =>
    drawNeed(seed, index, orders, healsAt),
  );
  const plans = Array.from({ length: 2 }, (_, index) => drawPlan(seed, index));
  all.push(...drawChargeNeeds(seed, all.length, healsAt));
  const theme = themeOf(random);
  return {
    seed,
    questions: { ...drawQuestions(seed), ...theme.questions },
    faults: drawFaults(seed, calm, without, theme.faults),
    orders,
    plans,
    needs: needs === undefined ? all : all.filter((need) => needs.includes(need.index)),
    governance: drawGovernance(seed, CARD_AMOUNTS),
    workers: random.between(1, 2),
    healsAt: theme.healsAt ?? healsAt,
    suspends: random.chance(0.3),
    stallMaxMs: random.pick([5 * MINUTE, HOUR, 3 * HOUR]),
  };
}

function drawOrder(seed: number, index: number): OrderKnob {
  const random = new Random(seed, `order ${index}`);
  // Some orders are so old that the authorization may be captured, may no longer be captured, or is
  // voided by itself: the age is around the 19th and 20th day.
  const ageMs = random.chance(0.2)
    ? 19 * DAY + random.between(-3 * HOUR, DAY + HOUR)
    : random.between(0, 5 * DAY);
  return { hold: random.chance(0.5), amountMinor: random.pick([12_340n, 50_000n]), ageMs };
}

function drawNeed(
  seed: number,
  index: number,
  orders: readonly OrderKnob[],
  healsAt: number,
): CardNeed {
  const random = new Random(seed, `card need ${index}`);
  const order = random.between(0, orders.length - 1);
  const onHold = random.pick(['capture', 'capture', 'capture', 'release', 'refund'] as const);
  const kind: NeedKind = random.chance(0.25) ? 'cashout' : orders[order]!.hold ? onHold : 'refund';
  const startsAt = Math.round(random.next() ** 2 * healsAt * 0.8);
  return { index, kind, order, part: random.chance(0.5), maker: random.pick(MAKERS), startsAt };
}

function drawPlan(seed: number, index: number): PlanKnob {
  const random = new Random(seed, `plan ${index}`);
  const firstAt = random.chance(0.5)
    ? random.spread(5 * MINUTE, 8 * HOUR)
    : random.between(8 * HOUR, 3 * DAY);
  const ownDelayMs = random.pick([0, 30_000, 3 * HOUR]);
  return {
    recurringMinor: random.pick([12_340n, 9_900n]),
    everyMs: random.pick([DAY, 7 * DAY]),
    firstAt,
    ownDelayMs,
    lists: random.chance(0.7),
  };
}

/** Draws the needs for charges of plans and of cards, in some of the worlds. */
function drawChargeNeeds(seed: number, from: number, healsAt: number): CardNeed[] {
  const random = new Random(seed, 'charge needs');
  if (!random.chance(CHARGE_WORLDS)) return [];
  return Array.from({ length: random.between(1, NEEDS_MAX) }, (_, index) => {
    const kind = random.chance(0.6) ? 'plan' : 'charge';
    const startsAt = MINUTE + Math.round(random.next() ** 2 * healsAt * 0.8);
    return {
      index: from + index,
      kind,
      order: random.between(0, 1),
      part: false,
      maker: random.pick(MAKERS),
      startsAt,
    };
  });
}

type Rates = Partial<Record<CardFaultName, number>>;

function drawFaults(
  seed: number,
  calm: boolean,
  without: readonly AnyFaultName[],
  theme: Rates,
): Record<CardFaultName, number> {
  const rate = (name: CardFaultName): number => {
    const random = new Random(seed, `card fault ${name}`);
    const on = random.chance(0.3);
    const [low, high] = CARD_FAULTS[name];
    const probability = random.scale(low, high);
    if (without.includes(name)) return 0;
    return theme[name] ?? (on && !calm ? probability : 0);
  };
  return Object.fromEntries(CARD_FAULT_NAMES.map((name) => [name, rate(name)])) as Record<
    CardFaultName,
    number
  >;
}

function drawQuestions(seed: number): GatewayQuestions {
  const random = new Random(seed, 'gateway questions');
  return {
    lagMaxMs: random.pick([0, 0, 3_000, 25_000, 5 * MINUTE, 20 * MINUTE]),
    rows: random.pick(['ours', 'ours', 'theirs', 'totals']),
    saysCharged: random.chance(0.75),
    heldWord: random.chance(0.85) ? 'own' : 'type',
    capturedType: random.pick(['Auth', 'Pre-Authorization']),
    refundedWord: random.chance(0.6),
    commissionMinor: random.chance(0.2) ? 250n : 0n,
    refusesRepeats: random.chance(0.6),
    knowsRefundIds: random.chance(0.6),
    showsPending: random.chance(0.5),
    showsDeclined: random.chance(0.5),
    planLagMs: random.pick([0, 3_000, 5 * MINUTE, 20 * MINUTE]),
    processesEarly: random.chance(0.5),
    knowsCashoutIds: random.chance(0.5),
    codesAsTexts: random.chance(0.3),
  };
}
