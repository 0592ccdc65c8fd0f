import { aboutLines, readme } from './about.ts';
import type { Total } from './about.ts';
import { excelCsv, machineCsv } from './csv.ts';
import type { Frame, Profile } from './profile.ts';
import type { Cells, Column } from './source.ts';
import { ABOUT_SHEET, aboutSheet, ROWS_SHEET, sheetRows, workbookParts } from './xlsx.ts';

/**
 * The entries of the exported file, which is always a ZIP archive: a workbook is a ZIP archive by
 * its format, and a CSV table is packed together with a page that describes it. The entry with the
 * rows is written piece by piece, the others are short. Pure.
 */

export type ShortEntry = { name: string; text: string };
export type Layout = {
  fileName: string;
  type: string;
  before: ShortEntry[];
  rows: { name: string; head: string; row(cells: Cells): string; tail: string };
  after(total: Total): ShortEntry[];
};

const README = { tr: 'BENIOKU.txt', en: 'README.txt' };

export function layoutOf(profile: Profile, columns: readonly Column[], frame: Frame): Layout {
  if (profile === 'xlsx') {
    return {
      fileName: `${frame.fileName}.xlsx`,
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      before: workbookParts(frame),
      rows: { name: ROWS_SHEET, ...sheetRows(columns, frame) },
      after: (total) => [{ name: ABOUT_SHEET, text: aboutSheet(aboutLines(frame, total, false)) }],
    };
  }
  const lines = profile === 'csv' ? machineCsv(columns) : excelCsv(columns, frame);
  return {
    fileName: `${frame.fileName}.zip`,
    type: 'application/zip',
    before: [],
    rows: { name: `${frame.fileName}.csv`, ...lines, tail: '' },
    after: (total) => [{ name: README[frame.locale], text: readme(frame, total) }],
  };
}
