import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { movementAddress } from '#lib/movements/kinds.ts';
import { MoneyState } from '#components/money-state.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts } from '#components/ui/panel.tsx';
import { ICON_HAND, Pill } from '#components/ui/pill.tsx';
import { When } from '#components/when.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { Recorded } from '#lib/reports/reconciliation/books.ts';
import { lineStatus } from '#lib/reports/reconciliation/tables.ts';
import type { ShownDifference } from '#lib/reports/reconciliation/view.ts';
import { acknowledge } from '../actions.ts';

/** One difference: its meaning, our record beside the provider's, and a person's note on it. */
export async function DifferenceItem({
  one,
  mayAcknowledge,
}: {
  one: ShownDifference;
  mayAcknowledge: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  const heading = `difference-${one.id}`;
  return (
    <li
      aria-labelledby={heading}
      className="grid gap-3 border-t border-hairline px-4 py-4 first:border-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <h3 id={heading} className="text-section font-semibold">
          {t(`kinds.${one.kind}.title`)}
        </h3>
        <DifferencePill state={one.state} />
      </div>
      <p className="max-w-prose">{t(`kinds.${one.kind}.text`)}</p>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Ours one={one} />
        <Theirs one={one} />
      </div>
      {one.acknowledged && <Acknowledged {...one.acknowledged} />}
      {one.state === 'OPEN' &&
        (mayAcknowledge ? (
          <ReasonForm
            inline
            action={acknowledge}
            fields={{ id: one.id, recorded: one.recorded }}
            label={t('acknowledge.label')}
            button={t('acknowledge.button')}
          />
        ) : (
          <p className="text-label text-muted">{t('acknowledge.waits')}</p>
        ))}
    </li>
  );
}

async function DifferencePill({ state }: { state: ShownDifference['state'] }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation.states');
  return (
    <Pill
      tone={({ OPEN: 'attention', ACKNOWLEDGED: 'draft', CLOSED: 'settled' } as const)[state]}
      {...(state === 'ACKNOWLEDGED' ? { icon: ICON_HAND } : {})}
    >
      {t(state)}
    </Pill>
  );
}

async function Ours({ one }: { one: ShownDifference }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  const { movement, ours } = one;
  return (
    <Side title={t('ours')}>
      {movement === null || ours === null ? (
        <p className="px-4 py-3 text-muted">{t('notHere')}</p>
      ) : (
        <Facts>
          <Fact label={t('facts.payee')}>
            <Link
              href={movementAddress(movement)}
              className="font-medium text-accent hover:underline"
            >
              {movement.name}
            </Link>
          </Fact>
          <Fact label={t('facts.amount')}>
            <Amount recorded={ours} />
          </Fact>
          <Fact label={t('facts.state')}>
            <MoneyState state={movement.state} returned={movement.returned} />
          </Fact>
          {movement.iban && (
            <Fact label={t('facts.iban')}>
              <span className="font-mono text-mono">{shownIban(movement.iban)}</span>
            </Fact>
          )}
          <Fact label={t('facts.reference')}>
            <span className="font-mono text-mono break-all">{one.reference}</span>
          </Fact>
          <Fact label={t('facts.at')}>
            <When at={movement.at} seconds />
          </Fact>
        </Facts>
      )}
    </Side>
  );
}

async function Theirs({ one }: { one: ShownDifference }): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  const { theirs, request, line } = one;
  const at = request?.at ?? line?.at;
  return (
    <Side title={t('theirs')}>
      {theirs === null ? (
        <p className="px-4 py-3 text-muted">{t('notThere')}</p>
      ) : (
        <Facts>
          {request?.name && <Fact label={t('facts.payee')}>{request.name}</Fact>}
          <Fact label={t('facts.amount')}>
            <Amount recorded={theirs} />
            {theirs.count !== undefined &&
              theirs.count > 1 &&
              ` · ${t('facts.times', { count: theirs.count })}`}
          </Fact>
          {theirs.level !== undefined && (
            <Fact label={t('facts.level')}>{t(`levels.${theirs.level as 'pending'}`)}</Fact>
          )}
          {theirs.status !== undefined && (
            <Fact label={t('facts.line')}>{t(`lines.${lineStatus(theirs.status)}`)}</Fact>
          )}
          {request?.iban && (
            <Fact label={t('facts.iban')}>
              <span className="font-mono text-mono">{shownIban(request.iban)}</span>
            </Fact>
          )}
          {line?.description && <Fact label={t('facts.description')}>{line.description}</Fact>}
          {one.requestId && (
            <Fact label={t('facts.request')}>
              <Link
                href={`/reports/withdrawals/${encodeURIComponent(one.requestId)}`}
                prefetch={false}
                className="font-mono text-mono break-all text-accent hover:underline"
              >
                {one.requestId}
              </Link>
            </Fact>
          )}
          {one.lineId && (
            <Fact label={t('facts.lineId')}>
              <Link
                href={`/reports/transactions/${encodeURIComponent(one.lineId)}`}
                prefetch={false}
                className="font-mono text-mono break-all text-accent hover:underline"
              >
                {one.lineId}
              </Link>
            </Fact>
          )}
          {at && (
            <Fact label={t('facts.at')}>
              <When at={at} seconds />
            </Fact>
          )}
        </Facts>
      )}
    </Side>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className="rounded-control border border-hairline bg-raised">
      <h4 className="border-b border-hairline px-4 py-2 text-label font-medium text-muted">
        {title}
      </h4>
      {children}
    </section>
  );
}

async function Amount({ recorded }: { recorded: Recorded }): Promise<ReactNode> {
  return (
    <span className="font-medium tabular-nums">
      {formatMoney(
        recorded.amount ?? '0.00',
        recorded.currency ?? '',
        (await getLocale()) as Locale,
      )}
    </span>
  );
}

async function Acknowledged({
  by,
  at,
  reason,
}: {
  by: string;
  at: string;
  reason: string;
}): Promise<ReactNode> {
  const t = await getTranslations('reconciliation');
  return (
    <p className="text-label text-muted">
      {t('acknowledge.said', {
        by,
        at: formatDateTime(at, (await getLocale()) as Locale, {
          zone: await getTimeZone(),
          seconds: true,
        }),
        reason,
      })}
    </p>
  );
}
