import 'server-only';
import type { Layout } from './layout.ts';
import { entryHead, wholeEntry } from './zip.ts';
import type { Entry } from './zip.ts';

/** `bytes`: what precedes the rows in the file. `at`: where the entry with the rows begins. */
export type Opening = { bytes: Buffer; entries: Entry[]; at: number };

/**
 * The short entries in front and the header of the entry with the rows: identical bytes from every
 * worker, and from the web, which sends them before a worker has made a row.
 */
export function openingOf({ before, rows }: Layout, made: Date): Opening {
  const entries: Entry[] = [];
  const parts: Buffer[] = [];
  let at = 0;
  for (const { name, text } of before) {
    const { entry, bytes } = wholeEntry(name, text, at, made);
    entries.push(entry);
    parts.push(bytes);
    at += bytes.length;
  }
  const head = entryHead(rows.name, made);
  return { bytes: Buffer.concat([...parts, head]), entries, at };
}
