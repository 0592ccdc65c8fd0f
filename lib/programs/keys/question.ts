import 'server-only';
import type { Question } from '#lib/second-person/requests.ts';

/**
 * The question that two people decide about a key. It has no maker of its own: the owner who makes
 * the key says the first word.
 */
export function keyQuestion(id: string): Question {
  return { subject: { kind: 'api_key', id }, boundTo: id, makerId: null, needs: 'owner' };
}
