import type { Mutation } from './mutation.ts';

/**
 * Of a database that comes back from a backup: what waits, what is compared, and what people are
 * shown of it.
 */

const COMPARE = 'lib/send-control/recovery/compare-journal.ts';
const HELD = 'lib/begin-check/held.ts';

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
    name: 'refund-declined-by-the-lost-request',
    about: 'the declined row of a request that a restore lost ends the refund that was sent again',
    file: 'lib/cards/operations/proof.ts',
    foundBy: { test: 'lib/cards/operations/proof.test.ts' },
    find: "if (isDeclined && isRepeat && owns.length === 1) return 'unsaid';",
    replace: '',
  },
  {
    name: 'answer-frees-a-later-change',
    about: 'the answer to a change of a plan frees a later change whose answer is lost',
    file: 'lib/cards/recurring/change.ts',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    find: ' AND change_until = ${plan.until}',
    replace: '',
  },
];
