import type { Edit, Mutation } from './mutation.ts';

/**
 * Bugs of the charges of plans and of cards, and of what a restore does to them. Each bug is
 * searched in card worlds.
 */

const CHARGE = 'lib/cards/recurring/charge.ts';
const NOTHING = 'lib/cards/checkout/nothing-taken.ts';
const CLOSING = 'lib/cards/recurring/charge-closing.ts';
const ERRANDS = 'lib/providers/card/management-codes.ts';

type Planted = Pick<Mutation, 'name' | 'about' | 'world'> & Edit;

const PLANTED: readonly Planted[] = [
  {
    name: 'charge-absence-is-nothing',
    about: 'a record that knows of no order says alone that a card was not charged',
    file: NOTHING,
    find: 'answer !== null && NOTHING_TAKEN.has(answer);',
    replace: '(answer === null || answer.length > 0);',
  },
  {
    name: 'charge-unclear-is-nothing',
    about: 'an unclear answer and a late record say that a card was not charged',
    file: NOTHING,
    find: "new Set(['refused', 'not_sent', 'unauthorized'])",
    replace: "new Set(['refused', 'not_sent', 'unauthorized', 'unclear'])",
  },
  {
    name: 'plan-old-charge-is-ours',
    about: 'any charge that the record lists counts as the one that was asked for',
    file: CHARGE,
    find: 'const known = new Set(before.filter((one) => one.status === status).map(chargeKey));',
    replace: 'const known = new Set(before.slice(0, 0).map(chargeKey));',
  },
  {
    name: 'plan-denied-is-learnt',
    about: 'a failed charge counts as taken',
    file: CHARGE,
    find: "const [taken] = newCharges(charge.before, charges, 'completed');",
    replace:
      "const [taken] = [...newCharges(charge.before, charges, 'completed'), " +
      "...newCharges(charge.before, charges, 'failed')];",
  },
  {
    name: 'plan-nobody-may-say',
    about: 'nobody may say what became of a charge that no record lists',
    world: 396,
    file: CLOSING,
    find: "return sentAt !== null && (state === 'UNKNOWN' || state === 'APPROVED');",
    replace: 'return sentAt !== null && state === state && false;',
  },
  {
    name: 'plan-pending-is-taken',
    about: 'a charge that is still to come is read as taken',
    file: ERRANDS,
    find: "planChargeStatuses: new Map([['pending', 'pending']",
    replace: "planChargeStatuses: new Map([['pending', 'completed']",
  },
  {
    name: 'card-waiting-row-not-recalled',
    about: 'a row of the card side whose send was forgotten waits to be sent again',
    file: 'lib/send-control/recovery/compare-journal.ts',
    find: "  if (entry.isWaiting) return 'recall';\n",
    replace: '',
  },
];

export const CHARGE_BUGS: readonly Mutation[] = PLANTED.map((one) => ({ ...one, side: 'card' }));
