import { expect, it } from 'vitest';
import en from '../../../messages/en/cards.json' with { type: 'json' };
import tr from '../../../messages/tr/cards.json' with { type: 'json' };

/** A card payment that was not paid has one name: in its state, its view, its filter and its count. */

it.each([
  ['en', en, /not paid/i],
  ['tr', tr, /ödenme/i],
] as const)('what was not paid is called by its state everywhere (%s)', (_, cards, word) => {
  for (const text of [
    cards.states.failed,
    cards.views.failed,
    cards.parts.failed,
    cards.sales.counts.failed,
  ])
    expect(text).toMatch(word);
});
