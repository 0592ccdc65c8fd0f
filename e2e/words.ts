import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'tr' | 'en';

type Texts = { [key: string]: string | Texts };
const read = new Map<string, Texts>();

/**
 * A text of a page, from its messages file: `word('en', 'login', 'codeTitle')`. Tests find labels
 * by it, in either language. Where the wording itself is the guarantee, a test writes it out.
 */
export function word(
  language: Language,
  file: string,
  path: string,
  values: Record<string, string | number> = {},
): string {
  return template(language, file, path).replace(/\{(\w+)\}/g, (gap, name: string) =>
    name in values ? String(values[name]) : gap,
  );
}

/**
 * A text of a page as a pattern. Every placeholder, also one that chooses between texts, matches
 * anything.
 */
export function like(language: Language, file: string, path: string): RegExp {
  let pattern = '';
  let depth = 0;
  for (const character of template(language, file, path).replaceAll("''", "'")) {
    if (character === '{' && depth++ === 0) pattern += '.*';
    if (depth === 0) pattern += character.replace(/[.*+?^${}()|[\]\\]/, String.raw`\$&`);
    if (character === '}') depth -= 1;
  }
  return new RegExp(pattern);
}

function template(language: Language, file: string, path: string): string {
  const key = `${language}/${file}`;
  const texts =
    read.get(key) ??
    (JSON.parse(
      readFileSync(join(import.meta.dirname, '..', 'messages', `${key}.json`), 'utf8'),
    ) as Texts);
  read.set(key, texts);
  let found: string | Texts | undefined = texts;
  for (const step of path.split('.')) found = typeof found === 'object' ? found[step] : undefined;
  if (typeof found !== 'string') throw new Error(`messages/${key}.json does not say ${path}`);
  return found;
}
