import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { confirmSecondPerson } from '#lib/second-person/confirm.ts';
import { ADOPT, lockPolicy, openProposal, policyQuestion } from './proposals.ts';
import { storedText } from './stored-rules.ts';
import { stepUpText } from './step-up-rule.ts';
import { currentPolicy } from './versions.ts';

/**
 * A second person confirms the proposed rules: they are the policy from this moment on, for what is
 * submitted later and for the last approval of what waits. The database checks both people again.
 *
 * @throws Refusal not_allowed, policy_not_proposed, policy_changed, second_person_needed,
 * release_not_asked
 */
export async function confirmPolicy(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'policy.confirm');
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPolicy(tx, actor);
    const proposal = await openProposal(tx);
    if (proposal?.id !== id) throw new Refusal('policy_not_proposed');
    const present = (await currentPolicy(tx))?.version ?? 0;
    if (present !== proposal.basedOn) throw new Refusal('policy_changed');
    if (proposal.proposedBy === actor.personId) throw new Refusal('second_person_needed');
    const statement = { claim: ADOPT, reason: 'confirmed', reference: null, evidence: {} };
    const standing = await confirmSecondPerson(tx, actor, policyQuestion(proposal), statement);
    if (standing.kind !== 'agreed') throw new Refusal('owner_needed');
    const version = present + 1;
    // Dated after the lock: this transaction may have begun before submissions that it waited for.
    await tx.$executeRaw`
      INSERT INTO policy_versions (merchant_id, version, rules, step_up, proposal_id, proposed_by,
        confirmed_by, valid_from)
      VALUES (${actor.merchantId}::uuid, ${version}, ${storedText(proposal.rules)}::jsonb,
        ${stepUpText(proposal.stepUp)}::jsonb, ${id}::uuid, ${proposal.proposedBy}::uuid, ${actor.personId}::uuid,
        clock_timestamp())`;
    await publish(tx, actor, { kind: 'policy', id });
    const detail = { version, proposedBy: proposal.proposedBy };
    await audit(tx, actor, 'policy.confirmed', `policy:${id}`, detail);
  });
}
