import type { Profile } from '#lib/exports/profile.ts';
import type { NameTemplate } from '../file-name.ts';

/** The request for one file of many receipts, and the file's format. Pure. */

/** The names and gaps of all receipts are in memory while the file is written. */
export const RECEIPTS_MAX = 10_000;

/**
 * `filter` is the query string of the list of receipts; `picked`: they were selected there one by
 * one.
 */
export type Archive = {
  id: string;
  filter: string;
  picked: boolean;
  asked: number;
  template: NameTemplate;
  ascii: boolean;
  /** The format of the index. */
  profile: Profile;
  createdAt: string;
};

/**
 * How many receipts are there and how many are missing, by reason. Together they are always all
 * that were requested.
 */
export type ArchiveCounts = { ready: number; waiting: number; failed: number };
