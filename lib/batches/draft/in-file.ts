import type { FindingCode, PayoutFacts } from '#lib/payment-checks/findings.ts';
import { comesInTurn } from '#lib/payment-checks/duplicate-rules.ts';
import { latestFirst } from '#lib/payment-checks/history.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';
import { checkPayout } from '#lib/payouts/rules.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { PayoutContent } from '#lib/payouts/schema.ts';

/**
 * What the rules will say of a row once the rows before it are payments: the same payee and amount
 * twice in one file, or one payee on two accounts. Pure.
 */

export const FILE_FINDING_CODES = [
  'row_repeated',
  'row_repeated_other_iban',
  'row_nearly_repeated',
  'row_other_account',
] as const;
type FileFindingCode = (typeof FILE_FINDING_CODES)[number];

/**
 * `stands`: the finding that the rules will have when the payment of the row is made; a tick is
 * stored as one of that. `row`: the first of the rows that it repeats; `count`: how many are alike.
 */
export type FileFinding = {
  code: FileFindingCode;
  stands: FindingCode;
  level: 'warn';
  field: 'amount' | 'iban';
  params: { row: number; count: number };
};

const DUPLICATES: Partial<Record<FindingCode, FileFindingCode>> = {
  duplicate: 'row_repeated',
  duplicate_other_iban: 'row_repeated_other_iban',
  duplicate_invoice: 'row_repeated_other_iban',
  near_duplicate: 'row_nearly_repeated',
};
/** Earlier rows to one payee that a row is compared with. */
const ALIKE_MAX = 50;
const DIGITS = 7;

/** The content as the rules for payouts compare it: a wallet stands in place of an IBAN. */
type Row = { number: number; content: Partial<PayoutContent> };

/** Compares each row with those that were given before it. A row that is taken out is not given. */
export class EarlierRows {
  readonly #alike = new Map<string, OwnMovement[]>();

  /** The warnings of a row; `facts` are those of its own payment. The row is an earlier one then. */
  next(row: Row, facts: PayoutFacts): FileFinding[] {
    const keys = keysOf(row.content);
    const before = new Set(keys.flatMap((key) => this.#alike.get(key) ?? []));
    const found = before.size === 0 ? [] : findingsOf(facts, [...before]);
    const made = movementOf(row, facts);
    if (made !== null)
      for (const key of keys) {
        const alike = this.#alike.get(key) ?? [];
        if (alike.length < ALIKE_MAX) this.#alike.set(key, [...alike, made]);
      }
    return found;
  }
}

/**
 * Duplicates among the earlier rows alone, so that they hide none of our own history; none where
 * the history has as many payments alike in each of its turns. Another account with the history,
 * because a payee who was paid on both is no news.
 */
function findingsOf(facts: PayoutFacts, before: readonly OwnMovement[]): FileFinding[] {
  const all = latestFirst([...(facts.recent ?? []), ...before]);
  const repeated = comesInTurn(facts, all)
    ? []
    : checkPayout({ ...facts, recent: before }).flatMap((finding): FileFinding[] => {
        const code = DUPLICATES[finding.code];
        return code === undefined ? [] : [ofFile(finding, code)];
      });
  const ids = new Set(before.map(({ id }) => id));
  const moved = checkPayout({ ...facts, recent: all }).filter(
    ({ code, movementId }) => code === 'payee_other_iban' && ids.has(movementId ?? ''),
  );
  return [...repeated, ...moved.map((finding) => ofFile(finding, 'row_other_account'))];
}

type Found = ReturnType<typeof checkPayout>[number];

function ofFile({ code, movementId = '', params }: Found, named: FileFindingCode): FileFinding {
  const earlier = typeof params['count'] === 'number' ? params['count'] : 1;
  return {
    code: named,
    stands: code,
    level: 'warn',
    field: named === 'row_other_account' ? 'iban' : 'amount',
    params: { row: Number(movementId), count: earlier + 1 },
  };
}

function keysOf({ iban, taxNumber, name }: Partial<PayoutContent>): string[] {
  return [
    ...(iban === undefined ? [] : [iban]),
    ...(taxNumber === undefined ? [] : [taxNumber]),
    ...(name === undefined ? [] : [`n ${foldForSearch(name)}`]),
  ];
}

/** The payment that a row will be; its number is its id. Null while it is not known whom it pays. */
function movementOf({ number, content }: Row, facts: PayoutFacts): OwnMovement | null {
  const { iban, name, taxNumber, amountMinor, paymentType = null, description = '' } = content;
  if (iban === undefined || amountMinor === undefined) return null;
  return {
    id: String(number).padStart(DIGITS, '0'),
    iban,
    name: name ?? '',
    taxNumber: taxNumber ?? '',
    amountMinor,
    currency: facts.wallet?.currency ?? 'TRY',
    paymentType,
    description,
    state: 'PENDING',
    returned: 'NONE',
    createdAt: facts.now,
    maker: null,
    reasonText: null,
  };
}
