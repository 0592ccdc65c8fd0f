import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { AuditDetail } from '#lib/audit/append.ts';
import { STEP_UP, STEP_UP_TABLES } from '#lib/movements/approvals-of.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { StepUpMethod } from '#lib/step-up/method.ts';
import { isOfPolicy } from '#lib/step-up/proof.ts';
import { itemProved } from '#lib/step-up/stored.ts';
import type { StoredStepUp } from '#lib/step-up/stored.ts';
import { UUID } from '#lib/values/uuid.ts';

/** `detail`: everything that an outsider needs to check the signature (`scripts/verify-audit.mjs`). */
export type ReadStepUp = { id: string; method: StepUpMethod; detail: AuditDetail };

/**
 * What the person has signed this with: a movement by `stepUpItem`, or the hash of a batch. Null where
 * they signed nothing.
 *
 * @throws Refusal step_up_expired: a policy has come into force since, its key was removed, or it is
 * no answer of theirs;
 * step_up_refused: it signs something else
 */
export async function readStepUp(
  tx: Tx,
  actor: Person,
  item: string,
  { stepUpId, overrides }: { stepUpId: string | null; overrides: boolean },
): Promise<ReadStepUp | null> {
  if (stepUpId === null) return null;
  const isId = UUID.test(stepUpId);
  if (isId) await holdKey(tx, stepUpId);
  const [row] = isId
    ? await tx.$queryRaw<{ id: string; stored: StoredStepUp }[]>`
    SELECT s.id, ${STEP_UP} AS stored FROM ${STEP_UP_TABLES}
    WHERE s.id = ${stepUpId}::uuid AND s.person_id = ${actor.personId}::uuid
      AND c.asked_at > clock_timestamp() - interval '5 minutes' AND k.removed_at IS NULL`
    : [];
  const policy = await currentPolicy(tx);
  if (!row || !isOfPolicy(row.stored, policy)) throw new Refusal('step_up_expired');
  const method = itemProved(row.stored, { personId: actor.personId, overrides }, item);
  if (method === 'none') throw new Refusal('step_up_refused');
  return { id: row.id, method, detail: detailOf(row.stored, item) };
}

/**
 * Keeps the key of an answer until the commit, so that its removal waits: the audit log has the
 * approval before the removal, as an outsider who checks it expects.
 */
async function holdKey(tx: Tx, stepUpId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM step_ups s JOIN passkeys k ON k.id = s.passkey_id
    WHERE s.id = ${stepUpId}::uuid FOR SHARE OF k`;
}

function detailOf(stored: StoredStepUp, item: string): AuditDetail {
  const { purpose, nonce, policyVersion, items, method, assertion, enrolled } = stored;
  return {
    stepUp: method,
    stepUpPurpose: purpose,
    stepUpNonce: nonce,
    stepUpPolicy: policyVersion,
    stepUpItem: item,
    stepUpItems: [...items],
    ...(assertion === null || enrolled === null
      ? {}
      : {
          rpId: enrolled.rpId,
          publicKey: assertion.publicKey,
          authenticatorData: assertion.authenticatorData,
          clientDataJson: assertion.clientDataJson,
          signature: assertion.signature,
        }),
  };
}
