import { createHmac } from 'node:crypto';
import type { World } from '../world.ts';
import { TEST_CARDS } from './test-cards.ts';
import type { Behaviour, TestCard } from './test-cards.ts';

/** The card data that the gateway keeps: neither the full number nor the security code. */

export type Card = {
  masked: string;
  bin: string;
  scheme: string;
  bank: string;
  program: string;
  debit: boolean;
  commercial: boolean;
  foreign: boolean;
  agriculture: boolean;
  behaviour: Behaviour;
  code: string;
};

export const PROGRAMS = [
  'WORLD',
  'BONUS',
  'MAXIMUM',
  'BANKKART_COMBO',
  'PARAF',
  'AXESS',
  'ADVANT',
  'CARD_FNS',
];

const BY_NUMBER = new Map(TEST_CARDS.map((card) => [card.number, card]));
/** The issuer data of a card by its first six digits. 534261 is a published sample of getpos. */
const BY_BIN = new Map<string, Partial<TestCard>>([
  ['534261', { scheme: 'mastercard', bank: 'Garanti BBVA', program: 'BONUS' }],
  ...[...TEST_CARDS].reverse().map((card) => [card.number.slice(0, 6), card] as const),
]);

export function passesLuhn(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false;
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]) * (i % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

export const compactNumber = (value: string): string => value.replace(/[\s-]/g, '');

/** Masks a card number but its first six and last four digits (contract). */
export const masked = (number: string): string =>
  `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;

function schemeOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(?:9792|65)/.test(number)) return 'troy';
  return /^3[47]/.test(number) ? 'amex' : 'mastercard';
}

/**
 * Returns the card of a full number, or of its first digits only (getpos). A card that is not in
 * the list of test cards is approved.
 */
export function cardOf(number: string): Card {
  const exact = BY_NUMBER.get(number);
  const known = exact ?? BY_BIN.get(number.slice(0, 6)) ?? {};
  return {
    masked: number.length >= 13 ? masked(number) : number,
    bin: number.slice(0, 6),
    scheme: known.scheme ?? schemeOf(number),
    bank: known.bank ?? 'Diğer Banka',
    program: known.program ?? '',
    debit: exact?.debit ?? false,
    commercial: exact?.commercial ?? false,
    foreign: known.foreign === true && (exact !== undefined || known.source !== 'assumed'),
    agriculture: exact?.agriculture ?? false,
    behaviour: exact?.behaviour ?? 'approve',
    code: exact?.code ?? '',
  };
}

/** A keyed hash that recognises the same card again without storing its number. */
export const fingerprint = (world: World, number: string): string =>
  createHmac('sha256', `print ${world.credentials.tokenKey}`).update(number).digest('hex');

/**
 * Reads an expiry date: month MM or M, year of two or four digits; null when it is not a valid
 * month.
 */
export function expiryOf(month: string, year: string): { year: number; month: number } | null {
  if (!/^\d{1,2}$/.test(month) || !/^(?:\d{2}|\d{4})$/.test(year)) return null;
  const wanted = { month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) };
  return wanted.month >= 1 && wanted.month <= 12 && wanted.year >= 2000 && wanted.year < 2100
    ? wanted
    : null;
}

/** Whether a card has expired: it is valid until the end of its month (UTC). */
export const isPast = (expiry: { year: number; month: number }, now: number): boolean =>
  now >= Date.UTC(expiry.year, expiry.month, 1);
