/**
 * The provider's two listings: the ledger's posted lines, and the requests for a payout to a bank.
 * Pure.
 */
export type RecordList = 'ledger' | 'withdrawals';
