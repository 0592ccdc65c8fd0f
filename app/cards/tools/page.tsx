import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import {
  CARD_CURRENCIES,
  COMMISSION_PAYERS,
  readCommissionFilter,
} from '#lib/cards/tools/filter.ts';
import type { CommissionFilter } from '#lib/cards/tools/filter.ts';
import { commissionText } from '#lib/cards/tools/rate.ts';
import { viewTerms } from '#lib/cards/tools/terms.ts';
import type { TermsView } from '#lib/cards/tools/terms.ts';
import type { Locale } from '#lib/values/locale.ts';
import { signedIn } from '#lib/login/session.ts';
import { NoAnswer } from './no-answer.tsx';
import { ToolTabs } from './tabs.tsx';

const PATH = '/cards/tools';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cardTools'))('title') };
}

export default async function TermsPage({
  searchParams,
}: PageProps<'/cards/tools'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const filter = readCommissionFilter(await searchParams);
  const terms = await viewTerms(person, filter);
  const t = await getTranslations('cardTools');
  return (
    <>
      <PageHead title={t('title')} />
      <ToolTabs role={person.role} current="terms" />
      <Panel list title={t('terms.installments')}>
        <Installments counts={terms.installments} />
      </Panel>
      <Filters filter={filter} programs={terms.programs} />
      <Panel list title={t('terms.commissions')}>
        {terms.commissions === null ? (
          <NoAnswer />
        ) : terms.commissions.length > 0 ? (
          <Commissions rows={terms.commissions} filter={filter} />
        ) : (
          <EmptyState
            title={t('terms.empty')}
            actions={
              filter.program === '' ? undefined : (
                <LinkButton href={PATH}>
                  {(await getTranslations('common'))('clearFilters')}
                </LinkButton>
              )
            }
          />
        )}
      </Panel>
    </>
  );
}

async function Installments({
  counts,
}: Readonly<{ counts: TermsView['installments'] }>): Promise<ReactNode> {
  const t = await getTranslations('cardTools.terms');
  if (counts === null) return <NoAnswer />;
  if (counts.length === 0) return <EmptyState title={t('noInstallments')} />;
  return (
    <ul className="flex flex-wrap gap-2 px-4 py-3">
      {counts.map((count) => (
        <li
          key={count}
          className="rounded-full border border-hairline bg-raised px-3 py-1 text-label font-medium tabular-nums"
        >
          {t('count', { count })}
        </li>
      ))}
    </ul>
  );
}

async function Filters({
  filter,
  programs,
}: {
  filter: CommissionFilter;
  programs: string[];
}): Promise<ReactNode> {
  const t = await getTranslations('cardTools');
  return (
    <FilterForm
      key={JSON.stringify(filter)}
      action={PATH}
      label={t('terms.filter')}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
    >
      <Field id="terms-currency" label={t('currency')}>
        <Select
          id="terms-currency"
          name="currency"
          defaultValue={filter.currency}
          data-shortcut="filter"
        >
          {CARD_CURRENCIES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </Select>
      </Field>
      <Field id="terms-by" label={t('paidBy')}>
        <Select id="terms-by" name="by" defaultValue={filter.paidBy ?? ''}>
          <option value="">{t('payers.any')}</option>
          {COMMISSION_PAYERS.map((one) => (
            <option key={one} value={one}>
              {t(`payers.${one}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field id="terms-program" label={t('program')}>
        <Select id="terms-program" name="program" defaultValue={filter.program}>
          <option value="">{t('allPrograms')}</option>
          {[...new Set([...programs, ...(filter.program === '' ? [] : [filter.program])])].map(
            (name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ),
          )}
        </Select>
      </Field>
      <Button type="submit">{(await getTranslations('common'))('apply')}</Button>
    </FilterForm>
  );
}

async function Commissions({
  rows,
  filter,
}: {
  rows: NonNullable<TermsView['commissions']>;
  filter: CommissionFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('cardTools');
  const locale = (await getLocale()) as Locale;
  const rate = (percent: string | null, fixed: string | null): ReactNode =>
    commissionText(percent, fixed, filter.currency, locale) ?? (
      <span className="text-muted">{t('terms.notApplied')}</span>
    );
  return (
    <Table
      caption={t('terms.caption')}
      head={
        <>
          <Head>{t('terms.columns.count')}</Head>
          <Head>{t('program')}</Head>
          <Head>{t('terms.columns.title')}</Head>
          <Head numeric>{t('terms.columns.merchant')}</Head>
          <Head numeric>{t('terms.columns.user')}</Head>
        </>
      }
    >
      {rows.map((row, index) => (
        // The gateway gives a row no id.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={index}>
          <Cell first>{t('terms.count', { count: row.installments })}</Cell>
          <Cell label={t('program')}>
            {row.program === null || row.program === '' ? '–' : row.program}
          </Cell>
          <Cell label={t('terms.columns.title')}>
            {[row.title, row.cardType, row.issuer]
              .filter((part) => part !== null && part !== '')
              .join(' · ') || '–'}
          </Cell>
          {row.enabled ? (
            <>
              <Cell label={t('terms.columns.merchant')} numeric>
                {rate(row.merchantPercent, row.merchantFixed)}
              </Cell>
              <Cell label={t('terms.columns.user')} numeric>
                {rate(row.userPercent, row.userFixed)}
              </Cell>
            </>
          ) : (
            <>
              <Cell label={t('terms.columns.merchant')} numeric>
                <span className="text-muted">{t('terms.notEnabled')}</span>
              </Cell>
              <Cell label={t('terms.columns.user')} numeric>
                –
              </Cell>
            </>
          )}
        </Row>
      ))}
    </Table>
  );
}
