import type { Mutation } from './mutation.ts';

/** Bugs around a batch that runs: its order and end, its retry, and what is said of its rows. */

const RUN = { test: 'lib/batches/run/run.db.test.ts' };
const RETRY = { test: 'lib/batches/run/retry.db.test.ts' };
const FEED = 'lib/batches/run/feed.ts';

export const BATCH_GAP_BUGS: readonly Mutation[] = [
  {
    name: 'batch-from-its-end',
    about: 'the rows of a batch are sent from the last to the first',
    foundBy: RUN,
    file: FEED,
    find: 'NULLS FIRST, w.n\n    LIMIT',
    replace: 'NULLS FIRST, w.n DESC\n    LIMIT',
  },
  {
    name: 'batch-over-while-a-row-is-sent',
    about: 'a batch is called over, and may be retried, while a row of it is being sent',
    foundBy: RUN,
    file: FEED,
    find: "AND (w.made_at IS NULL OR m.state IN ('APPROVED', 'SUBMITTING')))\n        THEN NULL",
    replace: "AND (w.made_at IS NULL OR m.state = 'APPROVED'))\n        THEN NULL",
  },
  {
    name: 'retry-of-a-reported-return',
    drill: 'file-retried',
    about: 'a row is paid again whose return no ledger has confirmed',
    file: 'lib/batches/run/retry-rules.ts',
    find: "return returned === 'CONFIRMED';",
    replace: "return returned !== 'NONE';",
  },
  {
    name: 'result-counts-returned-as-paid',
    about: 'the result file counts money that came back as paid',
    foundBy: RETRY,
    file: 'lib/batches/run/result.ts',
    find: "CASE WHEN m.state = 'COMPLETED' AND m.returned <> 'CONFIRMED' THEN w.amount_minor",
    replace: "CASE WHEN m.state = 'COMPLETED' THEN w.amount_minor",
  },
  {
    name: 'unknown-row-shown-as-failed',
    about: 'the page of a batch says "failed" of a row whose outcome is unknown',
    foundBy: RETRY,
    file: 'lib/batches/run/view.ts',
    find: "WHEN m.state = 'UNKNOWN' THEN 'unknown'",
    replace: "WHEN m.state = 'UNKNOWN' THEN 'failed'",
  },
  {
    name: 'retry-of-a-retry-pays-the-first-again',
    about: 'a second retry names the first movement of the row, not the latest',
    foundBy: RETRY,
    file: 'lib/batches/run/submit.ts',
    find: 'ORDER BY w.n, e.steps`',
    replace: 'ORDER BY w.n, e.steps DESC`',
  },
  {
    name: 'stopped-batch-sends-what-is-ready',
    about: 'what is ready leaves after a stop whose process ended before it cancelled that',
    foundBy: RUN,
    file: 'lib/movements/batch-hold.ts',
    find: '(r.hold IS NOT NULL OR r.stopped_at IS NOT NULL)',
    replace: 'r.hold IS NOT NULL',
  },
  {
    name: 'stopped-batch-fed',
    about: 'a stopped batch makes movements of its rest',
    foundBy: RUN,
    file: FEED,
    find: 'r.hold IS NULL AND r.stopped_at IS NULL AND',
    replace: 'r.hold IS NULL AND',
  },
  {
    name: 'resumed-batch-remembers-failures',
    about: 'a batch that somebody lets go on pauses at once for the failures before',
    foundBy: RUN,
    file: 'lib/batches/run/control.ts',
    find: 'resumed_at = clock_timestamp(), feed_at = clock_timestamp()',
    replace: 'feed_at = clock_timestamp()',
  },
  {
    name: 'draft-ready-without-a-balance',
    about: 'a draft is sent although the provider has not reported the balance',
    foundBy: { test: 'lib/batches/draft/summary.test.ts' },
    file: 'lib/batches/draft/summary.ts',
    find: "if (facts.balance === null) problems.push({ code: 'wallet_unverified' });",
    replace: '',
  },
  {
    name: 'amount-before-two-full-stops',
    about: 'an amount of a thousand with two marks behind it is taken without a word',
    foundBy: { test: 'lib/batches/file/fixtures.test.ts' },
    file: 'lib/batches/file/decide-amount.ts',
    find: '[.,]([^\\d.,]*)$/;',
    replace: '[.,](\\D*)$/;',
  },
];
