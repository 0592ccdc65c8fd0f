/** Business codes by operation. A code means what its table says and nothing elsewhere. Pure. */

export type SendMeaning = 'refused' | 'same_iban_wait' | 'duplicate' | 'record_exists';

/**
 * SendMoneyToBankAccount. Codes of the contract's table, except 303, 310, 315 (`published` for this
 * family) and 301, the transfers' Duplicate, which public pages also show for payouts. A code that
 * is missing here (500, 501, 312, …) is unclear.
 */
export const PAYOUT_CODES: ReadonlyMap<string, SendMeaning> = new Map([
  ['300', 'refused'], // no such wallet
  ['303', 'refused'], // source and target wallet are the same, or a wallet of the wrong kind
  ['306', 'refused'], // invalid IBAN
  ['310', 'refused'], // limit
  ['311', 'refused'], // balance
  ['315', 'refused'], // amount
  ['330', 'refused'], // account blocked
  ['334', 'refused'], // account banned
  ['336', 'refused'], // account permanently closed
  ['480', 'refused'], // fraud check
  ['503', 'refused'], // name, id and IBAN do not match each other
  ['999', 'refused'], // validation
  ['326', 'same_iban_wait'],
  ['1', 'duplicate'],
  ['301', 'duplicate'],
  ['0', 'record_exists'], // pending
  ['2', 'record_exists'], // rejected
  ['3', 'record_exists'], // failed
  ['4', 'record_exists'], // cancelled
]);

/** Codes that only a transfer to a bank can return. */
const ONLY_PAYOUTS: ReadonlySet<string> = new Set(['306', '326', '503']);

/**
 * BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement. `contract`: 300, 301,
 * 303, 311, 330, 334, 336, 480; `published`: 304, 307, 310, 313, 315, 316, 999. Code 1 is a
 * Duplicate for every movement kind, and 0, 2, 3, 4 and 322 mean that a record exists (both
 * `assumed` here): these only trigger a read. A code that is missing here (306, 326, 500, 503, …)
 * is unclear.
 */
export const TRANSFER_CODES: ReadonlyMap<string, SendMeaning> = new Map([
  ...[...PAYOUT_CODES].filter(([code]) => !ONLY_PAYOUTS.has(code)),
  ['304', 'refused'], // no such business
  ['307', 'refused'], // wrong identity number
  ['313', 'refused'], // no such personal account
  ['316', 'refused'], // the wallet has no account
  ['322', 'record_exists'], // already cancelled
]);

/**
 * Validation (`published`: HTTP 400 with `status` 1; `contract`: a code string under a status that
 * is not 0).
 */
export const VALIDATION_CODE = '999';

/**
 * `status` values that may carry a refusal: 2 is a business error (`contract`), 1 a validation
 * error (`published`). The meaning of others is unknown, so a refusal under them is unclear.
 */
export const REFUSAL_STATUSES: ReadonlySet<string> = new Set(['1', '2']);

/**
 * Reads of a record: 300 not found (`contract`), 312 not listed yet (`contract`: up to minutes
 * after acceptance).
 */
export const NOT_FOUND_CODES: ReadonlySet<string> = new Set(['300', '312']);

/**
 * CheckPersonalWallet reports an unknown person by `exist` (`contract`) or by these codes
 * (`published` for this family).
 */
export const NOBODY_CODES: ReadonlySet<string> = new Set(['300', '313']);

/**
 * CreateWalletForBusinessAccount (`contract`): 999 an invalid field, 500 one of four reasons.
 * Any other code is unclear.
 */
export const CREATION_CODES: ReadonlySet<string> = new Set(['999', '500']);

export type CreationReason =
  | 'group_code'
  | 'account_not_active'
  | 'currency'
  | 'kyc_limit'
  | 'validation'
  | 'other';

/**
 * The contract's labels of code 500, searched in the message ignoring case and spaces (that the
 * message contains the label is `assumed`).
 */
export const CREATION_LABELS: ReadonlyMap<string, CreationReason> = new Map([
  ['wronggroupcode', 'group_code'],
  ['accountnotactive', 'account_not_active'],
  ['tenantcurrencycodenotfound', 'currency'],
  ['kyclimitnotfound', 'kyc_limit'],
]);

export type FailedTopUpReason = 'no_such_wallet' | 'limit' | 'repeated' | 'other';

/**
 * `result_code` of a failed top-up: 300 and 310 `published`, 301 (the bank's receipt number was
 * already used) `assumed`.
 */
export const FAILED_TOP_UP_CODES: ReadonlyMap<string, FailedTopUpReason> = new Map([
  ['300', 'no_such_wallet'],
  ['310', 'limit'],
  ['301', 'repeated'],
]);
