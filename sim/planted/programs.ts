import type { Mutation } from './mutation.ts';

/** Bugs in what programs may do with a key, in repetitions, and in what they are told. */

const PAYOUTS = { test: 'lib/programs/api/payouts.db.test.ts' };
const BATCHES = { test: 'lib/programs/api/batches.db.test.ts' };
const KEYS = { test: 'lib/programs/keys/keys.db.test.ts' };
const OUTGOING = { test: 'lib/programs/outgoing/outgoing.db.test.ts' };
const CALLER = 'lib/programs/keys/authenticate.ts';

export const PROGRAM_BUGS: readonly Mutation[] = [
  {
    name: 'batch-of-a-revoked-key-goes-on',
    foundBy: { test: 'lib/programs/api/batches.db.test.ts' },
    about: 'rows that were written with a key go on leaving after it was revoked',
    file: 'lib/programs/keys/revoke.ts',
    find: 'const paused = await pauseBatchesOfKey(tx, actor, key);',
    replace: 'const paused = 0 * Number(typeof pauseBatchesOfKey === typeof tx);',
  },
  {
    name: 'idempotency-key-of-any-body',
    foundBy: PAYOUTS,
    about: 'another body with the same Idempotency-Key is taken for a repetition',
    file: 'lib/programs/api/intents.ts',
    find: "if (!hash.equals(row.body_hash)) throw new Refusal('idempotency_reused');",
    replace: '',
  },
  {
    name: 'repetition-with-a-number-of-its-own',
    foundBy: PAYOUTS,
    about: 'a request that is repeated becomes another payout',
    file: 'lib/programs/api/payouts.ts',
    find: 'const read = formOf(body, intent.subjectId);',
    replace: 'const read = formOf(body, crypto.randomUUID());',
  },
  {
    name: 'idempotency-key-of-one-api-key',
    foundBy: PAYOUTS,
    about: 'a request that is repeated with the next API key is refused by the former one',
    file: 'lib/programs/api/intents.ts',
    find: 'if (!hash.equals(row.body_hash))',
    replace: 'if (!hash.equals(row.body_hash) || row.api_key_id !== key.id)',
  },
  {
    name: 'key-with-every-right',
    foundBy: PAYOUTS,
    about: 'a key does what it has no right for',
    file: CALLER,
    find: "if (!key.rights.includes(right)) throw new Refusal('key_right', { right });",
    replace: '',
  },
  {
    name: 'key-of-every-wallet',
    foundBy: PAYOUTS,
    about: 'a key of one wallet is asked by the database alone whether it may pay from another',
    file: CALLER,
    find: 'if (key.wallet !== null && key.wallet !== wallet)',
    replace: 'if (key.wallet === wallet)',
  },
  {
    name: 'key-reads-every-wallet',
    foundBy: PAYOUTS,
    about: 'a key of one wallet reads payouts from another',
    file: 'lib/programs/api/payouts.ts',
    find: 'AND (${key.wallet}::text IS NULL OR wallet = ${key.wallet})',
    replace: 'AND (${key.wallet}::text IS NULL OR TRUE)',
  },
  {
    name: 'revoked-key-works',
    foundBy: PAYOUTS,
    about: 'a revoked key reads on',
    file: CALLER,
    find: "if (row.revoked_at !== null) return 'key_revoked';",
    replace: '',
  },
  {
    name: 'revoked-key-finishes',
    foundBy: PAYOUTS,
    about: 'a key that is revoked during its request is stopped by the database alone',
    file: 'lib/programs/api/payouts.ts',
    find: 'inTx: (tx) => assertKeyWorks(tx, caller),',
    replace: '',
  },
  {
    name: 'key-outlives-its-person',
    foundBy: PAYOUTS,
    about: 'a key works on although its person is disabled',
    file: CALLER,
    find: "return row.disabled ? 'key_idle' : null;",
    replace: 'return null;',
  },
  {
    name: 'program-reads-people',
    foundBy: PAYOUTS,
    about: 'a program reads a payout that a person made',
    file: 'lib/programs/api/payouts.ts',
    find: 'AND (EXISTS (SELECT FROM api_intents i WHERE i.subject_id = m.id)',
    replace: 'AND (TRUE',
  },
  {
    name: 'key-of-one-person',
    foundBy: KEYS,
    about: 'a key works before a second person has confirmed it',
    file: CALLER,
    find: "if (row.confirmed_at === null) return 'key_waiting';",
    replace: '',
  },
  {
    name: 'program-row-of-another-amount',
    foundBy: { test: 'lib/programs/api/batch-problems.test.ts' },
    about: 'a row that was read with another amount than it was written is paid',
    file: 'lib/programs/api/batch-problems.ts',
    find: 'content.amountMinor === form.content.amountMinor &&',
    replace: '',
  },
  {
    name: 'program-batch-of-people',
    foundBy: BATCHES,
    about: 'a program reads a batch that a person brought',
    file: 'lib/programs/api/batches.ts',
    find: 'const run = isOwn ? await viewRun(caller.person, id) : null;',
    replace: 'const run = isOwn || id !== "" ? await viewRun(caller.person, id) : null;',
  },
  {
    name: 'message-taken-by-a-redirect',
    foundBy: OUTGOING,
    about: 'a message counts as delivered although it was answered with a redirect or a fault',
    file: 'lib/programs/outgoing/deliver.ts',
    find: 'outcome.status >= 200 && outcome.status < 300;',
    replace: 'outcome.status >= 200 && outcome.status < 600;',
  },
  {
    name: 'former-secret-for-ever',
    foundBy: OUTGOING,
    about: 'the former secret signs for ever',
    file: 'lib/programs/outgoing/deliver.ts',
    find: 'row.old_until !== null && row.old_until > row.now',
    replace: 'row.old_until !== null',
  },
];
