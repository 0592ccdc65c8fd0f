/**
 * What was typed into a money form, kept by this tab alone while the review stands in its place: the
 * browser restores the fields of a reloaded page, and the review has none. Ticks are not kept.
 */

/** `keptAs`: names the form and its person, so that another person in this tab does not get it. */
export function keepTyped(keptAs: string, typed: Readonly<Record<string, string>>): void {
  try {
    sessionStorage.setItem(keptAs, JSON.stringify(typed));
  } catch {
    // A browser without storage keeps nothing over a reload.
  }
}

export function forgetTyped(keptAs: string): void {
  try {
    sessionStorage.removeItem(keptAs);
  } catch {
    // As above: nothing was kept.
  }
}

/** The kept texts of the fields in `known`; empty when none or something else is kept. */
export function readKept(keptAs: string, known: readonly string[]): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keptAs) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(
        ([field, text]) => known.includes(field) && typeof text === 'string',
      ),
    ) as Record<string, string>;
  } catch {
    return {};
  }
}
