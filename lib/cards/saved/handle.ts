import 'server-only';
import { createHash } from 'node:crypto';

const HANDLE_LENGTH = 32;

/**
 * What a screen may know of a card token: enough to say which of a customer's cards is meant, and
 * nothing that charges one. A token is random and long, so nobody finds it from this. Every action
 * reads the list again and takes the card whose handle this is.
 */
export function handleOf(customer: string, token: string): string {
  return createHash('sha256')
    .update(`saved-card\u0000${customer}\u0000${token}`)
    .digest('hex')
    .slice(0, HANDLE_LENGTH);
}
