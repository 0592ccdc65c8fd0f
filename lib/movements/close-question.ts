import type { Question } from '#lib/second-person/requests.ts';
import type { MovementRow } from './row.ts';

/**
 * The question that two people decide about a movement. A statement is bound to the movement's
 * content, state and number of sends: after another send or in another state it is void. Pure.
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
