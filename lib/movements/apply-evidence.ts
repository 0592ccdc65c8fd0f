import { attentionByAge } from './schedule.ts';
import { reduce } from './reduce.ts';
import type { Evidence, Movement } from './state.ts';

/**
 * A row as one piece of evidence leaves it: what the evidence proves, and what its age alone asks a
 * person to look at. Pure.
 */
export function applyEvidence<Row extends Movement>(
  before: Row,
  evidence: Evidence,
  at: number,
): Row {
  const heard = { ...before, ...reduce(before, evidence, at) };
  return { ...heard, attention: attentionByAge(heard, at) };
}

/**
 * Whether a person would see a difference: then the audit trail says so too (docs/money-rules.md,
 * I10).
 */
export function changedVisibly(before: Movement, after: Movement): boolean {
  return (
    before.state !== after.state ||
    before.refund !== after.refund ||
    before.attention !== after.attention
  );
}
