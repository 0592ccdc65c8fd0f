import { expect, test } from 'vitest';
import { MESSAGES } from '#lib/runtime/messages.ts';
import type { Words } from '#lib/runtime/messages.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { ASK_REASONS, FILE_ERROR_CODES, MARK_REASONS } from './cell.ts';
import { FIELDS } from './headings.ts';
import type { LeftReason, Said } from './table.ts';

const LEFT: Record<LeftReason, true> = {
  ...{ above: true, heading: true, repeated_heading: true, hidden: true, totals: true },
  remark: true,
};
const SAID: Record<Said['code'], true> = {
  ...{ hidden_sheet: true, other_sheet: true, chosen_sheet_hidden: true, empty_lines: true },
  ...{ hidden_column: true, two_line_headings: true, no_headings: true },
};

test.each(LOCALES)(
  'every code of a file has its text in "%s", and no text is left over',
  (locale) => {
    const words = MESSAGES[locale].batchFile;
    const keys = (name: string): string[] => Object.keys(words[name] as Words).sort();
    expect(keys('marks')).toEqual([...MARK_REASONS].sort());
    expect(keys('asks')).toEqual([...ASK_REASONS].sort());
    expect(keys('errors')).toEqual([...FILE_ERROR_CODES].sort());
    expect(keys('fields')).toEqual([...FIELDS].sort());
    expect(keys('left')).toEqual(Object.keys(LEFT).sort());
    expect(keys('said')).toEqual(Object.keys(SAID).sort());
  },
);
