import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { ActiveFilters } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { AUDIT_ACTIONS, AUDIT_TOPICS, auditParams } from '#lib/audit/filter.ts';
import type { AuditFilter } from '#lib/audit/filter.ts';
import { formatDate } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';

type Props = { filter: AuditFilter; people: { id: string; name: string }[] };

export async function AuditFilters({ filter, people }: Props): Promise<ReactNode> {
  const t = await getTranslations('audit');
  const common = await getTranslations('common');
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action="/audit"
        label={t('filter')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        fold={common('filters')}
      >
        <Field id="audit-who" label={t('filters.who')}>
          <Select id="audit-who" name="who" defaultValue={filter.who ?? ''} data-shortcut="filter">
            <option value="">{t('filters.anyone')}</option>
            {people.map((one) => (
              <option key={one.id} value={`person:${one.id}`}>
                {one.name}
              </option>
            ))}
            <option value="worker">{t('who.worker')}</option>
            <option value="provider">{t('who.provider')}</option>
          </Select>
        </Field>
        <Field id="audit-action" label={t('filters.action')}>
          <Select
            id="audit-action"
            name="action"
            defaultValue={filter.action ?? ''}
            className="sm:max-w-56"
          >
            <option value="">{t('filters.anything')}</option>
            {AUDIT_TOPICS.map((topic) => (
              <optgroup key={topic} label={t(`topics.${topic}`)}>
                <option value={topic}>{t(`topics.${topic}`)}</option>
                {AUDIT_ACTIONS.filter((action) => action.startsWith(`${topic}.`)).map((action) => (
                  <option key={action} value={action}>
                    {t(`actions.${action}`)}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        </Field>
        <div className="col-span-2 sm:w-56">
          <Field id="audit-subject" label={t('filters.subject')}>
            <TextInput
              id="audit-subject"
              name="subject"
              mono
              defaultValue={filter.subject ?? ''}
              placeholder={t('filters.subjectHint')}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        </div>
        <DayRange id="audit" from={filter.from} to={filter.to} />
        <Button type="submit" className="col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <Chips filter={filter} people={people} />
    </div>
  );
}

async function Chips({ filter, people }: Props): Promise<ReactNode> {
  const t = await getTranslations('audit');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const day = (text: string): string => formatDate(text, locale, { zone });
  const chips: [string, Partial<AuditFilter>][] = [];
  if (filter.who !== null)
    chips.push([t('chips.who', { name: nameOf(filter.who, people, t) }), { who: null }]);
  if (filter.action !== null)
    chips.push([
      t('chips.action', {
        action: t(
          filter.action.includes('.') ? `actions.${filter.action}` : `topics.${filter.action}`,
        ),
      }),
      { action: null },
    ]);
  if (filter.subject !== null)
    chips.push([t('chips.subject', { subject: filter.subject }), { subject: null }]);
  if (filter.from !== null)
    chips.push([t('chips.from', { day: day(filter.from) }), { from: null }]);
  if (filter.to !== null) chips.push([t('chips.to', { day: day(filter.to) }), { to: null }]);
  return (
    <ActiveFilters
      chips={chips.map(([text, without]) => ({
        text,
        href: `/audit${addressOf(auditParams({ ...filter, ...without }))}`,
      }))}
      clear="/audit"
    />
  );
}

function nameOf(
  who: string,
  people: Props['people'],
  t: Awaited<ReturnType<typeof getTranslations<'audit'>>>,
): string {
  if (who === 'worker' || who === 'provider') return t(`who.${who}`);
  return people.find((one) => who === `person:${one.id}`)?.name ?? who;
}
