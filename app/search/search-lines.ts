import type { ShownGroup, ShownHit } from './shown-hits.ts';
import type { SearchWords } from './search-words.ts';
import type { Search } from './use-search.ts';

/** A line that can be chosen: a record that was found, or something to do. */
export type Line = { id: string; hit: ShownHit; press(): void };
export type LineGroup = { name: string; title: string; lines: Line[] };

type Given = {
  search: Search;
  recent: string[];
  go(href: string): void;
  setText(text: string): void;
};

export function linesOf({
  search: { view, words, provider, askProvider },
  recent,
  go,
  setText,
}: Given): LineGroup[] {
  const groups = [...(view?.groups ?? []), ...(provider?.groups ?? [])];
  const found = groups.map((group) => foundLines(group, words, go));
  const others: LineGroup[] = [];
  if (recent.length > 0 && words !== null)
    others.push({
      name: 'recent',
      title: words.recent,
      lines: recent.map((text, n) => plainLine(`recent-${n}`, text, () => setText(text))),
    });
  if (view?.canAsk === true && provider === null && words !== null)
    others.push({
      name: 'ask',
      title: words.provider,
      lines: [plainLine('ask', words.askProvider, askProvider)],
    });
  // Actions come last: a record that was found is the likelier target.
  return [
    ...found.filter((one) => one.name !== 'actions'),
    ...others,
    ...found.filter((one) => one.name === 'actions'),
  ];
}

function foundLines(
  { name, title, hits, all }: ShownGroup,
  words: SearchWords | null,
  go: (href: string) => void,
): LineGroup {
  const lines = hits.map((hit) => ({
    id: hit.id,
    hit,
    press: () => {
      if (hit.href !== null) go(hit.href);
    },
  }));
  if (all !== null && words !== null)
    lines.push(plainLine(`${name}-all`, words.all, () => go(all), all));
  return { name, title, lines };
}

function plainLine(id: string, title: string, press: () => void, href: string | null = null): Line {
  const hit = { id, href, title, detail: '', when: '', amount: '', state: null, under: false };
  return { id, hit, press };
}
