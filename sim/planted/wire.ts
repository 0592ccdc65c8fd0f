import type { Mutation } from './mutation.ts';

/** Bugs in reading the provider's answers. */

const WIRE = 'lib/providers/wallet/wire.ts';
const SEND = 'lib/providers/wallet/classify-send.ts';
const READ = 'lib/providers/wallet/classify-read.ts';
const CODES = 'lib/providers/wallet/codes.ts';

export const WIRE_BUGS: readonly Mutation[] = [
  {
    name: 'server-error-is-answer',
    drill: '14',
    about: 'a well-formed body under a 5xx is believed',
    file: WIRE,
    find: "  if (http !== 200 && http !== 400) return { kind: 'unclear', raw, why: 'http_status' };\n",
    replace: '',
  },
  {
    name: 'level-mixed-up',
    drill: 'bank-refuses',
    about: 'level 3 is read as manual review',
    file: WIRE,
    find: "    case '2': return 'rejected';\n    case '3': return 'failed';",
    replace: "    case '2': return 'rejected';\n    case '3': return 'pending';",
  },
  {
    name: 'level-one-is-rejected',
    about: 'level 1 is read as rejected',
    file: WIRE,
    find: "    case '1': return 'completed';\n    case '2': return 'rejected';\n    case '3'",
    replace: "    case '1': return 'rejected';\n    case '2': return 'rejected';\n    case '3'",
  },
  {
    name: 'level-zero-is-completed',
    about: 'level 0 is read as completed',
    file: WIRE,
    find: "    case '0': return 'pending';",
    replace: "    case '0': return 'completed';",
  },
  {
    name: 'echo-unchecked',
    drill: '47',
    about: 'an acceptance of another payout is taken for ours',
    file: SEND,
    find:
      '  if (extId !== expected.extId || amountMinor !== expected.amountMinor) return { raw, ' +
      "code, message, kind: 'unclear', why: 'mismatch' };\n",
    replace: '',
  },
  {
    name: 'unknown-code-refuses',
    drill: 'strange-answers',
    about: 'a code nobody knows is a refusal',
    file: SEND,
    find: "  if (code === null || meaning === undefined) return { ...detail, kind: 'unclear', why: 'unknown_code' };",
    replace:
      "  if (code === null) return { ...detail, kind: 'unclear', why: 'unknown_code' };\n  if " +
      "(meaning === undefined) return { ...detail, kind: 'refused', code };",
  },
  {
    name: 'http-400-refuses',
    drill: 'strange-answers',
    about: 'any code under HTTP 400 is a refusal',
    file: SEND,
    find: 'const isValidation = code === VALIDATION_CODE && isRefusal',
    replace: 'const isValidation = code !== null && isRefusal',
  },
  {
    name: 'unclear-not-sent',
    drill: '13',
    about: 'a timeout is taken for "not sent"',
    file: SEND,
    find:
      "    case 'unclear': return { kind: 'unclear', why: opened.why, raw: opened.raw, code: " +
      'null, message: null };',
    replace:
      "    case 'unclear': return { kind: 'not_sent', why: 'refused', raw: null, code: null, message: null };",
  },
  {
    name: 'read-unchecked',
    drill: 'read-of-another',
    about: 'the record of another payout is taken for ours',
    file: READ,
    find: "  if (!isOurs(record, expected)) return { kind: 'no_answer', why: 'mismatch', raw };\n",
    replace: '',
  },
  {
    name: 'error-is-not-found',
    drill: 'asked-in-between',
    about: 'an error of the read counts as "not found"',
    file: READ,
    find: "    case 'unclear': return { kind: 'no_answer', why: opened.why, raw: opened.raw };",
    replace: "    case 'unclear': return { kind: 'not_found', raw: opened.raw ?? '' };",
  },
  {
    name: 'duplicate-code-lost',
    drill: '19',
    about: '301 is not known as a Duplicate',
    file: CODES,
    find: "  ['301', 'duplicate'],",
    replace: "  ['301', 'refused'],",
  },
  {
    name: 'record-code-refuses',
    drill: 'record-codes',
    about: 'code 0 of a pending record is a refusal',
    file: CODES,
    find: "  ['0', 'record_exists'], // pending",
    replace: "  ['0', 'refused'],",
  },
];
