/** Checks that both languages have the same files, the same keys and the same placeholders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LANGUAGES = ['tr', 'en'] as const;

export function checkMessages(root: string): string[] {
  const folder = join(root, 'messages');
  if (!existsSync(folder)) return [];
  const [first, second] = LANGUAGES.map((language) => textsOf(join(folder, language)));
  return [
    ...lonelyFiles(folder),
    ...compare(LANGUAGES, first!, second!),
    ...compare([...LANGUAGES].toReversed(), second!, first!),
  ];
}

/**
 * Returns a problem for each file that only one language has. The comparison of texts would miss a
 * file that has no text.
 */
function lonelyFiles(folder: string): string[] {
  const files = LANGUAGES.map((language) => filesIn(join(folder, language)));
  return LANGUAGES.flatMap((language, index) =>
    [...new Set(files.flat())]
      .filter((file) => !files[index]!.includes(file))
      .map((file) => `messages/${language}/${file} is missing; the other language has it.`),
  );
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
}

/** Returns the texts of one language by `file.json: path.to.key`. */
function textsOf(folder: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of filesIn(folder)) {
    collect(JSON.parse(readFileSync(join(folder, file), 'utf8')), `${file}: `, texts);
  }
  return texts;
}

function collect(value: unknown, path: string, into: Map<string, string>): void {
  if (typeof value === 'string') into.set(path, value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, below] of Object.entries(value))
      collect(below, path.endsWith(': ') ? `${path}${key}` : `${path}.${key}`, into);
  } else into.set(path, '');
}

function compare(
  [here, there]: readonly string[],
  texts: Map<string, string>,
  others: Map<string, string>,
): string[] {
  return [...texts].flatMap(([key, text]) => {
    const other = others.get(key);
    if (other === undefined) return [`messages/${there}/${key} is missing; ${here} has it.`];
    // A text may be empty, but only in both languages.
    if (text.trim() === '' && other.trim() !== '')
      return [`messages/${here}/${key} is empty; ${there} says something.`];
    const lacking = placeholders(text).filter((name) => !placeholders(other).includes(name));
    return lacking.map((name) => `messages/${there}/${key} does not say {${name}}; ${here} does.`);
  });
}

/**
 * Returns the arguments of an ICU message. The branches of a select or plural stand in braces too,
 * but hold text and not a name.
 */
export function placeholders(text: string): string[] {
  const names = new Set<string>();
  let at = 0;
  const readText = () => {
    for (; at < text.length && text[at] !== '}'; at++) if (text[at] === '{') readArgument();
  };
  const readArgument = () => {
    const [whole = '', name = ''] = /^\{\s*(\w+)\s*/.exec(text.slice(at)) ?? [];
    names.add(name);
    at += whole.length || 1;
    for (; at < text.length && text[at] !== '}'; at++) {
      if (text[at] !== '{') continue;
      at++;
      readText();
    }
  };
  readText();
  names.delete('');
  return [...names];
}
