import { ACTIVE, accountOf } from '../accounts.ts';
import { monthOf } from '../books.ts';
import { newId } from '../ids.ts';
import { ACCOUNT_ID, TENANT_ID, walletIban } from '../seed/merchant.ts';
import { num } from '../store.ts';
import type { World } from '../world.ts';
import { invalid, refusal, success } from './answer.ts';
import type { Answer } from './answer.ts';
import { bind } from './fields.ts';
import type { Shape } from './fields.ts';

/**
 * CreateWalletForBusinessAccount. Its refusals share code 500 and differ by their message
 * (contract). The cause of each is assumed: another tenant, an account that is not active, a
 * currency that the tenant does not have, a currency without limits.
 */

const LONGEST_NAME = 100;
const DEFAULT_CURRENCY = 'TRY';
/**
 * The monthly limit of payouts of a contracted business wallet, as published examples show it: 200
 * 000.00.
 */
const NEW_WALLET_WITHDRAWAL = 20_000_000n;
/** The tenant's currencies, and whether its KYC level has limits in them. */
const CURRENCIES: Record<string, boolean> = { TRY: true, USD: true, EUR: true, GBP: false };

const SHAPE: Shape = {
  name: { kind: 'string', required: true },
  currency_code: { kind: 'string' },
  use_fast_iban: { kind: 'boolean' },
  tenant_id: { kind: 'integer' },
  // Described as required, but their names are not published (assumed, so optional).
  wallet_type: { kind: 'integer' },
  product_type: { kind: 'integer' },
};

function problemOf(world: World, currency: string, tenant: number): string | null {
  if (tenant !== TENANT_ID) return 'WrongGroupCode';
  if (accountOf(world, ACCOUNT_ID)?.access !== ACTIVE) return 'AccountNotActive';
  if (!Object.hasOwn(CURRENCIES, currency)) return 'TenantCurrencyCodeNotFound';
  return CURRENCIES[currency] ? null : 'KycLimitNotFound';
}

/** Returns the number of the next wallet: one above the account's highest. */
const nextNumber = (world: World): string =>
  String(
    num(
      world.store.get(
        'SELECT MAX(CAST(number AS INTEGER)) AS last FROM wallets WHERE account_id = ?',
        ACCOUNT_ID,
      )?.last,
    ) + 1,
  );

export function createWallet(world: World, body: string): Answer {
  const bound = bind(body, SHAPE);
  if (!bound.ok) return bound.answer;
  const name = (bound.values.text('name') ?? '').trim();
  const currency = bound.values.text('currency_code') || DEFAULT_CURRENCY;
  const wrong = [
    ...(name.length > LONGEST_NAME ? [`'Name' must be ${LONGEST_NAME} characters or fewer.`] : []),
    ...(/^[A-Z]{3}$/.test(currency) ? [] : ["'Currency Code' is not valid."]),
  ];
  if (wrong.length > 0) return invalid(wrong);
  const problem = problemOf(world, currency, bound.values.whole('tenant_id') ?? TENANT_ID);
  if (problem) return refusal('500', problem);
  const number = nextNumber(world);
  const now = world.clock.now();
  world.store.run(
    `INSERT INTO wallets (number, id, account_id, name, currency, iban, access, available, blocked,
      withdrawal_limit, month, month_in, month_out,
       month_withdrawn, is_default, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?,
         0, 0, 0, 0, ?, NULL)`,
    number,
    newId(),
    ACCOUNT_ID,
    name,
    currency,
    bound.values.flag('use_fast_iban') ? walletIban(number) : '',
    ACTIVE,
    NEW_WALLET_WITHDRAWAL,
    monthOf(now),
    now,
  );
  return success(number);
}
