import { createTranslator } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';
import en from '../../../messages/en/receipts.json' with { type: 'json' };
import tr from '../../../messages/tr/receipts.json' with { type: 'json' };

/** What the page of a file says about the receipts that it lacks. */

const WORDS = { tr, en };
/** Words that promise that a receipt joins the file without a press. */
const BY_ITSELF = { tr: /gelince|hazır olunca/, en: /once there|once ready/ };
const GIVEN_UP = { tr: /sorulmuyor|kendiliğinden girmez/, en: /not asked for|not join it/ };

describe.each(LOCALES)('the summary of an incomplete file in %s', (locale) => {
  const t = createTranslator({ locale, messages: WORDS[locale] });
  const says = (kind: 'someMissing' | 'someMissingPdf', waiting: number, failed: number) => {
    const text = t(`archives.${kind}`, { count: waiting + failed, waiting, failed });
    return [BY_ITSELF[locale].test(text), GIVEN_UP[locale].test(text)];
  };

  it.each(['someMissing', 'someMissingPdf'] as const)(
    'promises a receipt only while it is awaited, and names the ones given up (%s)',
    (kind) => {
      expect(says(kind, 3, 0)).toEqual([true, false]);
      expect(says(kind, 0, 1)).toEqual([false, true]);
      expect(says(kind, 1, 2)).toEqual([true, true]);
    },
  );
});

it.each(LOCALES)(
  'a picked payout without a receipt is not called incomplete: one from the card balance has none (%s)',
  (locale) => {
    const t = createTranslator({ locale, messages: WORDS[locale] });
    for (const count of [1, 2])
      expect(t('archives.withoutReceipt', { count })).not.toMatch(/tamamlanmadı|not completed/);
  },
);
