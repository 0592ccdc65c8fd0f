/** What an approver is shown, each fact as its label and its text. Pure. */
export type ShownFact = readonly [label: string, text: string];

export type Change = { label: string; before: string; after: string };

/** The facts that differ, in the order in which they are shown; what is missing is an empty text. */
export function changesOf(before: readonly ShownFact[], after: readonly ShownFact[]): Change[] {
  const [was, is] = [new Map(before), new Map(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((label) => ({ label, before: was.get(label) ?? '', after: is.get(label) ?? '' }))
    .filter((one) => one.before !== one.after);
}
