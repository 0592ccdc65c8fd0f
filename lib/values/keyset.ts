/**
 * Keyset pagination: the cost does not grow with the depth, and rows that arrive meanwhile do not
 * shift the page that a person is reading. Lists run newest first; a place lies between two rows.
 * Pure.
 */

const EDGE_MAX = 200;
/** Where the seconds of an instant end. */
const SECONDS_END = 'YYYY-MM-DDTHH:MM:SS'.length;

/** `edge` is the sort value of the row next to the place, as text. */
export type Place = { side: 'after' | 'before'; edge: string };

export type Paged<T> = { rows: T[]; newer: Place | null; older: Place | null };

/**
 * Reads `?after=` (older rows) or `?before=` (newer rows) from an address; ignores an invalid edge.
 */
export function readPlace(
  params: Record<string, string | string[] | undefined>,
  edge: RegExp,
): Place | null {
  for (const side of ['after', 'before'] as const) {
    const text = params[side];
    if (typeof text === 'string' && text.length <= EDGE_MAX && edge.test(text) && isReal(text))
      return { side, edge: text };
  }
  return null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3,6}Z/;

/** False for an edge that begins with an instant which does not exist. */
function isReal(edge: string): boolean {
  const instant = INSTANT.exec(edge)?.[0];
  return instant === undefined || isInstant(instant);
}

/**
 * Whether '2026-03-06T21:00:00.000000Z' exists and PostgreSQL reads it: no 30 February, no 24:00, no
 * year 0. `Date.parse` alone makes 2 March of 30 February.
 */
export function isInstant(text: string): boolean {
  const ms = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || text.startsWith('0000')) return false;
  return new Date(ms).toISOString().slice(0, SECONDS_END) === text.slice(0, SECONDS_END);
}

/**
 * The address of the page at a place, or of the first one: the filter's own parameters come first.
 */
export function addressOf(
  filter: Record<string, string | null>,
  place: Place | null = null,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    if (value !== null && value !== '') params.set(name, value);
  if (place !== null) params.set(place.side, place.edge);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * `found` holds up to `size + 1` rows in the order of the query: newest first, or oldest first when
 * the place is `before`. The extra row only shows that there are more.
 */
export function pageOf<T>(
  found: readonly T[],
  place: Place | null,
  size: number,
  edgeOf: (row: T) => string,
): Paged<T> {
  const backwards = place?.side === 'before';
  const more = found.length > size;
  const rows = found.slice(0, size);
  if (backwards) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNewer = backwards ? more : place !== null;
  const hasOlder = backwards || more;
  return {
    rows,
    newer: hasNewer && first !== undefined ? { side: 'before', edge: edgeOf(first) } : null,
    older: hasOlder && last !== undefined ? { side: 'after', edge: edgeOf(last) } : null,
  };
}
