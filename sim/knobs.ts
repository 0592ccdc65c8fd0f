import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { drilled, drillOf } from './drills.ts';
import { FILE_FAULTS } from './file-faults.ts';
import { AMOUNTS, drawGovernance } from './governance.ts';
import type { GovernancePlan } from './governance.ts';
import type { AnyFaultName } from './play.ts';
import { Random } from './random.ts';
import { APPROVAL_FAULTS } from './scene.ts';
import type { Side } from './side.ts';
import { DAY, HOUR, MINUTE } from './time.ts';
import { isWritten } from './verbs.ts';

/**
 * What kind of world a seed gives: what the provider's contract leaves open, which faults happen
 * and how often, and who wants to pay whom. Every knob has a random stream of its own, so that a
 * failing world can be made smaller without becoming another one.
 */

/**
 * Each fault is off in most worlds. Where it is on, its probability per occasion is drawn from this
 * range.
 */
export const FAULTS = {
  // Our processes and the database.
  crash: [0.002, 0.12],
  stall: [0.002, 0.1],
  upgrade: [0.3, 1],
  databaseDown: [0.2, 1],
  databaseFalls: [0.002, 0.05],
  rollback: [0.005, 0.15],
  lostCommit: [0.005, 0.15],
  clockJump: [0.3, 1],
  wallJump: [0.01, 0.3],
  // A request that sends money.
  notSent: [0.05, 0.7],
  unauthorized: [0.02, 0.4],
  lostRequest: [0.02, 0.5],
  lateRequest: [0.02, 0.5],
  lostAnswer: [0.02, 0.6],
  statusBefore: [0.02, 0.4],
  statusAfter: [0.02, 0.4],
  redirect: [0.02, 0.2],
  garbled: [0.02, 0.4],
  misread: [0.02, 0.3],
  doubled: [0.02, 0.3],
  strangeCode: [0.02, 0.3],
  late400: [0.02, 0.2],
  // A query.
  readsDown: [0.3, 1],
  readLost: [0.05, 0.9],
  readGarbled: [0.05, 0.5],
  readMisread: [0.02, 0.2],
  // The bank and the provider.
  refusal: [0.05, 0.4],
  bankReject: [0.05, 0.5],
  bankFail: [0.05, 0.4],
  manual: [0.05, 0.6],
  bankReturn: [0.05, 0.7],
  partialReturn: [0.1, 0.5],
  changedMind: [0.1, 0.6],
  silence: [0.05, 0.3],
  foreignId: [0.02, 0.2],
  decoy: [0.1, 0.8],
  poor: [0.3, 1],
  elsewhere: [0.3, 1],
  busyPayee: [0.3, 0.95],
  // Webhooks.
  noticeLost: [0.1, 1],
  noticeTwice: [0.1, 0.8],
  noticeLate: [0.1, 0.8],
  replayed: [0.1, 0.8],
  forged: [0.2, 1],
  flood: [0.2, 1],
  // A database that is restored from a backup, and our own journal, which is lost with it.
  restored: [0.3, 1],
  journalLost: [0.2, 0.8],
  // People.
  doubleClick: [0.1, 0.8],
  impatient: [0.1, 0.9],
  payAgain: [0.3, 1],
  edit: [0.1, 0.6],
  cancel: [0.05, 0.4],
  cancelRace: [0.05, 0.4],
  askNow: [0.1, 0.8],
  killSwitch: [0.3, 1],
  strangeApproval: [0.1, 0.8],
  resolve: [0.3, 1],
  strangeWord: [0.1, 0.8],
  ...FILE_FAULTS,
  // A policy, and what changes around what waits for its approvals.
  ...APPROVAL_FAULTS,
  otherMaker: [0.2, 0.8],
} as const satisfies Record<string, readonly [number, number]>;
export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/**
 * What people do only where the product has a verb for it. Without the verb no world plays the
 * fault, except a drill with `ahead`.
 */
const MAY_APPROVE = isWritten('approveMovement', 'approved');
const MAY_EDIT = isWritten('editMovement', 'edited');
const MAY_CLOSE = isWritten('closeMovement', 'resolved_not_sent');
export const UNPLAYABLE: readonly FaultName[] = [
  ...(MAY_APPROVE ? [] : (['strangeApproval'] as const)),
  ...(MAY_EDIT ? [] : (['edit'] as const)),
  ...(MAY_CLOSE ? [] : (['resolve', 'strangeWord'] as const)),
];

function playable(approvals: number): number {
  return MAY_APPROVE ? approvals : 0;
}

/**
 * The open questions of docs/money-rules.md, "Traps of the contracts". Nobody knows the answers, so
 * every world draws its own.
 */
