import type { Mutation } from './mutation.ts';

/** Bugs in where the rows of a draft come from: an earlier batch, the register of recipients. */

const ROWS = { test: 'lib/batches/draft/earlier-rows.test.ts' };
const CHECK = { test: 'lib/batches/draft/check-rows.test.ts' };
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
  {
    name: 'batch-recipient-guessed',
    about: 'of two saved recipients that a name may mean, the first one is paid',
    foundBy: CHECK,
    file: 'lib/batches/draft/complete-row.ts',
    find: "if (other !== undefined) return asked(cells, 'recipient_several', fitting);",
    replace: '',
  },
  {
    name: 'batch-recipient-unmarked',
    about: 'an account that the register brought stands in a row as if the file had it',
    foundBy: CHECK,
    file: 'lib/batches/draft/complete-row.ts',
    find: "valueCell('', values[field], [registered('', values[field])])",
    replace: "valueCell('', values[field], [])",
  },
];
