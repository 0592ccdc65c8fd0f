/**
 * What a `status_code` means, operation by operation (provider-facts 3.1; `published` unless tagged
 * otherwise). The tables are configuration: a brand with other numbers gets its own `CardCodes`,
 * and nothing else changes. Pure.
 *
 * - `approved`: done, if the rest of the response agrees.
 * - `refused`: this request did nothing. An earlier attempt may still have been executed.
 * - `pending`: accepted, not finished.
 * - `look`: the code refers to an existing record, or our own earlier attempt may have caused it.
 *   It proves nothing: read the record.
 *
 * A code that a table does not name is unknown. Unknown is never a final state.
 */
import { ERRAND_CODES } from './management-codes.ts';
import type { ErrandCodes } from './management-codes.ts';

export type Meaning = 'approved' | 'refused' | 'pending' | 'look';

export type CodeTable = ReadonlyMap<string, Meaning>;

/** What the code of `checkstatus` means; its status words add the rest. */
export type RecordMeaning = 'succeeded' | 'failed' | 'pending' | 'not_found';

/**
 * The state of an order. `held` is a pre-authorization: blocked on the card, not captured.
 * `captured` is a record that is both completed and a pre-authorization: the authorized amount was
 * captured. A brand without a word of its own for an authorization would report a mere
 * authorization the same way (the words are `assumed`), so `captured` proves a capture only if the
 * record was `held` before.
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
  /** `transaction_status` of checkstatus, in lower case. */
  states: ReadonlyMap<string, ChargeState>;
  /** "Not found" codes of operations that move no money. */
  notFound: ReadonlySet<string>;
  /** Saved cards, plans, links and the card-balance payout. */
  errands: ErrandCodes;
};

const SUCCESS = '100'; // `contract`

const all = (meaning: Meaning, codes: string): [string, Meaning][] =>
  codes.split(' ').map((code) => [code, meaning]);

/**
 * Refused before processing: validation (1), merchant (14), credentials (30), method (34, 35),
 * characters (85), hash (68, 90).
 */
const REFUSED_AT_THE_DOOR = all('refused', '1 14 30 34 35 68 85 90');

export const CARD_CODES: CardCodes = {
  charge: new Map([
    [SUCCESS, 'approved'],
    ...REFUSED_AT_THE_DOOR,
    // 13 and 102 are `contract`; the others are order fields, limits, declines (41, 44, 60) and
    // unusable cards.
    ...all(
      'refused',
      '12 13 33 36 37 38 39 40 41 42 43 44 45 46 47 48 49 55 56 60 62 70 76 77 79 80 81 87 102 103 105 106 107 108',
    ),
    ['69', 'pending'],
    // The invoice is being or was processed: perhaps by our own earlier attempt.
    ...all('look', '3 117'),
  ]),
  complete: new Map([
    [SUCCESS, 'approved'],
    ...REFUSED_AT_THE_DOOR,
    ['41', 'refused'],
    // No such order, not ready to complete (`assumed`), already processed.
    ...all('look', '31 32 69 117'),
  ]),
  confirm: new Map([
    [SUCCESS, 'approved'],
    ...REFUSED_AT_THE_DOOR,
    ['41', 'refused'],
    // The invoice has no open authorization: perhaps our own earlier attempt captured it.
    ...all('look', '32 113'),
  ]),
  refund: new Map([
    [SUCCESS, 'approved'],
    // Queued for manual processing.
    ['101', 'pending'],
    ...REFUSED_AT_THE_DOOR,
    ...all('refused', '31 32 110'),
    // Code 49 also answers a repeat within about 30 seconds; code 104 means that the refund id was
    // already used.
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
