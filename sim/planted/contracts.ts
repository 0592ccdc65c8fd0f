import type { Mutation } from './mutation.ts';

/**
 * Bugs that only tests can find: in reading what the providers write, and in the proof that the
 * sandbox's coverage gives.
 */

const SAVED_CARDS = 'lib/providers/card/saved-cards.ts';
const SAVED_CARDS_TEST = { test: 'lib/providers/card/management-calls.test.ts' };
const TOUCHES_TEST = { test: 'sandbox/testing/check-touches.test.ts' };

export const CONTRACT_BUGS: readonly Mutation[] = [
  {
    name: 'customer-number-with-merchant-is-strange',
    foundBy: SAVED_CARDS_TEST,
    about: 'the saved cards of the live gateway are never shown',
    file: SAVED_CARDS,
    find: 'return written.endsWith(suffix) ?',
    replace: 'return suffix === "" ?',
  },
  {
    name: 'any-merchant-behind-a-customer-number',
    foundBy: SAVED_CARDS_TEST,
    about: 'a saved card of another merchant’s customer is shown, and charged, as ours',
    file: SAVED_CARDS,
    find: "merchantId === null ? '' : `-${merchantId}`",
    replace: "/-\\d+$/.exec(written)?.[0] ?? ''",
  },
  {
    name: 'byte-order-mark-read',
    foundBy: { test: 'lib/providers/wallet/webhooks.test.ts' },
    about: 'a byte order mark makes a notice unreadable',
    file: 'lib/providers/json.ts',
    find: 'written.startsWith(BYTE_ORDER_MARK) ? written.slice(1) : written;',
    replace: 'written;',
  },
  {
    name: 'topic-without-words',
    foundBy: { test: 'app/audit/audit-words.test.ts' },
    about: 'the filter of the audit log shows a raw key',
    file: 'lib/audit/filter.ts',
    find: "'day.closed',",
    replace: "'day.closed', 'till.closed',",
  },
  {
    name: 'asked-code-proves-its-cause',
    foundBy: TOUCHES_TEST,
    about: 'a code that an invoice id asked for counts as the code’s own cause',
    file: 'sandbox/testing/touches.ts',
    find: "item === asked ? 'asked code' : 'code'",
    replace: "asked === '' ? 'asked code' : 'code'",
  },
  {
    name: 'any-run-meets-every-row',
    foundBy: TOUCHES_TEST,
    about: 'a coverage row is proven by another test of the same file',
    file: 'sandbox/testing/check-touches.ts',
    find: 'filter((one) => title.test(one.test))',
    replace: 'filter((one) => title.source !== one.test)',
  },
  {
    name: 'wide-link-needs-no-run-of-its-own',
    foundBy: TOUCHES_TEST,
    about: 'a test for all optional fields counts for those it never sent',
    file: 'sandbox/testing/check-touches.ts',
    find: '(!wide || !isRequest || namesItem(test, row.item))',
    replace: '(!wide || !isRequest || test !== row.item)',
  },
];
