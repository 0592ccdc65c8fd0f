import { minor, num, text } from './store.ts';
import type { Row, Store } from './store.ts';
import type { World } from './world.ts';

/**
 * The wallets' balances. Every change of a balance goes through this file, in the transaction of
 * the caller, which also writes the movement that explains the change. Amounts are minor units.
 */

export type Wallet = {
  number: string;
  id: string;
  accountId: string;
  name: string;
  currency: string;
  iban: string;
  access: number;
  available: bigint;
  blocked: bigint;
  isDefault: boolean;
  createdAt: number;
  updatedAt: number | null;
  /**
   * Limits in minor units. Per month: payouts to banks (`withdrawalLimit`), transfers to wallets of
   * other accounts (`transferLimit`) and top-ups by bank (`topUpLimit`). Per day: outgoing money
   * (`dailyLimit`; 0 means no limit). `maxBalance` is the highest balance.
   */
  withdrawalLimit: bigint;
  transferLimit: bigint;
  topUpLimit: bigint;
  dailyLimit: bigint;
  maxBalance: bigint;
  month: string;
  monthIn: bigint;
  monthOut: bigint;
  monthWithdrawn: bigint;
  monthTransferred: bigint;
  monthToppedUp: bigint;
  day: string;
  dayOut: bigint;
};

function toWallet(row: Row): Wallet {
  return {
    number: text(row.number),
    id: text(row.id),
    accountId: text(row.account_id),
    name: text(row.name),
    currency: text(row.currency),
    iban: text(row.iban),
    access: num(row.access),
    available: minor(row.available),
    blocked: minor(row.blocked),
    isDefault: row.is_default === 1,
    createdAt: num(row.created_at),
    updatedAt: row.updated_at === null || row.updated_at === undefined ? null : num(row.updated_at),
    withdrawalLimit: minor(row.withdrawal_limit),
    transferLimit: minor(row.transfer_limit),
    topUpLimit: minor(row.topup_limit),
    dailyLimit: minor(row.daily_limit),
    maxBalance: minor(row.max_balance),
    month: text(row.month),
    monthIn: minor(row.month_in),
    monthOut: minor(row.month_out),
    monthWithdrawn: minor(row.month_withdrawn),
    monthTransferred: minor(row.month_transferred),
    monthToppedUp: minor(row.month_topped_up),
    day: text(row.day),
    dayOut: minor(row.day_out),
  };
}

/** Months and days of the limits run on Turkish time (UTC+3, no daylight saving). */
const TURKISH_OFFSET_MS = 3 * 3_600_000;
const turkish = (ms: number): string => new Date(ms + TURKISH_OFFSET_MS).toISOString();
export const monthOf = (ms: number): string => turkish(ms).slice(0, 7);
const dayOf = (ms: number): string => turkish(ms).slice(0, 10);

export function walletsOf(world: World, accountId: string): Wallet[] {
  return world.store
    .all('SELECT * FROM wallets WHERE account_id = ? ORDER BY created_at, number', accountId)
    .map((row) => rolled(world, toWallet(row), world.clock.now()));
}

/**
 * Returns the wallet of any account, with its totals of the current month and day; null when none
 * has this number.
 */
export function anyWallet(world: World, number: string): Wallet | null {
  const row = world.store.get('SELECT * FROM wallets WHERE number = ?', number);
  return row ? rolled(world, toWallet(row), world.clock.now()) : null;
}

/**
 * Returns the wallet with its totals of the current month and day; null when none has this number
 * or it belongs to another account.
 */
export function walletOf(world: World, accountId: string, number: string): Wallet | null {
  const wallet = anyWallet(world, number);
  return wallet?.accountId === accountId ? wallet : null;
}

function rolled(world: World, wallet: Wallet, now: number): Wallet {
  const [month, day] = [monthOf(now), dayOf(now)];
  return {
    ...wallet,
    ...(wallet.month === month ? {} : seededIn(world, wallet.number, month)),
    ...(wallet.day === day ? {} : { day, dayOut: 0n }),
  };
}

