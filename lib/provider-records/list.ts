/**
 * The provider's two listings: posted ledger entries, and withdraw requests (payouts to a bank).
 * Pure.
 */
export type RecordList = 'ledger' | 'withdrawals';
