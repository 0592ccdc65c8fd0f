import { expect, it } from 'vitest';
import en from '../../messages/en/webhooks.json' with { type: 'json' };
import tr from '../../messages/tr/webhooks.json' with { type: 'json' };
import { WEBHOOK_EFFECTS } from '#lib/webhooks/filter.ts';
import { effectWords } from './effect-words.ts';

/** What the log says of a webhook's effect is true of its channel. */

it.each([
  ['tr', tr],
  ['en', en],
])('every effect has its words for both channels, %s', (_language, { effects, effectTexts }) => {
  for (const channel of ['wallet', 'card'] as const)
    for (const effect of [...WEBHOOK_EFFECTS, null]) {
      const words = effectWords({ channel, effect });
      expect(effects, words).toHaveProperty(words);
      expect(effectTexts, words).toHaveProperty(words);
    }
});

it('a card webhook about a returned payout does not say that the payout was never sent', () => {
  const of = (channel: 'wallet' | 'card') =>
    en.effectTexts[effectWords({ channel, effect: 'nothing_to_ask' })];
  expect(of('wallet')).toContain('never been sent');
  expect(of('card')).not.toContain('never been sent');
});

it('a card webhook about an order that was not added does not say that it is asked about later', () => {
  const of = (channel: 'wallet' | 'card') =>
    en.effectTexts[effectWords({ channel, effect: 'kept_only' })];
  expect(of('wallet')).toContain('usual turn');
  expect(of('card')).not.toContain('usual turn');
});
