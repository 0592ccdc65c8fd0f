import type { Store } from '../store.ts';

/**
 * auto: every accepted payout is completed after delayMs. manual: it waits for a person at the
 * desk.
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
