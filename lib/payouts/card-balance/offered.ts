import 'server-only';
import { env } from '#lib/runtime/env.ts';

/**
 * Whether money may leave the card balance here: the gateway opens it for a merchant, and the
 * merchant says so.
 */
export function offersCashout(): boolean {
  return env().cardCashout;
}
