import { randomInt } from 'node:crypto';

export type Payee = { name: string; iban: string; taxNumber: string };

const BANK = '00062';

/**
 * A payee who has never been paid: its numbers have valid check digits and differ from those of
 * other tests.
 */
export function newPayee(): Payee {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(65 + randomInt(26))).join('');
  return { name: `Işıl Öğütçü ${letters}`, iban: newIban(), taxNumber: newTaxNumber() };
}

export function newIban(bank = BANK): string {
  return ibanOf(`${bank}0${digits(16)}`);
}

/** The IBAN of a 22-digit account number, with its check digits by mod 97. */
export function ibanOf(bban: string): string {
  const check = 98n - (BigInt(`${bban}292700`) % 97n);
  return `TR${String(check).padStart(2, '0')}${bban}`;
}

/** A tax number (VKN): nine digits and a check digit. */
export function newTaxNumber(): string {
  const nine = `${randomInt(1, 10)}${digits(8)}`;
  let sum = 0;
  for (let place = 1; place <= 9; place++) {
    const shifted = (Number(nine[place - 1]) + 10 - place) % 10;
    sum += shifted === 9 ? 9 : (shifted * 2 ** (10 - place)) % 9;
  }
  return `${nine}${(10 - (sum % 10)) % 10}`;
}

/** An IBAN in groups of four, as people read it. */
export function grouped(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
