import type { Role } from '#lib/access/actor.ts';

/**
 * When somebody is told that the last moment to take a hold comes near, and who. Pure.
 *
 * Hours before the last moment at which it is taken *from here*, not before the hold is let go a
 * day later: who is told then could do nothing.
 */

export const REMINDER_HOURS = [72, 24, 4] as const;
/** From here on those who answer for the clerks are told too, once a hold. */
export const ESCALATED_HOURS = 24;

/** For whom a reminder is: the clerks, or those who approve. */
export type Audience = 'clerk' | 'approver';

/** The roles that a reminder is for. */
export const AUDIENCE_ROLES: Record<Audience, readonly Role[]> = {
  clerk: ['clerk'],
  approver: ['approver', 'owner'],
};

/** Null: a role that takes no hold is reminded of none. */
export function audienceOf(role: Role): Audience | null {
  return AUDIENCE_ROLES.clerk.includes(role)
    ? 'clerk'
    : AUDIENCE_ROLES.approver.includes(role)
      ? 'approver'
      : null;
}
