import type { Store } from './store.ts';

/**
 * The questions that the contracts leave open, as switches. Each default is the most likely reading
 * of the documents; the other values let a client be tested against the other readings. `GET
 * /sandbox/questions` shows value, choices and meaning.
 */

export type Switch = {
  default: string | number | boolean;
  choices?: readonly (string | number | boolean)[];
  min?: number;
  max?: number;
  meaning: string;
};

export const SWITCHES = {
  rejected_burns_ext_id: {
    default: false,
    choices: [true, false],
    meaning: 'Does a refused payout (311, 326, 480, ...) use up its ext_transaction_id?',
  },
  dedupe: {
    default: 'atomic',
    choices: ['atomic', 'ledger'],
    meaning:
      'atomic: a repeated ext id is always seen. ledger: only once the first one is listed ' +
      'in the ledger, so a quick repeat pays twice.',
  },
  ext_id_reserved_days: {
    default: 0,
    min: 0,
    max: 3650,
    meaning: 'Days an ext id stays reserved; 0 = for ever.',
  },
  ext_id_max_length: {
    default: 64,
    min: 8,
    max: 200,
    meaning: 'Longest ext_transaction_id; longer ones are refused with 999.',
  },
  ext_id_alphabet: {
    default: 'any',
    choices: ['any', 'letters_digits_dash'],
    meaning: 'Characters allowed in an ext_transaction_id.',
  },
  duplicate_answer: {
    default: 'code_1',
    choices: ['code_1', 'code_301', 'record_state'],
    meaning:
      'Answer to a payout with a repeated ext id: always 1, always 301, or the state of its ' +
      'record (0 pending, 2 rejected, 3 failed, 4 cancelled, 1 completed).',
  },
  read_visibility: {
    default: 'at_once',
    choices: ['at_once', 'ledger_lag'],
    meaning: 'When the two withdraw-request reads see an accepted payout.',
  },
  unknown_ext_id_answer: {
    default: '300',
    choices: ['300', '312', 'null_payload'],
    meaning: 'Answer of GetRequestWithdrawByExtId for an id it does not know.',
  },
  listing_before_ledger: {
    default: '312',
    choices: ['312', 'empty'],
    meaning: 'SummaryRecordByFilter asked by ext id for a payout that is not posted yet.',
  },
  ledger_lag_min_ms: {
    default: 2000,
    min: 0,
    max: 1_200_000,
    meaning: 'Shortest time from acceptance to the ledger record.',
  },
  ledger_lag_max_ms: {
    default: 3000,
    min: 0,
    max: 1_200_000,
    meaning: 'Longest time from acceptance to the ledger record.',
  },
  manual_shows_as: {
    default: 'pending',
    choices: ['pending', 'bank_response'],
    meaning:
      'Manual operation in a read: level 0 like any pending, or level 0 with ' +
      'after_process_status 3 in bank_response_json.',
  },
  manual_sends_notice: {
    default: false,
    choices: [true, false],
    meaning: 'Is a notification sent when a payout enters manual operation?',
  },
  refund_shows: {
    default: 'credit_line',
    choices: ['credit_line', 'status60', 'both'],
    meaning:
      'A bank return in the ledger: a separate credit line that names the payout in ' +
      'tx_ref_correlation_id, the payout line turning to status 60, or both.',
  },
  return_linked_by: {
    default: 'tx_ref',
    choices: ['tx_ref', 'ext_id', 'nothing'],
    meaning:
      'What ties the credit of a bank return to its payout: tx_ref_correlation_id, the ' +
      'ext_transaction_id, or only the description.',
  },
  returned_level: {
    default: 1,
    choices: [1, 2, 3],
    meaning: 'process_level_status of a payout the bank returned after completion.',
  },
  return_includes_fee: {
    default: false,
    choices: [true, false],
    meaning: 'Does a bank return give the fee back too?',
  },
  payment_type_required: {
    default: false,
    choices: [true, false],
    meaning:
      'Are payment purposes enforced? Then a payout or transfer without payment_type is refused with 999.',
  },
  person_transfer_fee: {
    default: 0,
    min: 0,
    max: 1_000_000,
    meaning: 'Fee of a transfer to a person, in minor units.',
  },
  business_transfer_fee: {
    default: 150,
    min: 0,
    max: 1_000_000,
    meaning:
      'Fee of a transfer to another business, in minor units. Between own wallets nothing is taken.',
  },
  unknown_person_answer: {
    default: 'exist_false',
    choices: ['exist_false', '313', '300'],
    meaning:
      'Answer of CheckPersonalWallet when there is no such person or wallet: exist false, or a refusal.',
  },
  topup_notice: {
    default: 'record',
    choices: ['record', 'flat'],
    meaning: 'Shape of a top-up notification: a transaction record, or the older flat one.',
  },
  notice_tries: {
    default: 3,
    min: 1,
    max: 10,
    meaning: 'How often a notification is tried before it is given up.',
  },
  notice_secret: {
    default: '',
    meaning: 'When not empty, sent as header X-Webhook-Secret with every notification.',
  },
  token_lifetime_seconds: {
    default: 3600,
    min: 1,
    max: 86_400,
    meaning: 'Lifetime of a wallet token.',
  },
  x_client_id: {
    default: 'optional',
    choices: ['optional', 'required'],
    meaning:
      'Does every wallet call need the header X-Client-Id beside its token? Without it then: 401.',
  },
  unexpected_code: {
    default: '500',
    choices: ['500', 'null'],
    meaning: 'code of an unexpected error, in an envelope of status 2.',
  },
  summary_default_days: {
    default: 3,
    min: 1,
    max: 30,
    meaning: 'Days SummaryRecordByFilter shows when it is given no dates.',
  },
  rate_limit_per_minute: {
    default: 0,
    min: 0,
    max: 1_000_000,
    meaning: 'Wallet calls per minute before 429; 0 = no limit.',
  },
  kyc_info: {
    default: 'object',
    choices: ['object', 'null'],
    meaning:
      'user_kyc_info of a wallet: the fifteen fields of the person who owns the account, or null.',
  },
  list_code: {
    default: '100',
    choices: ['100', 'null'],
    meaning: 'code of successful list operations: "100", or null with a null message.',
  },
  page_index_base: { default: 0, choices: [0, 1], meaning: 'Number of the first page.' },
  otp_earlier_codes: {
    default: 'void',
    choices: ['void', 'valid'],
    meaning: 'Does asking for a new code void the earlier one of the same person?',
  },
  magic_values: {
    default: true,
    choices: [true, false],
    meaning: 'Do magic IBANs and kuruş parts choose outcomes?',
  },
} as const satisfies Record<string, Switch>;

