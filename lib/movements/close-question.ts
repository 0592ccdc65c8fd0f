import type { Question } from '#lib/second-person/requests.ts';
import type { MovementRow } from './row.ts';

/**
 * The question that two people decide about a movement. The binding makes a statement void that was
 * made before another send or in another state. Pure.
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
