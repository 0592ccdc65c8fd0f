import { TypedCard } from '#lib/providers/card/typed-card.ts';

/**
 * The card of a form, before anything is done with it. Pure; nothing of the card is in what it
 * says.
 */

export const CARD_PARTS = [
  'holder',
  'number',
  'expiryMonth',
  'expiryYear',
  'securityCode',
] as const;
export type CardPart = (typeof CARD_PARTS)[number];

/**
 * `invalid` names the part and never what was typed. Without a field for it, no security code is
 * asked for.
 */
export function readCard(
  form: FormData,
): { kind: 'card'; card: TypedCard } | { kind: 'invalid'; field: CardPart } {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  try {
    return {
      kind: 'card',
      card: new TypedCard({
        holder: text('holder'),
        number: text('number'),
        expiryMonth: text('month'),
        expiryYear: text('year'),
        securityCode: form.has('code') ? text('code') : null,
      }),
    };
  } catch (error) {
    return {
      kind: 'invalid',
      field:
        CARD_PARTS.find((part) => error instanceof RangeError && error.message.startsWith(part)) ??
        'number',
    };
  }
}
