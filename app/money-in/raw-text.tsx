import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RAW_TEXT } from '#components/ui/classes.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** A message as received: shown as text, never interpreted; folded. */
export async function RawText({
  title,
  text,
}: {
  title: string;
  text: string;
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn.detail');
  const copied = (await getTranslations('common'))('copied');
  return (
    <details className="border-t border-hairline">
      <summary className="px-4 py-2.5 font-medium">{title}</summary>
      <div className="relative px-4 pb-3">
        <span className="absolute top-1 right-5">
          <CopyButton text={text} label={t('copyRaw')} done={copied} />
        </span>
        <pre tabIndex={0} className={`max-h-96 pr-9 ${RAW_TEXT}`}>
          {text}
        </pre>
      </div>
    </details>
  );
}
