import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';
import en from '../../../messages/en/recurring.json' with { type: 'json' };
import tr from '../../../messages/tr/recurring.json' with { type: 'json' };

/** What a person reads before a plan's card is charged. */

const MESSAGES = { tr, en };

it.each(LOCALES)(
  'the question names the card, or that it is the card of the plan (%s)',
  (locale) => {
    const t = createTranslator({ locale, messages: MESSAGES[locale], namespace: 'charge' });
    const asked = (card: string): string => t('text', { amount: '₺10,00', card });
    expect(asked('•••• 4242')).toContain('•••• 4242');
    expect(asked('none')).toMatch(/Planın kartından|the card of the plan/);
  },
);
