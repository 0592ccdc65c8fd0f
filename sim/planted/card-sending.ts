import type { Edit, Mutation } from './mutation.ts';

/**
 * Bugs of card operations and card-balance payouts: what may begin, what people may claim, the
 * texts of the gateway, and the payment's record. Each bug is searched in card worlds.
 */

const OPERATION = 'lib/cards/operations/operation.ts';
const ORDER = 'lib/cards/operations/send-order.ts';
const CLOSABLE = 'lib/movements/closable.ts';
const STANDING = 'lib/second-person/standing.ts';
const CARD_BALANCE_PAYOUT = 'lib/payouts/card-balance/answered.ts';
const CARD_BALANCE_PAYOUT_ORDER = 'lib/payouts/card-balance/send-order.ts';
const BEGIN = 'lib/begin-check/begin-check.ts';
const CLAIM = 'lib/movements/claim-rules.ts';
const CODES = 'lib/providers/card/codes.ts';
const MONEY = 'lib/providers/card/classify-money.ts';
const CONFIRM = 'lib/providers/card/confirm-request.ts';
const REFUND = 'lib/providers/card/refund-request.ts';
const PAYMENT = 'lib/cards/payments/payment.ts';

type Planted = Pick<Mutation, 'name' | 'about' | 'foundBy' | 'world'> &
  (Edit | { edits: readonly Edit[] });

