/**
 * What a `status_code` means, operation by operation (provider-facts 3.1; `published` unless said
 * otherwise). The tables are configuration: a brand that numbers something differently gets its own
 * `CardCodes`, and nothing else changes. Pure.
 *
 * - `approved`: done, if the rest of the answer agrees.
 * - `refused`: nothing was done by this request. Said of the request alone: an earlier attempt may
 *   still have been executed.
 * - `pending`: taken, not finished.
 * - `look`: the code speaks of a record that exists, or may be caused by our own earlier attempt.
 *   It proves nothing: read it.
 *
 * A code that a table does not name is unknown. Unknown is never a final state.
 */
import { ERRAND_CODES } from './management-codes.ts';
import type { ErrandCodes } from './management-codes.ts';

export type Meaning = 'approved' | 'refused' | 'pending' | 'look';

export type CodeTable = ReadonlyMap<string, Meaning>;

/** What `checkstatus` says by its code; its words say the rest. */
export type RecordMeaning = 'succeeded' | 'failed' | 'pending' | 'not_found';

/**
 * In which state an order is. `held` is a pre-authorization: blocked on the card, not taken.
 * `captured` is what a record says that is completed and a pre-authorization: the held amount was
 * taken. A brand without a word of its own for a hold would say the same of a mere hold (the words
 * are `assumed`), so it proves a capture only if the record said `held` before it.
 */
export type ChargeState =
  | 'completed'
  | 'held'
  | 'captured'
  | 'pending'
  | 'failed'
  | 'cancelled'
  | 'refunded'
  | 'partly_refunded'
  | 'charged_back';

export type CardCodes = {
  /** paySmart2D, payByCardTokenNonSecure. */
  charge: CodeTable;
  /** payment/complete. */
  complete: CodeTable;
  /** confirmPayment. */
  confirm: CodeTable;
  refund: CodeTable;
  /** checkstatus. */
  record: ReadonlyMap<string, RecordMeaning>;
  /** The words of checkstatus' `transaction_status`, in lower case. */
  states: ReadonlyMap<string, ChargeState>;
  /**
   * Questions and errands that move no money: what each of these codes says of the thing asked
   * about.
   */
  notFound: ReadonlySet<string>;
  /** Saved cards, plans, links and the cashout. */
  errands: ErrandCodes;
};

const SUCCESS = '100'; // `contract`

const all = (meaning: Meaning, codes: string): [string, Meaning][] =>
  codes.split(' ').map((code) => [code, meaning]);

/**
 * Refused before anything was tried: validation (1), merchant (14), credentials (30), method (34,
 * 35), characters (85), hash (68, 90).
 */
const REFUSED_AT_THE_DOOR = all('refused', '1 14 30 34 35 68 85 90');

export const CARD_CODES: CardCodes = {
  charge: new Map([
    [SUCCESS, 'approved'],
    ...REFUSED_AT_THE_DOOR,
    // 13 and 102 are the contract's; the others are order fields, limits, declines (41, 44, 60) and
    // cards that may not be used.
    ...all(
      'refused',
      '12 13 33 36 37 38 39 40 41 42 43 44 45 46 47 48 49 55 56 60 62 70 76 77 79 80 81 87 102 103 105 106 107 108',
    ),
    ['69', 'pending'],
    // The invoice is in process, or was processed: perhaps by our own earlier attempt.
    ...all('look', '3 117'),
  ]),
  complete: new Map([
    [SUCCESS, 'approved'],
    ...REFUSED_AT_THE_DOOR,
    ['41', 'refused'],
    // No such order, not to be completed (`assumed`), already processed.
    ...all('look', '31 32 69 117'),
  ]),
  confirm: new Map([
    [SUCCESS, 'approved'],
    ...REFUSED_AT_THE_DOOR,
    ['41', 'refused'],
    // Nothing is held for the invoice: perhaps because our own earlier attempt took it.
    ...all('look', '32 113'),
  ]),
  refund: new Map([
    [SUCCESS, 'approved'],
    // Taken down for people to do by hand.
    ['101', 'pending'],
    ...REFUSED_AT_THE_DOOR,
    ...all('refused', '31 32 110'),
    // 49 also for a repeat within about 30 seconds, 104 for a refund id that was seen before.
    ...all('look', '49 104'),
  ]),
  record: new Map([
    [SUCCESS, 'succeeded'],
    ['41', 'failed'],
    ['69', 'pending'],
    ['31', 'not_found'],
    ['32', 'not_found'],
  ]),
  // Completed and Failed are `published`, the others `assumed`.
  states: new Map([
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['pending', 'pending'],
    ['pre-authorized', 'held'],
    ['cancelled', 'cancelled'],
    ['refunded', 'refunded'],
    ['partially refunded', 'partly_refunded'],
    ['chargebacked', 'charged_back'],
  ]),
  notFound: new Set(['31', '32']),
  errands: ERRAND_CODES,
};
