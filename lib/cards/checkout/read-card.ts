import { TypedCard } from '#lib/providers/card/typed-card.ts';

/** Reads the card fields of a form. Pure; its errors contain no card data. */

export const CARD_PARTS = [
  'holder',
  'number',
  'expiryMonth',
  'expiryYear',
  'securityCode',
] as const;
export type CardPart = (typeof CARD_PARTS)[number];

/**
 * Reads the card of a form; `invalid` names the field that is wrong, never its value. A form that
 * has no field for the security code needs none.
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
