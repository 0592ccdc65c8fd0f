/**
 * The possible results of a provider call about money, in our own names.
 *
 * No response is a result too: a money call never throws for network errors. It returns one of
 * these values, and the reducer in `lib/movements/reduce.ts` decides what they prove. Amounts are
 * minor units; ids are exact text (up to 19 digits).
 */

/**
 * How the transport ended. Only `not_sent` proves that the provider never saw the request
 * (docs/money-rules.md, "The wire").
 */
export type Exchange =
  | { kind: 'not_sent'; why: NotSentWhy }
  | { kind: 'unclear'; why: UnclearWhy }
  /**
   * `retryAfterMs`: only with 429, when the response carries Retry-After in seconds.
   */
  | { kind: 'response'; status: number; body: string; contentType: string; retryAfterMs?: number };

/**
 * `no_token`: the token service gave no token, so the request was never made. `held_back`: the
 * caller's last check before the first byte (`beforeWrite`, the lease) returned false.
 * `circuit_open`: too many recent connections failed, so none was tried. `told_to_wait`: the
 * Retry-After time of a 429 is not over. `unsendable`: the request itself cannot be formed (an
 * address or a header that HTTP forbids); it is our fault, and the network was not used.
 */
export type NotSentWhy =
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'tls'
  | 'unreachable'
  | 'no_token'
  | 'held_back'
  | 'circuit_open'
  | 'told_to_wait'
  | 'unsendable';
export type UnclearWhy =
  | 'timeout'
  | 'reset'
  | 'closed'
  | 'truncated'
  | 'garbage'
  | 'too_large'
  | 'redirect'
  | 'http_status'
  | 'not_json'
  | 'shape'
  | 'unknown_code'
  | 'mismatch';

/**
 * The result of a request that moves money out. `raw` is the received body (at most 64 KiB), kept
 * as evidence.
 */
export type SendOutcome = { raw: string | null; code: string | null; message: string | null } &
  /** `refusal`: with `held_back`, the part of the begin check that refused. */
  (
    | { kind: 'not_sent'; why: NotSentWhy; refusal?: string }
    | { kind: 'unauthorized' }
    /**
     * `requestId`: the provider's id of the request, for a transfer its transaction id. `receiver`:
     * the masked name in the response, if any.
     */
    | {
        kind: 'accepted';
        extId: string;
        amountMinor: bigint;
        feeMinor: bigint | null;
        requestId: string;
        transactionId: string | null;
        receiver?: string;
      }
    /** A clean business refusal: the code is one of the contract's list for this operation. */
    | { kind: 'refused'; code: string }
    /**
     * 326: the provider saw a transfer to this IBAN within the last minute, perhaps our own.
     */
    | { kind: 'same_iban_wait' }
    /** The ext id was already used (codes 1 and 301, see `wallet/codes.ts`). */
    | { kind: 'duplicate' }
    /**
     * A record for this ext id exists (`wallet/codes.ts`; for cards a `look` code): read it,
     * conclude nothing from the code.
     */
    | { kind: 'record_exists' }
    | { kind: 'unclear'; why: UnclearWhy }
  );

/** The result of reading the record of an ext id. */
export type ReadOutcome = { raw: string | null } & (
  | {
      kind: 'found';
      level: 'pending' | 'completed' | 'rejected' | 'failed';
      extId: string;
      amountMinor: bigint;
      currency: string;
      iban: string | null;
      requestId: string;
      /** The bank's own words, if the record carries any. Shown as text, never interpreted. */
      reason: string | null;
      /**
       * The record says explicitly that the bank processes it manually (rare: usually only its age
       * shows it).
       */
      manual?: true;
      /**
       * For a transfer, whose record is itself a ledger entry: the entry's transaction and fee.
       * `double`: the ledger holds more than one such entry, so the transfer was executed more than
       * once.
       */
      line?: { transactionId: string; feeMinor: bigint; double?: true };
      updatedAt: string | null;
    }
  | { kind: 'not_found' }
  | { kind: 'no_answer'; why: string }
);

/** The result of searching the ledger for the entries of an ext id. */
export type LedgerOutcome = { raw: string | null } & (
  | { kind: 'listed'; lines: LedgerLine[] }
  | { kind: 'not_listed' }
  | { kind: 'no_answer'; why: string }
);

/** What became of the money of a ledger entry; `other`: a number without a published meaning. */
export type EntryLevel = 'pending' | 'completed' | 'cancelled' | 'refunded' | 'other';

export type LedgerLine = {
  transactionId: string;
  /** The provider's own number, kept unchanged as evidence; `level` is its meaning. */
  statusId: number;
  level: EntryLevel;
  typeId: number;
  amountMinor: bigint;
  feeMinor: bigint;
  currency: string;
  extId: string | null;
  /**
   * The transaction that this entry refers to, when the ledger names one: the credit of a return
   * refers to the payout's debit.
   */
  refersTo: string | null;
  direction: 'in' | 'out';
  /** The wallet that the money left, if the entry names one. */
  fromWallet: string | null;
  completedAt: string | null;
};

/**
 * The result of a read that moves no money (wallets, lists, payment types). `why` is a short id,
 * never a text for people; `code` is the provider's own, for a well-formed refusal.
 */
export type Reply<T> = { kind: 'answered'; value: T } | { kind: 'not_found' } | NoReply;
export type NoReply = { kind: 'no_answer'; why: string; code?: string };

/** One page of a list. `index` counts from 0; `rowCount` is the provider's total for the filter. */
export type Page<T> = {
  rows: T[];
  index: number;
  size: number;
  pageCount: number;
  rowCount: number;
};
