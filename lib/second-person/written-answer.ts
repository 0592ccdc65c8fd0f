/**
 * The provider's written answer, given by its reference: a ticket number, or author and date. Pure.
 */
export const WRITTEN_ANSWER = { min: 3, max: 120 };

export function isWrittenAnswer(text: string): boolean {
  return text.length >= WRITTEN_ANSWER.min && text.length <= WRITTEN_ANSWER.max;
}
