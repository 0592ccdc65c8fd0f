import 'server-only';
import {
  PageSizes,
  PDFName,
  beginText,
  endText,
  moveText,
  setFillingGrayscaleColor,
  setFontAndSize,
  showText,
} from 'pdf-lib';
import type { PDFDocument, PDFPage } from 'pdf-lib';
import { readLetters } from './letters.ts';

/** The last pages of a merged file, which name every receipt that is not in it. */

const MARGIN = 56;
const [WIDTH, HEIGHT] = PageSizes.A4;
const TITLE = { size: 16, line: 26, gray: 0 };
const TEXT = { size: 10, line: 15, gray: 0 };
const REASON = { size: 10, line: 15, gray: 0.4 };
const GAP = 8;
const FONT = 'Letters';

type Style = typeof TITLE;

/** `name` identifies the receipt to a person, `reason` says why it is missing. */
export type Missing = { name: string; reason: string };

export function addMissingPages(
  pdf: PDFDocument,
  { title, summary }: { title: string; summary: string },
  missing: readonly Missing[],
): void {
  const letters = readLetters();
  const font = letters.embed(pdf);
  let page: PDFPage | null = null;
  let y = 0;
  const write = (text: string, { size, line, gray }: Style): void => {
    if (page === null || y - line < MARGIN) {
      page = pdf.addPage([WIDTH, HEIGHT]);
      page.node.setFontDictionary(PDFName.of(FONT), font);
      y = HEIGHT - MARGIN;
    }
    y -= line;
    page.pushOperators(
      beginText(),
      setFillingGrayscaleColor(gray),
      setFontAndSize(FONT, size),
      moveText(MARGIN, y),
      showText(letters.encoded(text)),
      endText(),
    );
  };
  const paragraph = (text: string, style: Style): void => {
    for (const line of brokenAt(text, WIDTH - 2 * MARGIN, (part) =>
      letters.width(part, style.size),
    ))
      write(line, style);
  };
  paragraph(title, TITLE);
  paragraph(summary, TEXT);
  for (const one of missing) {
    y -= GAP;
    paragraph(one.name, TEXT);
    paragraph(one.reason, REASON);
  }
}

/** Breaks a text into lines that fit; a word longer than a line is cut. */
function brokenAt(text: string, max: number, width: (text: string) => number): string[] {
  const lines = [''];
  const add = (word: string): void => {
    const line = lines.at(-1)!;
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= max) lines[lines.length - 1] = longer;
    else if (line !== '') {
      lines.push('');
      add(word);
    } else {
      let fits = word.length - 1;
      while (fits > 1 && width(word.slice(0, fits)) > max) fits -= 1;
      lines[lines.length - 1] = word.slice(0, fits);
      lines.push('');
      add(word.slice(fits));
    }
  };
  for (const word of text.split(/\s+/).filter((one) => one !== '')) add(word);
  return lines;
}
