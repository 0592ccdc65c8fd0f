import { expect, test } from 'vitest';
import { waysOf } from './ways.ts';

const MODES = ['non_secure', 'choice', 'three_d', 'branded', 'unknown'] as const;
const ENTRIES = ['off', '3d', 'all'] as const;

test('a typed card passes this server only where CARD_ENTRY is all, and is forbidden where it is off', () => {
  for (const mode of MODES) {
    for (const entry of ENTRIES) {
      const ways = waysOf(mode, entry);
      if (entry !== 'all') expect(ways).not.toContain('non_secure');
      if (entry === 'off') expect(ways).not.toContain('three_d');
    }
  }
});

test('a link, which needs no card, is open everywhere', () => {
  for (const mode of MODES)
    for (const entry of ENTRIES) expect(waysOf(mode, entry)).toContain('link');
});

test('nothing is offered that the token says the contract does not allow', () => {
  expect(waysOf('three_d', 'all')).toEqual(['three_d', 'saved_three_d', 'link']);
  expect(waysOf('non_secure', 'all')).toEqual(['non_secure', 'saved_non_secure', 'link']);
  expect(waysOf('branded', 'all')).toEqual(['link']);
  expect(waysOf('unknown', 'all')).not.toContain('non_secure');
});
