import type { Mutation } from './mutation.ts';

/**
 * Bugs around an approval: which facts a policy and a limit are applied to, what is signed by which
 * key, who is told what, and what a queue counts and lets through.
 */

const QUEUE_TEST = { test: 'lib/approvals/queue.db.test.ts' };
const SIGNED_TEST = { test: 'lib/approvals/step-up.db.test.ts' };
const FACTS_TEST = { test: 'lib/policy/facts.db.test.ts' };
const PUSH_TEST = { test: 'lib/notifications/push/push.db.test.ts' };
const WAITING_TEST = { test: 'lib/waiting/list.db.test.ts' };
const FACTS = 'lib/movements/policy-facts.ts';
const OWN_LIMIT = 'lib/movements/own-limit.ts';
const PUSH = 'lib/notifications/push/send.ts';

const FACT_BUGS: readonly Mutation[] = [
  {
    name: 'sum-of-all-currencies',
    about: 'the sums of a day add amounts of every currency',
    foundBy: FACTS_TEST,
    file: FACTS,
    find: 'AND currency = ${currency}',
    replace: '',
  },
  {
    name: 'one-payee-of-all-transfers',
    about: 'transfers to different wallets count as parts of one amount',
    foundBy: FACTS_TEST,
    file: FACTS,
    find: 'AND iban = ${content.iban} AND to_wallet IS NOT DISTINCT FROM ${content.toWallet}), 0)',
    replace: 'AND iban = ${content.iban}), 0)',
  },
  {
    name: 'returned-payee-is-known',
    about: 'a payment that came back makes its payee known',
    foundBy: FACTS_TEST,
    file: 'lib/movements/payee-known.ts',
    find: "p.returned = 'NONE' AND p.id <> m.id",
    replace: 'p.id <> m.id',
  },
  {
    name: 'limit-day-of-another-zone',
    about: 'the day of a limit begins at midnight of another zone',
    foundBy: FACTS_TEST,
    file: OWN_LIMIT,
    find: 'clock_timestamp()), ${timeZone})::text AS day',
    replace: "clock_timestamp()), coalesce('UTC', ${timeZone}))::text AS day",
  },
  {
    name: 'limit-used-by-what-ran-out',
    about: 'what ran out without an approval uses up the limit of its day',
    foundBy: FACTS_TEST,
    file: OWN_LIMIT,
    find: "('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')",
    replace: "('REJECTED', 'FAILED', 'CANCELLED')",
  },
  {
    name: 'limit-used-by-own-wallets',
    about: 'money between own wallets uses up the limit of the day',
    foundBy: FACTS_TEST,
    file: OWN_LIMIT,
    find: 'm.kind = ANY(${LIMITED_KINDS}::text[]) AND',
    replace: '(TRUE OR m.kind = ANY(${LIMITED_KINDS}::text[])) AND',
  },
];

const SIGNING_BUGS: readonly Mutation[] = [
  {
    name: 'signed-without-its-reference',
    about: 'a signature counts for another payment of the same content',
    foundBy: { test: 'lib/step-up/stored.test.ts' },
    file: 'lib/step-up/proof.ts',
    find: 'JSON.stringify([kind, contentHash, extId, amountMinor.toString(), currency])',
    replace: 'JSON.stringify([kind, contentHash, amountMinor.toString(), currency])',
  },
  {
    name: 'signed-by-the-policy-of-now-alone',
    about: 'nobody is asked to sign what an earlier policy wants signed, so nobody can approve it',
    foundBy: SIGNED_TEST,
    file: 'lib/approvals/ask-step-up.ts',
    find: '[now.stepUp, ...raw.requirements.map((one) => one.stepUp)]',
    replace: '[now.stepUp]',
  },
  {
    name: 'lost-whatever-keys',
    about: 'a key that was added since is removed by a word about the earlier ones',
    foundBy: SIGNED_TEST,
    file: 'lib/passkeys/lost.ts',
    find: "update(ids.join(' '))",
    replace: "update('keys')",
  },
  {
    name: 'lost-key-allows-another',
    about: 'who has found a lost key adds one of their own after two people removed it',
    foundBy: SIGNED_TEST,
    file: 'lib/passkeys/add.ts',
    find: 'WHERE k.id = s.passkey_id AND k.removed_at IS NULL)',
    replace: 'WHERE k.id = s.passkey_id)',
  },
  {
    name: 'lost-key-approves',
    about: 'what a lost key has signed approves after two people removed it',
    foundBy: SIGNED_TEST,
    file: 'lib/approvals/read-step-up.ts',
    find: "interval '5 minutes' AND k.removed_at IS NULL",
    replace: "interval '5 minutes'",
  },
];

