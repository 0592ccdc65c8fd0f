/**
 * PostgreSQL holds no NUL and no half of a surrogate pair; a provider may write both, or a cut may
 * leave one. Pure.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.replaceAll('\u0000', '').toWellFormed() ?? null) as T;
}
