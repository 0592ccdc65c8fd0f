import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { parseDecimal, share, toDecimal } from '#lib/values/money.ts';
import type { Wallet, WalletAccess } from '#lib/providers/wallet/types.ts';
import { forgetStoppedWallets, keptWallet, keptWallets, knownWallet, knownWallets } from './ask.ts';
import type { Known } from './ask.ts';
import { mayPayFrom } from './may-pay-from.ts';

/**
 * A wallet as screens show it. Amounts are decimal text, null where the provider gave none.
 */
export type WalletView = {
  number: string;
  name: string;
  currency: string;
  access: WalletAccess;
  accessText: string | null;
  total: string;
  available: string | null;
  blocked: string | null;
  monthIn: string | null;
  monthOut: string | null;
  iban: string | null;
  limits: WalletLimit[];
  /** False for people who prepare no payouts and for a wallet that money may not leave. */
  payable: boolean;
};

/**
 * The remaining amount of a limit. The provider reports what remains of the month
 * (`published-weak`) and never the used part. Where the month's traffic in that direction gives the
 * used part, the ratio is an estimate; for the largest balance both numbers are exact.
 */
export type WalletLimit = {
  kind: LimitKind;
  left: string;
  used: string | null;
  /** The used share, 0 to 1; null when unknown. */ usedShare: number | null;
};
export type LimitKind =
  | 'withdrawal'
  | 'payment'
  | 'walletToWallet'
  | 'topUpCredit'
  | 'topUpCash'
  | 'balance';

/**
 * `fresh`: the provider has just reported it. Otherwise `at` is the time of its last report, null
 * without one.
 */
export type KnownView<T> = { fresh: boolean; at: string | null; value: T | null };

export async function viewWallets(actor: Person): Promise<KnownView<WalletView[]>> {
  return toViews(actor, await knownWallets(actor));
}

/** The wallets as last known, for a page that does not wait for the provider. */
export async function viewKeptWallets(actor: Person): Promise<KnownView<WalletView[]>> {
  return toViews(actor, await keptWallets(actor));
}

/** The wallets for a form that does not wait for the provider. */
export type WalletsAtOnce = {
  /** As last known; the provider's answer where nothing was known. */
  known: KnownView<WalletView[]>;
  coming: Promise<KnownView<WalletView[]>>;
};

export async function walletsAtOnce(actor: Person): Promise<WalletsAtOnce> {
  forgetStoppedWallets();
  const coming = viewWallets(actor);
  // Who waits for it handles its fault; a page that fails before that has nobody who waits.
  coming.catch(() => undefined);
  const kept = await viewKeptWallets(actor);
  return { known: kept.value === null ? await coming : kept, coming };
}

function toViews(actor: Person, known: Known<Wallet[]>): KnownView<WalletView[]> {
  const visible = known.value?.filter((wallet) => !wallet.hidden) ?? null;
  return {
    fresh: known.fresh,
    at: known.at,
    value: visible && visible.map((wallet) => toView(actor, wallet)),
  };
}

/** Null when the provider has no wallet with that number. */
export async function viewWallet(
  actor: Person,
  number: string,
): Promise<KnownView<WalletView> | null> {
  const known = await knownWallet(actor, number);
  return (
    known && { fresh: known.fresh, at: known.at, value: known.value && toView(actor, known.value) }
  );
}

/** The wallet as last known, for a page that does not wait for the provider. */
export async function viewKeptWallet(
  actor: Person,
  number: string,
): Promise<KnownView<WalletView>> {
  const { fresh, at, value } = await keptWallet(actor, number);
  return { fresh, at, value: value && toView(actor, value) };
}

/** Sum of the wallets of one currency; `available` is null when one wallet's part is unknown. */
export type WalletTotal = { currency: string; count: number; available: string | null };

/**
 * The balance of a stopped wallet, which money may not leave, is not available: such wallets are
 * summed separately, in `stopped`.
 */
export function totalsOf(
  wallets: readonly WalletView[],
): (WalletTotal & { stopped: WalletTotal | null })[] {
  const byCurrency = Map.groupBy(wallets, (wallet) => wallet.currency);
  return [...byCurrency].map(([currency, own]) => {
    const [open, stopped] = [own.filter((wallet) => !isStopped(wallet)), own.filter(isStopped)];
    return {
      ...totalOf(currency, open),
      stopped: stopped.length === 0 ? null : totalOf(currency, stopped),
    };
  });
}

function isStopped(wallet: WalletView): boolean {
  return mayPayFrom(wallet.access).kind === 'no';
}

function totalOf(currency: string, wallets: readonly WalletView[]): WalletTotal {
  const isKnown = wallets.every((wallet) => wallet.available !== null);
  return {
    currency,
    count: wallets.length,
    available: isKnown
      ? toDecimal(wallets.reduce((sum, wallet) => sum + parseDecimal(wallet.available!), 0n))
      : null,
  };
}

function toView(actor: Person, wallet: Wallet): WalletView {
  return {
    number: wallet.number,
    name: wallet.name,
    currency: wallet.currency,
    access: wallet.access,
    accessText: wallet.accessText,
    iban: wallet.iban,
    total: toDecimal(wallet.totalMinor),
    available: decimal(wallet.availableMinor),
    blocked: decimal(wallet.unavailableMinor),
    monthIn: decimal(wallet.monthlyInMinor),
    monthOut: decimal(wallet.monthlyOutMinor),
    limits: limitsOf(wallet),
    payable: mayPayFrom(wallet.access).kind === 'yes' && may(actor.role, 'payout.prepare'),
  };
}

function limitsOf(wallet: Wallet): WalletLimit[] {
  const { limits, monthlyInMinor: into, monthlyOutMinor: out } = wallet;
  const left = (
    kind: LimitKind,
    leftMinor: bigint | null,
    usedMinor: bigint | null,
  ): WalletLimit[] =>
    leftMinor === null
      ? []
      : [
          {
            kind,
            left: toDecimal(leftMinor),
            used: decimal(usedMinor),
            usedShare:
              usedMinor === null || leftMinor + usedMinor <= 0n
                ? null
                : share(usedMinor, leftMinor + usedMinor),
          },
        ];
  const most = limits.maxBalanceMinor;
  const room = most === null ? null : most > wallet.totalMinor ? most - wallet.totalMinor : 0n;
  return [
    ...left('withdrawal', limits.withdrawalMinor, out),
    ...left('topUpCash', limits.topUpCashMinor, into),
    ...left('balance', room, wallet.totalMinor),
    // Most of a wallet's traffic is of other kinds: measured by it, these limits would look used
    // up.
    ...left('walletToWallet', limits.walletToWalletMinor, null),
    ...left('payment', limits.paymentMinor, null),
    ...left('topUpCredit', limits.topUpCreditMinor, null),
  ];
}

function decimal(minor: bigint | null): string | null {
  return minor === null ? null : toDecimal(minor);
}
