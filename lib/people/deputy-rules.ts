import { may } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { addDays, isDay } from '#lib/values/dates.ts';

/**
 * Who may stand in for whom, and for how long. Days are 'YYYY-MM-DD' in Istanbul, both ends
 * included. Pure; the guard of the table enforces the same.
 */

export const DEPUTY_DAYS_MAX = 90;
/** A first day further ahead than this is taken for a slip of the pen. */
const DEPUTY_AHEAD_DAYS = 365;

/** The claim of a statement about a deputyship: its content never changes. */
export const STAND_IN = 'stand_in';

/** Who may approve can be represented. */
export function canBeRepresented(role: Role): boolean {
  return may(role, 'movement.approve');
}

/**
 * Who prepares payments and sees the whole payee, and lacks only the approval. Support does not see
 * what it would approve, and an auditor who approves would audit themselves.
 */
export function canStandIn(role: Role): boolean {
  return may(role, 'payout.prepare') && may(role, 'payee.read') && !may(role, 'movement.approve');
}

export function isDeputyPeriod(
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  today: string,
): boolean {
  return (
    isDay(firstDay) &&
    isDay(lastDay) &&
    firstDay >= today &&
    firstDay <= addDays(today, DEPUTY_AHEAD_DAYS) &&
    lastDay >= firstDay &&
    lastDay < addDays(firstDay, DEPUTY_DAYS_MAX)
  );
}
