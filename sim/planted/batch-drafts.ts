import type { Mutation } from './mutation.ts';

/** Bugs in a draft of many payouts: what is paid, once, of which row, by whose word. */

const DRAFTS = { test: 'lib/batches/draft/drafts.db.test.ts' };
const TABLE = { test: 'lib/batches/draft/draft-table.test.ts' };
const CHECK = { test: 'lib/batches/draft/check-rows.test.ts' };
const KINDS = { test: 'lib/batches/draft/warning-kinds.test.ts' };
const TICK_KIND = { test: 'lib/batches/draft/tick-kind.db.test.ts' };
const SUMMARY = { test: 'lib/batches/draft/summary.test.ts' };

export const BATCH_DRAFT_BUGS: readonly Mutation[] = [
  {
    name: 'batch-split-row-in-two-drafts',
    foundBy: DRAFTS,
    about: 'a row that became a draft of its own stays in the first one too',
    file: 'lib/batches/draft/split.ts',
    find: 'choices: { ...state.choices, without },',
    replace: 'choices: { ...state.choices },',
  },
  {
    name: 'batch-split-hides-nothing',
    foundBy: TABLE,
    about: 'a draft shows rows that were split off from it',
    file: 'lib/batches/draft/draft-table.ts',
    find: '&& !gone.has(key)',
    replace: '',
  },
  {
    name: 'batch-last-change-wins',
    foundBy: DRAFTS,
    about: 'of two changes of one version the second overwrites the first',
    file: 'lib/batches/draft/row.ts',
    find: "if (row.version !== version) throw new Refusal('batch_changed');",
    replace: 'void version;',
  },
  {
    name: 'batch-changed-by-anybody',
    foundBy: DRAFTS,
    about: 'who did not upload the file changes its draft, and could approve it',
    file: 'lib/batches/draft/row.ts',
    find: "if (row.maker_id !== actor.personId) throw new Refusal('batch_of_other');",
    replace: '',
  },
  {
    name: 'batch-tick-outlives-an-edit',
    foundBy: DRAFTS,
    about: 'a warning that was confirmed of another content counts after an edit',
    file: 'lib/batches/draft/change.ts',
    find: 'const { [key]: _ticks, ...ticked } = state.ticked;',
    replace: 'const { ticked } = state;',
  },
  {
    name: 'batch-tick-of-any-repeated-row',
    foundBy: CHECK,
    about: 'a tick for one repeated row counts for another one',
    file: 'lib/batches/draft/check-rows.ts',
    find: 'return JSON.stringify([finding.code, finding.params.row]);',
    replace: 'return JSON.stringify([finding.code]);',
  },
  {
    name: 'batch-kind-ticked-unseen',
    foundBy: TICK_KIND,
    about: 'one confirmation of a kind counts for warnings that came after the page was drawn',
    file: 'lib/batches/draft/tick-kind.ts',
    find: 'if (kind?.seen !== seen) throw',
    replace: 'if (kind === undefined) throw',
  },
  {
    name: 'batch-further-tick-forgets-the-first',
    foundBy: KINDS,
    about: 'a further tick of a row takes back what was confirmed before',
    file: 'lib/batches/draft/warning-kinds.ts',
    find: '...(before?.keys ?? []), ...keys',
    replace: '...keys',
  },
  {
    name: 'batch-accounts-ticked-together',
    foundBy: KINDS,
    about: 'other accounts of several payees are confirmed at once, without a look at each',
    file: 'lib/batches/draft/warning-kinds.ts',
    find: "  'row_repeated',\n",
    replace: "  'row_repeated',\n  'row_other_account',\n",
  },
  {
    name: 'batch-repeated-row-unsaid',
    foundBy: CHECK,
    about: 'the same account and amount twice in one file is not said',
    file: 'lib/batches/draft/in-file.ts',
    find: "  duplicate: 'row_repeated',",
    replace: '',
  },
  {
    name: 'batch-tick-without-its-code',
    foundBy: DRAFTS,
    about: 'a repeated row that was confirmed is refused when its payment is made',
    file: 'lib/batches/draft/check-rows.ts',
    find: "return 'stands' in finding ? finding.stands : finding.code;",
    replace: "return 'stands' in finding ? 'first_payment' : finding.code;",
  },
  {
    name: 'batch-register-with-another-account',
    foundBy: CHECK,
    about: 'a row with an account of its own is taken for a saved recipient with another one',
    file: 'lib/batches/draft/complete-row.ts',
    find: "return field === 'iban' ? saved.ibans.includes(value) : saved.taxNumber === value;",
    replace: 'return true;',
  },
  {
    name: 'batch-first-account-of-several',
    foundBy: CHECK,
    about: 'of a saved recipient with two accounts one is chosen without asking',
    file: 'lib/batches/draft/complete-row.ts',
    find: "if (blank.includes('iban') && second !== undefined)",
    replace: "if (blank.includes('iban') && second === iban)",
  },
  {
    name: 'batch-sums-what-is-out',
    foundBy: SUMMARY,
    about: 'the sum counts rows that were taken out',
    file: 'lib/batches/draft/summary.ts',
    find: 'const paid = rows.filter(({ isOut }) => !isOut);',
    replace: 'const paid = rows;',
  },
  {
    name: 'batch-beyond-the-balance',
    foundBy: SUMMARY,
    about: 'a sum that the balance does not carry is ready',
    file: 'lib/batches/draft/summary.ts',
    find: 'if (available !== null && sum > available)',
    replace: 'if (available !== null && sum > available * 2n)',
  },
  {
    name: 'batch-beyond-the-limit',
    foundBy: SUMMARY,
    about: 'a sum above what the provider reports as left of the limit is ready',
    file: 'lib/batches/draft/summary.ts',
    find: 'limit !== null && part > limit ?',
    replace: 'limit !== null && part > limit * 2n ?',
  },
  {
    name: 'batch-facts-by-account-alone',
    foundBy: DRAFTS,
    about: 'a payment of the same number to another account is not among the facts of a row',
    file: 'lib/payouts/facts-of-many.ts',
    find: 'OR (m.by_number AND m.nth_of_number <= ${RECENT_MAX})',
    replace: '',
  },
];
