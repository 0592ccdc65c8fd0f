import { KIND_NAMES } from '#lib/movements/kinds.ts';

/** What may stop sending, and who may resume it. Pure. */

/**
 * What a person may stop: all kinds of requests that move money, or one kind. The begin check uses
 * the same names.
 */
export const STOPPABLE_KINDS = ['all', ...KIND_NAMES, 'plan_charge', 'card_charge'] as const;
export type StoppableKind = (typeof STOPPABLE_KINDS)[number];

/**
 * Who stopped it: a person, or the system because its database may be out of date (`recovery`), is
 * bound to another provider account (`environment`), or has a changed audit log (`audit`).
 */
export const CAUSES = ['person', 'recovery', 'environment', 'audit'] as const;
export type Cause = (typeof CAUSES)[number];

/** One stop of one kind for one cause. Names are of people; null is the system. Times ISO. */
export type Stop = {
  kind: StoppableKind;
  cause: Cause;
  reason: string;
  by: string | null;
  since: string;
  /** Who requested to resume sending, when, and why. */
  release: { by: string; byId: string; at: string; reason: string } | null;
};

/** The most severe stop: the one to show where there is room for one. */
export function mostSevere<One extends { cause: Cause }>(stops: readonly One[]): One | null {
  const gravity: readonly Cause[] = ['environment', 'recovery', 'audit', 'person'];
  return (
    gravity
      .map((cause) => stops.find((stop) => stop.cause === cause))
      .find((stop) => stop !== undefined) ?? null
  );
}
