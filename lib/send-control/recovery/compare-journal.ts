import { KIND_NAMES, KINDS } from '#lib/movements/kinds.ts';

/**
 * Compares our own send journal with the database after a restore. Pure: shared by
 * `match-journal.ts` and the simulator. The journal names every request that may have left; the
 * restored records may lack any of them.
 */

/**
 * What the database has for the reference of a journal entry. `sends`: the number of its sends.
 * `saysNotSent`: cancelled, or ended without moving money.
 */
export type BookEntry = { sends: number; isWaiting: boolean; saysNotSent: boolean };

/**
 * `matched`: the database has this send. `recall`: the row is here and waits to be sent, so its
 * send is recorded as unknown. `lost`: no row has this reference. `contradiction`: the row says
 * that it was not sent.
 */
export type LineFinding = 'matched' | 'recall' | 'lost' | 'contradiction';

/** `attempt`: which send of its reference the entry is, from 1. */
export function judgeLine(attempt: number, entry: BookEntry | null): LineFinding {
  if (entry === null) return 'lost';
  if (attempt <= entry.sends) return 'matched';
  if (entry.isWaiting) return 'recall';
  return entry.saysNotSent ? 'contradiction' : 'matched';
}

/**
 * The journal's content when it was compared. `missing`: accepted sends in the database since the
 * window's begin without a journal entry.
 */
export type JournalFacts = { files: number; lines: number; unreadable: number; missing: number };

/**
 * `absent`: no journal, as on another machine. `incomplete`: it lacks sends that the database has,
 * or contains unreadable lines.
 */
export function journalState(
  facts: JournalFacts | null,
): 'not_compared' | 'absent' | 'incomplete' | 'complete' {
  if (facts === null) return 'not_compared';
  if (facts.files === 0) return 'absent';
  return facts.missing > 0 || facts.unreadable > 0 ? 'incomplete' : 'complete';
}

/**
 * The recoveries that a row is older than: the send journal at the comparison, and whether a record
 * of the row was found then.
 */
export type OlderThan = readonly { journal: JournalFacts | null; named: boolean }[];

/** Whether a restore may have lost a send of a row. */
export function mayBeLost(olderThan: OlderThan): boolean {
  return olderThan.some(({ journal, named }) => named || journalState(journal) !== 'complete');
}

/** Every kind of send that recovery compares. */
export const COMPARED_KINDS = [...KIND_NAMES, 'plan_charge', 'card_charge'] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

/**
 * The sources that a kind was compared with. The card gateway has no list, so its kinds are in our
 * own journal only.
 */
export type Comparison = {
  kind: ComparedKind;
  hasList: boolean;
  listing: boolean;
  journal: boolean;
};

export function comparisons(facts: JournalFacts | null, isListingRead: boolean): Comparison[] {
  const journal = journalState(facts) === 'complete';
  return COMPARED_KINDS.map((kind) => ({
    kind,
    hasList: hasListing(kind),
    listing: isListingRead && hasListing(kind),
    journal,
  }));
}

/** The kinds without any source for what was sent since the backup. */
export function notComparable(all: readonly Comparison[]): ComparedKind[] {
  return all.filter((one) => !one.listing && !one.journal).map((one) => one.kind);
}

function hasListing(kind: ComparedKind): boolean {
  return KINDS.get(kind)?.provider === 'wallet';
}
