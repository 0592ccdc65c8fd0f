import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RAW_TEXT } from '#components/ui/classes.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** The provider's record as received, folded; null: the role may not see it whole. */
export async function RawRecord({
  raw,
  about,
  masked,
}: {
  raw: string | null;
  about: string;
  masked: string;
}): Promise<ReactNode> {
  const common = await getTranslations('common');
  return (
    <details className="rounded-panel border border-hairline bg-surface">
      <summary className="flex min-h-11 items-center px-4 text-section font-semibold marker:content-none">
        {common('raw')}
      </summary>
      <div className="grid gap-2 border-t border-hairline p-4">
        {raw === null ? (
          <p className="text-muted">{masked}</p>
        ) : (
          <>
            <p className="flex items-center gap-2 text-label text-muted">
              {about}
              <CopyButton text={raw} label={common('copy')} done={common('copied')} />
            </p>
            <pre tabIndex={0} className={`max-h-96 ${RAW_TEXT}`}>
              {raw.replaceAll(/,"(?=[a-z_]+":)/g, ',\n"')}
            </pre>
          </>
        )}
      </div>
    </details>
  );
}
