import type { Mutation } from './mutation.ts';

/**
 * Bugs about rows of a plan's record that are listed late, or that another charge's request
 * explains.
 */

const CHARGE = 'lib/cards/recurring/charge.ts';
const VERIFY = 'lib/cards/recurring/verify-due.ts';
const RULES = { test: 'lib/cards/recurring/late-rows.test.ts' };
const TABLES = { test: 'lib/cards/recurring/awaited-charge.db.test.ts' };

export const LATE_ROW_BUGS: readonly Mutation[] = [
  {
    name: 'plan-press-while-own-unlisted',
    about: 'a press beside a charge of the gateway itself that is due and not on the record yet',
    side: 'card',
    foundBy: { test: 'lib/cards/recurring/plan.test.ts' },
    file: CHARGE,
    find: 'const DUE_AFTER_MS = 12 * 60 * MINUTE;',
    replace: 'const DUE_AFTER_MS = 2 * MINUTE;',
  },
  {
    name: 'plan-row-of-its-id-unexplained',
    about: 'the row of a charge that has an id alone is called a second charge',
    foundBy: TABLES,
    file: VERIFY,
    find: 'storable(taken?.orderId ?? taken?.id ?? null)',
    replace: 'storable(taken?.orderId ?? null)',
  },
  {
    name: 'plan-said-taken-not-awaited',
    about: 'the next charge is taken while the row of one that people said was taken is late',
    world: 408,
    side: 'card',
    file: CHARGE,
    find: "if (charge.state !== 'CHARGED' || charge.isListed || charge.sentAt === null) return null;",
    replace: 'if (charge.state.length > 0 || charge.sentAt === null) return null;',
  },
  {
    // In a world no record lists a charge before an earlier one, so that no world finds this bug.
    name: 'plan-own-decline-is-ours',
    about: 'the declined row of the gateway’s own try says that ours was declined',
    side: 'card',
    foundBy: RULES,
    file: CHARGE,
    find: 'if (!quiet || mayChargeByItself(charge.before, now)) return null;',
    replace: 'if (!quiet) return null;',
  },
  {
    name: 'plan-second-charge-unseen',
    about: 'a request that the gateway carried out twice is shown as one charge without a flag',
    side: 'card',
    file: CHARGE,
    find: '(one) => !explained.has(chargeKey(one)) && isOfRequest(one),',
    replace: '(one) => explained.has(chargeKey(one)) && !isOfRequest(one),',
  },
  {
    name: 'plan-awaited-is-declined',
    about: 'a declined row ends what two people said was taken',
    foundBy: RULES,
    file: CHARGE,
    find: "if (charge.state !== 'UNKNOWN') return null;",
    replace: "if (charge.state === 'APPROVED') return null;",
  },
  {
    name: 'plan-awaited-for-ever',
    about: 'a plan waits without end for a row that no record lists',
    foundBy: RULES,
    file: CHARGE,
    find: 'return now < until ? until : null;',
    replace: 'return until;',
  },
  {
    name: 'plan-press-while-awaited',
    about: 'a press is stored while the row of the charge before is late',
    foundBy: TABLES,
    file: 'lib/cards/recurring/start-charge.ts',
    find: "if (raw.awaited) throw new Refusal('plan_charge_awaited');",
    replace: '',
  },
  {
    name: 'plan-awaited-row-not-learned',
    about: 'the late row of what people said was taken is nobody’s, and so the next charge’s',
    foundBy: TABLES,
    file: VERIFY,
    find: "OR state = 'CHARGED' AND taken_minor IS NULL",
    replace: "OR state = 'CHARGED' AND taken_minor < 0",
  },
  {
    name: 'plan-refused-unlisted-for-ever',
    about: 'a charge that was refused long ago keeps every later declined one unknown',
    foundBy: TABLES,
    file: VERIFY,
    find: "'called_off_unproven') AND sent_at > ${date(now - LISTED_WITHIN_MS)}",
    replace: "'called_off_unproven') AND sent_at IS NOT NULL",
  },
];
