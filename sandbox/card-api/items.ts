import { JsonNumber, minorUnits, parseExact } from '../exact-json.ts';
import type { Json } from '../exact-json.ts';

/** The items of an order. Prices may be finer than a kuruş; their sum is exact. */

const MOST_ITEMS = 500;

/**
 * Returns an amount in millionths of the currency unit, four digits finer than a kuruş; null when
 * it is not a number.
 */
function fine(value: Json | undefined): bigint | null {
  const text =
    value instanceof JsonNumber ? value.text : typeof value === 'string' ? value.trim() : '';
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(text) ? minorUnits(`${text}e4`) : null;
}

/**
 * Returns code 12 (form of the list), 33 (quantity) or 13 (sum differs from the total); null when
 * the items are right.
 */
export function itemsProblem(
  items: Json | undefined,
  total: bigint,
  serialized: boolean,
): 12 | 13 | 33 | null {
  let list = items;
  if (serialized) {
    if (typeof items !== 'string') return 12;
    try {
      list = parseExact(items);
    } catch {
      return 12;
    }
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_ITEMS) return 12;
  let sum = 0n;
  for (const item of list) {
    if (
      item === null ||
      typeof item !== 'object' ||
      Array.isArray(item) ||
      item instanceof JsonNumber
    )
      return 12;
    const price = fine(item.price);
    if (
      price === null ||
      typeof item.name !== 'string' ||
      item.name === '' ||
      typeof item.description !== 'string'
    )
      return 12;
    const quantity =
      item.quantity instanceof JsonNumber
        ? item.quantity.text
        : typeof item.quantity === 'string'
          ? item.quantity
          : null;
    if (quantity === null) return 12;
    if (!/^[1-9]\d{0,8}$/.test(quantity)) return 33;
    sum += price * BigInt(quantity);
  }
  return sum === total * 10_000n ? null : 13;
}
