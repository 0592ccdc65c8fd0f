import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { FlowPanel } from '#app/wallets/flow/flow-panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { parseDecimal, toDecimal } from '#lib/values/money.ts';
import { CHART_USUAL } from '#lib/wallets/filter.ts';
import type { ChartDays } from '#lib/wallets/filter.ts';
import { walletsOf } from './wallets.ts';

const LIRA = 'TRY';

/**
 * Money in and out of all wallets in lira together; without a wallet in lira, of the wallets in the
 * first wallet's currency. Of a transfer between these wallets only the fee counts.
 */
export async function Cash({
  person,
  last,
}: {
  person: Person;
  last: ChartDays;
}): Promise<ReactNode> {
  const { value, fresh } = await walletsOf(person);
  if (value === null || value.length === 0) return null;
  const t = await getTranslations('home.cash');
  const currency = value.some((one) => one.currency === LIRA) ? LIRA : value[0]!.currency;
  const own = value.filter((one) => one.currency === currency);
  const sum = own.reduce((all, { total }) => all + parseDecimal(total), 0n);
  return (
    <FlowPanel
      person={person}
      title={t('title', { currency })}
      wallets={{
        numbers: own.map((one) => one.number),
        currency,
        balance: fresh ? toDecimal(sum) : null,
      }}
      last={last}
      hrefOf={(chart) => (chart === CHART_USUAL ? '/' : `/?chart=${chart}`)}
      now={new Date().toISOString()}
    />
  );
}
