import type { Locale } from '#lib/values/locale.ts';
import type { Role } from '#lib/access/actor.ts';

/** The formats of an export (product.md 6.5), and what is fixed when one is requested. Pure. */

/** `xlsx` and `csv-excel` are for people with a spreadsheet in Turkish, `csv` is for programs. */
export const PROFILES = ['xlsx', 'csv-excel', 'csv'] as const;
export type Profile = (typeof PROFILES)[number];

export const SOURCE_NAMES = ['payouts', 'transactions', 'withdrawals'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/**
 * `MAKING` until its last piece is stored; a `READY` one can be downloaded until it expires or its
 * owner deletes it.
 */
export type ExportState = 'MAKING' | 'READY' | 'FAILED' | 'DELETED' | 'EXPIRED';

/** All texts, stored when the export is requested, so that every worker writes identical bytes. */
export type Frame = {
  locale: Locale;
  zone: string;
  role: Role;
  /** The name of the person who requested the export. */
  by: string;
  /** The file's name without extension, in characters that every file system supports. */
  fileName: string;
  /** The title of the sheet with the rows. */
  title: string;
  /** The filter as sentences; empty when there is none. */
  filter: string[];
  columns: Record<string, string>;
  /** The displayed words for codes, by column; of the parts of a sum as `part`. */
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

/** The number of rows and their sum in minor units, as digits. */
export type Sum = { count: number; minor: string };
/**
 * By currency. `parts`: the rows of each outcome, where the list adds each up apart; a file that
 * was begun by an earlier version may have rows in none.
 */
export type Sums = Record<string, Sum & { parts?: Record<string, Sum> }>;

export type PartSum = Sum & { currency: string; part: string | null };

/** The sums as they are shown: of each part apart, and of what belongs to no part. */
export function shownSums(sums: Sums): PartSum[] {
  return Object.entries(sums)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([currency, { count, minor, parts = {} }]) => {
      const own = Object.entries(parts).map(([part, sum]) => ({ currency, part, ...sum }));
      const rest = own.reduce((left, one) => left - one.count, count);
      const minors = own.reduce((left, one) => left - BigInt(one.minor), BigInt(minor));
      return rest === 0
        ? own
        : [...own, { currency, part: null, count: rest, minor: minors.toString() }];
    });
}

/** The displayed word for a part of a sum. */
export function partWord({ codes }: Pick<Frame, 'codes'>, part: string): string {
  return codes.part?.[part] ?? part;
}
