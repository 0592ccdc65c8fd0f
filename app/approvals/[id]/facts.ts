import { getLocale, getTranslations } from 'next-intl/server';
import type { ShownFact } from '#lib/approvals/changes.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import type { Version } from '#lib/approvals/version-before.ts';
import type { Locale } from '#lib/values/locale.ts';
import { shownAccount } from '#lib/values/iban.ts';
import { formatMoney } from '#lib/values/money.ts';
import { reasonSentence } from '../reason-sentence.ts';

/** What a version says, as labels and texts that can be compared. */
export async function contentFacts(version: Version): Promise<ShownFact[]> {
  const t = await getTranslations('approvals');
  const locale = (await getLocale()) as Locale;
  return [
    [t('columns.amount'), formatMoney(version.amount, version.currency, locale)],
    [t('facts.recipient'), version.name],
    [t('facts.payee'), shownAccount(version.payee)],
    [t('facts.wallet'), version.wallet],
    [t('facts.description'), version.description],
  ];
}

/** Everything that a decision rests on: the content, what is unusual and who has to approve. */
export async function decisionFacts(waiting: WaitingMovement): Promise<ShownFact[]> {
  const t = await getTranslations('approvals');
  const rule = await getTranslations('policy');
  const locale = (await getLocale()) as Locale;
  const list = new Intl.ListFormat(locale);
  const reasons = waiting.reasons.map((reason) => reasonSentence(rule, reason, locale));
  return [
    ...(await contentFacts(waiting)),
    [t('columns.flags'), list.format(waiting.flags.map((flag) => t(`flags.${flag}`)))],
    [t('facts.reasons'), reasons.join(' ')],
    [t('facts.approvals'), t('ofNeeded', { given: waiting.given, needed: waiting.needed })],
    [t('facts.approvers'), list.format(waiting.mayApprove)],
  ];
}
