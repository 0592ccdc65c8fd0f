import type { Mutation } from './mutation.ts';

/** Bugs in the rules that find a payment made twice: rhythms, turns and numbers of invoices. */

const TEST = 'lib/payment-checks/duplicate-rules.test.ts';
const RULES = 'lib/payment-checks/duplicate-rules.ts';
const SERIES = 'lib/payment-checks/series.ts';

export const DUPLICATE_BUGS: readonly Mutation[] = [
  {
    name: 'second-wages-within-the-month',
    about: 'the same wages ten days later are no duplicate',
    foundBy: { test: TEST },
    file: RULES,
    find: 'Math.max(SAME_AMOUNT_MS, notDueMs(series) ?? 0)',
    replace: 'SAME_AMOUNT_MS + 0 * (notDueMs(series) ?? 0)',
  },
  {
    name: 'invoice-in-other-words',
    about: 'an invoice is paid again under its number in other words',
    foundBy: { test: TEST },
    file: RULES,
    find: 'return numbersIn(movement.description).some((number) => numbers.has(number));',
    replace: 'return numbers.size < 0;',
  },
  {
    name: 'due-turn-hides-an-old-invoice',
    about: 'a turn that is due lets the invoice of an earlier turn through',
    foundBy: { test: TEST },
    file: RULES,
    find: "return again.length === 1 ? [finding('duplicate_invoice', again, payment)] : [];",
    replace: 'return again.length < 0 ? [] : [];',
  },
  {
    name: 'turn-without-end',
    about: 'a turn that usually has two equal payments takes any number',
    foundBy: { test: TEST },
    file: SERIES,
    find: 'alike < middle(earlier.slice(0, TURNS_MIN).map(mostAlike))',
    replace: 'earlier.slice(0, TURNS_MIN).map(mostAlike).length > 0',
  },
  {
    name: 'two-of-a-turn-are-alike',
    about: 'two payments of different amounts in each turn excuse one that is paid twice',
    foundBy: { test: TEST },
    file: SERIES,
    find: 'return Math.max(...counts.map(({ length }) => length));',
    replace: 'return counts.length > 0 ? payments.length : 0;',
  },
  {
    name: 'file-rows-need-no-history',
    about: 'rows of one file that repeat each other are excused without a rhythm',
    foundBy: { test: 'lib/batches/draft/check-rows.test.ts' },
    file: 'lib/batches/draft/in-file.ts',
    find: 'const repeated = comesInTurn(facts, all)',
    replace: 'const repeated = comesInTurn(facts, all) || all.length > 2',
  },
];