/**
 * The totals with which a month begins: of the seeded movements, which change no balance any more.
 * A clock that was set back meets months that have some.
 */
function seededIn(
  { store }: World,
  number: string,
  month: string,
): Pick<Wallet, `month${'' | 'In' | 'Out' | 'Withdrawn' | 'Transferred' | 'ToppedUp'}`> {
  const sum = store.get(
    `SELECT COALESCE(SUM(CASE WHEN to_wallet = ?1 THEN amount END), 0) AS month_in,
        COALESCE(SUM(CASE WHEN from_wallet = ?1 THEN amount + fee END), 0) AS month_out,
        COALESCE(SUM(CASE WHEN from_wallet = ?1 AND kind = 'payout' THEN amount END), 0)
          AS withdrawn,
        COALESCE(SUM(CASE WHEN to_wallet = ?1 AND kind = 'topup' THEN amount END), 0)
          AS topped_up
      FROM movements WHERE seeded = 1 AND state = 'posted' AND kind <> 'opening'
        AND ?1 IN (from_wallet, to_wallet)
        AND strftime('%Y-%m', created_at / 1000 + ?2, 'unixepoch') = ?3`,
    number,
    TURKISH_OFFSET_MS / 1000,
    month,
  )!;
  return {
    month,
    monthIn: minor(sum.month_in),
    monthOut: minor(sum.month_out),
    monthWithdrawn: minor(sum.withdrawn),
    monthTransferred: 0n,
    monthToppedUp: minor(sum.topped_up),
  };
}

type Change = {
  available: bigint;
  blocked?: bigint;
  monthIn?: bigint;
  monthOut?: bigint;
  monthWithdrawn?: bigint;
  monthTransferred?: bigint;
  monthToppedUp?: bigint;
  dayOut?: bigint;
};

function change(world: World, number: string, by: Change, at: number): void {
  const row = world.store.get('SELECT * FROM wallets WHERE number = ?', number);
  if (!row) throw new Error(`no wallet ${number}`);
  const now = rolled(world, toWallet(row), at);
  const available = now.available + by.available;
  const blocked = now.blocked + (by.blocked ?? 0n);
  if (available < 0n || blocked < 0n) throw new Error(`wallet ${number} would fall below zero`);
  const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value);
  world.store.run(
    `UPDATE wallets SET available = ?, blocked = ?, month = ?, month_in = ?, month_out = ?,
      month_withdrawn = ?, month_transferred = ?,
       month_topped_up = ?, day = ?, day_out = ?, updated_at = ? WHERE number = ?`,
    available,
    blocked,
    now.month,
    now.monthIn + (by.monthIn ?? 0n),
    atLeastZero(now.monthOut + (by.monthOut ?? 0n)),
    atLeastZero(now.monthWithdrawn + (by.monthWithdrawn ?? 0n)),
    now.monthTransferred + (by.monthTransferred ?? 0n),
    now.monthToppedUp + (by.monthToppedUp ?? 0n),
    now.day,
    atLeastZero(now.dayOut + (by.dayOut ?? 0n)),
    at,
    number,
  );
}

/**
 * Holds the money of an accepted payout: moves amount and fee from the available to the blocked
 * balance.
 */
export function hold(world: World, number: string, amount: bigint, fee: bigint, at: number): void {
  change(
    world,
    number,
    {
      available: -(amount + fee),
      blocked: amount + fee,
      monthOut: amount + fee,
      monthWithdrawn: amount,
      dayOut: amount,
    },
    at,
  );
}

/** Settles a completed payout: removes its amount and fee from the blocked balance. */
export function settle(
  world: World,
  number: string,
  amount: bigint,
  fee: bigint,
  at: number,
): void {
  change(world, number, { available: 0n, blocked: -(amount + fee) }, at);
}

/**
 * Releases the money of a rejected, failed or cancelled payout: makes its blocked amount and fee
 * available again.
 */
