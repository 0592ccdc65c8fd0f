/** The answer to a challenge, as `take-answer.ts` reads it. */
export type StepUpAnswer =
  | { challengeId: string; passkey: unknown }
  | { challengeId: string; secret: string; code: string };
