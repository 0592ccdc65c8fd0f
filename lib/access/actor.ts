import { NotAllowed } from './refusal.ts';

/**
 * The author of an operation. A worker and a provider are actors too, so that every audit row has
 * an author.
 */
export type Actor =
  | Person
  | { kind: 'worker'; merchantId: string }
  | { kind: 'provider'; merchantId: string };

export type Person = {
  kind: 'person';
  merchantId: string;
  personId: string;
  sessionId: string;
  name: string;
  email: string;
  role: Role;
  /** The approver or owner for whom this person stands in now; null for nearly everybody. */
  standsInFor: string | null;
  ip: string | null;
  /** The id of the API key with which a program acts for this person. */
  apiKey?: string;
};

export const ROLES = ['clerk', 'approver', 'owner', 'support', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The permissions of a role; each operation checks its own. All five roles may read, three may move
 * money.
 * `payee.read`: a payee's whole IBAN and tax number, which support does not see.
 * `onboarding.read`: see the first steps of the merchant; `onboarding.dismiss`: hide them.
 * `recipient.redirect`: change the account of a known name; a clerk, who pays, may not.
 * `top_up.handle`: record the result of incoming money that could not be loaded.
 * `card.capture`: capture or void a card authorization.
 * `card.tools`: make and read hash keys with the merchant's secret.
 * `card.saved`: save or delete a customer's card at the gateway.
 * `card.plan`: change a recurring plan and have it charged.
 * `day.close`: freeze a day's figures.
 * `people.manage`: invite, change a role, disable, enable, end sessions of others.
 * `people.confirm`: be the second person for a change that gives somebody more rights.
 * `movement.approve`: approve what another person has prepared, or send it back.
 * `movement.override`: release a movement alone, with a reason.
 * `policy.propose`: propose which payments need whose approval; `policy.confirm`: be the second
 * person who agrees.
 * `system.read`: see the figures of the installation's health.
 * `sending.control`: stop sending and, with a second person, resume it.
 * `api.read`: see API keys, requests and webhooks of programs; `api.manage`: change them.
 */
export type Permission =
  | 'payout.prepare'
  | 'payout.cancel'
  | 'movement.ask'
  | 'movement.read'
  | 'movement.approve'
  | 'movement.override'
  | 'policy.read'
  | 'policy.propose'
  | 'policy.confirm'
  | 'payee.read'
  | 'wallet.read'
  | 'wallet.create'
  | 'receipt.read'
  | 'notice.read'
  | 'notice.replay'
  | 'notice.address'
  | 'audit.read'
  | 'audit.export'
  | 'audit.erase'
  | 'people.read'
  | 'people.manage'
  | 'people.confirm'
  | 'api.read'
  | 'api.manage'
  | 'onboarding.read'
  | 'onboarding.dismiss'
  | 'sending.control'
  | 'system.read'
  | 'alert.acknowledge'
  | 'export.make'
  | 'top_up.handle'
  | 'day.close'
  | 'card.read'
  | 'card.add'
  | 'card.capture'
  | 'card.refund'
  | 'card.tools'
  | 'card.charge'
  | 'card.saved'
  | 'card.plan'
  | 'recipient.edit'
  | 'recipient.redirect';

const LOOK: readonly Permission[] = [
  'movement.read',
  'wallet.read',
  'receipt.read',
  'export.make',
  'card.read',
];
const PREPARE: readonly Permission[] = [
  ...LOOK,
  'payee.read',
  'payout.prepare',
  'payout.cancel',
  'movement.ask',
  'recipient.edit',
  'top_up.handle',
  'card.add',
  'card.capture',
  'card.refund',
  'card.charge',
  'card.saved',
  'card.plan',
];

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  clerk: [...PREPARE, 'notice.read'],
  approver: [
    ...PREPARE,
    'recipient.redirect',
    'wallet.create',
    'onboarding.read',
    'movement.approve',
    'policy.read',
    'policy.confirm',
    'notice.read',
    'audit.read',
    'people.read',
    'people.confirm',
    'api.read',
    'sending.control',
    'alert.acknowledge',
    'day.close',
  ],
  owner: [
    ...PREPARE,
    'recipient.redirect',
    'wallet.create',
    'onboarding.read',
    'onboarding.dismiss',
    'movement.approve',
    'movement.override',
    'policy.read',
    'policy.propose',
    'policy.confirm',
    'notice.read',
    'notice.replay',
    'notice.address',
    'audit.read',
    'audit.export',
    'audit.erase',
    'people.read',
    'people.manage',
    'people.confirm',
    'api.read',
    'api.manage',
    'system.read',
    'sending.control',
    'alert.acknowledge',
    'day.close',
    'card.tools',
  ],
  support: [...LOOK, 'movement.ask', 'notice.read', 'top_up.handle'],
  auditor: [
    ...LOOK,
    'payee.read',
    'notice.read',
    'audit.read',
    'audit.export',
    'people.read',
    'api.read',
    'policy.read',
  ],
};

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role];
}

/** What a deputy may do, beside what the own role permits, while standing in for somebody. */
export const DEPUTY_PERMISSIONS: readonly Permission[] = ['movement.approve'];

/** Whether a permission comes with standing in for an approver or an owner. */
export function isOfDeputies(permission: Permission | null): boolean {
  return permission !== null && DEPUTY_PERMISSIONS.includes(permission);
}

/** Whether a person may do something now: by the own role, or as somebody's deputy. */
export function mayNow(
  { role, standsInFor }: Pick<Person, 'role' | 'standsInFor'>,
  permission: Permission,
): boolean {
  return may(role, permission) || (standsInFor !== null && isOfDeputies(permission));
}

/** @throws NotAllowed, which is a Refusal `not_allowed` */
export function assertMay(actor: Person, permission: Permission): void {
  if (!mayNow(actor, permission)) throw new NotAllowed(permission);
}

/** The actor's text in the audit log. */
export function actorText(actor: Actor): string {
  return actor.kind === 'person' ? `person:${actor.personId}` : actor.kind;
}
