import type { Mutation } from './mutation.ts';

/** Bugs in what two people may close, and in which of their claims count. */

const STANDING = 'lib/second-person/standing.ts';
const CLOSABLE = 'lib/movements/closable.ts';
const CLOSE = 'lib/movements/close.ts';
const PLAN = 'lib/cards/recurring/charge-closing.ts';

export const SECOND_PERSON_BUGS: readonly Mutation[] = [
  {
    name: 'any-word-counts',
    about: 'a word that its author has changed still counts',
    foundBy: { test: 'lib/second-person/standing.test.ts' },
    file: STANDING,
    find: 'for (const word of words) latest.set(word.personId, word);',
    replace: 'for (const word of words) latest.set(`${word.personId} ${word.claim}`, word);',
  },
  {
    name: 'contradiction-closes',
    about: 'two people close it although a third one denies it',
    foundBy: { test: 'lib/second-person/standing.test.ts' },
    file: STANDING,
    find: 'if (claims.length > 1) return',
    replace: 'if (claims.length > 2) return',
  },
  {
    name: 'words-for-ever',
    about: 'a word of last week counts',
    foundBy: { test: 'lib/second-person/standing.test.ts' },
    file: STANDING,
    find: 'filter((word) => now - word.at < WORD_LIFE_MS)',
    replace: 'filter((word) => now >= word.at)',
  },
  {
    name: 'two-clerks',
    about: 'two clerks are enough',
    foundBy: { test: 'lib/second-person/standing.test.ts' },
    file: STANDING,
    find: "return role === 'owner' || (role === 'approver' && needs === 'approver');",
    replace: "return role !== 'support' && needs !== 'owner';",
  },
  {
    name: 'maker-is-one',
    about: 'whoever made the movement is one of the two',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: 'lib/movements/close-question.ts',
    find: 'sends}`, makerId, needs',
    replace: 'sends}`, makerId: null, needs',
  },
  {
    name: 'words-of-another-send',
    about: 'a word that was said before a second send counts for it',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: 'lib/movements/close-question.ts',
    find: '`${contentHash} ${state} ${sends}`',
    replace: '`${contentHash} ${state}`',
  },
  {
    name: 'closed-in-an-hour',
    about: 'an unknown payout is called not paid before a day is over',
    foundBy: { test: 'lib/movements/closable.test.ts' },
    file: CLOSABLE,
    find: 'const DAY_MS = 24 * 60 * 60_000;',
    replace: 'const DAY_MS = 60 * 60_000;',
  },
  {
    name: 'absence-of-last-week',
    about: 'people close on a record that was read a while ago',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: CLOSABLE,
    find: 'export const LOOK_FRESH_MS = 60_000;',
    replace: 'export const LOOK_FRESH_MS = 60 * 60_000;',
  },
  {
    name: 'silence-is-absence',
    about: 'people close while the provider does not answer',
    foundBy: { test: 'lib/movements/closable.test.ts' },
    file: CLOSABLE,
    find: "if (look === null || look.says === 'no_answer') return 'close_unverified';",
    replace: "if (look === null) return 'close_unverified';",
  },
  {
    name: 'closed-while-a-worker-asks',
    about: 'people close it while a worker holds its lease',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: CLOSE,
    find: ' || isLeased(movement, now))',
    replace: ')',
  },
  {
    name: 'record-overruled',
    about: 'people close against a record that speaks',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    edits: [
      {
        file: CLOSABLE,
        find: "  if (look?.says === 'found') return 'close_record_says';\n  if (look === null",
        replace: '  if (look === null',
      },
    ],
  },
  {
    name: 'contradicted-is-unpaid',
    about: 'people call unpaid what the provider has spoken of',
    foundBy: { test: 'lib/movements/closable.test.ts' },
    file: CLOSABLE,
    find: "return movement.alert === 'contradiction' ? claims.filter((claim) => claim !== 'not_done') : claims;",
    replace: 'return claims;',
  },
  {
    name: 'letter-forgotten',
    about: 'nobody has to name the provider’s written answer',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: CLOSE,
    find: 'if (needsWrittenAnswer(movement, look) && !isWrittenAnswer(word.reference))',
    replace:
      'if (needsWrittenAnswer(movement, look) && isWrittenAnswer(word.reference) && !isWrittenAnswer(word.reference))',
  },
  {
    name: 'refund-by-one',
    about: 'one person ends an unclear refund',
    foundBy: { test: 'lib/movements/closable.test.ts' },
    file: CLOSABLE,
    find: 'const { isHarmlessTwice } = kindOf(kind);',
    replace: 'const isHarmlessTwice = isOnPayment(kind);',
  },
  {
    name: 'page-counts-the-silenced',
    about: 'the page says that one of two has spoken who may not speak any more',
    foundBy: { test: 'lib/second-person/roles.db.test.ts' },
    file: 'lib/second-person/view.ts',
    find: 'closedAt === null ? words.filter((word) => word.maySpeak) : words',
    replace: 'words',
  },
  {
    name: 'plan-closed-in-an-hour',
    about: 'a charge of a plan is called not taken before a day is over',
    foundBy: { test: 'lib/cards/recurring/close-charge.db.test.ts' },
    file: PLAN,
    find: 'const DAY_MS = 24 * 60 * 60_000;',
    replace: 'const DAY_MS = 60 * 60_000;',
  },
  {
    name: 'plan-of-yesterday',
    about: 'people end a charge by a reading of the plan that is old',
    foundBy: { test: 'lib/cards/recurring/close-charge.db.test.ts' },
    file: PLAN,
    find: 'export const PLAN_FRESH_MS = 60_000;',
    replace: 'export const PLAN_FRESH_MS = 60 * 60_000;',
  },
  {
    name: 'stop-of-yesterday',
    about: 'a request to let an earlier stop end lets the present one end',
    foundBy: { test: 'lib/send-control/sending.db.test.ts' },
    file: 'lib/send-control/resume-question.ts',
    find: 'boundTo: since.toISOString(), makerId',
    replace: "boundTo: 'stop', makerId",
  },
];
