/** A sentence for exactly one and one for every other number; `#` stands for the number. */
export type Counted = Readonly<{ one: string; other: string }>;

/** Both sentences, for a client component that is given its texts: `say` is a message with plurals. */
export function countedWords(say: (count: number) => string): Counted {
  const sentence = (count: number): string => say(count).replace(String(count), '#');
  return { one: sentence(1), other: sentence(2) };
}

/** The sentence for this number, which is grouped as the page's language does. */
export function counted({ one, other }: Counted, count: number): string {
  return (count === 1 ? one : other).replace(
    '#',
    count.toLocaleString(document.documentElement.lang),
  );
}
