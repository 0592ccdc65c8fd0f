import { parseDecimal, toDecimal } from '#lib/values/money.ts';

/** What wallets hold after payments that have not left. Pure; amounts are decimal text. */

/** `after`: what is left after everything that has not left; below zero it does not suffice. */
export type BalanceAfter = {
  number: string;
  name: string;
  currency: string;
  available: string;
  after: string;
};

type KnownWallet = Pick<BalanceAfter, 'number' | 'name' | 'currency'> & {
  available: string | null;
};

export function balancesAfter(
  wallets: readonly KnownWallet[],
  pendingMinor: ReadonlyMap<string, bigint>,
): BalanceAfter[] {
  return wallets.flatMap(({ number, name, currency, available }) => {
    const pending = pendingMinor.get(number);
    if (pending === undefined || available === null) return [];
    const after = toDecimal(parseDecimal(available) - pending);
    return [{ number, name, currency, available, after }];
  });
}

type Picked = { wallet: string; amount: string; currency: string };

/** The sums of what is ticked, one a currency, in the order in which they appear. */
export function sumsOf(picked: readonly Picked[]): { currency: string; amount: string }[] {
  return [...new Set(picked.map(({ currency }) => currency))].map((currency) => ({
    currency,
    amount: totalOf(picked.filter((one) => one.currency === currency)),
  }));
}

/** What each wallet of the ticked payments holds after them alone. */
export function balancesAfterPicked(
  balances: readonly BalanceAfter[],
  picked: readonly Picked[],
): BalanceAfter[] {
  return balances.flatMap((balance) => {
    const own = picked.filter(({ wallet }) => wallet === balance.number);
    if (own.length === 0) return [];
    const after = toDecimal(parseDecimal(balance.available) - parseDecimal(totalOf(own)));
    return [{ ...balance, after }];
  });
}

function totalOf(picked: readonly Picked[]): string {
  return toDecimal(picked.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n));
}
