import {
  CLOSE_CLAIMS,
  closeClaims,
  closeFrom,
  needsWrittenAnswer,
  peopleNeeded,
} from './closable.ts';
import type { CloseClaim, CloseFacts, Look } from './closable.ts';
import { capabilitiesOf } from './kinds.ts';

/** The ways for people to end a movement now, as its page offers them. Pure; times ISO. */
export type Closing = {
  /** The claims that may be made now; empty while it is too early. */
  claims: CloseClaim[];
  /** When the first claim may be made. */
  from: string;
  needsReference: boolean;
  people: 1 | 2;
  /** The viewer made the movement and cannot be one of the two. */
  isMaker: boolean;
};

type Whose = { makerId: string; personId: string };

/**
 * Null when workers will end the movement, so that people have nothing to do. Times in
 * milliseconds.
 */
export function closingOf(
  movement: CloseFacts,
  look: Look | null,
  { makerId, personId }: Whose,
  now: number,
  quietMs: number,
): Closing | null {
  const possible = closeClaims(movement, look);
  const isAnswered = capabilitiesOf(movement.kind).answersQuestions && look?.says === 'found';
  if (possible.length === 0 || isAnswered) return null;
  const from = (claim: CloseClaim): number => closeFrom(movement, claim, look, quietMs);
  const first = Math.min(...possible.map(from));
  // A worker is expected to end an accepted movement: offer people nothing before the earliest
  // claim is allowed.
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
