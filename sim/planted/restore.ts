import type { Mutation } from './mutation.ts';

/**
 * Of a database that comes back from a backup: what waits, what is compared, and what people are
 * shown of it.
 */

const COMPARE = 'lib/send-control/recovery/compare-journal.ts';
const HELD = 'lib/begin-check/held.ts';

const MAY_HAVE_LEFT = 'lib/send-control/recovery/may-have-left.ts';
const PAY_AGAIN = 'lib/movements/pay-again.ts';
const VIEW = 'lib/movement-views/view.ts';
const SITUATION = 'lib/movement-views/situation.ts';
const CARD_LIST = 'lib/cards/operations/list.ts';
const RESTORED_TEST = { test: 'lib/movement-views/restored.db.test.ts' };
const TIMELINE_TEST = { test: 'lib/movement-views/timeline.test.ts' };
const CARD_START_TEST = { test: 'lib/cards/operations/start.db.test.ts' };

export const RESTORE_BUGS: readonly Mutation[] = [
  {
    name: 'restored-rows-leave',
    about: 'what is older than a recovery is claimed without a person',
    drill: 'restored-before-it-left',
    file: 'lib/movements/claim-rules.ts',
    find: '!due.switchedOff && due.confirmed && approvalsCover(due)',
    replace: '!due.switchedOff && approvalsCover(due)',
  },
  {
    name: 'restored-rows-sent-again',
    about:
      'what people let leave after a restore is sent again, though a Duplicate of it may be forgotten',
    foundBy: { test: 'lib/send-control/confirm-send.db.test.ts' },
    file: 'lib/movements/claim-rules.ts',
    find: ' && remembersAll(due)',
    replace: '',
  },
  {
    name: 'older-rows-not-held',
    about: 'no row is older than a recovery',
    drill: 'restored-before-it-left',
    file: HELD,
    find: "  if (isRestored({ createdAt, recoveryBeganAt })) return 'older';\n",
    replace: '',
  },
  {
    name: 'word-sends-nothing',
    about: 'a person says "send it", and the row waits for ever',
    drill: 'restored-before-it-left',
    file: HELD,
    find: '  if (confirmedAt !== null && confirmedAt > recoveryBeganAt) return null;\n',
    replace: '',
  },
  {
    name: 'listing-not-awaited',
    about: 'sending goes on before the provider has to list what left',
    drill: 'restored',
    file: 'lib/send-control/recovery/rules.ts',
    find: 'scannedAt === null || scannedAt < listedBy || now',
    replace: 'scannedAt === null || now',
  },
  {
    name: 'foreign-payment-unseen',
    about: 'the rules for a new payment know nothing of what the recovery found',
    drill: 'restored',
    file: 'lib/payment-checks/recipient-rules.ts',
    find: 'const same = (facts.foreign ?? []).filter((one) => one.iban === iban',
    replace: "const same = (facts.foreign ?? []).filter((one) => one.iban === ''",
  },
  {
    name: 'waiting-row-not-recalled',
    about: 'a row whose send was forgotten waits to be sent again',
    drill: 'restored-unlisted',
    file: COMPARE,
    find: "  if (entry.isWaiting) return 'recall';\n",
    replace: '',
  },
  {
    name: 'lost-line-matched',
    about: 'a send that the books do not hold is called matched',
    drill: 'restored-unlisted',
    file: COMPARE,
    find: "  if (entry === null) return 'lost';",
    replace: "  if (entry === null) return 'matched';",
  },
  {
    name: 'any-send-is-this-one',
    about: 'a first send that never left hides the second one',
    drill: 'restored-unlisted',
    file: COMPARE,
    find: 'if (attempt <= entry.sends)',
    replace: 'if (entry.sends > 0)',
  },
  {
    name: 'absent-journal-compared',
    about: '"compared" is said although there is no journal',
    drill: 'restored-unlisted',
    file: COMPARE,
    find: "  if (facts.files === 0) return 'absent';\n",
    replace: '',
  },
  {
    name: 'restored-sends-forgotten',
    about: 'after a restore a record without money ends what was sent since',
    file: 'lib/movements/read-evidence.ts',
    foundBy: { test: 'lib/send-control/confirm-send.db.test.ts' },
    find: 'isLate && (isRestored || wasSentAgain(movement))',
    replace: 'isLate && wasSentAgain(movement)',
  },
  {
    name: 'request-beside-unseen',
    about: 'a read does not say that the last request may still arrive',
    file: 'lib/movements/claim.ts',
    foundBy: { test: 'lib/send-control/confirm-send.db.test.ts' },
    find: '{ lastSendAt: movement.lastSendAt, restored: raw.restored }',
    replace: '{ lastSendAt: null, restored: raw.restored }',
  },
  {
    name: 'refund-by-its-first-row',
    about: 'a declined row of a refund that arrived twice hides the one that was done',
    file: 'lib/cards/operations/proof.ts',
    foundBy: { test: 'lib/cards/operations/proof.test.ts' },
    find: "owns.find((row) => meaningOf(row) !== 'failed') ?? owns[0]",
    replace: 'owns[0]',
  },
  {
    name: 'answer-frees-a-later-change',
    about: 'the answer to a change of a plan frees a later change whose answer is lost',
    file: 'lib/cards/recurring/change.ts',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    find: ' AND change_until = ${plan.until}',
    replace: '',
  },
  {
    name: 'restored-row-called-unsent',
    about: 'a page never says that a restore may have lost a send',
    foundBy: RESTORED_TEST,
    file: VIEW,
    find: 'mayHaveLeft: mayBeLost,\n    retryOf',
    replace: 'mayHaveLeft: false,\n    retryOf',
  },
  {
    name: 'younger-row-called-restored',
    about: 'a movement that is younger than a recovery is said to have been sent perhaps',
    foundBy: RESTORED_TEST,
    file: MAY_HAVE_LEFT,
    find:
      'FROM recoveries r WHERE r.began_at > (SELECT m.created_at FROM movements m WHERE m.id = ' +
      '${id}::uuid)',
    replace: 'FROM recoveries r WHERE ${id}::uuid IS NOT NULL',
  },
  {
    name: 'provider-record-names-nothing',
    about: 'a send that a record of the provider names is said not to have left',
    foundBy: RESTORED_TEST,
    file: MAY_HAVE_LEFT,
    find: 'WHERE f.ext_id = ${extId}',
    replace: "WHERE f.source = 'journal' AND f.ext_id = ${extId}",
  },
  {
    name: 'uncompared-row-called-unsent',
    about: '"nothing was sent" is said though no journal rules a send out',
    drill: 'restored-before-approval',
    file: COMPARE,
    find: "named || journalState(journal) !== 'complete'",
    replace: "named || journalState(journal) === 'not_compared'",
  },
  {
    name: 'named-row-called-unsent',
    about: '"nothing was sent" is said of what our own journal names',
    drill: 'restored-before-approval',
    file: COMPARE,
    find: "named || journalState(journal) !== 'complete'",
    replace: "journalState(journal) !== 'complete'",
  },
  {
    name: 'unproven-sentence-lost',
    about: 'what a restore may have lost is called unsent in the first sentence',
    foundBy: TIMELINE_TEST,
    file: SITUATION,
    find: "return mayHaveLeft || attention === 'contradiction';",
    replace: "return attention === 'contradiction';",
  },
  {
    name: 'contradicted-sentence-lost',
    about: 'what a record contradicts is called unsent in the first sentence',
    foundBy: TIMELINE_TEST,
    file: SITUATION,
    find: "return mayHaveLeft || attention === 'contradiction';",
    replace: 'return mayHaveLeft;',
  },
  {
    name: 'unproven-row-copied',
    about: 'what may have been sent is offered as a plain copy, without a question',
    foundBy: TIMELINE_TEST,
    file: SITUATION,
    find: ' && !isUnproven(view);',
    replace: ';',
  },
  {
    name: 'restored-parent-unasked',
    about: 'what a restore may have lost is paid again without a question',
    drill: 'restored-before-approval',
    file: PAY_AGAIN,
    find: 'if (sends === 0 && listedSince === null) return true;',
    replace: 'if (sends === 0) return true;',
  },
  {
    name: 'named-parent-paid-again',
    about: 'what our own journal names as sent is paid again',
    drill: 'restored-before-approval',
    file: PAY_AGAIN,
    find: ' || isNamed)',
    replace: ')',
  },
  {
    name: 'named-parent-offered',
    about: 'the page offers to pay again what our own journal names as sent',
    foundBy: RESTORED_TEST,
    file: VIEW,
    find: '!raw.named &&',
    replace: '',
  },
  {
    name: 'parent-read-before-it-is-listed',
    about: 'a read from before the provider has to list what a restore lost lets it be paid again',
    foundBy: RESTORED_TEST,
    file: PAY_AGAIN,
    find: 'lastReadAt >= (listedSince ?? 0)',
    replace: 'lastReadAt >= 0',
  },
  {
    name: 'parent-asked-before-it-is-listed',
    about: 'a person waits for an answer that can prove nothing yet',
    foundBy: RESTORED_TEST,
    file: 'lib/movements/parent.ts',
    find: "if (since !== null && now < since) throw new Refusal('parent_not_listed');",
    replace: '',
  },
  {
    name: 'restored-parent-never-asked',
    about: 'what ended without a send before a restore can never be asked about nor paid again',
    foundBy: RESTORED_TEST,
    file: 'lib/movements/claim-rules.ts',
    find: 'return isForgotten || (sends',
    replace: 'return (sends',
  },
  {
    name: 'restored-operation-called-unsent',
    about: 'a card operation of which a restore may have lost a send is called unsent',
    foundBy: CARD_START_TEST,
    file: CARD_LIST,
    find: 'lost.has(row.id) || isHeld(row)',
    replace: 'isHeld(row)',
  },
  {
    name: 'held-operation-called-queued',
    about: 'a card operation that waits for a person since a restore is said to leave in a moment',
    foundBy: CARD_START_TEST,
    file: CARD_LIST,
    find: 'lost.has(row.id) || isHeld(row)',
    replace: 'lost.has(row.id)',
  },
];
