/**
 * Returns which elements of a table show each row, as numbers from 0. A row that stays keeps its
 * elements, and other rows take over those of the rows that went, in their order: a browser changes
 * the text of elements in half the time in which it makes new ones.
 */
export function rowSlots(
  rows: readonly { id: string }[],
  before: ReadonlyMap<string, number>,
): Map<string, number> {
  const kept = new Set(rows.flatMap(({ id }) => before.get(id) ?? []));
  let free = 0;
  return new Map(
    rows.map(({ id }) => {
      const own = before.get(id);
      if (own !== undefined) return [id, own];
      while (kept.has(free)) free += 1;
      return [id, free++];
    }),
  );
}
