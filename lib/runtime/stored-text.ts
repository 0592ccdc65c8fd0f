/**
 * Removes what PostgreSQL text cannot hold: NUL and half of a surrogate pair. A provider may write
 * both, and truncation may leave a half. Pure.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.replaceAll('\u0000', '').toWellFormed() ?? null) as T;
}
