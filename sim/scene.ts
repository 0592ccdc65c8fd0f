import type { Agenda } from './agenda.ts';
import type { Approvals } from './approvals.ts';
import type { Mark } from './lives.ts';
import type { Random } from './random.ts';
import type { Row, Tables, Tx } from './store.ts';

/** The faults around approvals, which worlds of both sides draw. */
export const APPROVAL_FAULTS = {
  policy: [1, 1],
  unguarded: [0.3, 1],
  policyStricter: [0.1, 0.6],
  policyLooser: [0.1, 0.6],
  makerDisabled: [0.1, 0.6],
  approverDisabled: [0.1, 0.6],
  twoAtOnce: [0.2, 1],
  weakSignature: [0.1, 0.6],
  strangeSignature: [0.2, 0.6],
  spoiledSignature: [0.3, 1],
  rowTampered: [0.05, 0.4],
  override: [0.1, 0.6],
  sendBack: [0.1, 0.5],
  lateApproval: [0.1, 0.6],
} as const satisfies Record<string, readonly [number, number]>;
export type ApprovalFault = keyof typeof APPROVAL_FAULTS | 'strangeApproval';

/** What approvers and the judge of approvals see of a world, whichever side it is of. */
export type Scene = {
  readonly tables: Tables;
  readonly agenda: Agenda;
  /** By the clock of the database. */
  now: () => number;
  readonly approvals: Approvals;
  /** Every press of an approver is stored that the database takes. */
  readonly unguarded: boolean;
  /** Nothing is decided by people until sending goes on after a restore. */
  readonly isRestoring: boolean;
  /** What speaks by now against a row, by the rules of its form. */
  judgeAgain: (tx: Tx, row: Row) => string | null;
  fault: (name: ApprovalFault, random: Random) => boolean;
  meets: (extId: string, mark: Mark) => void;
  note: (who: string, what: () => string) => void;
  laterUnlessRestored: (ms: number, run: () => void) => void;
  /** What the page shows of a row: the content of its request. */
  shown: (row: Row) => string;
};

/** What approvers need of the person whose payments they approve. */
export type Asked = {
  scene: Scene;
  random: Random;
  /** Runs one transaction. False: the database failed, or a rule refused it. */
  attempt: (what: string, work: (tx: Tx) => void) => boolean;
  /** Called after each press: the row may be ready to be sent. */
  pressed: (id: string) => void;
};
