import type { Mutation } from './mutation.ts';

/** Bugs in the approval of a batch as a whole. */

const TEST = 'lib/batches/approval/approval.db.test.ts';
const TREE_TEST = 'lib/step-up/tree.test.ts';
const RULES = 'lib/batches/approval/press-rules.ts';
const APPROVE = 'lib/batches/approval/approve.ts';
const WAITING = 'lib/batches/approval/waiting.ts';
const HAND_ON = 'lib/batches/approval/hand-on.ts';

export const BATCH_APPROVAL_BUGS: readonly Mutation[] = [
  {
    name: 'register-filled-row-unlisted',
    about: 'an approver is not shown the rows whose account came from the register',
    foundBy: { test: TEST },
    file: 'lib/batches/approval/view.ts',
    find: '(isRepaired(found) || isFilledByRegister(found.cells, row))',
    replace: 'isRepaired(found)',
  },
  {
    name: 'batch-sum-needs-no-approval',
    drill: 'file-by-policy',
    about: 'a limit is gone around by many small rows: the sum is not judged',
    file: 'lib/batches/approval/judge-rows.ts',
    find: 'return strictestOf([...together.map((all) => judgePolicy(rules, all)), ...judged]);',
    replace: 'return strictestOf(judged);',
  },
  {
    name: 'batch-runs-before-its-approval',
    about: 'rows become movements before the batch is approved',
    foundBy: { test: TEST },
    file: 'lib/batches/run/feed.ts',
    find: ' AND r.approved_at IS NOT NULL',
    replace: '',
  },
  {
    name: 'batch-rows-not-compared-with-the-hash',
    drill: 'file-changed',
    about: 'rows that were changed after the submission are approved',
    file: RULES,
    find: 'intact: root === contentHash',
    replace: 'intact: true',
  },
  {
    name: 'batch-signature-of-anything',
    about: 'an approval of a batch is signed over another batch',
    foundBy: { test: TEST },
    file: APPROVE,
    find: 'readStepUp(tx, actor, contentHash, { stepUpId, overrides })',
    replace: 'readStepUp(tx, actor, id, { stepUpId, overrides })',
  },
  {
    name: 'batch-approved-unsigned',
    about: 'an approval of a batch needs no signature although the policy asks for one',
    foundBy: { test: TEST },
    file: APPROVE,
    find: 'if (unsigned !== null) throw new Refusal(unsigned);',
    replace: '',
  },
  {
    name: 'batch-approved-by-one-of-two',
    drill: 'file-by-policy',
    about: 'a batch that needs two approvals runs with one',
    file: RULES,
    find: 'return approvalsCover({ movement: batch, approvals, requirements: asked });',
    replace: 'return batch.approvalsNeeded + asked.length > 0 && approvals.length > 0;',
  },
  {
    name: 'batch-approved-twice-by-one',
    about: 'one person gives both approvals of a batch',
    foundBy: { test: TEST },
    file: APPROVE,
    find: 'if (barred !== null) throw new Refusal(barred);',
    replace: '',
  },
  {
    name: 'row-of-batch-approved-by-itself',
    about: 'a row of an approved batch leaves although the policy of now asks for more',
    foundBy: { test: TEST },
    file: HAND_ON,
    find: 'if (!approvalsCover({ movement, approvals, requirements: found.asked })) return;',
    replace: '',
  },
  {
    name: 'changed-row-takes-approvals-along',
    about: 'a row that was changed after the approval of its batch leaves on that approval',
    foundBy: { test: TEST },
    file: HAND_ON,
    find: 'if (rootFrom(stepUpItem(movement), tree) !== given.content_hash) return;',
    replace: '',
  },
  {
    name: 'row-of-batch-without-its-approvals',
    about: 'a movement does not ask for the approvals of its batch',
    foundBy: { test: TEST },
    file: 'lib/batches/run/feed.ts',
    find: 'leastApprovals: run.approvalsNeeded,',
    replace: 'leastApprovals: 0,',
  },
  {
    name: 'row-of-batch-approved-by-less',
    about:
      'a row whose approval lapsed is approved without the role and signature its batch needed',
    foundBy: { test: TEST },
    file: HAND_ON,
    find: 'await storeAskedOfBatch(tx, batchId, movement);',
    replace: 'void storeAskedOfBatch;',
  },
  {
    name: 'steps-to-the-batch-not-followed',
    about: 'a signature of a batch proves any movement that names it',
    foundBy: { test: TEST },
    file: 'lib/step-up/stored.ts',
    find: 'tree === null ? item : rootFrom(item, tree)',
    replace: 'tree === null ? item : (stored?.items[0] ?? item)',
  },
  {
    name: 'tree-without-the-side',
    about: 'two rows that change places give the same hash',
    foundBy: { test: TREE_TEST },
    file: 'lib/step-up/tree.ts',
    find: "return sha256(['batch node', left, right]);",
    replace: "return sha256(['batch node', ...[left, right].sort()]);",
  },
  {
    name: 'sent-back-batch-waits-on',
    about: 'a batch that was sent back can still be approved',
    foundBy: { test: TEST },
    file: WAITING,
    find: 'r.approved_at IS NULL AND r.stopped_at IS NULL\n  AND r.began_at > clock_timestamp()',
    replace: 'r.approved_at IS NULL\n  AND r.began_at > clock_timestamp()',
  },
  {
    name: 'batch-queue-counts-all',
    about: 'the menu counts batches that the person has approved or made',
    foundBy: { test: TEST },
    file: 'lib/batches/approval/list.ts',
    find: 'WHERE ${batchWaitsFor(whoIs(actor))}`',
    replace: 'WHERE ${BATCH_WAITS_R}`',
  },
];
