import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { TickField, TypedField } from '#app/people/fields.tsx';
import { KeptSelect } from '#components/kept-select.tsx';
import { Field } from '#components/ui/field.tsx';
import { STOP_REASON_MAX } from '#lib/form-fields/stop-reason.ts';
import { KEY_NAME_MAX, KEY_RIGHTS } from '#lib/programs/keys/rights.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { makeKeyNow } from './actions.ts';
import { SecretButton } from './secret-button.tsx';

/** `alone`: there is nobody who could be the second person yet. */
export async function MakeKey({
  alone,
  wallets,
}: {
  alone: boolean;
  wallets: readonly WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('developers.make');
  const rights = await getTranslations('developers.rights');
  const common = await getTranslations('common');
  return (
    <SecretButton
      action={makeKeyNow}
      look="primary"
      words={{
        open: t('open'),
        title: t('title'),
        confirm: t('confirm'),
        keep: t('keep'),
        doneTitle: t('doneTitle'),
        copy: t('copy'),
        copied: common('copied'),
        close: t('close'),
      }}
    >
      <p className="text-label text-muted">{t(alone ? 'textAlone' : 'text')}</p>
      <TypedField name="name" label={t('name')} hint={t('nameHint')} max={KEY_NAME_MAX} />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-label font-medium text-muted">{t('rights')}</legend>
        {KEY_RIGHTS.map((right) => (
          <TickField key={right} name={`right:${right}`} label={rights(right)} />
        ))}
      </fieldset>
      <Field id="key-wallet" label={t('wallet')}>
        <KeptSelect id="key-wallet" name="wallet" defaultValue="">
          <option value="">{t('everyWallet')}</option>
          {wallets.map(({ number, name, currency }) => (
            <option key={number} value={number}>
              {`${name} · ${currency} · ${number}`}
            </option>
          ))}
        </KeptSelect>
      </Field>
      <TypedField name="reason" label={t('reason')} max={STOP_REASON_MAX} />
    </SecretButton>
  );
}
