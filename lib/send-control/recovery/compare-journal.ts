import { KIND_NAMES, WALLET_KINDS } from '#lib/movements/kinds.ts';

/**
 * What our own send journal says of the books after a restore. Pure: `match-journal.ts` carries it
 * out, and the simulator plays the same rules. The journal names every request that may have left;
 * the books may have forgotten any of them.
 */

/**
 * What the books hold of the reference of a line. `sends`: how many of its sends they know of.
 * `saysNotSent`: they call it off, or ended without money.
 */
export type BookEntry = { sends: number; isWaiting: boolean; saysNotSent: boolean };

/**
 * `matched`: the books know of this send. `recall`: the row is here and waits to be sent, so its
 * send is written down as unknown. `lost`: nothing here has this reference. `contradiction`: the
 * books say that it was not sent.
 */
export type LineFinding = 'matched' | 'recall' | 'lost' | 'contradiction';

/** `attempt`: which send of its reference the line is, from 1. */
export function judgeLine(attempt: number, entry: BookEntry | null): LineFinding {
  if (entry === null) return 'lost';
  if (attempt <= entry.sends) return 'matched';
  if (entry.isWaiting) return 'recall';
  return entry.saysNotSent ? 'contradiction' : 'matched';
}

/**
 * What the journal held when it was compared. `missing`: accepted sends of the books since the
 * window's begin that it has no line of.
 */
export type JournalFacts = { files: number; lines: number; unreadable: number; missing: number };

/**
 * `absent`: no journal, as on another machine. `incomplete`: it lacks sends that the books know of,
 * or lines of it cannot be read.
 */
export function journalState(
  facts: JournalFacts | null,
): 'not_compared' | 'absent' | 'incomplete' | 'complete' {
  if (facts === null) return 'not_compared';
  if (facts.files === 0) return 'absent';
  return facts.missing > 0 || facts.unreadable > 0 ? 'incomplete' : 'complete';
}

/** Every kind of send that recovery speaks of. */
export const COMPARED_KINDS = [...KIND_NAMES, 'plan_charge', 'card_charge'] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

/**
 * What a kind was compared with. The card gateway has no list, so of its kinds nothing but our own
 * journal can tell.
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

/** The kinds of which nobody can say what left since the backup. */
export function notComparable(all: readonly Comparison[]): ComparedKind[] {
  return all.filter((one) => !one.listing && !one.journal).map((one) => one.kind);
}

function hasListing(kind: ComparedKind): boolean {
  return WALLET_KINDS.some((one) => one === kind);
}
