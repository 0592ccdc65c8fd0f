/**
 * What any provider can say about money, in our own words.
 *
 * Silence is an answer: a money call never throws for the network. It returns one of these values,
 * and the reducer in `lib/movements/state.ts` decides what they prove. Amounts are minor units; ids
 * are exact text (up to 19 digits).
 */

/**
 * How the transport ended. Only `not_sent` proves that the provider never saw the request
 * (docs/money-rules.md, "The wire").
 */
export type Exchange =
  | { kind: 'not_sent'; why: NotSentWhy }
  | { kind: 'unclear'; why: UnclearWhy }
  /**
   * `retryAfterMs`: with 429 alone, when the answer says in seconds how long it wants to be left in
   * peace.
   */
  | { kind: 'heard'; status: number; body: string; contentType: string; retryAfterMs?: number };

/**
 * `no_token`: the token service gave no token, so the request was never made. `held_back`: the
 * caller's last check before the first byte (`beforeWrite`, the lease) said no. `circuit_open`: too
 * many connections failed just now, so none was tried. `told_to_wait`: a 429 asked for peace, and
 * its time is not over. `unsendable`: the request itself cannot be formed (an address or a header
 * that HTTP forbids); it is our fault, and no network was touched.
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
 * The answer to a request that moves money out. `raw` is the body as heard (at most 64 KiB), kept
 * as evidence.
 */
export type SendOutcome = { raw: string | null; code: string | null; message: string | null } &
  /** `refusal`: of what was held back, which part of the begin check said no. */
  (
    | { kind: 'not_sent'; why: NotSentWhy; refusal?: string }
    | { kind: 'unauthorized' }
    /**
     * `requestId`: under what number the provider took it, a transfer's transaction itself.
     * `receiver`: the masked name it answered, if any.
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
     * 326: the provider saw a transfer to this IBAN within the last minute. It may have been our
     * own.
     */
    | { kind: 'same_iban_wait' }
    /** 1 on payouts, 301 on transfers: the ext id was seen before. */
    | { kind: 'duplicate' }
    /** 0, 2, 3, 4: a record for this ext id exists; read it, conclude nothing from the code. */
    | { kind: 'record_exists' }
    | { kind: 'unclear'; why: UnclearWhy }
  );

/** The answer to "what became of this ext id?". */
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
       * The record says in so many words that people at the bank work on it (rare: normally only
       * age tells).
       */
      manual?: true;
      /**
       * Where the record is itself an entry of the ledger (a transfer): the transaction it names
       * and what it cost. `double`: the ledger holds more than one such entry, so the transfer was
       * executed more than once.
       */
      line?: { transactionId: string; feeMinor: bigint; double?: true };
      updatedAt: string | null;
    }
  | { kind: 'not_found' }
  | { kind: 'no_answer'; why: string }
);

/** The answer to "which ledger lines carry this ext id?". */
export type LedgerOutcome = { raw: string | null } & (
  | { kind: 'listed'; lines: LedgerLine[] }
  | { kind: 'not_listed' }
  | { kind: 'no_answer'; why: string }
);

export type LedgerLine = {
  transactionId: string;
  /**
   * 10 pending, 20 completed, 40 cancelled, 60 refunded (published enumeration); others are kept as
   * they came.
   */
  statusId: number;
  typeId: number;
  amountMinor: bigint;
  feeMinor: bigint;
  currency: string;
  extId: string | null;
  /**
   * The transaction this line belongs to, when the ledger says so: a refund's credit points at the
   * payout's debit.
   */
  refersTo: string | null;
  direction: 'in' | 'out';
  /** The wallet that the money left, if the line names one. */
  fromWallet: string | null;
  completedAt: string | null;
};

/**
 * The answer to a question that moves no money (wallets, lists, kinds of payment). `why` is a short
 * id, never a text for people; `code` is the provider's own, when it refused to say in a
 * well-formed way.
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
