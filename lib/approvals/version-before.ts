import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { maskIban } from '#lib/values/iban.ts';
import { maskWallet } from '#lib/values/mask-wallet.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { WaitingMovement } from './list.ts';

/** What a version said, as far as a later one may say something else. */
export type Version = Pick<
  WaitingMovement,
  'name' | 'payee' | 'amount' | 'currency' | 'wallet' | 'description'
>;

/** The version that a movement takes the place of: it was sent back, withdrawn or ran out. */
export async function versionBefore(actor: Person, id: string): Promise<Version | null> {
  assertMay(actor, 'movement.read');
  const [raw] = await inOne<RawMovement>(
    actor.merchantId,
    sql`SELECT ${MOVEMENT.of('p')} FROM movements m JOIN movements p ON p.id = m.retry_of
      WHERE m.id = ${id}::uuid AND p.sends = 0`,
  );
  if (!raw) return null;
  const { name, iban, toWallet, amountMinor, currency, wallet, description } = fromRaw(raw);
  const masked = toWallet === null ? maskIban(iban) : maskWallet(toWallet);
  const payee = may(actor.role, 'payee.read') ? (toWallet ?? iban) : masked;
  return { name, payee, amount: toDecimal(amountMinor), currency, wallet, description };
}
