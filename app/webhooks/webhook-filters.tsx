import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { WEBHOOK_SOURCES, WEBHOOK_EFFECTS } from '#lib/webhooks/filter.ts';
import type { WebhookFilter } from '#lib/webhooks/filter.ts';

export async function WebhookFilters({ filter }: { filter: WebhookFilter }): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  const common = await getTranslations('common');
  return (
    <FilterForm
      key={JSON.stringify(filter)}
      action="/webhooks"
      label={t('filter')}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      fold={common('filters')}
    >
      <Field id="notices-effect" label={t('columns.effect')}>
        <Select
          id="notices-effect"
          name="effect"
          defaultValue={filter.effect ?? ''}
          data-shortcut="filter"
        >
          <option value="">{t('allEffects')}</option>
          {WEBHOOK_EFFECTS.map((effect) => (
            <option key={effect} value={effect}>
              {t(`effects.${effect}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field id="notices-channel" label={t('columns.channel')}>
        <Select id="notices-channel" name="channel" defaultValue={filter.channel ?? ''}>
          <option value="">{t('allChannels')}</option>
          {WEBHOOK_SOURCES.map((channel) => (
            <option key={channel} value={channel}>
              {t(`channels.${channel}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field id="notices-q" label={t('reference')}>
        <TextInput
          id="notices-q"
          name="q"
          mono
          defaultValue={filter.reference}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div className="contents max-sm:hidden">
        <DayRange id="notices" from={filter.from} to={filter.to} />
      </div>
      <Button type="submit">{common('apply')}</Button>
    </FilterForm>
  );
}
