import {
  CLOSE_CLAIMS,
  closeClaims,
  closeFrom,
  needsWrittenAnswer,
  peopleNeeded,
} from './closable.ts';
import type { CloseClaim, CloseFacts, Look } from './closable.ts';
import { capabilitiesOf } from './kinds.ts';

/** How people may end a movement now, as its page offers it. Pure; times ISO. */
export type Closing = {
  /** What may be said now; empty while it is too early. */
  claims: CloseClaim[];
  /** When the first of it may be said. */
  from: string;
  needsReference: boolean;
  people: 1 | 2;
  /** Whoever made it is not one of the two. */
  isMaker: boolean;
};

type Whose = { makerId: string; personId: string };

/** Null where a machine goes on by itself and people have nothing to say. Times in milliseconds. */
export function closingOf(
  movement: CloseFacts,
  look: Look | null,
  { makerId, personId }: Whose,
  now: number,
  quietMs: number,
): Closing | null {
  const possible = closeClaims(movement, look);
  const isAnswered = capabilitiesOf(movement.rail).answersQuestions && look?.says === 'found';
  if (possible.length === 0 || isAnswered) return null;
  const from = (claim: CloseClaim): number => closeFrom(movement, claim, look, quietMs);
  const first = Math.min(...possible.map(from));
  // What was accepted is expected to end by itself: nothing is offered before its time.
  if (now < first && movement.state !== 'UNKNOWN') return null;
  const claims = CLOSE_CLAIMS.filter((claim) => possible.includes(claim) && now >= from(claim));
  const offered = claims.length > 0 ? claims : possible;
  const people = offered.length === 1 ? peopleNeeded(movement, offered[0]!, look) : 2;
  return {
    claims,
    from: new Date(first).toISOString(),
    needsReference: needsWrittenAnswer(movement, look),
    people,
    isMaker: makerId === personId && people === 2,
  };
}
