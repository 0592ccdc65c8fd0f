import { permissionsOf, ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';

/** Which changes of people give somebody more rights, and so need two people. Pure. */

export const INVITATION_DAYS = 7;

export type PersonChange = { kind: 'role'; role: Role } | { kind: 'disable' } | { kind: 'enable' };

/** The claim of a statement about an invitation: its content never changes. */
export const INVITE = 'invite';

/** Whether the role `becomes` has a permission that the role `was` lacks. */
export function widens(was: Role, becomes: Role): boolean {
  const before = permissionsOf(was);
  return permissionsOf(becomes).some((permission) => !before.includes(permission));
}

/**
 * Who is enabled again gets all rights of the role back. Disabling only takes rights away, so one
 * owner does it at once.
 */
export function needsTwo(was: Role, change: PersonChange): boolean {
  return change.kind === 'role' ? widens(was, change.role) : change.kind === 'enable';
}

/** The roles that can be one of two. */
export function seniorRoles(): Role[] {
  return ROLES.filter((role) => permissionsOf(role).includes('people.confirm'));
}

/** Whether the change takes from a person of the role `was` that they can be one of two. */
export function takesConfirming(was: Role, change: PersonChange): boolean {
  if (change.kind === 'enable' || !seniorRoles().includes(was)) return false;
  return change.kind === 'disable' || !seniorRoles().includes(change.role);
}

/**
 * An invitation needs two people when its role can itself be one of two: otherwise one owner could
 * invite the second person of the next change.
 */
export function invitationNeedsTwo(role: Role): boolean {
  return permissionsOf(role).includes('people.confirm');
}

/** The change as the claim of a statement, which the database's guard compares. */
export function claimOf(change: PersonChange): string {
  return change.kind === 'role' ? `role:${change.role}` : change.kind;
}

/** Null for a text that is no claim about a person. */
export function readClaim(claim: string): PersonChange | null {
  if (claim === 'enable' || claim === 'disable') return { kind: claim };
  const role = ROLES.find((one) => claim === `role:${one}`);
  return role === undefined ? null : { kind: 'role', role };
}

/** The state of a person that statements are about; a person who has changed needs new ones. */
export function stateOf({ role, disabledAt }: { role: Role; disabledAt: Date | null }): string {
  return `${role} ${disabledAt?.toISOString() ?? 'active'}`;
}

export type InvitationState = 'waiting' | 'lapsed' | 'open' | 'expired' | 'used' | 'withdrawn';

/**
 * `asked`: a first person's statement on it still counts. `lapsed`: nobody confirmed it in time, so
 * it gives nothing.
 */
export function invitationState(
  row: {
    role: Role;
    confirmedAt: Date | null;
    expiresAt: Date;
    usedAt: Date | null;
    withdrawnAt: Date | null;
  },
  { now, asked }: { now: number; asked: boolean },
): InvitationState {
  if (row.usedAt !== null) return 'used';
  if (row.withdrawnAt !== null) return 'withdrawn';
  if (row.expiresAt.getTime() <= now) return 'expired';
  if (row.confirmedAt !== null || !invitationNeedsTwo(row.role)) return 'open';
  return asked ? 'waiting' : 'lapsed';
}
