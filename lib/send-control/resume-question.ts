import 'server-only';
import type { Question } from '#lib/second-person/requests.ts';
import type { Cause, StoppableKind } from './stops.ts';

/**
 * The question that two people decide about one stop. `since`: when it stopped; a later stop for
 * the same cause is a new question.
 */
export function resumeQuestion({
  kind,
  cause,
  since,
}: {
  kind: StoppableKind;
  cause: Cause;
  since: Date;
}): Question {
  return {
    subject: { kind: 'send_switch', id: `${kind} ${cause}` },
    boundTo: since.toISOString(),
    makerId: null,
    needs: cause === 'person' ? 'approver' : 'owner',
  };
}
