import type { Role } from '#lib/access/actor.ts';
import type { OwnLimit } from '#lib/policy/limits.ts';
import { POLICY_CLASSES } from '#lib/policy/rules.ts';
import type { PolicyRule } from '#lib/policy/rules.ts';
import type { StepUpRule } from '#lib/policy/step-up-rule.ts';
import { Random } from './random.ts';

/**
 * Who may approve what in a world: its people with their roles and limits, and the versions of its
 * policy. Drawn here; the transactions that change it are in `approving.ts`.
 */

export type WorldRules = { rules: readonly PolicyRule[]; stepUp: StepUpRule | null };
export type WorldPolicy = WorldRules & { version: number };
export type Member = { role: Role; disabled: boolean };
export type PersonName = 'selin' | 'deniz' | 'can' | 'ayse' | 'mehmet';

/** A row of the database: a transaction replaces it as a whole. `policy` null: none is stored. */
export type Governance = {
  policy: WorldPolicy | null;
  people: Readonly<Record<PersonName, Member>>;
  limits: Readonly<Partial<Record<PersonName, OwnLimit>>>;
};

/** The same as a world draws it, before anything happens. */
export type GovernancePlan = {
  first: WorldRules | null;
  roles: Readonly<Record<PersonName, Role>>;
  limits: Governance['limits'];
};

export const PEOPLE: readonly PersonName[] = ['selin', 'deniz', 'can', 'ayse', 'mehmet'];

/** The amounts of which policies and limits are drawn. */
export type Amounts = {
  rules: readonly bigint[];
  signed: readonly bigint[];
  single: readonly (bigint | null)[];
  day: readonly (bigint | null)[];
};

/** Below, between and above the amounts of one payment and of a few together. */
export const AMOUNTS: Amounts = {
  rules: [1n, 60_000n, 99_999n, 1_000_000n, 1_300_000n, 2_000_000n],
  signed: [1n, 1n, 99_999n, 1_240_000n],
  single: [null, 60_000n, 1_000_000n, 1_240_000n],
  day: [null, 100_000n, 1_300_000n, 2_500_000n],
};
const RULES_MAX = 3;

export function drawGovernance(seed: number, amounts: Amounts): GovernancePlan {
  const random = new Random(seed, 'governance');
  const rules = Array.from({ length: random.between(1, RULES_MAX) }, () =>
    drawRule(random, amounts),
  );
  const first = { rules, stepUp: random.chance(0.6) ? drawStepUp(random, amounts) : null };
  return {
    first: random.chance(0.15) ? null : first,
    roles: {
      selin: 'owner',
      deniz: random.pick(['owner', 'approver']),
      can: random.pick(['approver', 'approver', 'clerk']),
      ayse: random.pick(['clerk', 'approver']),
      mehmet: random.pick(['clerk', 'approver', 'owner']),
    },
    limits: {
      ...(random.chance(0.4) ? { ayse: drawLimit(random, amounts) } : {}),
      ...(random.chance(0.4) ? { mehmet: drawLimit(random, amounts) } : {}),
    },
  };
}

function drawRule(random: Random, amounts: Amounts): PolicyRule {
  return {
    classes: random.chance(0.9) ? [...POLICY_CLASSES] : ['payout', 'refund'],
    wallets: random.pick([[], [], [], ['1000000001'], ['1000000009']]),
    when: random.pick([
      'amount',
      'amount',
      'first_payment',
      'payee_changed',
      'maker_day',
      'split',
    ] as const),
    currency: 'TRY',
    fromMinor: random.pick(amounts.rules),
    approvals: random.pick([1, 1, 2] as const),
    who: random.pick(['approver', 'approver', 'owner'] as const),
  };
}

function drawStepUp(random: Random, amounts: Amounts): StepUpRule {
  return {
    from: [{ currency: 'TRY', fromMinor: random.pick(amounts.signed) }],
    signInAllowed: random.chance(0.4),
  };
}

function drawLimit(random: Random, amounts: Amounts): OwnLimit {
  return {
    currency: 'TRY',
    singleMinor: random.pick(amounts.single),
    dayMinor: random.pick(amounts.day),
  };
}

/** Every payment of any amount, by one approver. */
export const EVERYTHING: PolicyRule = {
  classes: [...POLICY_CLASSES],
  wallets: [],
  when: 'amount',
  currency: 'TRY',
  fromMinor: 1n,
  approvals: 1,
  who: 'approver',
};

/** A policy that asks for more of some payments, and for less of none. */
export function stricter(before: WorldRules | null, random: Random): WorldRules {
  const { rules, stepUp } = before ?? { rules: [], stepUp: null };
  switch (random.pick(['more people', 'owners', 'from the first lira', 'signed'] as const)) {
    case 'more people':
      return { rules: [...rules, { ...EVERYTHING, approvals: 2 }], stepUp };
    case 'owners':
      return { rules: [...rules, { ...EVERYTHING, who: 'owner' }], stepUp };
    case 'from the first lira':
      return { rules: [...rules, EVERYTHING], stepUp };
    case 'signed':
      return {
        rules: [...rules, EVERYTHING],
        stepUp: { from: [{ currency: 'TRY', fromMinor: 1n }], signInAllowed: false },
      };
  }
}

/** A policy that asks for less of some payments, and for more of none. */
export function looser(before: WorldRules | null, random: Random): WorldRules {
  const { rules, stepUp } = before ?? { rules: [], stepUp: null };
  switch (random.pick(['no rules', 'one person', 'anybody', 'unsigned'] as const)) {
    case 'no rules':
      return { rules: [], stepUp };
    case 'one person':
      return { rules: rules.map((rule) => ({ ...rule, approvals: 1 })), stepUp };
    case 'anybody':
      return { rules: rules.map((rule) => ({ ...rule, who: 'approver' })), stepUp };
    case 'unsigned':
      return { rules, stepUp: null };
  }
}

/** The rows of a new database: version 1 is in force, and everybody is there. */
export function governanceOf({ first, roles, limits }: GovernancePlan): Governance {
  const people = Object.fromEntries(
    PEOPLE.map((name) => [name, { role: roles[name], disabled: false }]),
  ) as Record<PersonName, Member>;
  return { policy: first === null ? null : { ...first, version: 1 }, people, limits };
}
