import 'server-only';
import { HAS_LAPSED_A } from '#lib/access/disabled-login.ts';
import { sql } from '#lib/runtime/db.ts';
import { methodProved } from '#lib/step-up/stored.ts';
import type { StoredStepUp } from '#lib/step-up/stored.ts';
import { checkedApprovals as checked } from './checked-approvals.ts';
import type { StoredApproval as Stored } from './checked-approvals.ts';
import { kindOf } from './kinds.ts';
import { isFounded } from '#lib/policy/founded.ts';
import type { StoredJudgement } from '#lib/policy/founded.ts';
import type { Approval, Requirement } from './approvals-cover.ts';
import type { MovementRow } from './row.ts';

/** An approval as `APPROVALS_OF_M` reads it: with its signature, which is not checked yet. */
export type StoredApproval = Stored<StoredStepUp>;

/** An answer to a challenge as JSON of the type `StoredStepUp`. */
export const STEP_UP = sql`jsonb_build_object('personId', s.person_id, 'method', s.method,
  'purpose', c.purpose, 'nonce', c.nonce, 'policyVersion', c.policy_version, 'items', c.items,
  'assertion', CASE WHEN s.signature IS NOT NULL THEN jsonb_build_object(
    'publicKey', s.public_key, 'authenticatorData', s.authenticator_data,
    'clientDataJson', s.client_data_json, 'signature', s.signature) END,
  'enrolled', CASE WHEN k.id IS NOT NULL THEN jsonb_build_object('personId', k.person_id,
    'publicKey', k.public_key, 'rpId', k.rp_id) END)`;
export const STEP_UP_TABLES = sql`step_ups s JOIN step_up_challenges c ON c.id = s.challenge_id
  LEFT JOIN passkeys k ON k.id = s.passkey_id`;

/**
 * The approvals of a movement `m` and what policies asked of it, as JSON values of the types
 * `StoredApproval` and `Requirement` (`claim-rules.ts`).
 */
export const APPROVALS_OF_M = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
  'personId', a.person_id, 'deputyOf', a.deputy_of, 'contentHash', a.content_hash, 'asOwner', a.role = 'owner',
  'lapsed', ${HAS_LAPSED_A},
  'releases', a.override_reason IS NOT NULL, 'stepUp',
  (SELECT ${STEP_UP} || jsonb_build_object('tree', (SELECT w.tree FROM batch_rows w
    WHERE w.movement_id = a.movement_id AND a.batch_approval_id IS NOT NULL))
    FROM ${STEP_UP_TABLES} WHERE s.id = a.step_up_id))), '[]')
  FROM approvals a WHERE a.movement_id = m.id)`;

export const REQUIREMENTS_OF_M = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
  'needed', r.needed, 'ownersOnly', r.owners_only, 'contentHash', r.content_hash,
  'stepUp', r.step_up)), '[]')
  FROM approval_requirements r WHERE r.movement_id = m.id)`;

/** What the requirements of a movement `m` follow from, as JSON of the type `StoredJudgement`. */
export const JUDGEMENTS_OF_M = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
  'needed', r.needed, 'ownersOnly', r.owners_only, 'stepUp', r.step_up, 'reasons', r.reasons,
  'version', r.policy_version, 'policy', (SELECT jsonb_build_object('rules', v.rules,
    'stepUp', v.step_up) FROM policy_versions v WHERE v.version = r.policy_version))), '[]')
  FROM approval_requirements r WHERE r.movement_id = m.id)`;

/** Whether a movement `m` was prepared while the merchant had a policy. */
export const HAD_POLICY_M = sql`EXISTS (SELECT FROM policy_versions v
  WHERE v.valid_from <= m.created_at)`;

/** Stands for requirements that were changed or taken away: no approval is of its content. */
const UNFOUNDED: Requirement = { needed: 2, ownersOnly: true, contentHash: '', stepUp: 'passkey' };

/**
 * The requirements of a movement, with one that nothing meets where one of them does not follow from
 * the policy that it names, or where the policy of its day has left none.
 */
export function checkedRequirements(
  requirements: readonly Requirement[],
  { judgements, hadPolicy }: { judgements: readonly StoredJudgement[]; hadPolicy: boolean },
  movement: MovementRow,
): Requirement[] {
  const { policyClass } = kindOf(movement.kind);
  const content = { ...movement, policyClass };
  const isMissing = hadPolicy && requirements.length === 0;
  const holds = !isMissing && judgements.every((one) => isFounded(one, content));
  return holds ? [...requirements] : [...requirements, UNFOUNDED];
}

/** Computes anew what each signature proves about the movement as it stands in its row now. */
export function checkedApprovals(
  stored: readonly StoredApproval[],
  movement: MovementRow,
): Approval[] {
  return checked(stored, (answer, signer) => methodProved(answer, signer, movement));
}
