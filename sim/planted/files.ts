import type { Mutation } from './mutation.ts';

/** Bugs in files of payouts that the simulator finds: their approval, their persons, their retry. */

const TRANSFER = 'lib/providers/wallet/classify-transfer.ts';

export const FILE_BUGS: readonly Mutation[] = [
  {
    name: 'row-asks-less-than-its-batch',
    drill: 'file-approver-disabled',
    about: 'a row leaves although an approver of its batch is disabled by then',
    file: 'lib/movements/requirement.ts',
    find: 'return Math.max(judgement.needed, least);',
    replace: 'return Math.max(judgement.needed, 0 * least);',
  },
  {
    name: 'expired-batch-approved',
    drill: 'file-approved-a-day-later',
    about: 'a batch runs although its last approval came after more than a day',
    file: 'lib/batches/approval/press-rules.ts',
    find: "state: waits ? 'AWAITING_APPROVAL' : 'CANCELLED'",
    replace: "state: waits ? 'AWAITING_APPROVAL' : 'AWAITING_APPROVAL'",
  },
  {
    name: 'row-taken-out-comes-along',
    drill: 'file-sent-back',
    about: 'a row that an approver took out stands in the next draft as if nobody had',
    file: 'lib/batches/run/retry-rules.ts',
    find: 'leftOut: [...(sentBack ?? [])]',
    replace: 'leftOut: (sentBack ?? []).slice(0, 0)',
  },
  {
    name: 'unknown-row-paid-again',
    drill: 'file-retried',
    about: 'a row whose outcome is unknown is prepared and paid again',
    edits: [
      {
        file: 'lib/batches/run/retry-rules.ts',
        find: "['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED']",
        replace: "['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED', 'UNKNOWN']",
      },
      {
        file: 'lib/payment-checks/recipient-rules.ts',
        find: "code: 'unknown_same_amount', level: 'block',",
        replace: "code: 'unknown_same_amount', level: 'ok',",
      },
    ],
  },
  {
    name: 'moved-number-followed',
    drill: 'file-numbers-move',
    about: 'a row pays the wallet that its number leads to by now, not the one that was approved',
    file: 'lib/transfers/rules.ts',
    find: 'if (content.toWallet !== undefined && content.toWallet !== person.wallet)',
    replace: "if (content.toWallet === '')",
  },
  {
    name: 'silent-transfer-refused',
    drill: 'file-to-people',
    about: 'a transfer to a person is called refused because its answer was lost',
    file: TRANSFER,
    find: 'return classifyBy(TRANSFER_CODES, exchange, (answer) => accepted(answer, expected));',
    replace:
      'const outcome = classifyBy(TRANSFER_CODES, exchange, (answer) => accepted(answer, expected)); ' +
      "return outcome.kind === 'unclear' && exchange.kind === 'unclear' " +
      "? { raw: '', kind: 'refused', code: '300', message: null } : outcome;",
  },
  {
    name: 'posted-transfer-called-failed',
    drill: 'file-to-people',
    about: 'a transfer that the ledger shows as carried out is called failed',
    file: TRANSFER,
    find: "kind: 'found', level, extId: expected.extId,",
    replace:
      "kind: 'found', level: level === 'completed' ? 'failed' : level, extId: expected.extId,",
  },
];
