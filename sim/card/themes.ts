import type { Random } from '../random.ts';
import { DAY, MINUTE } from '../time.ts';
import type { CardFaultName, GatewayQuestions } from './knobs.ts';

/** Groups of faults that do harm only together. Half of the card worlds draw such a group. */

type Theme = {
  faults: Partial<Record<CardFaultName, number>>;
  questions: Partial<GatewayQuestions>;
  /** Replaces the drawn moment, where the faults of a group need longer than a day. */
  healsAt?: number;
};

const THEMES: readonly Theme[] = [
  // A carried-out operation is shown late, and a person presses again as soon as the page says that
  // it failed.
  {
    faults: { lostAnswer: 0.6, pressAgain: 1, askNow: 0.6 },
    questions: { lagMaxMs: 20 * MINUTE, planLagMs: 20 * MINUTE },
  },
  // A machine that was suspended for longer than its lease wakes up before it has sent its request.
  { faults: { stall: 0.12, pressAgain: 1, lostCommit: 0.05 }, questions: {} },
  // The rows are those of yesterday's backup, and the gateway has moved on.
  { faults: { restored: 1, pressAgain: 1 }, questions: {} },
  // Refunds wait for the gateway's staff, who carry out some, decline some and forget some.
  { faults: { byHand: 0.9, declined: 0.4, forgotten: 0.5, lostAnswer: 0.2 }, questions: {} },
  // Other people work on the same orders in the gateway's own panel.
  {
    faults: { panelRefund: 0.8, panelConfirm: 0.7, lostRequest: 0.3, lostAnswer: 0.3 },
    questions: { rows: 'totals' },
  },
  // The network doubles every request, and the second response is the one that comes back.
  { faults: { doubled: 0.8 }, questions: {} },
  // The second of two answers comes back before the record shows the first request.
  {
    faults: { doubled: 0.9 },
    questions: { refusesRepeats: true, knowsRefundIds: false, lagMaxMs: 25_000, rows: 'totals' },
  },
  // The second of two requests is refused, and the record does not show the first one: it lags, or
  // the gateway's staff do it by hand.
  {
    faults: { doubled: 0.9, byHand: 0.5, pressAgain: 1 },
    questions: { refusesRepeats: true, knowsRefundIds: false, lagMaxMs: 20 * MINUTE },
  },
  // Authorizations are captured in the panel while our own request is lost, and the record does not
  // show the amount.
  {
    faults: { panelConfirm: 1, lostRequest: 0.7 },
    questions: { saysCharged: false, lagMaxMs: 0, heldWord: 'own' },
  },
  // Outcomes are unclear, and people close them: rightly, wrongly, and with a claim that they
  // change.
  {
    faults: {
      lostAnswer: 0.5,
      lostRequest: 0.4,
      changedWord: 0.8,
      panelMisread: 0.3,
      pressAgain: 1,
      hasty: 0.5,
    },
    questions: {},
  },
  // A plan's record lags by days: two people say that a charge was taken, the next one is
  // requested, and the gateway's own charge is declined meanwhile.
  {
    faults: {
      lostAnswer: 0.6,
      lostRequest: 0.3,
      listedLate: 0.7,
      ownDeclined: 0.5,
      pressAgain: 1,
      pressAnother: 1,
    },
    questions: { processesEarly: true, planLagMs: 20 * MINUTE },
    healsAt: 3 * DAY,
  },
];
const THEMED = 0.5;
const NONE: Theme = { faults: {}, questions: {} };

export function themeOf(random: Random): Theme {
  return random.chance(THEMED) ? random.pick(THEMES) : NONE;
}
