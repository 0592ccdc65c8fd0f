/**
 * What a code means to card-management calls (saved cards, plans, links), to a few reads and to the
 * card-balance payout, operation by operation. `published` for this family (provider-facts 3.1 and
 * the operations' pages) unless tagged otherwise. Configuration, like `codes.ts`. Pure.
 */
import type { CodeTable } from './codes.ts';

export type PlanStatus = 'active' | 'inactive' | 'completed';
export type PlanChargeStatus = 'pending' | 'completed' | 'failed';

type Codes = ReadonlySet<string>;

/** A code in no set of its operation proves nothing: neither done nor refused. */
export type ErrandCodes = {
  /** With each of these codes the request did nothing. */
  refused: { saveCard: Codes; editCard: Codes; deleteCard: Codes; updatePlan: Codes; link: Codes };
  /** This customer has no such card. */
  unknownCard: Codes;
  /** This invoice already has an order, perhaps by our own earlier request. */
  linkExists: Codes;
  /** The merchant has no installments or no commission: an empty list. */
  noInstallments: Codes;
  noCommissions: Codes;
  /** recurring/plan/process charges a card. */
  processPlan: CodeTable;
  /** cashout/tobank sends money out. Its code field is `statuscode`. */
  cashout: CodeTable;
  /** A card-balance payout of which some rows were accepted; the refused ones are listed. */
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

/**
 * Codes of requests refused before processing: validation (1), merchant (14), credentials (30),
 * characters (85), hash (68, 90).
 */
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
  // Only the codes of requests refused before processing; the codes of a refusal by the bank are
  // not published. Code 422: wrong hash. Code 1: `assumed`.
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
  // `assumed`; Completed, Failed and Fail are words of the recurring webhook.
  planChargeStatuses: new Map([
    ['pending', 'pending'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['fail', 'failed'],
  ]),
};
