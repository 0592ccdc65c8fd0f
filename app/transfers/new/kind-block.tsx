'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Block } from '#app/movements/form/block.tsx';
import { controlId } from '#app/movements/form/form-words.ts';
import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import type { TransferFormState } from './use-transfer-form.ts';

const KIND =
  'grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 rounded-control border ' +
  'border-hairline px-3 py-2 hover:border-control has-checked:border-accent ' +
  'has-checked:bg-raised';

/**
 * The kind of recipient: the provider has a separate operation for each. What else was typed stays.
 */
export function KindBlock({ form }: { form: TransferFormState }): ReactNode {
  const t = useTranslations('newPayout.kinds');
  return (
    <Block number={null} title={t('title')} done>
      <fieldset className="grid gap-2 sm:grid-cols-3">
        <legend className="sr-only">{t('title')}</legend>
        {TRANSFER_KINDS.map((kind, index) => {
          const id = index === 0 ? controlId('kind') : `${controlId('kind')}-${kind}`;
          return (
            <label key={kind} htmlFor={id} className={KIND}>
              <input
                id={id}
                type="radio"
                name="kind"
                value={kind}
                checked={form.typed.kind === kind}
                onChange={() => form.type('kind', kind)}
                className="mt-1 size-4 accent-accent pointer-coarse:size-5"
              />
              <span className="font-medium">{t(`${kind}.name`)}</span>
              <span className="col-start-2 text-label text-muted">{t(`${kind}.text`)}</span>
            </label>
          );
        })}
      </fieldset>
    </Block>
  );
}
