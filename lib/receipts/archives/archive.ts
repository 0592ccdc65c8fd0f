import type { Profile } from '#lib/exports/profile.ts';
import type { NameTemplate } from '../file-name.ts';

/** The request for one file of many receipts, and the file's format. Pure. */

/**
 * The maximum number of receipts in a ZIP file: the names and gaps of all of them are in memory
 * while the file is written.
 */
export const RECEIPTS_MAX = 10_000;

/**
 * The maximum number of receipts in one PDF: the merged file is in memory as a whole while it is
 * made.
 */
export const MERGED_MAX = 500;

/** `zip`: every document as it came, with an index; `pdf`: their pages, merged. */
export const FILE_TYPES = ['zip', 'pdf'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The number of receipts that a file of this type may have. */
export function receiptsMax(fileType: FileType): number {
  return fileType === 'pdf' ? MERGED_MAX : RECEIPTS_MAX;
}

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
  fileType: FileType;
  createdAt: string;
};

/**
 * How many receipts are there and how many are missing, by reason. Together they are always all
 * that were requested.
 */
export type ArchiveCounts = { ready: number; waiting: number; failed: number };
