import type { Role } from '#lib/access/actor.ts';

/**
 * When and to whom reminders of the last moment for a capture go. Pure.
 *
 * The hours count back from the last moment of a capture *from here*, not from the gateway's own
 * void a day later: after the former the recipient can no longer act.
 */

export const REMINDER_HOURS = [72, 24, 4] as const;
/** From this threshold on the approvers are reminded too, once per authorization. */
export const ESCALATED_HOURS = 24;

export const AUDIENCES = ['clerk', 'approver'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const AUDIENCE_ROLES: Record<Audience, readonly Role[]> = {
  clerk: ['clerk'],
  approver: ['approver', 'owner'],
};

/** Null: a role that cannot capture gets no reminders. */
export function audienceOf(role: Role): Audience | null {
  return AUDIENCE_ROLES.clerk.includes(role)
    ? 'clerk'
    : AUDIENCE_ROLES.approver.includes(role)
      ? 'approver'
      : null;
}
