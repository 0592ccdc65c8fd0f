/**
 * Removes what PostgreSQL text cannot hold: NUL and half of a surrogate pair. A provider may write
 * both, and truncation may leave a half. Pure.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.replaceAll('\u0000', '').toWellFormed() ?? null) as T;
}

/** The same for every text of an object; other values stay as they are. */
export function storableFields<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? storable(value) : value,
    ]),
  ) as T;
}
