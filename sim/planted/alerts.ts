import type { Mutation } from './mutation.ts';

/** Bugs in what is counted of an intent, and in when a person is alerted. */

const REDUCE = 'lib/movements/reduce.ts';
const ANSWER = 'lib/movements/answer-evidence.ts';
const SCHEDULE = 'lib/movements/schedule.ts';

export const ALERT_BUGS: readonly Mutation[] = [
  {
    name: 'not-found-outlives-a-send',
    about: 'reads of before a send count after it',
    file: REDUCE,
    find: 'lastSendAt: at, notFoundReads: 0 };',
    replace: 'lastSendAt: at };',
  },
  {
    name: 'not-found-outlives-a-notice',
    about: 'a notice of our reference leaves "not found" as it was',
    file: REDUCE,
    find: 'const next = movement.notFoundReads > 0 ? { ...movement, notFoundReads: 0 } : movement;',
    replace: 'const next = movement;',
  },
  {
    name: 'not-sent-counts-twice',
    about: 'a try that never left is counted twice',
    file: ANSWER,
    find: 'notSentTries: movement.notSentTries + 1 };',
    replace: 'notSentTries: movement.notSentTries + 2 };',
  },
  {
    name: 'waits-given-up-early',
    about: 'the bank’s minute is given up after the second wait',
    file: ANSWER,
    find: 'alert: ibanWaits >= MAX_IBAN_WAITS ?',
    replace: 'alert: ibanWaits >= 2 ?',
  },
  {
    name: 'unreachable-at-once',
    about: 'the provider is called unreachable after the first try',
    file: SCHEDULE,
    find: 'const NOT_SENT_ALERT = 5;',
    replace: 'const NOT_SENT_ALERT = 1;',
  },
  {
    name: 'unknown-too-long-at-once',
    about: 'an unknown outcome is called too old after an hour',
    file: SCHEDULE,
    find: 'const UNKNOWN_ALERT_MS = DAY;',
    replace: 'const UNKNOWN_ALERT_MS = HOUR;',
  },
  {
    name: 'week-is-a-day',
    about: 'what was not seen for a day is called unseen for a week',
    file: SCHEDULE,
    find: "now - movement.watchSince > WATCH_END_MS) return 'not_seen_for_a_week';",
    replace: "now - movement.watchSince > DAY) return 'not_seen_for_a_week';",
  },
  {
    name: 'lesser-alert-covers',
    about: 'a lesser alert takes the place of a severe one',
    file: 'lib/movements/alert.ts',
    find: 'return current !== null && gravity(current) > gravity(next) ? current : next;',
    replace: 'return current === null || next !== current ? next : current;',
  },
  {
    name: 'any-answer-clears',
    about: 'an answer clears every alert, the severe ones too',
    file: 'lib/movements/alert.ts',
    find: 'return current !== null && SILENCE.includes(current) ? null : current;',
    replace: 'return current !== null && SILENCE.length > 0 ? null : current;',
  },
  {
    name: 'unclear-moment-is-the-last',
    about: 'the first unclear moment moves with every send',
    file: ANSWER,
    find: 'const unclearSince = movement.unclearSince ?? movement.lastSendAt ?? at;',
    replace: 'const unclearSince = movement.lastSendAt ?? at;',
  },
];
