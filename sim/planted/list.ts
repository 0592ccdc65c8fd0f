import { ALERT_BUGS } from './alerts.ts';
import { POLICY_BUGS } from './policy-approvals.ts';
import { APPROVAL_BUGS } from './approvals.ts';
import { BATCH_APPROVAL_BUGS } from './batch-approvals.ts';
import { BATCH_DRAFT_BUGS } from './batch-drafts.ts';
import { BATCH_PEOPLE_BUGS } from './batch-people.ts';
import { BATCH_SOURCE_BUGS } from './batch-sources.ts';
import { BATCH_GAP_BUGS } from './batch-gaps.ts';
import { BATCH_BUGS } from './batches.ts';
import { BEGIN_BUGS } from './begin.ts';
import { CARD_SENDING_BUGS } from './card-sending.ts';
import { CARD_BUGS } from './cards.ts';
import { CHARGE_BUGS } from './charges.ts';
import { CLAIM_BUGS } from './claim.ts';
import { CLOSING_BUGS } from './closing.ts';
import { CONTRACT_BUGS } from './contracts.ts';
import { CORE_BUGS } from './core.ts';
import { DEPUTY_BUGS } from './deputies.ts';
import { DUPLICATE_BUGS } from './duplicates.ts';
import { EVIDENCE_BUGS } from './evidence.ts';
import { FILE_BUGS } from './files.ts';
import { GAP_BUGS } from './gaps.ts';
import { ODD_ANSWER_BUGS } from './odd-answers.ts';
import { JOURNAL_BUGS } from './journal.ts';
import { LATE_ROW_BUGS } from './late-rows.ts';
import type { Mutation } from './mutation.ts';
import { pairsAmong } from './pairs.ts';
import { PEOPLE_BUGS } from './people.ts';
import { PLAN_CHARGE_BUGS } from './plan-charges.ts';
import { PROGRAM_BUGS } from './programs.ts';
import { RESTORE_BUGS } from './restore.ts';
import { SCHEDULE_BUGS } from './schedule.ts';
import { SECOND_PERSON_BUGS } from './second-person.ts';
import { WIRE_BUGS } from './wire.ts';

/** The bugs that are planted alone. A new area is a new file of this folder and one line here. */
const SINGLES: readonly Mutation[] = [
  ...EVIDENCE_BUGS,
  ...SCHEDULE_BUGS,
  ...ALERT_BUGS,
  ...CLAIM_BUGS,
  ...BEGIN_BUGS,
  ...WIRE_BUGS,
  ...CORE_BUGS,
  ...CLOSING_BUGS,
  ...CONTRACT_BUGS,
  ...PEOPLE_BUGS,
  ...POLICY_BUGS,
  ...APPROVAL_BUGS,
  ...DEPUTY_BUGS,
  ...PROGRAM_BUGS,
  ...SECOND_PERSON_BUGS,
  ...JOURNAL_BUGS,
  ...RESTORE_BUGS,
  ...CARD_BUGS,
  ...CARD_SENDING_BUGS,
  ...CHARGE_BUGS,
  ...LATE_ROW_BUGS,
  ...PLAN_CHARGE_BUGS,
  ...GAP_BUGS,
  ...ODD_ANSWER_BUGS,
  ...BATCH_APPROVAL_BUGS,
  ...BATCH_BUGS,
  ...BATCH_GAP_BUGS,
  ...BATCH_PEOPLE_BUGS,
  ...DUPLICATE_BUGS,
  ...BATCH_DRAFT_BUGS,
  ...BATCH_SOURCE_BUGS,
  ...FILE_BUGS,
];

/** Every planted bug, with the pairs. */
export const MUTATIONS: readonly Mutation[] = [...SINGLES, ...pairsAmong(SINGLES)];
