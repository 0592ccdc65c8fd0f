import type { Mutation } from './mutation.ts';

/** Bugs in rows that pay the wallets of people: who is paid, and by whose word. */

const CELL = { test: 'lib/batches/file/decide-person.test.ts' };
const CHECK = { test: 'lib/batches/draft/person-rows.test.ts' };
const RUN = { test: 'lib/batches/run/person-rows.db.test.ts' };
const COMPLETE = 'lib/batches/draft/complete-row.ts';
const JUDGE = 'lib/batches/run/judge-row.ts';
const FEED = 'lib/batches/run/feed.ts';

export const BATCH_PEOPLE_BUGS: readonly Mutation[] = [
  {
    name: 'batch-person-guessed',
    about: 'ten digits that can be a phone number or an account are taken for a phone number',
    foundBy: CELL,
    file: 'lib/batches/file/decide-person.ts',
    find: 'if (phone === null || account === null) return ofOne(text, phone ?? account);',
    replace: 'if (phone !== null || account === null) return ofOne(text, phone ?? account);',
  },
  {
    name: 'batch-person-by-a-mixed-column',
    about: 'a column with phone numbers and accounts decides a number that can be both',
    foundBy: CELL,
    file: 'lib/batches/file/conventions.ts',
    find: 'return found.size === 1 ? only : null;',
    replace: 'return only;',
  },
  {
    name: 'batch-person-beside-an-iban',
    about: 'a row with an IBAN and a phone number pays the wallet, and nobody is asked',
    foundBy: CHECK,
    file: COMPLETE,
    find: "person: iban.state === 'empty' ? person : failedCell(person.source, 'person_and_iban'),",
    replace: 'person,',
  },
  {
    name: 'batch-person-unnamed',
    about: 'a row without a name pays whoever has the number',
    foundBy: CHECK,
    file: COMPLETE,
    find: "const REQUIRED_OF_PERSON = ['name', 'amount'] as const;",
    replace: "const REQUIRED_OF_PERSON = ['amount'] as const;",
  },
  {
    name: 'batch-person-not-compared',
    about: 'a draft does not compare the name of a person with what the provider shows',
    foundBy: CHECK,
    file: 'lib/batches/draft/check-rows.ts',
    find: 'const isNamed = valueOf(row.cells.person) !== null;',
    replace: 'const isNamed = valueOf(row.cells.person) === undefined;',
  },
  {
    name: 'batch-limit-of-wallets-forgotten',
    about: 'what goes to wallets is held to no limit',
    foundBy: CHECK,
    file: 'lib/batches/draft/summary.ts',
    find: 'short(summary.toPeople.sum, walletToWalletMinor ?? null)',
    replace: 'short(0n, walletToWalletMinor ?? null)',
  },
  {
    name: 'batch-person-of-the-draft-paid',
    about: 'the wallet that a number led to in the draft is paid, wherever it leads now',
    foundBy: RUN,
    file: JUDGE,
    find: 'person: people.get(foundBy) ?? null,',
    replace:
      "person: people.has(foundBy) ? { kind: 'found', wallet: toWallet, name: person.foundName } : null,",
  },
  {
    name: 'batch-person-renamed',
    drill: 'file-numbers-move',
    about: 'a row is paid although its number shows another name than the one that was approved',
    file: 'lib/batches/run/person-rules.ts',
    find: 'return foundName === (person?.foundName ?? null);',
    replace: 'return foundName === foundName && person !== null;',
  },
  {
    name: 'batch-person-unasked',
    about: 'a row is refused for good because the provider did not answer once',
    foundBy: RUN,
    file: FEED,
    find: 'asked.people.has(person.foundBy)',
    replace: '(asked.people.has(person.foundBy) || found.length > 0)',
  },
  {
    name: 'batch-people-at-once',
    about: 'all rows that pay people wait for each other, as if they paid one IBAN',
    foundBy: RUN,
    file: FEED,
    find: 'const PAYEE_W = sql`coalesce(w.to_wallet, w.iban)`;',
    replace: 'const PAYEE_W = sql`w.iban`;',
  },
  {
    name: 'unknown-transfer-locks-no-equal-row',
    about: 'a row pays a wallet while an equal row to it may be on its way',
    foundBy: RUN,
    file: JUDGE,
    find: '(one) => one.toWallet)',
    replace: "() => '')",
  },
  {
    name: 'batch-hash-without-the-wallet',
    drill: 'file-changed',
    about: 'the approval of a batch covers no wallet of its people',
    file: 'lib/batches/row-content.ts',
    find: '...payeeColumns(row) };',
    replace: '...payeeColumns({}) };',
  },
  {
    name: 'batch-wallet-never-first',
    about: 'an approver is not told that a wallet is paid for the first time',
    foundBy: RUN,
    file: 'lib/batches/approval/payees.ts',
    find: '!paidNumbers.has(`${isToWallet(payee)} ${payeeNumber(payee)}`);',
    replace: '!isToWallet(payee) && !paidNumbers.has(`false ${payeeNumber(payee)}`);',
  },
];
