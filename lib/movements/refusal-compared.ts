import { capabilitiesOf } from './kinds.ts';
import { PEOPLE_SAID } from './reduce.ts';
import type { Movement } from './state.ts';

/**
 * Whether the provider's record may still contradict a refusal. It may for a refusal by the
 * provider of a movement that was sent (the provider's codes are numbers, our own reasons are
 * words) and, for kinds without a ledger, for a statement of people that a capture or refund was
 * not done. It may not for a void, because the authorization may have lapsed.
 */
export function isRefusalCompared({
  state,
  kind,
  requestId,
  alert,
  reasonCode,
}: Movement): boolean {
  if (state === 'FAILED')
    return (
      capabilitiesOf(kind).recordOutlastsPeople &&
      reasonCode === PEOPLE_SAID &&
      requestId === null &&
      alert !== 'contradiction'
    );
  const { answersQuestions, keepsLedger } = capabilitiesOf(kind);
  const hasLeft = keepsLedger || /^[0-9]+$/.test(reasonCode ?? '');
  return (
    state === 'REJECTED' &&
    answersQuestions &&
    hasLeft &&
    requestId === null &&
    alert !== 'contradiction'
  );
}
