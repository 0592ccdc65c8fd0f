import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { Figure } from '#lib/system/figures.ts';
import type { Locale } from '#lib/values/locale.ts';
import { figureText } from './figure-text.ts';

/** The id of the sentence that says what an alarm means. */
export function meaningOf(alarm: string): string {
  return `alarm-${alarm}`;
}

/** Each figure, and whether it is beyond the value from which its alarm is raised. */
export async function FigureTable({ figures }: { figures: readonly Figure[] }): Promise<ReactNode> {
  const t = await getTranslations('system');
  const locale = (await getLocale()) as Locale;
  const text = (value: number, { unit }: Figure): string =>
    figureText(value, unit, locale, t('never'));
  return (
    <Panel list title={t('caption')}>
      <Table
        caption={t('caption')}
        head={
          <>
            <Head>{t('figure')}</Head>
            <Head numeric>{t('now')}</Head>
            <Head>{t('limit')}</Head>
            <Head>{t('state')}</Head>
          </>
        }
      >
        {figures.map((figure) => (
          <Row key={figure.name}>
            <Cell first>{t(`figures.${figure.name}`)}</Cell>
            <Cell label={t('now')} numeric>
              {figure.value === null ? t('none') : text(figure.value, figure)}
            </Cell>
            <Cell label={t('limit')}>
              {figure.alarm === null ? (
                t('none')
              ) : (
                <Link
                  href={`#${meaningOf(figure.alarm.name)}`}
                  className="text-accent underline-offset-2 hover:underline"
                >
                  {'above' in figure.alarm
                    ? t('above', { value: text(figure.alarm.above, figure) })
                    : t('below', { value: text(figure.alarm.below, figure) })}
                </Link>
              )}
            </Cell>
            <Cell label={t('state')} state>
              <AlarmState figure={figure} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

async function AlarmState({ figure: { alarm } }: { figure: Figure }): Promise<ReactNode> {
  const t = await getTranslations('system');
  if (alarm === null) return t('none');
  if (alarm.isPassed === null) return <Pill tone="unknown">{t('unknownState')}</Pill>;
  return alarm.isPassed ? (
    <Pill tone="failed">{t('passed')}</Pill>
  ) : (
    <Pill tone="settled">{t('fine')}</Pill>
  );
}
