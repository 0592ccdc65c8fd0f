'use client';

import { useState } from 'react';
import { OVERRIDE_REASONS, oneLine, REASON_MAX, REASON_MIN } from '#lib/form-fields/money-form.ts';
import { findingSignature } from '#lib/payouts/draft.ts';
import type { ShownFinding } from './money-form.ts';

export type ReasonError = 'reason_required' | 'reason_too_short' | 'reason_too_long' | null;

export type Overrides = {
  isTicked: (finding: ShownFinding) => boolean;
  tick: (finding: ShownFinding, on: boolean) => void;
  reason: string;
  setReason: (text: string) => void;
};

/**
 * Ticked warnings. When the details of a warning change, its tick is dropped: it was given to other
 * facts.
 */
export function useOverrides(): Overrides {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  return {
    reason,
    setReason,
    isTicked: (finding) => ticked.has(findingSignature(finding)),
    tick: (finding, on) =>
      setTicked((before) => {
        const next = new Set(before);
        if (on) next.add(findingSignature(finding));
        else next.delete(findingSignature(finding));
        return next;
      }),
  };
}

export function reasonErrorOf(warnings: readonly ShownFinding[], text: string): ReasonError {
  if (warnings.length === 0) return null;
  const reason = oneLine(text);
  if ((OVERRIDE_REASONS as readonly string[]).includes(reason)) return null;
  const length = Array.from(reason).length;
  if (length === 0) return 'reason_required';
  return length < REASON_MIN ? 'reason_too_short' : length > REASON_MAX ? 'reason_too_long' : null;
}

/** Adds the ticked codes, each once, and the shared reason to the form data. */
export function addOverrides(
  form: FormData,
  warnings: readonly ShownFinding[],
  reason: string,
): void {
  for (const code of new Set(warnings.map((finding) => finding.code)))
    form.append('overrides', code);
  if (warnings.length > 0) form.set('overrideReason', reason);
}
