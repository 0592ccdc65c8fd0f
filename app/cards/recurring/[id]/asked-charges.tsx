import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Messages } from '#components/messages.tsx';
import { TwoPeople } from '#components/two-people.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { AskedCharge } from '#lib/cards/recurring/view.ts';
import { submitChargeStatement } from '../actions.ts';

const TONES: Record<AskedCharge['state'], Tone> = {
  QUEUED: 'progress',
  SENDING: 'progress',
  APPROVED: 'progress',
  UNKNOWN: 'unknown',
  CHARGED: 'settled',
  NOT_CHARGED: 'failed',
};

/** Every charge of the plan that was requested here, with its result. */
export async function AskedCharges({
  asked,
  now,
}: {
  asked: AskedCharge[];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('recurring.log');
  return (
    <Panel title={t('title')}>
      <ol className="divide-y divide-hairline">
        {asked.map((charge) => (
          <Asked key={charge.id} charge={charge} now={now} />
        ))}
      </ol>
    </Panel>
  );
}

async function Asked({ charge, now }: { charge: AskedCharge; now: string }): Promise<ReactNode> {
  const t = await getTranslations('recurring.log');
  const locale = (await getLocale()) as Locale;
  const { taken } = charge;
  const amount = formatMoney(charge.amount, charge.currency, locale);
  return (
    <li className="grid gap-1 px-4 py-2.5 sm:grid-cols-[11rem_1fr]">
      <span className="text-muted">
        <When at={charge.askedAt} now={now} seconds />
      </span>
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Pill tone={TONES[charge.state]}>{t(`states.${charge.state}`)}</Pill>
          <span className="text-muted">{t('by', { by: charge.by, amount })}</span>
        </p>
        {taken !== null && (
          <p>
            {taken.number === null
              ? t('takenNoNumber', { amount: formatMoney(taken.amount, charge.currency, locale) })
              : t('taken', {
                  number: taken.number,
                  amount: formatMoney(taken.amount, charge.currency, locale),
                })}
          </p>
        )}
        {taken !== null && taken.amount !== charge.amount && (
          <p className="text-attention">{t('other', { amount })}</p>
        )}
        {charge.reason !== null && taken === null && (
          <p>{t(`reasons.${charge.reason}`, { reads: charge.reads })}</p>
        )}
        {charge.contradicted && charge.state === 'NOT_CHARGED' && (
          <p className="text-attention">{t('contradicted')}</p>
        )}
        {charge.contradicted && taken?.amount === charge.amount && (
          <p className="text-attention">{t('second')}</p>
        )}
        {charge.state === 'NOT_CHARGED' && charge.code !== null && (
          <p className="text-label text-muted">
            {t('code', { code: charge.code })}
            {charge.message !== null && <> · {charge.message}</>}
          </p>
        )}
        {charge.statements?.outcome != null && (
          <Messages of={['secondPerson']}>
            <TwoPeople
              id={charge.id}
              kind="plan_charge"
              closing={null}
              statements={charge.statements}
              action={submitChargeStatement}
            />
          </Messages>
        )}
      </div>
    </li>
  );
}
