import { KIND_NAMES } from '#lib/movements/kinds.ts';

/** What may stop sending, and who lets it go on. Pure. */

/**
 * What a person may stop: every kind of request that moves money, or one. The begin check asks for
 * the same names.
 */
export const STOPPABLE_KINDS = ['all', ...KIND_NAMES, 'plan_charge', 'card_charge'] as const;
export type StoppableKind = (typeof STOPPABLE_KINDS)[number];

/**
 * Who stopped it: a person, or the system because it does not trust its own books, because somebody
 * changed its audit trail, or because it speaks to another provider than they are about.
 */
export const CAUSES = ['person', 'recovery', 'environment', 'audit'] as const;
export type Cause = (typeof CAUSES)[number];

/** One cause that holds one rail. Names are of people; null is the system. Times ISO. */
export type Stop = {
  rail: StoppableKind;
  cause: Cause;
  reason: string;
  by: string | null;
  since: string;
  /** Who asked for sending to go on, when, and why. */
  release: { by: string; byId: string; at: string; reason: string } | null;
};

/** The gravest first: a screen that has room for one says this one. */
export function mostSevere<One extends { cause: Cause }>(stops: readonly One[]): One | null {
  const gravity: readonly Cause[] = ['environment', 'recovery', 'audit', 'person'];
  return (
    gravity
      .map((cause) => stops.find((stop) => stop.cause === cause))
      .find((stop) => stop !== undefined) ?? null
  );
}
