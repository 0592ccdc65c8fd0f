import type { World } from '../world.ts';
import { CODE_WORDS } from './code-words.ts';

/**
 * Invoice ids that select the code of the answer by their beginning: PAY41-, CONFIRM41-,
 * REFUND101-, COMPLETE41-. They reach every published code but 100.
 */

export const MAGIC_PREFIXES = [
  {
    prefix: 'PAY',
    tr: 'ödeme işlemleri o kodla reddedilir',
    en: 'the payment operations answer with that code',
  },
  {
    prefix: 'COMPLETE',
    tr: 'payment/complete o kodla yanıtlanır',
    en: 'payment/complete answers with that code',
  },
  {
    prefix: 'CONFIRM',
    tr: 'confirmPayment o kodla yanıtlanır',
    en: 'confirmPayment answers with that code',
  },
  {
    prefix: 'REFUND',
    tr: 'refund o kodla yanıtlanır; 101: iade elle tamamlanır',
    en: 'refund answers with that code; 101: completed by hand',
  },
] as const;

export type MagicPrefix = (typeof MAGIC_PREFIXES)[number]['prefix'];

/** Returns the code that an invoice id selects in this operation, or null. */
export function magicCode(world: World, prefix: MagicPrefix, invoiceId: string): number | null {
  if (!world.questions.magic_values) return null;
  const code = new RegExp(`^${prefix}(\\d{1,3})-`).exec(invoiceId)?.[1];
  return code !== undefined && code !== '100' && Object.hasOwn(CODE_WORDS, code)
    ? Number(code)
    : null;
}
