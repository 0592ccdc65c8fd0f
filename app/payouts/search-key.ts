/**
 * The query of an address in canonical form, so that the server that drew a list and the browser
 * that shows it agree on it. Takes a page's `searchParams` or the browser's URLSearchParams.
 */
export function searchKey(
  params: Record<string, string | string[] | undefined> | URLSearchParams,
): string {
  const given =
    params instanceof URLSearchParams
      ? [...params]
      : Object.entries(params).flatMap(([name, value]) =>
          value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
        );
  const all = new URLSearchParams(given);
  all.sort();
  return all.toString();
}

/** The part of a key that filters: pages and orders of one filter have the same totals. */
export function filterKey(key: string): string {
  const search = new URLSearchParams(key);
  for (const name of ['sort', 'after', 'before']) search.delete(name);
  return search.toString();
}
