import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import { CONDITIONS } from '#lib/policy/rules.ts';
import { LOCALES } from '#lib/values/locale.ts';
import en from '../../messages/en/policy.json' with { type: 'json' };
import tr from '../../messages/tr/policy.json' with { type: 'json' };
import { reasonSentence } from './reason-sentence.ts';

const MESSAGES = { tr, en };

it.each(LOCALES)('each rule that applies says whom it asks, and how many (%s)', (locale) => {
  const t = createTranslator({
    locale,
    messages: { policy: MESSAGES[locale] },
    namespace: 'policy',
  });
  for (const when of CONDITIONS) {
    const rule = { when, currency: 'TRY', from: '25000.00' } as const;
    const sentence = (approvals: 1 | 2, who: 'approver' | 'owner'): string =>
      reasonSentence(t, { ...rule, approvals, who }, locale);
    expect(sentence(1, 'owner'), when).toContain(t('people.owner', { count: 1 }));
    expect(sentence(2, 'approver'), when).toContain(t('people.approver', { count: 2 }));
    expect(sentence(1, 'approver'), when).toMatch(/25[.,]000/);
  }
});

it.each(LOCALES)('a limit of the maker says what it adds (%s)', (locale) => {
  const t = createTranslator({
    locale,
    messages: { policy: MESSAGES[locale] },
    namespace: 'policy',
  });
  const limit = { currency: 'TRY', from: '40.00', approvals: 1, who: 'approver' } as const;
  for (const when of ['own_single', 'own_day'] as const)
    expect(reasonSentence(t, { ...limit, when }, locale)).toMatch(
      /one more approval|bir onay daha/,
    );
});
