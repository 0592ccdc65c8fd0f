import type { MergedWords } from '../merge-archive.ts';

/** The texts of one PDF, for tests: each reason is its own code. */
export const MERGED_WORDS: MergedWords = {
  title: 'Eksik',
  summary: '{ready}/{all}',
  problems: { encrypted: 'encrypted', broken: 'broken', too_long: 'too_long' },
  missing: {
    waiting_ledger: 'waiting_ledger',
    waiting_receipt: 'waiting_receipt',
    failed: 'failed',
    printing: 'printing',
    no_engine: 'no_engine',
    not_printed: 'not_printed',
    left_out: 'left_out',
  },
};
