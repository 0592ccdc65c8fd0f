import { alertByAge } from './schedule.ts';
import { reduce } from './reduce.ts';
import type { Evidence, Movement } from './state.ts';

/**
 * The row after one piece of evidence: what the evidence proves, and the alert that its age raises.
 * Pure.
 */
export function applyEvidence<Row extends Movement>(
  before: Row,
  evidence: Evidence,
  at: number,
): Row {
  const next = { ...before, ...reduce(before, evidence, at) };
  return { ...next, alert: alertByAge(next, at) };
}

/**
 * Whether the two rows differ in a field that people see: such a change needs an entry in the audit
 * trail (docs/money-rules.md, I10).
 */
export function changedVisibly(before: Movement, after: Movement): boolean {
  return (
    before.state !== after.state ||
    before.returned !== after.returned ||
    before.alert !== after.alert
  );
}
