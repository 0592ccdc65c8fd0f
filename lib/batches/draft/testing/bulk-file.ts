import type { Party } from './bulk-parties.ts';

/** The payout files of a made-up year, as their generator and the mistakes in them need them. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;

/** `turkish`: Excel's CSV. `program`: an accounting program's. `grouped`: IBANs in groups of four. */
export type Notation = 'turkish' | 'program' | 'grouped';

/** How the cells of a row are written, where they differ from the rest of the file. */
export type Spelling = Partial<{ name: string; iban: string; taxNumber: string; amount: string }>;

/**
 * `sort`: what the payment is for. `outcome`: its state for its first day and its end. `mistake`:
 * the sort of a payment made twice; null when it is meant.
 */
export type BulkRow = {
  party: Party;
  iban: string;
  amountMinor: bigint;
  description: string;
  sort: string;
  outcome: { first: 'PENDING' | 'UNKNOWN' | 'COMPLETED'; end: 'COMPLETED' | 'REJECTED' };
  mistake: string | null;
  spelling: Spelling;
};
export type BulkFile = { at: number; name: string; notation: Notation; rows: BulkRow[] };