export function release(
  world: World,
  number: string,
  amount: bigint,
  fee: bigint,
  acceptedAt: number,
  at: number,
): void {
  const sameMonth = monthOf(acceptedAt) === monthOf(at);
  change(
    world,
    number,
    {
      available: amount + fee,
      blocked: -(amount + fee),
      dayOut: dayOf(acceptedAt) === dayOf(at) ? -amount : 0n,
      monthOut: sameMonth ? -(amount + fee) : 0n,
      monthWithdrawn: sameMonth ? -amount : 0n,
    },
    at,
  );
}

/** Credits the money of a payout that the bank returned. */
export function credit(world: World, number: string, amount: bigint, at: number): void {
  change(world, number, { available: amount, monthIn: amount }, at);
}

/** Credits a top-up by bank transfer, and counts it against the month's top-up limit. */
export function topUpWallet(world: World, number: string, amount: bigint, at: number): void {
  change(world, number, { available: amount, monthIn: amount, monthToppedUp: amount }, at);
}

/**
 * Moves money between two wallets at once; the sender pays the fee. A transfer between wallets of
 * one account (`own`) uses up no limit.
 */
export function transfer(
  world: World,
  from: string,
  to: string,
  amount: bigint,
  fee: bigint,
  own: boolean,
  at: number,
): void {
  change(
    world,
    from,
    {
      available: -(amount + fee),
      monthOut: amount + fee,
      ...(own ? {} : { monthTransferred: amount, dayOut: amount }),
    },
    at,
  );
  change(world, to, { available: amount, monthIn: amount }, at);
}

const withinDay = (wallet: Wallet, amount: bigint): boolean =>
  wallet.dailyLimit === 0n || wallet.dayOut + amount <= wallet.dailyLimit;

/**
 * Whether the limits of a wallet allow this amount: as a payout to a bank, as a transfer to another
 * account's wallet, as more balance, and as a top-up.
 */
export const mayWithdraw = (wallet: Wallet, amount: bigint): boolean =>
  wallet.monthWithdrawn + amount <= wallet.withdrawalLimit && withinDay(wallet, amount);
export const maySend = (wallet: Wallet, amount: bigint): boolean =>
  wallet.monthTransferred + amount <= wallet.transferLimit && withinDay(wallet, amount);
export const hasRoom = (wallet: Wallet, amount: bigint): boolean =>
  wallet.available + wallet.blocked + amount <= wallet.maxBalance;
export const mayTopUp = (wallet: Wallet, amount: bigint): boolean =>
  wallet.monthToppedUp + amount <= wallet.topUpLimit && hasRoom(wallet, amount);

export type BookLine = {
  wallet_number: string;
  currency: string;
  available: bigint;
  blocked: bigint;
  ledger_total: bigint;
  ledger_blocked: bigint;
  agrees: boolean;
};

/**
 * Recomputes the balance of every wallet from the movements: opening + in - out - fees must equal
 * the balance that the wallet shows.
 */
export function auditBooks(store: Store): BookLine[] {
  const sums = (sql: string): Map<string, Row> =>
    new Map(store.all(sql).map((row) => [text(row.wallet), row]));
  const incoming = sums(
    "SELECT to_wallet AS wallet, SUM(amount) AS sum FROM movements WHERE state = 'posted' GROUP BY to_wallet",
  );
  const outgoing = sums(
    `SELECT from_wallet AS wallet, SUM(amount + fee) AS sum,
      SUM((amount + fee) * (state = 'pending')) AS pending FROM movements
      WHERE state IN ('posted', 'pending') GROUP BY from_wallet`,
  );
  return store
    .all('SELECT number, currency, available, blocked FROM wallets ORDER BY number')
    .map((row) => {
      const number = text(row.number);
      const out = outgoing.get(number);
      const blocked = minor(out?.pending);
      const total = minor(incoming.get(number)?.sum) - minor(out?.sum) + blocked;
      const available = minor(row.available);
      return {
        wallet_number: number,
        currency: text(row.currency),
        available,
        blocked: minor(row.blocked),
        ledger_total: total,
        ledger_blocked: blocked,
        agrees: available + minor(row.blocked) === total && minor(row.blocked) === blocked,
      };
    });
}