type Widen<T> = T extends boolean ? boolean : T extends number ? number : string;
export type SwitchName = keyof typeof SWITCHES;
export type Questions = { -readonly [K in SwitchName]: Widen<(typeof SWITCHES)[K]['default']> };

export function loadQuestions(store: Store): Questions {
  const values: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(SWITCHES)) values[name] = entry.default;
  return Object.assign(values, JSON.parse(store.read('questions') ?? '{}')) as Questions;
}

/** Returns an error sentence when a switch does not exist or may not have that value, else null. */
export function switchProblem(
  switches: Record<string, Switch>,
  name: string,
  value: unknown,
): string | null {
  const entry = Object.hasOwn(switches, name) ? switches[name] : undefined;
  if (!entry) return `unknown switch "${name}"; known: ${Object.keys(switches).join(', ')}`;
  if (typeof value !== typeof entry.default) return `"${name}" must be a ${typeof entry.default}`;
  if (entry.choices && !entry.choices.includes(value as string))
    return `"${name}" must be one of ${entry.choices.join(', ')}`;
  if (
    typeof value === 'number' &&
    (!Number.isInteger(value) || value < (entry.min ?? 0) || value > (entry.max ?? Infinity))
  )
    return `"${name}" must be a whole number from ${entry.min ?? 0} to ${entry.max ?? 'any'}`;
  return null;
}

/**
 * Changes switches. Returns an error sentence when a switch does not exist or may not have that
 * value, else null.
 */
export function setQuestions(
  store: Store,
  questions: Questions,
  wanted: Record<string, unknown>,
): string | null {
  for (const [name, value] of Object.entries(wanted)) {
    const problem = switchProblem(SWITCHES, name, value);
    if (problem !== null) return problem;
  }
  const next = { ...questions, ...wanted } as Questions;
  if (next.ledger_lag_min_ms > next.ledger_lag_max_ms) {
    if ('ledger_lag_max_ms' in wanted && 'ledger_lag_min_ms' in wanted)
      return '"ledger_lag_min_ms" is above "ledger_lag_max_ms"';
    // When only one limit is given, the other limit moves to the same value.
    if ('ledger_lag_min_ms' in wanted) next.ledger_lag_max_ms = next.ledger_lag_min_ms;
    else next.ledger_lag_min_ms = next.ledger_lag_max_ms;
  }
  Object.assign(questions, next);
  store.write('questions', JSON.stringify(questions));
  return null;
}
