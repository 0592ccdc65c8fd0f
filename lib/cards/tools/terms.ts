import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { once, soon } from '#lib/runtime/short-lived-cache.ts';
import type { Locale } from '#lib/values/locale.ts';
import { parseAmount, toDecimal } from '#lib/values/money.ts';
import type { Commission } from '#lib/providers/card/commissions.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { PosOption } from '#lib/providers/card/pos.ts';
import type { CommissionFilter, PosFilter } from './filter.ts';

/** How long the open tabs share one query: the terms change weekly. */
const SHARED_MS = 30_000;

/**
 * The accepted cards and numbers of installments; null for what could not be queried. `programs`
 * are those of the whole table.
 */
export type TermsView = {
  installments: number[] | null;
  commissions: Commission[] | null;
  programs: string[];
};

export async function viewTerms(actor: Person, filter: CommissionFilter): Promise<TermsView> {
  assertMay(actor, 'card.read');
  const question = {
    currency: filter.currency,
    ...(filter.paidBy === null ? {} : { commissionBy: filter.paidBy }),
  };
  const [installments, table] = await Promise.all([
    soon(once('card-installments', SHARED_MS, () => cardClient().listInstallments())),
    soon(
      once(`card-commissions:${filter.currency}:${filter.paidBy ?? ''}`, SHARED_MS, () =>
        cardClient().listCommissions(question),
      ),
    ),
  ]);
  const rows = table?.kind === 'answered' ? table.value : null;
  return {
    installments: installments?.kind === 'answered' ? installments.value : null,
    commissions:
      rows?.filter((row) => filter.program === '' || row.program === filter.program) ?? null,
    programs: [
      ...new Set(
        (rows ?? []).map((row) => row.program).filter((name) => name !== null && name !== ''),
      ),
    ] as string[],
  };
}

export type PosRow = Omit<PosOption, 'payableMinor' | 'merchantFeeMinor'> & {
  /** Decimal text. */
  payable: string;
  /** The buyer's extra cost on top of the amount. */
  extra: string;
  fee: string | null;
};

export type PosView =
  | { kind: 'not_asked' }
  /** Not an amount, or an ambiguous one. */
  | { kind: 'amount_unreadable' }
  | { kind: 'options'; rows: PosRow[]; amount: string }
  /** The gateway refused: no POS, no commission or no installments for such a card. */
  | { kind: 'none'; code: string }
  | { kind: 'no_answer' };

/** The ways to pay an amount with a card, given only its first digits. */
export async function viewPosOptions(
  actor: Person,
  filter: PosFilter,
  locale: Locale,
): Promise<PosView> {
  assertMay(actor, 'card.read');
  if (filter.bin === '' || filter.amount === '') return { kind: 'not_asked' };
  const amount = parseAmount(filter.amount, locale, filter.currency);
  if (amount.kind !== 'ok') return { kind: 'amount_unreadable' };
  const { minor } = amount;
  const question = {
    card: { prefix: filter.bin },
    amountMinor: minor,
    currency: filter.currency,
    ...(filter.paidBy === null ? {} : { commissionBy: filter.paidBy }),
  };
  const key = `card-pos:${filter.bin}:${minor}:${filter.currency}:${filter.paidBy ?? ''}`;
  const answer = await soon(once(key, SHARED_MS, () => cardClient().getPos(question)));
  if (answer?.kind === 'answered')
    return {
      kind: 'options',
      amount: toDecimal(minor),
      rows: answer.value.map((row) => shown(row, minor)),
    };
  return answer?.kind === 'no_answer' && answer.code !== undefined
    ? { kind: 'none', code: answer.code }
    : { kind: 'no_answer' };
}

function shown({ payableMinor, merchantFeeMinor, ...row }: PosOption, amountMinor: bigint): PosRow {
  return {
    ...row,
    payable: toDecimal(payableMinor),
    extra: toDecimal(payableMinor - amountMinor),
    fee: merchantFeeMinor === null ? null : toDecimal(merchantFeeMinor),
  };
}
