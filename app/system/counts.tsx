import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoneyState } from '#components/money-state.tsx';
import { FactPanel, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { State } from '#lib/movements/state.ts';
import type { SystemView } from '#lib/system/view.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** How many requests providers answered lately, by their answer. */
export async function Requests({ requests }: Pick<SystemView, 'requests'>): Promise<ReactNode> {
  const t = await getTranslations('system.requests');
  const numbers = new Intl.NumberFormat(await getLocale());
  if (requests.length === 0) return <Nothing title={t('title')}>{t('empty')}</Nothing>;
  const answer = (response: string): string => {
    if (/^\d+$/.test(response)) return t('responses.other', { status: response });
    const isHeldBack = response === 'circuit_open' || response === 'no_token';
    return t(`responses.${isHeldBack ? response : 'none'}`, { why: response });
  };
  return (
    <Panel list title={t('title')}>
      <Table
        caption={t('title')}
        head={
          <>
            <Head>{t('provider')}</Head>
            <Head>{t('response')}</Head>
            <Head numeric>{t('count')}</Head>
          </>
        }
      >
        {requests.map(({ provider, response, count }) => (
          <Row key={`${provider} ${response}`}>
            <Cell first>{t(`providers.${provider === 'card' ? 'card' : 'wallet'}`)}</Cell>
            <Cell label={t('response')}>{answer(response)}</Cell>
            <Cell label={t('count')} numeric>
              {numbers.format(count)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

/** The movements with something ahead of them, by state. */
export async function OpenMovements({ states }: Pick<SystemView, 'states'>): Promise<ReactNode> {
  const t = await getTranslations('system.open');
  const numbers = new Intl.NumberFormat(await getLocale());
  if (states.length === 0) return <Nothing title={t('title')}>{t('empty')}</Nothing>;
  return (
    <Panel list title={t('title')}>
      <Table
        caption={t('title')}
        head={
          <>
            <Head>{t('state')}</Head>
            <Head numeric>{t('count')}</Head>
          </>
        }
      >
        {states.map(({ state, count }) => (
          <Row key={state}>
            <Cell first>
              <MoneyState state={state as State} returned="NONE" />
            </Cell>
            <Cell label={t('count')} numeric>
              {numbers.format(count)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

/** What the web that draws the page has counted; each web and each worker counts its own. */
export async function OwnCounts({
  counts: { since, ...counts },
}: {
  counts: SystemView['ownCounts'];
}): Promise<ReactNode> {
  const t = await getTranslations('system.own');
  const locale = (await getLocale()) as Locale;
  const numbers = new Intl.NumberFormat(locale);
  const names = ['signInsRefused', 'webhooks', 'webhooksFailed', 'pagesFailed'] as const;
  return (
    <FactPanel
      title={t('title', { since: formatDateTime(since, locale, { zone: await getTimeZone() }) })}
      facts={names.map((name) => [t(name), numbers.format(counts[name])])}
    />
  );
}

function Nothing({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Panel title={title}>
      <p className="px-4 py-3 text-muted">{children}</p>
    </Panel>
  );
}
