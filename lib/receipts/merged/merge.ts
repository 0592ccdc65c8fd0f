import 'server-only';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFStream } from 'pdf-lib';
import type { PDFPage } from 'pdf-lib';
import { addMissingPages } from './missing-pages.ts';
import type { Missing } from './missing-pages.ts';

/**
 * Merges PDF documents into one file, in their order. The last pages name every receipt that is not
 * in the file, so that none is missing unnoticed.
 */

/** The maximum number of pages of one receipt; most have one or two. */
export const PAGES_MAX = 50;

/**
 * `encrypted`: it opens with a password only; `broken`: it cannot be read to its end; `too_long`:
 * it has more than {@link PAGES_MAX} pages.
 */
export type MergeProblem = 'encrypted' | 'broken' | 'too_long';

/** One receipt; without `bytes` it is missing for `reason`. */
export type MergeItem =
  | { name: string; bytes: Uint8Array }
  | { name: string; bytes: null; reason: string };

/** `summary` has the places `{ready}` and `{all}`. */
export type MergeWords = {
  title: string;
  summary: string;
  problems: Record<MergeProblem, string>;
};

/** Returns the file, and how many receipts are in it. */
export async function mergePdfs(
  items: AsyncIterable<MergeItem> | Iterable<MergeItem>,
  words: MergeWords,
): Promise<{ bytes: Uint8Array; ready: number; missing: Missing[] }> {
  const pdf = await PDFDocument.create();
  const missing: Missing[] = [];
  let ready = 0;
  for await (const item of items) {
    if (item.bytes === null) {
      missing.push({ name: item.name, reason: item.reason });
      continue;
    }
    const problem = await append(pdf, item.bytes);
    if (problem === null) ready += 1;
    else missing.push({ name: item.name, reason: words.problems[problem] });
  }
  if (missing.length > 0 || ready === 0) {
    const summary = words.summary
      .replace('{ready}', String(ready))
      .replace('{all}', String(ready + missing.length));
    addMissingPages(pdf, { title: words.title, summary }, missing);
  }
  return { bytes: await pdf.save({ objectsPerTick: Infinity }), ready, missing };
}

/** Adds the pages of one document; returns why it could not, with no page added. */
async function append(into: PDFDocument, bytes: Uint8Array): Promise<MergeProblem | null> {
  try {
    const from = await PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: true,
      parseSpeed: Infinity,
    });
    const pages = from.getPages();
    if (pages.length > PAGES_MAX) return 'too_long';
    if (pages.length === 0 || !pages.every(isWhole)) return 'broken';
    for (const page of pages) disarm(page);
    for (const page of await into.copyPages(from, from.getPageIndices())) into.addPage(page);
    return null;
  } catch (error) {
    // The library's errors are compiled for old engines, where `instanceof` does not know them.
    return error instanceof Error && /is encrypted/.test(error.message) ? 'encrypted' : 'broken';
  }
}

/**
 * Whether the contents of a page are in the document. A document that ends too early may have pages
 * without their contents, which would be merged as white pages.
 */
function isWhole({ node }: PDFPage): boolean {
  if (node.get(PDFName.of('Contents')) === undefined) return true;
  const contents = node.Contents();
  if (!(contents instanceof PDFArray)) return contents instanceof PDFStream;
  return contents.asArray().every((one) => node.context.lookup(one) instanceof PDFStream);
}

/**
 * Removes the actions and links of a page: opening the merged file starts nothing, and no link
 * makes the library copy the other pages of the document too.
 */
function disarm({ node }: PDFPage): void {
  for (const name of ['AA', 'B', 'Metadata', 'StructParents']) node.delete(PDFName.of(name));
  const notes = node.Annots();
  for (const note of notes?.asArray() ?? []) {
    const one = node.context.lookup(note);
    if (!(one instanceof PDFDict)) continue;
    for (const name of ['A', 'AA', 'PA', 'Dest', 'Popup', 'Parent', 'P'])
      one.delete(PDFName.of(name));
  }
}
