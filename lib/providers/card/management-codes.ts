/**
 * What a code means to errands (saved cards, plans, links), to a few questions and to the cashout,
 * operation by operation. `published` for this family (provider-facts 3.1 and the operations'
 * pages) unless said otherwise. Configuration, like `codes.ts`. Pure.
 */
import type { CodeTable } from './codes.ts';

export type PlanStatus = 'active' | 'inactive' | 'completed';
export type PlanChargeStatus = 'pending' | 'completed' | 'failed';

type Codes = ReadonlySet<string>;

/** A code that is in no set of its operation says nothing: neither done nor refused. */
export type ErrandCodes = {
  /** Each of these: nothing was done by this request. */
  refused: { saveCard: Codes; editCard: Codes; deleteCard: Codes; updatePlan: Codes; link: Codes };
  /** No such card of this customer. */
  unknownCard: Codes;
  /** An order of this invoice is there, perhaps by our own earlier request. */
  linkExists: Codes;
  /** The merchant has no installments, no commission is set: an empty list. */
  noInstallments: Codes;
  noCommissions: Codes;
  /** recurring/plan/process takes money. */
  processPlan: CodeTable;
  /** cashout/tobank sends money out. Its code is `statuscode`. */
  cashout: CodeTable;
  /** A cashout of which some rows were taken and the others are listed. */
  partlyAccepted: Codes;
  /** `recurring_status` in lower case. */
  planStatuses: ReadonlyMap<string, PlanStatus>;
  /** `status` of one charge of a plan, in lower case. */
  planChargeStatuses: ReadonlyMap<string, PlanChargeStatus>;
};

const SUCCESS = '100'; // `contract`

const codes = (text: string): Codes => new Set(text.split(' '));
const refused = (text: string): [string, 'refused'][] =>
  text.split(' ').map((code) => [code, 'refused']);

/** Validation (1), merchant (14), credentials (30), characters (85), hash (68, 90). */
const AT_THE_DOOR = '1 14 30 68 85 90';

export const ERRAND_CODES: ErrandCodes = {
  refused: {
    saveCard: codes(`${AT_THE_DOOR} 86 91 92 93 94 95 96 97 108`),
    editCard: codes(`${AT_THE_DOOR} 41 89 88 91 92 97`),
    deleteCard: codes(`${AT_THE_DOOR} 41 88 91 92 97`),
    updatePlan: codes(`${AT_THE_DOOR} 71 72 73`),
    link: codes(`${AT_THE_DOOR} 12 13 33 34 35 36 55 56`),
  },
  unknownCard: codes('87'),
  linkExists: codes('3 117'),
  noInstallments: codes('62'),
  noCommissions: codes('0 39'), // 0: `published-weak`
  // 72: the charge could not be carried out. 31, no such plan: `assumed`.
  processPlan: new Map([[SUCCESS, 'approved'], ...refused(`${AT_THE_DOOR} 31 72`)]),
  // Only what is refused at the door; which codes a bank's refusal has is not published. 422: hash.
  // 1: `assumed`.
  cashout: new Map([[SUCCESS, 'approved'], ...refused(`${AT_THE_DOOR} 422`)]),
  partlyAccepted: codes('112'),
  // Active is `published`; Passive and Inactive are words of update requests; Completed is
  // `assumed`.
  planStatuses: new Map([
    ['active', 'active'],
    ['inactive', 'inactive'],
    ['passive', 'inactive'],
    ['completed', 'completed'],
  ]),
  // `assumed`; Completed, Failed and Fail are words of the recurring web hook.
  planChargeStatuses: new Map([
    ['pending', 'pending'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['fail', 'failed'],
  ]),
};
