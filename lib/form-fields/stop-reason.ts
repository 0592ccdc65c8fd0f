import { Refusal } from '#lib/access/refusal.ts';

/** @throws Refusal stop_reason_needed */
export function stopReason(text: string): string {
  const reason = text.trim();
  if (reason.length < STOP_REASON_MIN || reason.length > STOP_REASON_MAX)
    throw new Refusal('stop_reason_needed', { min: STOP_REASON_MIN, max: STOP_REASON_MAX });
  return reason;
}

export const STOP_REASON_MIN = 5;
export const STOP_REASON_MAX = 300;
