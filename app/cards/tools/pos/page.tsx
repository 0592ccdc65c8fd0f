import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, Select, TextInput } from '#components/ui/field.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { CARD_CURRENCIES, COMMISSION_PAYERS, readPosFilter } from '#lib/cards/tools/filter.ts';
import type { PosFilter } from '#lib/cards/tools/filter.ts';
import { viewPosOptions } from '#lib/cards/tools/terms.ts';
import type { PosRow, PosView } from '#lib/cards/tools/terms.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { NoAnswer } from '../no-answer.tsx';
import { ToolTabs } from '../tabs.tsx';

/** The first digits of a card are not a card number; more digits are refused. */
const BIN_DIGITS = 8;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cardTools'))('tabs.pos') };
}

export default async function PosPage({
  searchParams,
}: PageProps<'/cards/tools/pos'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const filter = readPosFilter(await searchParams);
  const view = await viewPosOptions(person, filter, (await getLocale()) as Locale);
  const t = await getTranslations('cardTools');
  return (
    <>
      <PageHead title={t('title')} />
      <ToolTabs role={person.role} current="pos" />
      <p className="max-w-prose text-muted">{t('pos.intro')}</p>
      <Question filter={filter} />
      <Panel list title={t('pos.title')}>
        <Answer view={view} filter={filter} />
      </Panel>
    </>
  );
}

async function Question({ filter }: { filter: PosFilter }): Promise<ReactNode> {
  const t = await getTranslations('cardTools');
  return (
    <FilterForm
      key={JSON.stringify(filter)}
      action="/cards/tools/pos"
      label={t('pos.title')}
      className="grid grid-cols-2 items-start gap-3 sm:flex sm:flex-wrap"
    >
      <div className="sm:w-56">
        <Field id="pos-bin" label={t('pos.bin')} hint={t('pos.binHint')}>
          <TextInput
            id="pos-bin"
            name="bin"
            mono
            inputMode="numeric"
            autoComplete="off"
            pattern="\d{6}(\d{2})?"
            maxLength={BIN_DIGITS}
            required
            defaultValue={filter.bin}
            data-shortcut="filter"
            aria-describedby={describedBy('pos-bin', { hint: true })}
          />
        </Field>
      </div>
      <div className="sm:w-40">
        <Field id="pos-amount" label={t('pos.amount')}>
          <TextInput
            id="pos-amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={24}
            required
            defaultValue={filter.amount}
          />
        </Field>
      </div>
      <Field id="pos-currency" label={t('currency')}>
        <Select id="pos-currency" name="currency" defaultValue={filter.currency}>
          {CARD_CURRENCIES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </Select>
      </Field>
      <Field id="pos-by" label={t('paidBy')}>
        <Select id="pos-by" name="by" defaultValue={filter.paidBy ?? ''}>
          <option value="">{t('payers.any')}</option>
          {COMMISSION_PAYERS.map((one) => (
            <option key={one} value={one}>
              {t(`payers.${one}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" className="col-span-2 sm:mt-5.5">
        {t('pos.ask')}
      </Button>
    </FilterForm>
  );
}

async function Answer({ view, filter }: { view: PosView; filter: PosFilter }): Promise<ReactNode> {
  const t = await getTranslations('cardTools.pos');
  switch (view.kind) {
    case 'not_asked':
      return <EmptyState title={t('notAsked')} />;
    case 'amount_unreadable':
      return <EmptyState title={t('amountUnreadable')}>{t('amountText')}</EmptyState>;
    case 'none':
      return <EmptyState title={t('none')}>{t('noneText', { code: view.code })}</EmptyState>;
    case 'no_answer':
      return <NoAnswer />;
    case 'options':
      return view.rows.length === 0 ? (
        <EmptyState title={t('none')} />
      ) : (
        <Options rows={view.rows} currency={filter.currency} />
      );
  }
}

async function Options({
  rows,
  currency,
}: {
  rows: PosRow[];
  currency: string;
}): Promise<ReactNode> {
  const t = await getTranslations('cardTools');
  const locale = (await getLocale()) as Locale;
  const [first] = rows;
  const about = [
    first!.bank.name,
    first!.program,
    first!.scheme,
    first!.cardType,
    first!.commercial === true ? t('pos.commercial') : null,
  ]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
  const farming = rows.some((row) => row.maturityPeriods.length > 0);
  return (
    <>
      {about !== '' && <p className="border-b border-hairline px-4 py-2.5">{about}</p>}
      <Table
        caption={t('pos.title')}
        head={
          <>
            <Head>{t('terms.columns.count')}</Head>
            {farming && <Head>{t('pos.columns.farming')}</Head>}
            <Head numeric>{t('pos.columns.extra')}</Head>
            <Head numeric>{t('pos.columns.fee')}</Head>
            <Head numeric>{t('pos.columns.payable')}</Head>
          </>
        }
      >
        {rows.map((row) => (
          <Row
            key={`${row.posId} ${row.installments} ${row.maturityPeriods.join()} ${row.paymentFrequencies.join()}`}
          >
            <Cell first>{t('terms.count', { count: row.installments })}</Cell>
            {farming && (
              <Cell label={t('pos.columns.farming')}>
                {t('pos.farming', {
                  months: row.maturityPeriods.join(', '),
                  every: row.paymentFrequencies.join(', '),
                })}
              </Cell>
            )}
            <Cell label={t('pos.columns.extra')} numeric>
              {formatMoney(row.extra, currency, locale)}
            </Cell>
            <Cell label={t('pos.columns.fee')} numeric>
              {row.fee === null ? '–' : formatMoney(row.fee, currency, locale)}
            </Cell>
            <Cell label={t('pos.columns.payable')} numeric>
              {formatMoney(row.payable, currency, locale)}
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  );
}