export type Questions = {
  refusedBurnsId: boolean;
  /**
   * How a repeated id is detected. `none`: never, so that the quiet time and a fresh check are the
   * only protection.
   */
  dedupe: 'atomic' | 'ledger' | 'none';
  /** How long an id stays reserved, in ms. */
  reservedMs: number;
  duplicateAnswer: '1' | '301' | 'record';
  /**
   * Whether an accepted request is answered with its record's state (0, 2, 3, 4) instead of 100.
   */
  stateCodes: boolean;
  /** Whether the id is checked before balance, fraud and the one-minute rule, or after them. */
  knowsIdsFirst: boolean;
  readLags: boolean;
  lagMaxMs: number;
  unknownAnswer: '300' | '312' | 'null';
  openListing: '312' | 'empty' | 'null';
  /** Which of two records under one id the read shows. */
  readShows: 'first' | 'last';
  manualShown: boolean;
  returnShows: 'credit' | 'status60' | 'both';
  returnedLevel: 1 | 2 | 3;
  idsAsNumbers: boolean;
  codesAsNumbers: boolean;
  transactionIdAtOnce: boolean;
  /**
   * Whether the fee is a ledger entry of its own, under the payment's reference and newer than it.
   */
  feeApart: boolean;
};

export type Need = {
  index: number;
  payee: number;
  amountMinor: bigint;
  maker: string;
  startsAt: number;
};

export type Knobs = {
  seed: number;
  questions: Questions;
  faults: Record<FaultName, number>;
  needs: Need[];
  /**
   * The kind of movement that everybody in this world sends: payouts through a bank, or transfers
   * between wallets.
   */
  kind: KindName;
  workers: number;
  lanes: number;
  /** Where there is no policy. */
  approvalsNeeded: number;
  /** Its people and policy, where the fault `policy` happens. */
  governance: GovernancePlan;
  autoResend: boolean;
  /**
   * Whether people also take steps that the rules allow but no verb of the product offers yet. Only
   * drills set it.
   */
  ahead: boolean;
  /** When the world heals: from then on no fault occurs and no new work starts. */
  healsAt: number;
  /**
   * How a stopped process stopped: its monotonic clock ran on (SIGSTOP), or it did not (the machine
   * was suspended).
   */
  suspends: boolean;
  slowest: 'seconds' | 'minutes' | 'hours';
  /** Where a process is killed, frozen, or loses the database; null: everywhere. */
  places: readonly Place[] | null;
  /** The longest time for which the database is away when a process loses it. */
  fallMaxMs: number;
  /** The status that forged webhooks claim for a payout: `after_process_status`. */
  forgedSays: readonly string[];
};

/**
 * The points between two effects of a worker, where everything may stop. `on the wire`: the request
 * is written and not answered yet.
 */
export type Place =
  | `${'before' | 'after'} ${'claim' | 'begin' | 'send' | 'look' | 'record' | 'rest'}`
  | 'on the wire';

/**
 * `side`: the kind of world; drawn when absent. `needs`: only these needs are kept. `without`:
 * these faults never happen. `drill`: one kind of fault alone. The rest of the world stays the
 * same.
 */
export type Choice = {
  seed: number;
  side?: Side;
  needs?: readonly number[];
  without?: readonly AnyFaultName[];
  drill?: string;
};

/** Groups of faults that do harm only together. A third of the worlds draw such a group. */
const THEMES: readonly {
  faults: Partial<Record<FaultName, number>>;
  questions: Partial<Questions>;
}[] = [
  // The request arrives late, its record is shown later still, and a person checks in between.
  {
    faults: { lateRequest: 0.8, askNow: 0.7, clockJump: 1, lostRequest: 0.3 },
    questions: { readLags: true, lagMaxMs: 20 * MINUTE, dedupe: 'none' },
  },
  // The answer to our first request is lost, and that request makes the provider refuse the second.
  {
    faults: { lostAnswer: 0.6, poor: 1, elsewhere: 1, readsDown: 1 },
    questions: {
      readLags: true,
      lagMaxMs: 3 * HOUR,
      dedupe: 'atomic',
      reservedMs: Infinity,
      knowsIdsFirst: false,
    },
  },
  // The provider's answer names a record that no read shows yet.
  {
    faults: { lostAnswer: 0.3 },
    questions: {
      stateCodes: true,
      readLags: true,
      lagMaxMs: 3 * HOUR,
      dedupe: 'atomic',
      reservedMs: Infinity,
      duplicateAnswer: 'record',
    },
  },
  // Workers freeze and die while they hold responses that they have not recorded.
  {
    faults: { stall: 0.08, crash: 0.03, lateRequest: 0.3, lostCommit: 0.1, askNow: 0.5 },
    questions: {},
  },
  // Many payments are returned, among many other credits.
  {
    faults: { bankReturn: 0.8, decoy: 0.5, partialReturn: 0.2, forged: 1, payAgain: 0.5 },
    questions: { returnShows: 'credit' },
  },
  // Most payments fail, and everybody tries again.
  {
    faults: {
      refusal: 0.4,
      bankReject: 0.5,
      bankFail: 0.2,
      payAgain: 1,
      impatient: 0.4,
      changedMind: 0.3,
      readLost: 0.3,
    },
    questions: {},
  },
];
const THEMED = 0.35;

