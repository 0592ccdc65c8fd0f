import type { Store } from '../store.ts';

/**
 * `auto`: an accepted payout gets its outcome after `delayMs` milliseconds. `manual`: it waits for
 * a person at the bank's desk.
 */
export type BankMode = { mode: 'auto' | 'manual'; delayMs: number };

const DEFAULT: BankMode = { mode: 'auto', delayMs: 1500 };

export function loadBankMode(store: Store): BankMode {
  return { ...DEFAULT, ...(JSON.parse(store.read('bank.mode') ?? '{}') as Partial<BankMode>) };
}

export function saveBankMode(store: Store, current: BankMode, next: BankMode): void {
  Object.assign(current, next);
  store.write('bank.mode', JSON.stringify(current));
}
