/** What this module reads of the browser's Navigation API: the pages of this tab, in order. */
export type TabHistory = {
  entries: () => readonly { url: string | null }[];
  currentEntry: { index: number } | null;
};

/**
 * The address to which a page leads back: that of the list from which the person came, with its
 * filter, order and page, or `href` where they came from elsewhere. Pages below the list's address
 * lie between: a record may lead to another one. `history`: undefined in a browser without the API.
 */
export function listAsLeft(href: string, history: TabHistory | undefined): string {
  const [path = ''] = href.split('?');
  const entries = history?.entries() ?? [];
  for (let at = history?.currentEntry?.index ?? -1; at >= 0; at -= 1) {
    const url = entries[at]?.url ?? null;
    if (url === null) return href;
    const { pathname, search } = new URL(url);
    if (pathname === path) return path + search;
    if (!pathname.startsWith(`${path}/`)) return href;
  }
  return href;
}
