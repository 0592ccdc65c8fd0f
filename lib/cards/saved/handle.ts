import 'server-only';
import { createHash } from 'node:crypto';

const HANDLE_LENGTH = 32;

/**
 * A screen's reference to a card token: enough to identify one of a customer's cards, but not to
 * charge it. A token is random and long, so it cannot be derived from the handle. Every action
 * reads the list again and uses the card with this handle.
 */
export function handleOf(customer: string, token: string): string {
  return createHash('sha256')
    .update(`saved-card\u0000${customer}\u0000${token}`)
    .digest('hex')
    .slice(0, HANDLE_LENGTH);
}
