import type { Mutation } from './mutation.ts';

/**
 * Bugs in the begin check, in the order of effects of the card kinds, and in what ends a plan
 * charge.
 */

const CHECK = 'lib/begin-check/begin-check.ts';
const CHECKED = { test: 'lib/begin-check/begin-check.test.ts' };
const BEGIN = 'lib/movements/begin.ts';
const CARD = 'lib/cards/operations/send-order.ts';
const CARD_FOUND = { test: 'lib/cards/operations/send-order.test.ts' };
const CHARGE = 'lib/cards/checkout/charge-step.ts';
const CHARGE_FOUND = { test: 'lib/cards/checkout/charge-step.test.ts' };
const CHARGES_FOUND = { test: 'lib/cards/checkout/charges.db.test.ts' };
const CLAIM_FOUND = { test: 'lib/movements/claim.db.test.ts' };
const PLAN_DUE = 'lib/cards/recurring/charge-due.ts';
const PLAN_CHANGE = 'lib/cards/recurring/change.ts';
const PLAN_FOUND = { test: 'lib/cards/recurring/charge.db.test.ts' };

export const BEGIN_BUGS: readonly Mutation[] = [
  {
    name: 'begins-late',
    about: 'the clocks are not asked again before the first byte',
    file: CHECK,
    foundBy: CHECKED,
    find: 'mayWrite: () => refusal() === null }',
    replace: 'mayWrite: () => true }',
  },
  {
    name: 'begins-unchecked',
    about: 'what the begin check refuses is requested all the same',
    file: CHECK,
    foundBy: CHECKED,
    find: '  if (refused !== null) return heldBack(refused);\n',
    replace: '',
  },
  {
    name: 'begins-unconfirmed',
    about: 'an account that nobody has confirmed may send',
    file: CHECK,
    foundBy: CHECKED,
    find: "if (account !== 'bound')",
    replace: "if (account === 'other')",
  },
  {
    name: 'begins-unjournaled',
    about: 'a line that is not on disk does not stop a send',
    file: CHECK,
    foundBy: CHECKED,
    find: "return journal === 'written' ? null : 'not_journaled';",
    replace: 'return null;',
  },
  {
    name: 'begins-before-a-word',
    about: 'what is older than a recovery leaves without a person’s word',
    file: CHECK,
    foundBy: CHECKED,
    find: "  if (!confirmed) return 'not_confirmed';\n",
    replace: '',
  },
  {
    name: 'checkpoint-not-awaited',
    about: 'a send does not wait for the checkpoint on disk',
    file: BEGIN,
    foundBy: PLAN_FOUND,
    find: "checkpoint: isOnDisk ? standing.checkpoint : 'missing'",
    replace: 'checkpoint: standing.checkpoint',
  },
  {
    name: 'begins-under-another-lease',
    about: 'a worker whose lease somebody else took over meanwhile sends',
    file: BEGIN,
    foundBy: CLAIM_FOUND,
    find: ' AND lease_token = ${leaseToken}::uuid\n          AND lease_until > clock_timestamp()`',
    replace: ' AND lease_until > clock_timestamp()`',
  },
  {
    name: 'begins-after-its-lease',
    about: 'a worker whose lease is over sends',
    file: BEGIN,
    foundBy: CLAIM_FOUND,
    find: ' AND lease_token = ${leaseToken}::uuid\n          AND lease_until > clock_timestamp()`',
    replace: ' AND lease_token = ${leaseToken}::uuid`',
  },
  {
    name: 'plan-charge-after-its-lease',
    about: 'the lease of a plan charge is not looked at before the first byte',
    file: PLAN_DUE,
    foundBy: PLAN_FOUND,
    find: "AND state = 'SENDING' AND lease_until > clock_timestamp()",
    replace: "AND state IN ('SENDING', 'UNKNOWN')",
  },
  {
    name: 'plan-charge-suspended',
    about: 'a machine that was suspended charges a plan after its lease',
    file: CHECK,
    foundBy: 'simulator',
    side: 'card',
    find: "  if (!mayStillBegin(facts.began, facts.now)) return 'too_late';\n",
    replace: '',
  },
  {
    name: 'plan-silence-is-not-charged',
    about: 'a silent record ends a plan charge as not taken',
    world: 408,
    file: 'lib/cards/recurring/charge.ts',
    foundBy: 'simulator',
    side: 'card',
    find:
      "return newCharges(charge.before, charges, 'failed').length > charge.unlisted ? { state: " +
      "'NOT_CHARGED', reason: 'declined' } : null;",
    replace: "return { state: 'NOT_CHARGED', reason: 'declined' };",
  },
  {
    name: 'plan-declined-by-another-row',
    about: 'a late row of an earlier declined charge ends a later one as declined',
    file: 'lib/cards/recurring/charge.ts',
    foundBy: PLAN_FOUND,
    find: '.length > charge.unlisted ?',
    replace: '.length > 0 ?',
  },
  {
    name: 'plan-contradiction-unseen',
    about: 'a later record is not compared with charges that were called not taken',
    file: 'lib/cards/recurring/charge.ts',
    foundBy: PLAN_FOUND,
    find: '  return found ?? null;',
    replace: '  return null;',
  },
  {
    name: 'plan-own-charge-contradicts',
    about: 'the gateway’s own charge on its day locks the plan',
    file: 'lib/cards/recurring/charge.ts',
    foundBy: PLAN_FOUND,
    find: '  return planned !== null && now >= Date.parse(planned) - DUE_BEFORE_MS;',
    replace: '  return false;',
  },
  {
    name: 'plan-restored-is-not-charged',
    about: 'a queued plan charge of a restored database ends as not taken',
    file: PLAN_DUE,
    foundBy: PLAN_FOUND,
    find: '  if (!charge.restored) return end(',
    replace: '  if (charge.number !== 0) return end(',
  },
  {
    name: 'plan-charge-stored-while-changed',
    about: 'a charge of a plan is stored while a change of it is on its way',
    file: 'lib/cards/recurring/start-charge.ts',
    foundBy: PLAN_FOUND,
    find: "    if (raw.changing) throw new Refusal('plan_change_open');\n",
    replace: '',
  },
  {
    name: 'plan-charge-begins-while-changed',
    about: 'the begin check of a plan charge does not look for a change that is on its way',
    file: PLAN_DUE,
    foundBy: PLAN_FOUND,
    find: 'p.id = plan_id AND p.change_until > clock_timestamp()',
    replace: 'p.id = plan_id AND p.change_until IS NULL AND p.change_until > clock_timestamp()',
  },
  {
    name: 'plan-changed-while-charged',
    about: 'a change does not wait for a charge that is being stored',
    file: PLAN_CHANGE,
    foundBy: PLAN_FOUND,
    find: 'FROM recurring_plans WHERE id = ${id}::uuid FOR UPDATE`',
    replace: 'FROM recurring_plans WHERE id = ${id}::uuid`',
  },
  {
    name: 'plan-change-ends-another',
    about: 'the answer to one change ends the time of another whose answer is lost',
    file: PLAN_CHANGE,
    foundBy: PLAN_FOUND,
    find: 'SET change_until = ${plan.change_until} WHERE',
    replace: 'SET change_until = NULL WHERE',
  },
  {
    name: 'plan-change-suspended',
    about: 'a change leaves from a machine that was suspended',
    file: PLAN_CHANGE,
    foundBy: PLAN_FOUND,
    find: 'beforeWrite: () => mayStillBegin(began, clocks()) }',
    replace: 'beforeWrite: () => mayStillBegin(began, began) }',
  },
  {
    name: 'plan-pause-with-terms',
    about: 'a pause that also changes the amount passes while a charge is open',
    file: PLAN_CHANGE,
    foundBy: PLAN_FOUND,
    find: "change.status === 'inactive' && change.amountMinor === undefined && change.payments === undefined;",
    replace: "change.status === 'inactive';",
  },
  {
    name: 'plan-other-amount-unflagged',
    about: 'a charge that took another amount than was asked for is taken without a flag',
    file: 'lib/cards/recurring/charge.ts',
    foundBy: PLAN_FOUND,
    find: '  return BigInt(taken.amountMinor) !== askedMinor;',
    replace: '  return BigInt(taken.amountMinor) < 0n && askedMinor > 0n;',
  },
  {
    name: 'refund-49-at-once',
    about: '49 is believed after one look',
    file: CARD,
    foundBy: CARD_FOUND,
    find: 'const QUERIES_AFTER_MS = [0, 31_000];',
    replace: 'const QUERIES_AFTER_MS = [0];',
  },
  {
    name: 'refund-49-without-a-look',
    about: '49 is believed without a look',
    file: CARD,
    foundBy: CARD_FOUND,
    find: "    if (proven(operation, sent, record).kind !== 'not_found') return answered(sent, outcome);\n",
    replace: '    if (record === null) return answered(sent, outcome);\n',
  },
  {
    name: 'restored-operation-is-refused',
    about: 'an operation of a restored database whose record changed is refused',
    file: CARD,
    foundBy: CARD_FOUND,
    find: 'if (isListed || (restored && isNews))',
    replace: 'if (isListed)',
  },
  {
    name: 'thrown-charge-is-not-sent',
    about: 'an exception while a card is charged is called not sent',
    file: CHARGE,
    foundBy: CHARGE_FOUND,
    find: "response = { kind: 'unclear', why: 'shape', raw: null, code: null, message: null };",
    replace:
      "response = { kind: 'not_sent', why: 'unsendable', raw: null, code: null, message: null };",
  },
  {
    name: 'card-charge-clock-after-claim',
    about: 'the time that a claim takes does not count against a card charge',
    file: CHARGE,
    foundBy: CHARGE_FOUND,
    find: 'yield* beginAndRequest<T, CompletionOutcome>(task, { began, clocks })',
    replace:
      'yield* beginAndRequest<T, CompletionOutcome>(task, { began: { monotonic: Infinity, wall: Infinity }, clocks })',
  },
  {
    name: 'card-charge-ignores-stops',
    about: 'a card is charged while everything is stopped',
    file: 'lib/cards/checkout/send.ts',
    foundBy: CHARGES_FOUND,
    find: "    if (standing.stopped) throw new Refusal('card_charge_stopped');\n",
    replace: '',
  },
  {
    name: 'gateway-unbound',
    about: 'the card gateway’s address is no part of the account binding',
    file: 'lib/begin-check/provider-account.ts',
    foundBy: { test: 'lib/begin-check/provider-account.db.test.ts' },
    find: "const PARTS = ['environment', 'gateway', 'sender'] as const;",
    replace: "const PARTS = ['environment', 'sender'] as const;",
  },
];