const NEEDS_MAX = 5;
/** This share of the worlds has everything that happens to files of payouts. */
const FILES = 0.2;
/** This share of the worlds has no bank: money goes from wallet to wallet. */
const TRANSFERS = 0.3;
const PAYEES = 3;

export function drawKnobs(choice: Choice): Knobs {
  const drawn = draw(choice);
  return choice.drill === undefined
    ? drawn
    : drilled(drawn, drillOf(choice.drill), choice.without ?? []);
}

function draw({ seed, needs, without = [] }: Choice): Knobs {
  const random = new Random(seed, 'world');
  const calm = random.chance(0.05);
  const healsAt = random.spread(20 * MINUTE, 10 * HOUR);
  const count = random.between(1, NEEDS_MAX);
  const theme = random.chance(THEMED) ? random.pick(THEMES) : { faults: {}, questions: {} };
  const all = Array.from({ length: count }, (_, index) => drawNeed(seed, index, healsAt));
  return {
    seed,
    questions: { ...drawQuestions(seed), ...theme.questions },
    faults: drawFaults(seed, calm, without, theme.faults),
    needs: needs === undefined ? all : all.filter((need) => needs.includes(need.index)),
    kind: drawKind(seed),
    workers: random.between(1, 3),
    lanes: random.between(1, 2),
    approvalsNeeded: playable(random.pick([0, 0, 1, 2])),
    governance: drawGovernance(seed, AMOUNTS),
    autoResend: !random.chance(0.1),
    ahead: false,
    healsAt,
    suspends: random.chance(0.3),
    slowest: random.pick(['seconds', 'minutes', 'hours']),
    places: null,
    fallMaxMs: 3 * MINUTE,
    forgedSays: ['1', '2', '3', '4', '5', '9'],
  };
}

function drawKind(seed: number): KindName {
  const random = new Random(seed, 'rail');
  return random.chance(TRANSFERS) ? random.pick(TRANSFER_KINDS) : 'payout';
}

function drawNeed(seed: number, index: number, healsAt: number): Need {
  const random = new Random(seed, `need ${index}`);
  return {
    index,
    payee: random.between(0, PAYEES - 1),
    // There are few different amounts, so that two needs often have the same amount and payee.
    amountMinor: random.pick([1_240_000n, 1_240_000n, 50_050n, 99_999n]),
    maker: random.pick(['ayse', 'mehmet']),
    startsAt: Math.round(random.next() ** 2 * healsAt * 0.8),
  };
}

function drawFaults(
  seed: number,
  calm: boolean,
  without: readonly AnyFaultName[],
  theme: Partial<Record<FaultName, number>>,
): Record<FaultName, number> {
  const hasFile = new Random(seed, 'a file of payouts').chance(FILES);
  const rate = (name: FaultName): number => {
    const random = new Random(seed, `fault ${name}`);
    // What happens to a file of payouts comes together.
    const on = random.chance(0.3) || (hasFile && name in FILE_FAULTS);
    const [low, high] = FAULTS[name];
    const probability = random.scale(low, high);
    if (without.includes(name) || UNPLAYABLE.includes(name)) return 0;
    return theme[name] ?? (on && !calm ? probability : 0);
  };
  return Object.fromEntries(FAULT_NAMES.map((name) => [name, rate(name)])) as Record<
    FaultName,
    number
  >;
}

function drawQuestions(seed: number): Questions {
  const random = new Random(seed, 'questions');
  const dedupe = random.pick(['atomic', 'atomic', 'ledger', 'ledger', 'none'] as const);
  const reservedMs = random.pick([Infinity, Infinity, DAY, HOUR, 10 * MINUTE]);
  // A record may lag for longer than the contract calls safe only where a duplicate check is safe:
  // in other worlds no client could prevent a second payment.
  const slowest = dedupe === 'atomic' && reservedMs >= DAY ? 3 * HOUR : 20 * MINUTE;
  return {
    refusedBurnsId: random.chance(0.4),
    dedupe,
    reservedMs,
    duplicateAnswer: random.pick(['1', '301', 'record']),
    stateCodes: random.chance(0.2),
    knowsIdsFirst: random.chance(0.6),
    readLags: random.chance(0.5),
    lagMaxMs: random.pick([3_000, MINUTE, 20 * MINUTE, slowest]),
    unknownAnswer: random.pick(['300', '312', 'null']),
    openListing: random.pick(['312', 'empty', 'null']),
    readShows: random.pick(['first', 'last']),
    manualShown: random.chance(0.5),
    returnShows: random.pick(['credit', 'status60', 'both']),
    returnedLevel: random.pick([1, 1, 2, 3]),
    idsAsNumbers: random.chance(0.5),
    codesAsNumbers: random.chance(0.3),
    transactionIdAtOnce: random.chance(0.7),
    feeApart: random.chance(0.25),
  };
}
