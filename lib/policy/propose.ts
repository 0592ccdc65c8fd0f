import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { readReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { closeRequest, openRequest } from '#lib/second-person/requests.ts';
import { ADOPT, lockPolicy, openProposal, policyQuestion } from './proposals.ts';
import { readRules, storedText } from './stored-rules.ts';
import type { PolicyRule } from './rules.ts';
import { stepUpText } from './step-up-rule.ts';
import type { StepUpRule } from './step-up-rule.ts';
import { currentPolicy } from './versions.ts';

const REASON = { min: 3, max: 300 };

/**
 * An owner proposes rules in place of the present ones. Nothing changes before a second person
 * confirms them. A later proposal takes the place of the one that waits. Rules that no page could
 * read back are a fault of the caller, and are not stored.
 *
 * @throws Refusal not_allowed, stop_reason_needed, policy_unchanged
 */
export async function proposePolicy(
  actor: Person,
  {
    rules,
    stepUp,
    reason,
  }: { rules: readonly PolicyRule[]; stepUp: StepUpRule | null; reason: string },
): Promise<void> {
  assertMay(actor, 'policy.propose');
  const why = readReason(reason, REASON);
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPolicy(tx, actor);
    readRules(JSON.parse(storedText(rules)));
    const present = await currentPolicy(tx);
    const signing = stepUpText(stepUp);
    if (
      storedText(rules) === storedText(present?.rules ?? []) &&
      signing === stepUpText(present?.stepUp ?? null)
    )
      throw new Refusal('policy_unchanged');
    await closeProposal(tx);
    const basedOn = present?.version ?? 0;
    const [stored] = await tx.$queryRaw<[Row<'policy_proposals', 'id'>]>`
      INSERT INTO policy_proposals (merchant_id, rules, step_up, based_on, reason, proposed_by)
      VALUES (${actor.merchantId}::uuid, ${storedText(rules)}::jsonb, ${signing}::jsonb, ${basedOn},
        ${storable(why)}, ${actor.personId}::uuid) RETURNING id`;
    const { id } = stored;
    await requestSecondPerson(
      tx,
      actor,
      policyQuestion({ id, rules: [...rules], stepUp, basedOn }),
      {
        claim: ADOPT,
        reason: why,
        reference: null,
        evidence: {},
      },
    );
    await publish(tx, actor, { kind: 'policy', id });
    const detail = {
      rules: storedText(rules),
      basedOn,
      ...(signing === null ? {} : { stepUp: signing }),
    };
    await audit(tx, actor, 'policy.proposed', `policy:${id}`, detail, { reason: why });
  });
}

/**
 * Takes the waiting proposal away: its proposer withdraws it, or a second person says no.
 *
 * @throws Refusal not_allowed, stop_reason_needed, policy_not_proposed
 */
export async function withdrawPolicy(
  actor: Person,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  assertMay(actor, 'policy.confirm');
  const why = readReason(reason, REASON);
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPolicy(tx, actor);
    const proposal = await openProposal(tx);
    if (proposal?.id !== id) throw new Refusal('policy_not_proposed');
    await closeProposal(tx);
    await publish(tx, actor, { kind: 'policy', id });
    await audit(tx, actor, 'policy.withdrawn', `policy:${id}`, {}, { reason: why });
  });
}

async function closeProposal(tx: Tx): Promise<void> {
  const proposal = await openProposal(tx);
  if (proposal === null) return;
  const request = await openRequest(tx, { kind: 'policy', id: proposal.id });
  if (request !== null) await closeRequest(tx, request.id, null);
}
