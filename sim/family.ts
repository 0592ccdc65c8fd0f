import type { Row } from './store.ts';

/**
 * The intent at the root of the "pay again" chain of `id`, and all intents that "pay again" made of
 * it.
 */
export function familyOf(rows: readonly Row[], id: string): Row[] {
  let root = id;
  for (
    let row = rows.find((one) => one.id === id);
    row !== undefined && row.retryOf !== null;
    row = rows.find((one) => one.id === root)
  )
    root = row.retryOf;
  const family = rows.filter((row) => row.id === root);
  for (const row of family) family.push(...rows.filter((one) => one.retryOf === row.id));
  return family;
}
