import 'server-only';
import { env } from '#lib/runtime/env.ts';

/**
 * Whether this installation offers card-balance payouts: the gateway enables them per merchant, and
 * a setting says so.
 */
export function offersCashout(): boolean {
  return env().cardCashout;
}
