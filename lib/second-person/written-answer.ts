/**
 * The provider's written answer, named by its reference: the number of a ticket, or who wrote it
 * and when. Pure.
 */
export const WRITTEN_ANSWER = { min: 3, max: 120 };

export function isWrittenAnswer(text: string): boolean {
  return text.length >= WRITTEN_ANSWER.min && text.length <= WRITTEN_ANSWER.max;
}
