import { Refusal } from '#lib/access/refusal.ts';
import { storable } from '#lib/runtime/stored-text.ts';

export const STOP_REASON_MIN = 5;
export const STOP_REASON_MAX = 300;

/** Control characters other than line breaks and tabs, and overrides of the text direction. */
const DECEIVING = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;
/** Characters that show nothing: marks, joiners, fillers, and the Braille pattern without dots. */
const SHOWS_NOTHING = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** @throws Refusal stop_reason_needed */
export function stopReason(text: string): string {
  return readReason(text, { min: STOP_REASON_MIN, max: STOP_REASON_MAX });
}

/**
 * A reason that a person typed, as it is stored. Lengths are counted in characters that can be seen,
 * so that a reason of invisible marks is none.
 *
 * @throws Refusal stop_reason_needed
 */
export function readReason(text: string, { min, max }: { min: number; max: number }): string {
  const reason = storable(text).normalize('NFC').replace(DECEIVING, '').trim();
  const seen = Array.from(reason.replace(SHOWS_NOTHING, '').trim()).length;
  if (seen < min || Array.from(reason).length > max)
    throw new Refusal('stop_reason_needed', { min, max });
  return reason;
}
