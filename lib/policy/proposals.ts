import 'server-only';
import { createHash } from 'node:crypto';
import type { Person } from '#lib/access/actor.ts';
import { columns, sql } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import type { Question } from '#lib/second-person/requests.ts';
import { WORD_LIFE_MS } from '#lib/second-person/standing.ts';
import { readRules, storedText } from './stored-rules.ts';
import type { PolicyRule } from './rules.ts';
import { readStepUpRule, stepUpText } from './step-up-rule.ts';
import type { StepUpRule } from './step-up-rule.ts';

/** What the two people say of the proposed rules. */
export const ADOPT = 'adopt';

/** Rules that an owner proposed and that wait for a second person. */
export type PolicyProposal = {
  id: string;
  rules: PolicyRule[];
  stepUp: StepUpRule | null;
  basedOn: number;
  reason: string;
  proposedBy: string;
  proposedAt: Date;
};

const PROPOSAL = columns('policy_proposals', [
  'id',
  'rules',
  'step_up',
  'based_on',
  'reason',
  'proposed_by',
  'proposed_at',
]);

/** A request that is open, and young enough for the proposer's word to count. */
const IS_OPEN = sql`EXISTS (SELECT FROM second_person_requests r WHERE r.subject_kind = 'policy'
  AND r.subject_id = policy_proposals.id::text AND r.closed_at IS NULL
  AND r.opened_at > clock_timestamp() - make_interval(secs => ${WORD_LIFE_MS / 1000}))`;

/** The proposal that waits; null when none does. */
export async function openProposal(tx: Tx): Promise<PolicyProposal | null> {
  const [row] = await tx.$queryRaw<RowOf<typeof PROPOSAL>[]>`
    SELECT ${PROPOSAL} FROM policy_proposals WHERE ${IS_OPEN} ORDER BY proposed_at DESC LIMIT 1`;
  return row
    ? {
        id: row.id,
        rules: readRules(row.rules),
        stepUp: readStepUpRule(row.step_up),
        basedOn: row.based_on,
        reason: row.reason,
        proposedBy: row.proposed_by,
        proposedAt: row.proposed_at,
      }
    : null;
}

/** The question that two people decide: exactly these rules, in the place of that version. */
export function policyQuestion(
  proposal: Pick<PolicyProposal, 'id' | 'rules' | 'stepUp' | 'basedOn'>,
): Question {
  const texts = [storedText(proposal.rules), stepUpText(proposal.stepUp)];
  return {
    subject: { kind: 'policy', id: proposal.id },
    boundTo: createHash('sha256')
      .update([proposal.basedOn, ...texts.filter((text) => text !== null)].join(' '))
      .digest('hex'),
    makerId: null,
    needs: 'owner',
  };
}

/** Serializes changes of a merchant's policy, with each other and with what is judged by it. */
export async function lockPolicy(tx: Tx, { merchantId }: Person): Promise<void> {
  await tx.$executeRaw`SELECT FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
}
