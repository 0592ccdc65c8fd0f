import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { STOP_REASON_MAX } from '#lib/form-fields/stop-reason.ts';
import type { LimitView } from '#lib/people/limit-view.ts';
import type { PersonView } from '#lib/people/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { setPersonLimitNow } from '../actions.ts';
import { TypedField } from '../fields.tsx';
import { LimitFields } from './limit-fields.tsx';
import { typedLimits } from '../typed-limits.ts';

/** How much may leave on this person's word alone; an owner changes it. */
export async function PersonLimits({ view }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.limits');
  return (
    <Panel list title={t('title')}>
      <p className="max-w-prose px-4 py-3 text-muted">{t('text')}</p>
      {view.limits.length > 0 && <Limits limits={view.limits} />}
      {view.can.manage && (
        <div className="grid gap-3 border-t border-hairline px-4 py-3">
          <p className="max-w-prose text-muted">{t(view.alone ? 'alone' : 'two')}</p>
          <div>
            <ChangeLimit view={view} />
          </div>
        </div>
      )}
    </Panel>
  );
}

async function Limits({ limits }: { limits: readonly LimitView[] }): Promise<ReactNode> {
  const t = await getTranslations('people.limits');
  const locale = (await getLocale()) as Locale;
  const amount = ({ currency }: LimitView, text: string | null): string =>
    text === null ? t('none') : formatMoney(text, currency, locale);
  return (
    <Table
      caption={t('title')}
      head={
        <>
          <Head>{t('currency')}</Head>
          <Head numeric>{t('single')}</Head>
          <Head numeric>{t('day')}</Head>
        </>
      }
    >
      {limits.map((limit) => (
        <Row key={limit.currency}>
          <Cell first>{limit.currency}</Cell>
          <Cell label={t('single')} numeric>
            {amount(limit, limit.single)}
          </Cell>
          <Cell label={t('day')} numeric>
            {amount(limit, limit.day)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

async function ChangeLimit({ view }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.limits');
  const one = await getTranslations('people.one');
  const locale = (await getLocale()) as Locale;
  return (
    <ConfirmButton
      action={setPersonLimitNow}
      fields={{ id: view.id }}
      words={{
        open: t('change'),
        title: t('changeTitle', { name: view.name }),
        confirm: t('confirm'),
        keep: one('keep'),
      }}
    >
      <LimitFields
        key={JSON.stringify(view.limits)}
        limits={typedLimits(view.limits, locale)}
        words={{ currency: t('currency'), single: t('single'), day: t('day'), empty: t('empty') }}
      />
      <TypedField name="reason" label={one('reason')} max={STOP_REASON_MAX} />
    </ConfirmButton>
  );
}
