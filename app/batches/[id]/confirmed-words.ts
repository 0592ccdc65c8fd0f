import { getTranslations } from 'next-intl/server';
import { OVERRIDE_REASONS } from '#lib/form-fields/money-form.ts';

/** That the warnings of a row were confirmed, and why: a reason to choose, or the typed words. */
export async function confirmedWords(reason: string): Promise<string> {
  const t = await getTranslations('batches.tick');
  const reasons = await getTranslations('payoutErrors.reasons');
  const chosen = OVERRIDE_REASONS.find((one) => one === reason);
  return t('done', { reason: chosen === undefined ? reason : reasons(chosen) });
}
