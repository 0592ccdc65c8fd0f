'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { foreseenSentence } from './foreseen-words.ts';

/** Who approves it before it leaves. Needs the namespace "foreseen". */
export function ForeseenLine({ foreseen }: { foreseen: Foreseen | null }): ReactNode {
  const t = useTranslations('foreseen');
  const locale = useLocale();
  if (foreseen === null) return null;
  const { names, lacksPeople } = foreseen;
  const { key, names: listed } = foreseenSentence(foreseen, locale);
  return (
    <div className="grid gap-1 text-body">
      {names.length > 0 && <p className="font-medium">{t(key, { names: listed })}</p>}
      {lacksPeople && (
        <p className="font-medium text-attention">
          {t(names.length === 0 ? 'nobody' : 'tooFew')} {t('runsOut')}
        </p>
      )}
    </div>
  );
}
