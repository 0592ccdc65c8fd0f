import 'server-only';
import type { Question } from '#lib/second-person/requests.ts';
import type { Cause, StoppableKind } from './stops.ts';

/**
 * What two people are asked about one stop. `since`: when it stopped; a later stop of the same
 * cause is asked about anew.
 */
export function resumeQuestion({
  rail,
  cause,
  since,
}: {
  rail: StoppableKind;
  cause: Cause;
  since: Date;
}): Question {
  return {
    subject: { kind: 'send_switch', id: `${rail} ${cause}` },
    boundTo: since.toISOString(),
    makerId: null,
    needs: cause === 'person' ? 'approver' : 'owner',
  };
}
