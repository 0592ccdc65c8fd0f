import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NOTHING_TYPED } from '#lib/payouts/draft.ts';
import { forgetTyped, keepTyped, readKept } from './kept-draft.ts';

const KEPT_AS = 'draft:person:form';
const FIELDS = Object.keys(NOTHING_TYPED);
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

it('what was typed is there after a reload in the review, for this person and form alone', () => {
  const typed = { ...NOTHING_TYPED, iban: 'TR80 9999', name: 'Işıl Öğütçü', amount: '1.000,00' };
  keepTyped(KEPT_AS, typed);
  expect(readKept(KEPT_AS, FIELDS)).toEqual(typed);
  expect(readKept('draft:other:form', FIELDS)).toEqual({});
  forgetTyped(KEPT_AS);
  expect(readKept(KEPT_AS, FIELDS)).toEqual({});
});

it.each(['[', 'null', '"text"', '{"iban":1,"other":"x"}'])('nothing is taken from %s', (text) => {
  stored.set(KEPT_AS, text);
  expect(readKept(KEPT_AS, FIELDS)).toEqual({});
});

it('a browser without storage loses what was typed, and nothing else', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepTyped(KEPT_AS, NOTHING_TYPED);
  forgetTyped(KEPT_AS);
  expect(readKept(KEPT_AS, FIELDS)).toEqual({});
});
