import type { Edit, Mutation } from './mutation.ts';

/**
 * Bugs in what proves a card operation: captures, voids and refunds. Each bug is searched in card
 * worlds.
 */

const PROOF = 'lib/cards/operations/proof.ts';
const PROOF_TEST = { test: 'lib/cards/operations/proof.test.ts' };
const CLAIM = 'lib/movements/claim-rules.ts';

type Planted = Pick<Mutation, 'name' | 'about' | 'foundBy' | 'world'> &
  (Edit | { edits: readonly Edit[] });

const PLANTED: readonly Planted[] = [
  // Bugs in what answers and records prove of an operation.
  {
    name: 'card-held-is-failed',
    foundBy: PROOF_TEST,
    about: 'a record that still shows a hold says that the capture failed',
    file: PROOF,
    find:
      "  if (state === 'held') return 'not_yet';\n  if (state === 'pending') return " +
      "'unsaid';\n  if (state === 'failed') return",
    replace:
      "  if (state === 'held') return 'failed';\n  if (state === 'pending') return " +
      "'unsaid';\n  if (state === 'failed') return",
  },
  {
    name: 'card-release-held-is-failed',
    foundBy: PROOF_TEST,
    about: 'a record that still shows a hold says that the release failed',
    file: PROOF,
    find: "Finding {\n  if (state === 'held') return 'not_yet';\n  if (state === 'pending') return 'unsaid';\n  return",
    replace:
      "Finding {\n  if (state === 'held') return 'failed';\n  if (state === 'pending') return 'unsaid';\n  return",
  },
  {
    name: 'card-capture-without-its-amount',
    about: "somebody's capture of a part counts as ours when the record names no amount",
    world: 1094,
    file: PROOF,
    find: 'return isAccepted && orderedMinor === amountMinor',
    replace: 'return orderedMinor === amountMinor',
  },
  {
    name: 'card-voided-is-not-taken',
    foundBy: PROOF_TEST,
    about: 'a capture that was voided the same day is called "not taken"',
    file: PROOF,
    find: "return isAccepted ? 'completed' : 'unsaid';",
    replace: "return 'failed';",
  },
  {
    name: 'card-voided-by-anybody-is-taken',
    foundBy: PROOF_TEST,
    about: 'a hold that was let go counts as captured',
    file: PROOF,
    find: "return isAccepted ? 'completed' : 'unsaid';",
    replace: "return 'completed';",
  },
  {
    name: 'card-any-capture-is-ours',
    about: 'a capture of another sum counts as ours',
    world: 453,
    file: PROOF,
    find: "? 'completed' : 'mismatch';\n}\n\nfunction provenRelease",
    replace: "? 'completed' : 'completed';\n}\n\nfunction provenRelease",
  },
  {
    name: 'card-waiting-is-completed',
    about: 'a refund that waits for people is completed',
    file: PROOF,
    find: "pending: 'pending', failed",
    replace: "pending: 'completed', failed",
  },
  {
    name: 'card-any-total-is-ours',
    about: 'any growth of the refunded total counts as our refund',
    file: PROOF,
    find: "refunds.length === 0 && isInTotal ? 'completed' : 'mismatch'",
    replace: "refunds.length === 0 && isInTotal ? 'completed' : 'completed'",
  },
  {
    name: 'card-new-row-unseen',
    foundBy: PROOF_TEST,
    about: "a refund that is listed under the gateway's own number needs people every time",
    file: PROOF,
    find: "if (isNew && isInTotal) return 'completed';",
    replace: "if (isNew && isInTotal) return 'mismatch';",
  },
  {
    name: 'card-two-new-rows',
    foundBy: PROOF_TEST,
    about: 'one of two new rows of our amount counts as ours',
    file: PROOF,
    find: 'const isNew = newRows.length === 1;',
    replace: 'const isNew = newRows.length > 0;',
  },
  {
    name: 'card-old-row-is-ours',
    foundBy: PROOF_TEST,
    about: 'a row that was there before counts as ours',
    file: PROOF,
    find: '!card.refundIdsBefore!.includes(row.refundId) && ',
    replace: '',
  },
  {
    name: 'card-answer-refuses-look',
    about: 'a code that proves nothing refuses',
    file: PROOF,
    find: "      return { raw, code, message, kind: 'record_exists' };",
    replace: "      return { raw, code, message, kind: 'refused', code: code ?? '' };",
  },
  // Bugs about refusals: a refusal is only the claim of one response.
  {
    name: 'card-refusal-uncompared',
    about: 'a refund that was called refused and appears later is never noticed',
    world: 340,
    file: 'lib/movements/schedule.ts',
    find: "return isRefusalCompared(movement) ? 'read' : 'rest';",
    replace: "return 'rest';",
  },
  {
    name: 'card-refusal-left-alone',
    foundBy: { test: 'lib/cards/operations/kind.db.test.ts' },
    about: 'a change of the payment’s record pulls no look at what was refused',
    file: 'lib/cards/operations/expedite.ts',
    find: '!isFinal(row.state) || isRefusalCompared(row)',
    replace: '!isFinal(row.state)',
  },
  {
    name: 'card-peoples-word-uncompared',
    foundBy: { test: 'lib/cards/operations/kind.db.test.ts' },
    about: 'what people ended as not done and a late copy carries out is never noticed',
    file: 'lib/cards/operations/expedite.ts',
    find: ", 'REJECTED', 'FAILED') ORDER",
    replace: ", 'REJECTED') ORDER",
  },
  {
    name: 'card-later-sort-unseen',
    foundBy: { test: 'lib/cards/operations/kind.db.test.ts' },
    about: 'a capture that was made since explains nothing of a refused release',
    file: 'lib/cards/operations/kind.ts',
    find: "(o.kind = 'card_refund') = (${kind} = 'card_refund')",
    replace: 'o.kind = ${kind}',
  },
  {
    name: 'card-later-open-unseen',
    foundBy: { test: 'lib/cards/operations/kind.db.test.ts' },
    about: 'a later refund that is being sent or waits for people explains nothing',
    file: 'lib/cards/operations/kind.ts',
    find: "'SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW', 'COMPLETED') ORDER",
    replace: "'UNKNOWN', 'PENDING', 'COMPLETED') ORDER",
  },
  {
    name: 'card-refusal-asked-in-vain',
    foundBy: { test: 'lib/movements/claim-rules.test.ts' },
    about: 'a look at a refusal that nobody answered is not made again',
    file: CLAIM,
    find: 'const UNANSWERED_END_MS = 7 * 24',
    replace: 'const UNANSWERED_END_MS = 0 * 24',
  },
  {
    name: 'card-later-refund-contradicts',
    foundBy: PROOF_TEST,
    about: 'a second refund contradicts the refusal of the first one',
    file: PROOF,
    find: '(one.isOpen ? sum : sum + one.amountMinor)',
    replace: '(one.isOpen ? sum : sum)',
  },
  {
    name: 'card-misread-look-confirms',
    foundBy: PROOF_TEST,
    about: 'a record of something else counts as one of the looks that confirm a refusal',
    file: PROOF,
    find: "record.why === 'mismatch' ? { ...record, why: 'unsaid' } : record;",
    replace: "record.why === 'mismatch' ? nothing : record;",
  },
  {
    name: 'card-gone-order-confirms',
    foundBy: PROOF_TEST,
    about:
      'an order that the gateway does not find counts as one of the looks that confirm a refusal',
    file: PROOF,
    find: "if (record.kind === 'not_found') return ours;",
    replace: "if (record.kind === 'not_found') return nothing;",
  },
  {
    name: 'card-unnamed-status-confirms',
    foundBy: PROOF_TEST,
    about:
      'an own row whose status no table names counts as one of the looks that confirm a refusal',
    file: PROOF,
    find: 'row.refundId === sent.extId)) return ours;',
    replace:
      "row.refundId === sent.extId)) return ours.kind === 'no_answer' && ours.why === 'unsaid' ? " +
      'nothing : ours;',
  },
  {
    name: 'card-two-names-contradict',
    foundBy: { test: 'lib/movements/state.test.ts' },
    about:
      'a late acceptance contradicts an operation because it names the payment by our ' +
      'number and the record by the gateway’s',
    file: 'lib/movements/answer-evidence.ts',
    find: "if (capabilitiesOf(movement.kind).record === 'payment' ? movement.state === 'FAILED' : movement.requestId",
    replace: 'if (movement.requestId',
  },
  {
    name: 'card-late-acceptance-contradicts-people',
    foundBy: { test: 'lib/movements/state.test.ts' },
    about: 'a late acceptance contradicts an operation that people ended as done',
    file: 'lib/movements/answer-evidence.ts',
    find:
      "if (capabilitiesOf(movement.kind).record === 'payment' && movement.state === 'COMPLETED') " +
      'return movement;',
    replace: '',
  },
  {
    name: 'card-late-acceptance-agrees-with-any-word',
    foundBy: { test: 'lib/movements/state.test.ts' },
    about: 'a late acceptance of an operation that people ended as not done is flagged for nobody',
    file: 'lib/movements/answer-evidence.ts',
    find: "movement.state === 'FAILED'",
    replace: 'false',
  },
];

export const CARD_BUGS: readonly Mutation[] = PLANTED.map((one) => ({ ...one, side: 'card' }));
