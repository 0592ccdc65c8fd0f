import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { LOCALES } from '#lib/values/locale.ts';
import type { CaseView } from '#lib/money-in/cases.ts';
import { TELL_WHOM, tellText } from './tell.ts';

/** A text to copy, in both languages: the recipient may not speak the reader's. */
export async function TellPanel({ one }: { one: CaseView }): Promise<ReactNode> {
  const t = await getTranslations('moneyIn.failed');
  const copied = (await getTranslations('common'))('copied');
  return (
    <Panel title={t(`to.${TELL_WHOM[one.kind]}`)}>
      {LOCALES.map((locale) => {
        const text = tellText(one, locale);
        return (
          <section
            key={locale}
            className="grid gap-1 border-b border-hairline px-4 py-3 last:border-0"
          >
            <h3 className="flex items-center justify-between gap-2 text-label font-medium text-muted">
              {t(`language.${locale}`)}
              <CopyButton
                text={text}
                label={t('copy', { language: t(`language.${locale}`) })}
                done={copied}
              />
            </h3>
            <p lang={locale} className="wrap-anywhere">
              {text}
            </p>
          </section>
        );
      })}
    </Panel>
  );
}
