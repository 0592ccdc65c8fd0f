/**
 * Recent searches, kept by this tab alone and for one person: they end with the tab, and another
 * person does not see them.
 */

const RECENT_MAX = 5;

export function readRecent(owner: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((one) => typeof one === 'string').slice(0, RECENT_MAX)
      : [];
  } catch {
    return [];
  }
}

export function keepRecent(owner: string, text: string): void {
  if (text === '') return;
  try {
    sessionStorage.setItem(
      keyOf(owner),
      JSON.stringify(
        [text, ...readRecent(owner).filter((one) => one !== text)].slice(0, RECENT_MAX),
      ),
    );
  } catch {
    // A browser without storage has no recent searches.
  }
}

function keyOf(owner: string): string {
  return `search:${owner}`;
}
