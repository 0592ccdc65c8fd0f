import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { DESCRIPTION_MAX } from '#lib/form-fields/money-form.ts';
import type { OfDraft } from '#lib/batches/draft/change.ts';
import type { ViewedBatch } from '#lib/batches/draft/read.ts';
import type { WalletView } from '#lib/wallets/view.ts';
import { saveSettings } from '../actions.ts';
import { ActionForm } from './action-form.tsx';

/** The wallet that pays, and what rows without a payment type or a description get. */
export async function Settings({
  of,
  batch,
  wallets,
  types,
}: {
  of: OfDraft;
  batch: ViewedBatch['batch'];
  wallets: readonly WalletView[];
  types: readonly { code: string; description: string }[];
}): Promise<ReactNode> {
  const t = await getTranslations('batches.settings');
  const payable = wallets.filter(({ payable: may, number }) => may || number === batch.wallet);
  const noTypes = types.length === 0 ? t('noTypes') : undefined;
  return (
    <Panel title={t('title')}>
      <ActionForm
        action={saveSettings}
        fields={{ ...fieldsOf(of), walletBefore: batch.wallet }}
        button={t('save')}
        className="grid gap-4 p-4 md:grid-cols-[repeat(3,minmax(0,1fr))_auto] md:items-end"
      >
        <Field id="batch-wallet" label={t('wallet')}>
          <Select id="batch-wallet" name="wallet" defaultValue={batch.wallet}>
            {payable.length === 0 && <option value={batch.wallet}>{batch.wallet}</option>}
            {payable.map(({ number, name }) => (
              <option key={number} value={number}>
                {name} · {number}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="batch-type" label={t('type')} error={noTypes}>
          <Select
            id="batch-type"
            name="paymentType"
            defaultValue={batch.defaults.paymentType ?? ''}
            aria-describedby={noTypes && 'batch-type-error'}
          >
            <option value="">{t('chooseType')}</option>
            {types.map(({ code, description }) => (
              <option key={code} value={code}>
                {code} · {description}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="batch-description" label={t('description')}>
          <TextInput
            id="batch-description"
            name="description"
            maxLength={DESCRIPTION_MAX}
            defaultValue={batch.defaults.description ?? ''}
            autoComplete="off"
          />
        </Field>
      </ActionForm>
    </Panel>
  );
}

function fieldsOf({ id, version }: OfDraft): Record<string, string> {
  return { id, version: String(version) };
}
