import type { Question } from '#lib/second-person/requests.ts';
import type { MovementRow } from './row.ts';

/**
 * What two people are asked about a movement. What was said before another send, or in another
 * state, is about something else. Pure.
 */
export function closeQuestion({
  id,
  contentHash,
  state,
  sends,
  makerId,
}: Pick<MovementRow, 'id' | 'contentHash' | 'state' | 'sends' | 'makerId'>): Question {
  return {
    subject: { kind: 'movement', id },
    boundTo: `${contentHash} ${state} ${sends}`,
    makerId,
    needs: 'approver',
  };
}
