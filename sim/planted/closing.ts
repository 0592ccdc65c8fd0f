import type { Mutation } from './mutation.ts';

/** Bugs in how people close a movement that no record ends. */

const CLOSABLE = 'lib/movements/closable.ts';
const STANDING = 'lib/second-person/standing.ts';

export const CLOSING_BUGS: readonly Mutation[] = [
  {
    name: 'closed-by-the-maker',
    drill: 'closing',
    about: 'the maker is one of the two people',
    file: STANDING,
    find: 'word.claim !== null && word.personId !== makerId',
    replace: 'word.claim !== null',
  },
  {
    name: 'closed-by-one',
    drill: 'closing',
    about: 'one person closes what takes two',
    file: STANDING,
    find: "if (claimed.length < 2) return { kind: 'waiting', claim, missing: 'second_person' };",
    replace: '',
  },
  {
    name: 'closed-within-minutes',
    about: 'people close a payout an hour after it became unclear',
    file: CLOSABLE,
    find: 'const DAY_MS = 24 * 60 * 60_000;',
    replace: 'const DAY_MS = 60 * 60_000;',
  },
  {
    name: 'closed-never',
    about: 'an unknown payout takes more reads than there ever are',
    file: CLOSABLE,
    find: "if (!isQuiet || (look.says === 'not_found' &&",
    replace: "if (isQuiet || (look.says === 'not_found' &&",
  },
  {
    name: 'closed-by-a-record-that-answers',
    about: 'nobody may close what the record does not know',
    file: CLOSABLE,
    find: "return look?.says === 'cannot_say' ? ['done', 'not_done'] : ['not_done'];",
    replace: "return look?.says === 'cannot_say' ? ['done', 'not_done'] : [];",
  },
];
