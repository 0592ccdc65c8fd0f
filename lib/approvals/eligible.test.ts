import { expect, it } from 'vitest';
import { eligible, lacksPeople } from './eligible.ts';
import type { Approver, Standing } from './eligible.ts';
import { flagsOf, isAmountUnusual, isOnePress } from './flags.ts';

const people: Approver[] = [
  { id: 'm', name: 'Mehmet', role: 'approver', deputyOf: null },
  { id: 's', name: 'Selin', role: 'owner', deputyOf: null },
];
const standing: Standing = {
  needed: 1,
  ownersOnly: false,
  makers: ['a'],
  given: [],
  before: [],
};
const names = (given: Partial<Standing>) =>
  eligible(people, { ...standing, ...given }).map((one) => one.id);

it('makers, who has approved, and lower roles may not approve', () => {
  expect(names({})).toEqual(['m', 's']);
  expect(names({ makers: ['a', 's'] })).toEqual(['m']);
  expect(names({ ownersOnly: true })).toEqual(['s']);
  expect(names({ given: ['m'], before: ['m'] })).toEqual(['s']);
});

it('a deputy may approve what neither of the two has made or approved, and never as an owner', () => {
  const three: Approver[] = [...people, { id: 'd', name: 'Ayşe', role: 'approver', deputyOf: 's' }];
  const able = (given: Partial<typeof standing>) =>
    eligible(three, { ...standing, ...given }).map((one) => one.id);
  expect(able({})).toEqual(['m', 's', 'd']);
  expect(able({ makers: ['s'] })).toEqual(['m']);
  expect(able({ makers: ['d'] })).toEqual(['m', 's']);
  expect(able({ given: ['s'], before: ['d', 's'] })).toEqual(['m']);
  expect(able({ ownersOnly: true })).toEqual(['s']);
  expect(lacksPeople(three, { ...standing, needed: 2, makers: ['m'] })).toBe(true);
});

it('says when fewer people may approve than are missing', () => {
  expect(lacksPeople(people, { ...standing, needed: 2 })).toBe(false);
  expect(lacksPeople(people, { ...standing, needed: 2, makers: ['m'] })).toBe(true);
  expect(lacksPeople(people, { ...standing, ownersOnly: true, makers: ['s'] })).toBe(true);
  expect(lacksPeople(people, { ...standing, needed: 2, given: ['m'], before: ['m'] })).toBe(false);
  const without = { ...standing, needed: 2, before: ['m'] };
  expect(lacksPeople(people, without), 'one approval lacks its signature').toBe(true);
});

it('an amount alone is nothing unusual; what our own books say of the payee is', () => {
  const known = { isFirstPayment: false, isPayeeChanged: false, isAmountUnusual: false };
  expect(flagsOf({ reasons: [{ when: 'amount' }], known, overrides: [] })).toEqual([]);
  expect(
    flagsOf({ reasons: [], known: { ...known, isFirstPayment: true }, overrides: ['duplicate'] }),
  ).toEqual(['first_payment', 'overridden_findings']);
  expect(
    flagsOf({ reasons: [], known: { ...known, isAmountUnusual: true }, overrides: [] }),
  ).toEqual(['unusual_amount']);
});

it('an amount is unusual above three times the largest of three payments or more', () => {
  const past = { count: 3, largestMinor: 100n };
  expect(isAmountUnusual(301n, past)).toBe(true);
  expect(isAmountUnusual(300n, past)).toBe(false);
  expect(isAmountUnusual(301n, { ...past, count: 2 })).toBe(false);
});

it('one press approves what is usual, this person’s to decide, and not signed', () => {
  const usual = { barred: null, flags: [], stepUp: 'none' } as const;
  expect(isOnePress(usual)).toBe(true);
  expect(isOnePress({ ...usual, barred: 'given' })).toBe(false);
  expect(isOnePress({ ...usual, flags: ['split'] })).toBe(false);
  expect(isOnePress({ ...usual, stepUp: 'any' }), 'it asks for a signature').toBe(false);
});
