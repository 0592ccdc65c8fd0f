import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** An identifier, and a button that copies it. */
export async function CopiedText({ text }: { text: string }): Promise<ReactNode> {
  const t = await getTranslations('common');
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 font-mono text-mono break-words">{text}</span>
      <CopyButton text={text} label={t('copy')} done={t('copied')} />
    </span>
  );
}
