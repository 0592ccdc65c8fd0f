/**
 * The search part of an address in one form, so that the server that drew a list and the browser
 * that shows it mean the same one. Takes what a page is given and what a browser reads from its
 * address.
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

/** What of a key narrows the list: its pages and orders have the same totals. */
export function filterKey(key: string): string {
  const search = new URLSearchParams(key);
  for (const name of ['sort', 'after', 'before']) search.delete(name);
  return search.toString();
}
