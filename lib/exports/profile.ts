import type { Locale } from '#lib/values/locale.ts';
import type { Role } from '#lib/access/actor.ts';

/**
 * The forms an export comes in (product.md 6.5), and what is settled about one when it is asked
 * for. Pure.
 */

/** `xlsx` and `csv-excel` are for people with a spreadsheet in Turkish, `csv` is for programs. */
export const PROFILES = ['xlsx', 'csv-excel', 'csv'] as const;
export type Profile = (typeof PROFILES)[number];

export const SOURCE_NAMES = ['payouts', 'transactions', 'withdrawals'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/**
 * `MAKING` until its last piece is stored; a `READY` one can be taken until it expires or its owner
 * deletes it.
 */
export type ExportState = 'MAKING' | 'READY' | 'FAILED' | 'DELETED' | 'EXPIRED';

/**
 * Everything in words, written down when the export is asked for: whichever process goes on with it
 * writes the same bytes.
 */
export type Frame = {
  locale: Locale;
  zone: string;
  role: Role;
  /** Who asked. */
  by: string;
  /** Without its ending, in letters that every file system has. */
  fileName: string;
  /** The name of the table of rows. */
  title: string;
  /** The filter as sentences; empty for everything. */
  filter: string[];
  columns: Record<string, string>;
  /** What people read for a code, by column. */
  codes: Record<string, Record<string, string>>;
  labels: Record<
    | 'about'
    | 'by'
    | 'when'
    | 'zone'
    | 'filter'
    | 'all'
    | 'personal'
    | 'personalIs'
    | 'moments'
    | 'momentsIs'
    | 'rows'
    | 'sum'
    | 'checksum'
    | 'marks',
    string
  >;
};

/** By currency: how many rows and their sum in minor units, as digits. */
export type Sums = Record<string, { count: number; minor: string }>;
