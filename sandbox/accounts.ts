import { num, text } from './store.ts';
import type { Row } from './store.ts';
import type { World } from './world.ts';

/**
 * The account holders behind the wallets: the merchant, other businesses, and people with a
 * personal wallet.
 */

export type Account = {
  id: string;
  number: string;
  kind: 'business' | 'personal';
  name: string;
  firstName: string;
  lastName: string;
  phoneCountry: string;
  phone: string;
  access: number;
};

const toAccount = (row: Row): Account => ({
  id: text(row.id),
  number: text(row.number),
  kind: text(row.kind) as Account['kind'],
  name: text(row.name),
  firstName: text(row.first_name),
  lastName: text(row.last_name),
  phoneCountry: text(row.phone_country),
  phone: text(row.phone),
  access: num(row.access),
});

export function accountOf(world: World, id: string): Account | null {
  const row = world.store.get('SELECT * FROM accounts WHERE id = ?', id);
  return row ? toAccount(row) : null;
}

/**
 * Finds a personal account by its number, or by country code and phone number; null when none fits.
 */
export function personOf(
  world: World,
  by: { number: string } | { country: string; phone: string },
): Account | null {
  const row =
    'number' in by
      ? world.store.get("SELECT * FROM accounts WHERE number = ? AND kind = 'personal'", by.number)
      : world.store.get(
          "SELECT * FROM accounts WHERE phone = ? AND phone_country = ? AND kind = 'personal'",
          by.phone,
          by.country,
        );
  return row ? toAccount(row) : null;
}

/**
 * Access levels of wallets and accounts. Level 1 is stated in the contract, the others are assumed;
 * each level except 1 has its own refusal code.
 */
export const ACCESS_WORDS: Record<number, string> = {
  1: 'Aktif',
  2: 'Bloke',
  3: 'Yasaklı',
  4: 'Kapalı',
};
const ACCESS_CODE: Record<number, string> = { 2: '330', 3: '334', 4: '336' };
export const ACTIVE = 1;
export const CLOSED = 4;

/**
 * Returns the refusal code of the first level that is blocked, banned or closed; null when all are
 * active.
 */
export const accessCode = (...levels: readonly number[]): string | null =>
  levels.map((level) => ACCESS_CODE[level]).find((code) => code !== undefined) ?? null;
