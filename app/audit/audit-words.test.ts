import { createTranslator } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_TOPICS } from '#lib/audit/filter.ts';
import en from '../../messages/en/audit.json' with { type: 'json' };
import tr from '../../messages/tr/audit.json' with { type: 'json' };
import { actionKey } from './audit-words.ts';

const WORDS = { tr, en };

/**
 * The problems that next-intl reports when it translates these keys: it shows a missing text as the
 * key itself.
 */
function missingOf(locale: 'tr' | 'en', keys: readonly string[]): string[] {
  const missing: string[] = [];
  const t = createTranslator({
    locale,
    messages: WORDS[locale] as Record<string, unknown>,
    onError: (problem) => missing.push(problem.message),
  });
  for (const key of keys) t(key as never);
  return missing;
}

describe.each(['tr', 'en'] as const)('the words of the audit log, %s', (locale) => {
  it('name every topic that the filter offers', () => {
    expect(
      missingOf(
        locale,
        AUDIT_TOPICS.map((topic) => `topics.${topic}`),
      ),
    ).toEqual([]);
  });

  it('name every action', () => {
    expect(missingOf(locale, AUDIT_ACTIONS.map(actionKey))).toEqual([]);
  });

  it('name no topic and no action that nobody writes', () => {
    const { actions, topics } = WORDS[locale];
    const named = Object.entries(actions).flatMap(([topic, words]) =>
      typeof words === 'string' ? [] : Object.keys(words).map((word) => `${topic}.${word}`),
    );
    expect(new Set(named)).toEqual(new Set(AUDIT_ACTIONS));
    expect(new Set(Object.keys(topics))).toEqual(new Set(AUDIT_TOPICS));
  });
});
