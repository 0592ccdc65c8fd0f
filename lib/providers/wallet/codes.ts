/** Business codes by operation. A digit means what its table says and nothing elsewhere. Pure. */

export type SendMeaning = 'refused' | 'same_iban_wait' | 'duplicate' | 'record_exists';

/**
 * SendMoneyToBankAccount. Codes of the contract's table, except 303, 310, 315 (`published` for this family) and 301, the
 * transfers' Duplicate, which public pages also show for payouts. What is missing here (500, 501, 312, …) is unclear.
 */
export const PAYOUT_CODES: ReadonlyMap<string, SendMeaning> = new Map([
  ['300', 'refused'], // no such wallet
  ['303', 'refused'], // the wallets must differ, or a wallet of the wrong kind
  ['306', 'refused'], // invalid IBAN
  ['310', 'refused'], // limit
  ['311', 'refused'], // balance
  ['315', 'refused'], // amount
  ['330', 'refused'], // account blocked
  ['334', 'refused'], // account banned
  ['336', 'refused'], // account permanently closed
  ['480', 'refused'], // fraud check
  ['503', 'refused'], // name, id and IBAN do not belong together
  ['999', 'refused'], // validation
  ['326', 'same_iban_wait'],
  ['1', 'duplicate'],
  ['301', 'duplicate'],
  ['0', 'record_exists'], // pending
  ['2', 'record_exists'], // rejected
  ['3', 'record_exists'], // failed
  ['4', 'record_exists'], // cancelled
]);

/** Validation (`published`: HTTP 400 with `status` 1; `contract`: a code string under a status that is not 0). */
export const VALIDATION_CODE = '999';

/**
 * `status` values that may carry a refusal: 2 is a business error (`contract`), 1 a validation error (`published`). The
 * meaning of others is not known, so a refusal under them is not believed.
 */
export const REFUSAL_STATUSES: ReadonlySet<string> = new Set(['1', '2']);

/** Questions about a record: 300 not found (`contract`), 312 not listed yet (`contract`: up to minutes after acceptance). */
export const NOT_FOUND_CODES: ReadonlySet<string> = new Set(['300', '312']);
