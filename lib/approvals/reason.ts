import { readReason as readTyped } from '#lib/form-fields/stop-reason.ts';

const REASON_MIN = 3;
const REASON_MAX = 300;

/** Why a person sends a movement back, or releases it alone. @throws Refusal stop_reason_needed */
export function readReason(text: string): string {
  return readTyped(text, { min: REASON_MIN, max: REASON_MAX });
}
