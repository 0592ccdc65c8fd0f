import type { Mutation } from './mutation.ts';

/** Bugs in what a deputy may do, and in whom a deputy's approval counts for. */

const COUNTS = 'lib/movements/approvals-cover.ts';
const LOCK = 'lib/approvals/lock-waiting.ts';
const COVER = { test: 'lib/movements/approvals-cover.test.ts' };
const APPROVALS = { test: 'lib/approvals/deputies.db.test.ts' };
const PEOPLE = { test: 'lib/people/deputies.db.test.ts' };

export const DEPUTY_BUGS: readonly Mutation[] = [
  {
    name: 'deputy-counts-beside-the-represented',
    foundBy: COVER,
    about: 'a deputy and the person represented are two for the worker',
    file: COUNTS,
    find: '.map(countsFor);',
    replace: '.map((one) => one.personId);',
  },
  {
    name: 'maker-approves-by-deputy',
    foundBy: COVER,
    about: 'an approval that a deputy gave for the maker counts for the worker',
    file: COUNTS,
    find: '&& one.deputyOf !== movement.makerId',
    replace: '',
  },
  {
    name: 'represented-maker-asked-by-the-database-alone',
    foundBy: APPROVALS,
    about: 'a deputy sends back what the person represented made',
    file: LOCK,
    find: 'if (represented !== null && raw.makers.includes(represented))',
    replace: 'if (represented === actor.personId)',
  },
  {
    name: 'deputy-of-an-earlier-page',
    foundBy: APPROVALS,
    about: 'who was a deputy when the page was read still sends back',
    file: LOCK,
    find: "if (!may(actor.role, 'movement.approve') && represented === null)",
    replace: "if (!may(actor.role, 'movement.read') && represented === null)",
  },
  {
    name: 'pair-asked-by-the-database-alone',
    foundBy: APPROVALS,
    about: 'the second of a pair is told of a fault instead of the rule',
    file: 'lib/approvals/approval-rules.ts',
    find: 'if (approvals.some((one) => represents.includes(countsFor(one))))',
    replace: 'if (represents.length === 0)',
  },
  {
    name: 'deputy-may-all',
    foundBy: APPROVALS,
    about: 'a deputy gets every right while the deputyship lasts',
    file: 'lib/access/actor.ts',
    find: '(standsInFor !== null && isOfDeputies(permission))',
    replace: 'standsInFor !== null',
  },
  {
    name: 'deputy-without-an-owner',
    foundBy: PEOPLE,
    about: 'two approvers make a deputy without an owner',
    file: 'lib/people/questions.ts',
    find: "makerId: deputyId, needs: 'owner'",
    replace: "makerId: deputyId, needs: 'approver'",
  },
  {
    name: 'deputy-comes-back',
    foundBy: PEOPLE,
    about: 'who is disabled is a deputy again once enabled',
    file: 'lib/people/carry-out.ts',
    find: 'const ended = await endDeputyshipsOf(tx, actor, accounts);',
    replace: 'const ended = 0;',
  },
  {
    name: 'deputyship-ended-by-anybody',
    foundBy: PEOPLE,
    about: 'an approver ends the deputyship of others',
    file: 'lib/people/end-deputy.ts',
    find: "row.confirmed_at === null ? 'people.confirm' : 'people.manage'",
    replace: "row.confirmed_at === null ? 'people.confirm' : 'people.read'",
  },
  {
    name: 'deputy-for-a-day-too-many',
    foundBy: { test: 'lib/people/deputy-rules.test.ts' },
    about: 'a period of 91 days is taken',
    file: 'lib/people/deputy-rules.ts',
    find: 'lastDay < addDays(firstDay, DEPUTY_DAYS_MAX)',
    replace: 'lastDay <= addDays(firstDay, DEPUTY_DAYS_MAX)',
  },
];
