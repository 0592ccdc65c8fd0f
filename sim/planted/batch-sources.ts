import type { Mutation } from './mutation.ts';

/** Bugs in drafts of an earlier batch's rows. */

const ROWS = { test: 'lib/batches/draft/earlier-rows.test.ts' };
const EARLIER = { test: 'lib/batches/draft/from-earlier.db.test.ts' };

export const BATCH_SOURCE_BUGS: readonly Mutation[] = [
  {
    name: 'batch-earlier-amount-kept',
    about: "last month's amount stands in a row whose amount was to be typed",
    foundBy: ROWS,
    file: 'lib/batches/draft/earlier-rows.ts',
    find: "withoutAmounts ? '' : formatAmount(row.amountMinor, locale),",
    replace: 'formatAmount(row.amountMinor, locale),',
  },
  {
    name: 'batch-earlier-in-one-notation',
    about: 'the amounts of an earlier batch are written in a notation that can be read in two ways',
    foundBy: ROWS,
    file: 'lib/batches/draft/earlier-rows.ts',
    find: 'formatAmount(row.amountMinor, locale),',
    replace: "formatAmount(row.amountMinor, locale).replace(/[.,]00$/, ''),",
  },
  {
    name: 'batch-earlier-of-a-draft',
    about: 'a draft begins with rows that were never submitted',
    foundBy: EARLIER,
    file: 'lib/batches/draft/from-earlier.ts',
    find: "WHERE id = ${batchId}::uuid AND state = 'SUBMITTED'`",
    replace: 'WHERE id = ${batchId}::uuid`',
  },
];