const QUEUE_BUGS: readonly Mutation[] = [
  {
    name: 'approved-after-it-ran-out',
    about: 'while the worker is stopped, what ran out is approved and leaves',
    foundBy: QUEUE_TEST,
    file: 'lib/approvals/approval-rules.ts',
    find: "movement.state !== 'AWAITING_APPROVAL' || hasRunOut(movement, now)",
    replace: "movement.state !== 'AWAITING_APPROVAL' || now < movement.stateSince",
  },
  {
    name: 'unusual-behind-the-page',
    about: 'what is unusual is approved among many, if the queue is longer than its page',
    foundBy: QUEUE_TEST,
    file: 'lib/approvals/approve-many.ts',
    find: 'waitingMovements(actor, { ids })).filter((one) => isFlagged',
    replace: 'waitingMovements(actor)).filter((one) => ids.includes(one.id) && isFlagged',
  },
  {
    name: 'counts-what-one-has-approved',
    about: 'the menu counts what the person has approved already',
    foundBy: QUEUE_TEST,
    file: 'lib/approvals/waits-for.ts',
    find: 'AND NOT EXISTS (SELECT FROM approvals a WHERE a.movement_id = m.id',
    replace: 'AND NOT EXISTS (SELECT FROM approvals a WHERE a.movement_id IS NULL',
  },
  {
    name: 'approvals-uncounted',
    about: 'approving is not held to its limit a minute',
    foundBy: QUEUE_TEST,
    file: 'lib/approvals/approve.ts',
    find: "await countAttempt(actor, 'movement.approve');",
    replace: '',
  },
  {
    name: 'foreseen-by-its-first-maker',
    about: 'a form names as approver who made its first version',
    foundBy: QUEUE_TEST,
    file: 'lib/approvals/foresee.ts',
    find: 'const makers = [actor.personId, ...(await makersOf(tx, retryOf))];',
    replace: 'const makers = [actor.personId, ...(await makersOf(tx, retryOf)).slice(0, 0)];',
  },
  {
    name: 'approver-never-disabled',
    about: 'neither the page nor the worker reads that an approver is disabled by now',
    foundBy: { test: 'lib/approvals/disabled.db.test.ts' },
    file: 'lib/movements/approvals-of.ts',
    find: "'lapsed', ${HAS_LAPSED_A},",
    replace: "'lapsed', ${HAS_LAPSED_A} AND FALSE,",
  },
  {
    name: 'may-approve-twice',
    about: 'the page names who has approved it without the signature that is asked for by now',
    foundBy: SIGNED_TEST,
    file: 'lib/approvals/list.ts',
    find: 'before: row.approvals.flatMap((one) => [one.personId, countsFor(one)]),',
    replace: 'before: given,',
  },
];

const TOLD_BUGS: readonly Mutation[] = [
  {
    name: 'asked-of-who-may-not',
    about: 'approvers are asked for what only owners may approve',
    foundBy: { test: 'lib/notifications/approvals.db.test.ts' },
    file: 'lib/approvals/waits-for.ts',
    find: "(${who.role} = 'owner' OR NOT EXISTS (SELECT FROM approval_requirements r",
    replace: "(${who.role} <> 'nobody' OR NOT EXISTS (SELECT FROM approval_requirements r",
  },
  {
    name: 'pushed-although-read',
    about: 'a push that is tried again announces what was read meanwhile',
    foundBy: PUSH_TEST,
    file: PUSH,
    find: 'n.id = ${taken.notification_id}::uuid AND n.read_at IS NULL',
    replace: 'n.id = ${taken.notification_id}::uuid',
  },
  {
    name: 'pushed-to-the-disabled',
    about: 'a push that is tried again goes to somebody who was disabled meanwhile',
    foundBy: PUSH_TEST,
    file: PUSH,
    find: 'JOIN people p ON p.id = n.person_id AND NOT ${IS_DISABLED_P}',
    replace: 'JOIN people p ON p.id = n.person_id',
  },
  {
    name: 'pushed-at-night',
    about: 'a push that is tried again reaches its person in quiet hours',
    foundBy: PUSH_TEST,
    file: PUSH,
    find: 'WHERE s.due_at <= clock_timestamp() AND NOT ${await isQuietNow(tx, now)}',
    replace: 'WHERE s.due_at <= clock_timestamp()',
  },
  {
    name: 'read-by-the-time-of-the-fact',
    about: '"all read" marks what was told after the page was drawn',
    foundBy: { test: 'lib/notifications/notifications.db.test.ts' },
    file: 'lib/notifications/mark-read.ts',
    find: 'made_at <= ${moment}',
    replace: 'at <= ${moment}',
  },
  {
    name: 'waiting-behind-the-lapsed',
    about: 'requests that have lapsed take the places of those that wait',
    foundBy: WAITING_TEST,
    file: 'lib/waiting/list.ts',
    find: 'WHERE w.request_id = r.id AND w.at >',
    replace: 'WHERE w.request_id = r.id OR w.at >',
  },
  {
    name: 'limits-wait-unseen',
    about: 'a wider limit that waits for a second person is on no list',
    foundBy: WAITING_TEST,
    file: 'lib/waiting/person.ts',
    find: "WHEN p.id::text || ' limits' THEN 'limits'",
    replace: '',
  },
  {
    name: 'device-of-an-ended-session',
    about: 'the device of a session that its person has ended is still known',
    foundBy: { test: 'lib/login/sign-in.db.test.ts' },
    file: 'lib/login/open-sessions.ts',
    find: 'if (session.device_id !== null && session.id !== actor.sessionId)',
    replace: 'if (session.device_id !== null && session.id === actor.sessionId)',
  },
  {
    name: 'declines-what-is-about-oneself',
    about: 'a person ends the request that two others decide about them',
    foundBy: { test: 'lib/people/change.db.test.ts' },
    file: 'lib/people/confirm.ts',
    find: "if (personId === actor.personId) throw new Refusal('own_account');",
    replace: '',
  },
  {
    name: 'four-sessions',
    about: 'a person has one open session more than the rule says',
    foundBy: { test: 'lib/login/sign-in.db.test.ts' },
    file: 'lib/login/session.ts',
    find: 'OFFSET ${MAX_SESSIONS - 1}',
    replace: 'OFFSET ${MAX_SESSIONS}',
  },
];

export const APPROVAL_BUGS: readonly Mutation[] = [
  ...FACT_BUGS,
  ...SIGNING_BUGS,
  ...QUEUE_BUGS,
  ...TOLD_BUGS,
];
