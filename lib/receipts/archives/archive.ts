import type { Profile } from '#lib/exports/profile.ts';
import type { NameTemplate } from '../file-name.ts';

/** What was asked for as one file, and how it is to look. Pure. */

/** As many as lie in one file: names and gaps of all of them are in memory while it is written. */
export const RECEIPTS_MAX = 10_000;

/**
 * `filter` is the address of the list of receipts; `picked`: they were chosen from it one by one.
 */
export type Archive = {
  id: string;
  filter: string;
  picked: boolean;
  asked: number;
  template: NameTemplate;
  ascii: boolean;
  /** The form of the index. */
  profile: Profile;
  createdAt: string;
};

/** What is there of it, and what is missing by its kind: together always what was asked. */
export type ArchiveCounts = { ready: number; waiting: number; failed: number };
