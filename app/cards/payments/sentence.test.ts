import { expect, it } from 'vitest';
import { sentenceOf } from './sentence.ts';

it('calls a payment unpaid as long as its record does not contradict that', () => {
  for (const state of ['failed', 'cancelled'] as const) {
    expect(sentenceOf({ state, link: null, problem: null })).toBe(state);
    expect(sentenceOf({ state, link: null, problem: 'no_answer' })).toBe(state);
    expect(sentenceOf({ state, link: null, problem: 'contradiction' })).toBe('disputed');
  }
});

it('leaves to the problem what it says already: the gateway knows no such order', () => {
  expect(sentenceOf({ state: null, link: null, problem: 'not_found' })).toBeNull();
  expect(sentenceOf({ state: null, link: null, problem: null })).toBe('unverified');
  expect(sentenceOf({ state: null, link: 'unpaid', problem: 'not_found' })).toBe('unpaid');
});