const PLANTED: readonly Planted[] = [
  // Bugs in what may begin.
  {
    name: 'card-hold-too-old',
    about: 'a hold is captured in its last day and after it',
    file: OPERATION,
    find: "  if (operation === 'capture' && age! >= CAPTURE_LIFE_MS) return stop('too_old');\n",
    replace: '',
  },
  {
    name: 'card-changed-elsewhere-unseen',
    about: 'what changed since the form is not looked at',
    world: 220,
    file: ORDER,
    find:
      '  if (judged.standing.beforeMinor !== sent.card.beforeMinor || isNews) return ' +
      "refused('changed_elsewhere');\n",
    replace: '',
  },
  {
    name: 'card-restored-is-refused',
    about: 'after a restore, what was carried out in the lost future is called "nothing was sent"',
    file: ORDER,
    find: 'if (isListed || (restored && isNews))',
    replace: 'if (isListed)',
  },
  {
    name: 'card-49-believed',
    about: '49 is believed at once',
    file: ORDER,
    find: "if (operation !== 'refund' || outcome.kind !== 'look'",
    replace:
      "if (outcome.kind === 'look' && outcome.code === REFUND_FAILED) return { ...outcome, " +
      "kind: 'refused', code: REFUND_FAILED };\n  if (operation !== 'refund' || outcome.kind " +
      "!== 'look'",
  },
  {
    name: 'card-49-seen-once',
    about: '49 is believed after one look',
    file: ORDER,
    find: 'const QUERIES_AFTER_MS = [0, 31_000];',
    replace: 'const QUERIES_AFTER_MS = [0];',
  },
  {
    name: 'card-balance-restored-sent',
    about:
      'a payout of the card balance that our journal cannot rule out leaves again after a restore',
    file: CARD_BALANCE_PAYOUT_ORDER,
    find: "  if (mayHaveLeft) return { kind: 'record_exists', code: null, message: null, raw: null };\n",
    replace: '  void mayHaveLeft;\n',
  },
  {
    name: 'card-begin-late',
    about: 'whoever slept over its lease sends',
    file: BEGIN,
    find: "  if (!mayStillBegin(facts.began, facts.now)) return 'too_late';\n",
    replace: '',
  },
  {
    name: 'card-begin-stopped',
    about: 'what is stopped is claimed',
    file: CLAIM,
    find: 'if (!due.switchedOff && ',
    replace: 'if (',
  },
  {
    name: 'card-begin-unconfirmed',
    about: 'what is older than a restore is claimed without a word of a person',
    file: CLAIM,
    find: '&& due.confirmed ',
    replace: '',
  },
  {
    name: 'card-begin-elsewhere',
    about: 'a process of another account sends',
    world: 1169,
    file: BEGIN,
    find: "  if (account !== 'bound') return 'other_account';\n",
    replace: '  void account;\n',
  },
  {
    name: 'card-begin-without-checkpoint',
    about: 'a send does not wait for its checkpoint on disk',
    file: BEGIN,
    find: "  if (checkpoint !== 'present') return 'restored';\n",
    replace: '  void checkpoint;\n',
  },
  {
    name: 'card-begin-unjournaled',
    about: 'a send whose line is not on disk leaves',
    file: BEGIN,
    find: "return journal === 'written' ? null : 'not_journaled';",
    replace: 'return journal === null ? null : null;',
  },
  {
    name: 'card-lost-line-matched',
    about: 'a send that the restored books do not hold is called matched',
    file: 'lib/send-control/recovery/compare-journal.ts',
    find: "  if (entry === null) return 'lost';",
    replace: "  if (entry === null) return 'matched';",
  },
  {
    name: 'card-suspended-sends',
    about: 'the wall clock is not asked',
    file: 'lib/begin-check/start-limit.ts',
    find: ' && now.wall - began.wall < SEND_START_LIMIT_MS',
    replace: '',
  },
  // Bugs in what people may claim.
  {
    name: 'card-pending-for-ever',
    about: 'a refund that its record lists as pending for ever is ended by nobody',
    file: CLOSABLE,
    find:
      "  if (outcome.kind === 'found' && outcome.level === 'pending' && isOnPayment(kind)) " +
      "return 'cannot_say';\n",
    replace: '',
  },
  {
    name: 'card-nobody-may-say',
    about: 'nobody may say what a record cannot',
    file: CLOSABLE,
    find: "  return look?.says === 'cannot_say' ? ['done', 'not_done'] : ['not_done'];",
    replace: "  return look?.says === 'cannot_say' ? [] : ['not_done'];",
  },
  {
    name: 'card-cannot-say-is-silence',
    about: 'a record that cannot say it counts as no answer',
    file: CLOSABLE,
    find: "'mismatch',\n  'unsaid',\n  'order_not_found',",
    replace: "'order_not_found',",
  },
  {
    name: 'card-words-contradict',
    foundBy: { test: 'lib/second-person/standing.test.ts' },
    about: 'the first of two claims counts although somebody denies it',
    file: STANDING,
    find: "  if (claims.length > 1) return { kind: 'contradicted', claims };\n",
    replace: '',
  },
  {
    name: 'card-first-word-counts',
    foundBy: { test: 'lib/second-person/standing.test.ts' },
    about: 'a word that was changed still counts',
    file: STANDING,
    find: 'for (const word of words) latest.set(word.personId, word);',
    replace:
      'for (const word of words) if (!latest.has(word.personId)) latest.set(word.personId, word);',
  },
  {
    name: 'card-one-is-two',
    about: 'one person is enough for what takes two',
    file: STANDING,
    find: "  if (claimed.length < 2) return { kind: 'waiting', claim, missing: 'second_person' };\n",
    replace: '',
  },
  {
    name: 'card-balance-part-is-refused',
    about: 'a payout of the card balance that is named among refused rows is refused',
    file: CARD_BALANCE_PAYOUT,
    find: "kind: 'unclear', why: 'unknown_code' };",
    replace: "kind: 'refused', code: code ?? '' };",
  },
  // Bugs in reading the gateway's answers.
  {
    name: 'card-113-refuses',
    about: '113 says that nothing was captured',
    file: CODES,
    find: "    ...all('look', '32 113'),",
    replace: "    ...all('refused', '32 113'),",
  },
  {
    name: 'card-104-refuses',
    about: '104 says that nothing was given back',
    file: CODES,
    find: "    ...all('look', '49 104'),",
    replace: "    ['49', 'look'],\n    ...all('refused', '104'),",
  },
  {
    name: 'card-unknown-code-refuses',
    about: 'a code that nobody knows refuses',
    file: MONEY,
    find: "    case undefined: return { ...detail, kind: 'unclear', why: 'unknown_code' };",
    replace: "    case undefined: return { ...detail, kind: 'refused', code };",
  },
  {
    name: 'card-status-believed',
    about: 'a refusal is believed under any status',
    file: MONEY,
    find: "const isValidation = code === VALIDATION && meaning === 'refused'",
    replace: "const isValidation = meaning === 'refused'",
  },
  {
    name: 'card-unclear-is-unsent',
    about: 'what is unclear was not sent',
    file: MONEY,
    find: "{ ...nothing, kind: 'unclear', why: opened.why };\n  }\n  const { raw, code",
    replace: "{ ...nothing, kind: 'not_sent', why: 'unreachable' };\n  }\n  const { raw, code",
  },
  {
    name: 'card-capture-without-amount',
    about: 'a part of a hold is captured without its amount, which means all',
    file: CONFIRM,
    find: 'status: CAPTURE, total: rawAmount(amountMinor) } };',
    replace: 'status: CAPTURE } };',
  },
  {
    name: 'card-refund-without-amount',
    about: 'a part is given back without its amount, which means all',
    file: REFUND,
    find: 'amount: rawAmount(amountMinor), ',
    replace: "amount: '', ",
  },
  {
    name: 'card-refund-without-number',
    about: 'a refund leaves without its own number',
    file: REFUND,
    find: 'refund_transaction_id: refundId',
    replace: 'refund_transaction_id: invoiceId',
  },
  {
    name: 'card-capture-is-release',
    about: 'a release captures',
    file: CONFIRM,
    find: 'export const RELEASE = 2;',
    replace: 'export const RELEASE = 1;',
  },
  // Bugs in the payment's record.
  {
    name: 'card-mismatch-unwatched',
    foundBy: { test: 'lib/cards/payments/authorization.test.ts' },
    about: 'a payment whose first record is of another amount is never asked about again',
    file: 'lib/cards/payments/schedule.ts',
    find: "    case null:\n    case 'pending':\n      return age",
    replace: "    case null:\n      return null;\n    case 'pending':\n      return age",
  },
  {
    name: 'card-refunds-unlearnt',
    about: 'the register forgets what a record says of refunds',
    file: PAYMENT,
    find: 'refundedMinor: record.refundedMinor ?? known.refundedMinor,',
    replace: 'refundedMinor: known.refundedMinor ?? record.refundedMinor,',
  },
];

export const CARD_SENDING_BUGS: readonly Mutation[] = PLANTED.map((one) => ({
  ...one,
  side: 'card',
}));
