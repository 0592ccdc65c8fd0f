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
  ip: string | null;
};

export const ROLES = ['clerk', 'approver', 'owner', 'support', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The permissions of a role; each operation checks its own. All five roles may read, three may move
 * money.
 * `payee.read`: a payee's whole IBAN and tax number, which support does not see.
 * `recipient.redirect`: change the account of a known name; a clerk, who pays, may not.
 * `top_up.handle`: record the result of incoming money that could not be loaded.
 * `card.capture`: capture or void a card authorization.
 * `card.tools`: make and read hash keys with the merchant's secret.
 * `card.saved`: save or delete a customer's card at the gateway.
 * `card.plan`: change a recurring plan and have it charged.
 * `day.close`: freeze a day's figures.
 * `sending.control`: stop sending and, with a second person, resume it.
 */
export type Permission =
  | 'payout.prepare'
  | 'payout.cancel'
  | 'movement.ask'
  | 'movement.read'
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
  | 'sending.control'
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
    'notice.read',
    'audit.read',
    'sending.control',
    'alert.acknowledge',
    'day.close',
  ],
  owner: [
    ...PREPARE,
    'recipient.redirect',
    'wallet.create',
    'notice.read',
    'notice.replay',
    'notice.address',
    'audit.read',
    'audit.export',
    'audit.erase',
    'people.read',
    'sending.control',
    'alert.acknowledge',
    'day.close',
    'card.tools',
  ],
  support: [...LOOK, 'movement.ask', 'notice.read', 'top_up.handle'],
  auditor: [...LOOK, 'payee.read', 'notice.read', 'audit.read', 'audit.export', 'people.read'],
};

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

/** @throws NotAllowed, which is a Refusal `not_allowed` */
export function assertMay(actor: Person, permission: Permission): void {
  if (!may(actor.role, permission)) throw new NotAllowed(permission);
}

/** The actor's text in the audit log. */
export function actorText(actor: Actor): string {
  return actor.kind === 'person' ? `person:${actor.personId}` : actor.kind;
}
