import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets without telling by its time how much of them agrees, nor how long they are. */
export function hashesMatch(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
