import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Commission } from '#lib/providers/card/commissions.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';

const PREFIX = /^\d{6}(?:\d{2})?$/;

/**
 * One number of installments. `payable`: the total, with the buyer's commission, for a card whose
 * first digits are known. `percents`: lowest and highest commission over all cards, as the gateway
 * writes it.
 */
export type InstallmentOption = {
  installments: number;
  payable: string | null;
  percents: [string, string] | null;
};
export type InstallmentOptions = { of: 'card' | 'merchant'; options: InstallmentOption[] } | null;

export type InstallmentQuestion = {
  prefix: string;
  amountMinor: bigint;
  currency: string;
  recurring: boolean;
  nonSecure: boolean;
  commissionBy: 'merchant' | 'user' | null;
};

/**
 * The numbers of installments that are possible for an amount. The gateway prices a card by its
 * first six or eight digits (`published`); where this server may see no digit of the card, the
 * gateway's tables for all cards are used instead. Null: no response.
 */
export async function askInstallments(
  actor: Person,
  question: InstallmentQuestion,
): Promise<InstallmentOptions> {
  assertMay(actor, 'card.charge');
  const { prefix, amountMinor, currency, recurring, nonSecure, commissionBy } = question;
  if (PREFIX.test(prefix) && amountMinor > 0n) {
    const response = await cardClient().getPos({
      card: { prefix },
      amountMinor,
      currency,
      recurring,
      nonSecure,
      ...(commissionBy ? { commissionBy } : {}),
    });
    if (response.kind !== 'answered') return null;
    return {
      of: 'card',
      options: response.value.map((row) => ({
        installments: row.installments,
        payable: toDecimal(row.payableMinor),
        percents: null,
      })),
    };
  }
  const [counts, commissions] = await Promise.all([
    cardClient().listInstallments(),
    cardClient().listCommissions({ currency, ...(commissionBy ? { commissionBy } : {}) }),
  ]);
  if (counts.kind !== 'answered') return null;
  const table = commissions.kind === 'answered' ? commissions.value : [];
  const options = counts.value
    .filter((installments) => !recurring || installments === 1)
    .map((installments) => ({
      installments,
      payable: null,
      percents: percentsOf(table, installments, commissionBy),
    }));
  return { of: 'merchant', options };
}

function percentsOf(
  table: readonly Commission[],
  installments: number,
  by: 'merchant' | 'user' | null,
): [string, string] | null {
  const rows = table.filter((row) => row.enabled && row.installments === installments);
  const percents = rows
    .map((row) => (by === 'user' ? row.userPercent : row.merchantPercent))
    .filter((one) => one !== null)
    .sort((a, b) => Number(a) - Number(b));
  return percents.length === 0 ? null : [percents[0]!, percents.at(-1)!];
}
