import { may, ROLES } from '#lib/access/actor.ts';
import type { Permission, Role } from '#lib/access/actor.ts';
import { movementAddress } from '#lib/movements/kinds.ts';

/**
 * The table of notification kinds: one row for each reason to tell a person something. A new kind
 * is a row here, its facts in `sources.ts`, and its words in `kinds.<name>` of the message file
 * `notifications`. Pure.
 */

/**
 * The facts of one notification, stored with it: what its sentence and its link need. Never the
 * number of an account or a card.
 */
export type Detail = Readonly<Record<string, string | number | null>>;

type KindFacts = {
  /** Only people whose role has this permission are told; null: whomever the facts name. */
  needs: Permission | null;
  /** The channels while the person has not chosen; push needs a device that the person added. */
  defaults: { app: boolean; mail: boolean; push: boolean };
  /**
   * Who sends the mail. The reminders of authorizations mail a whole role at once; a second mail of
   * the same authorization would be a repetition.
   */
  mailedBy: 'notifications' | 'reminders';
  /** False where the morning would be too late: it is mailed and pushed in quiet hours too. */
  waitsInQuietHours: boolean;
  /** The page of the thing. `id`: what follows the first colon of `thing`. */
  link: (id: string, detail: Detail) => string;
};

const OWN_MOVEMENT: KindFacts = {
  needs: 'movement.read',
  defaults: { app: true, mail: true, push: true },
  mailedBy: 'notifications',
  waitsInQuietHours: true,
  link: (id, { movement, cardPaymentId }) =>
    movementAddress({
      kind: String(movement),
      id,
      cardPaymentId: typeof cardPaymentId === 'string' ? cardPaymentId : null,
    }),
};

const OWN_BATCH: KindFacts = {
  needs: 'payout.prepare',
  defaults: { app: true, mail: true, push: true },
  mailedBy: 'notifications',
  waitsInQuietHours: true,
  link: (id) => `/batches/${id.split(':')[0]}`,
};

const OF_DEPUTIES: KindFacts = {
  needs: 'payout.prepare',
  defaults: { app: true, mail: true, push: true },
  mailedBy: 'notifications',
  waitsInQuietHours: true,
  link: () => '/settings',
};

/** Rows by the names that the database stores, in the order of the settings. */
const ROWS = {
  movement_rejected: OWN_MOVEMENT,
  movement_failed: OWN_MOVEMENT,
  movement_returned: OWN_MOVEMENT,
  movement_unknown: OWN_MOVEMENT,
  movement_sent_back: OWN_MOVEMENT,
  approval_expired: OWN_MOVEMENT,
  movement_released: OWN_MOVEMENT,
  batch_held: OWN_BATCH,
  batch_sent_back: OWN_BATCH,
  batch_expired: OWN_BATCH,
  approval_asked: {
    needs: 'movement.approve',
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'notifications',
    waitsInQuietHours: true,
    link: (id) => `/approvals/${id.split(':')[0]}`,
  },
  batch_asked: { ...OWN_BATCH, needs: 'movement.approve' },
  nobody_can_approve: {
    needs: 'movement.override',
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'notifications',
    waitsInQuietHours: true,
    link: (id) => `/approvals/${id.split(':')[0]}`,
  },
  second_person_asked: {
    needs: 'payout.prepare',
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'notifications',
    waitsInQuietHours: true,
    link: () => '/waiting',
  },
  deputy_named: OF_DEPUTIES,
  deputy_ended: OF_DEPUTIES,
  authorization_lapses: {
    needs: 'card.capture',
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'reminders',
    waitsInQuietHours: false,
    link: (id) => `/cards/payments/${id.split(':')[0]}`,
  },
  difference_found: {
    needs: 'alert.acknowledge',
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'notifications',
    waitsInQuietHours: true,
    link: (id) => `/reports/reconciliation/${id.split(':')[0]}`,
  },
  totals_differ: {
    needs: 'alert.acknowledge',
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'notifications',
    waitsInQuietHours: true,
    link: () => '/payouts',
  },
  new_device: {
    needs: null,
    defaults: { app: true, mail: true, push: true },
    mailedBy: 'notifications',
    waitsInQuietHours: false,
    link: () => '/settings',
  },
} as const satisfies Record<string, KindFacts>;

export type NotificationKind = keyof typeof ROWS;
export const NOTIFICATION_KINDS = Object.keys(ROWS) as NotificationKind[];

export function notificationFacts(kind: NotificationKind): KindFacts {
  return ROWS[kind];
}

/** The roles whose people are told of a kind. */
export function rolesOf(kind: NotificationKind): Role[] {
  const { needs } = notificationFacts(kind);
  return ROLES.filter((role) => needs === null || may(role, needs));
}

/** The kinds of which a role is told, in the order of the table. */
export function kindsFor(role: Role): NotificationKind[] {
  return NOTIFICATION_KINDS.filter((kind) => rolesOf(kind).includes(role));
}

/** The address of the thing that a notification is about. */
export function notificationAddress(
  kind: NotificationKind,
  { thing, detail }: { thing: string; detail: Detail },
): string {
  return notificationFacts(kind).link(thing.slice(thing.indexOf(':') + 1), detail);
}
