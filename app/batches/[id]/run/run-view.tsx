import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { FileButton, LinkButton } from '#components/ui/button.tsx';
import { Bars } from '#components/ui/drawing.tsx';
import { Link } from '#components/ui/link.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import type { RunPhase } from '#lib/batches/run/phase.ts';
import { ROW_GROUPS } from '#lib/batches/run/view.ts';
import type { RowGroup, RunView as View } from '#lib/batches/run/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { pause, resume, retry, stop } from './actions.ts';
import { RunFiles } from './run-files.tsx';
import { RunPhasePill } from './phase-pill.tsx';

/** What was not paid can be prepared again. */
const OVER: readonly RunPhase[] = ['stopped', 'done', 'sent_back', 'expired'];
/** The rows whose outcome is still to come. */
const OPEN_GROUPS: readonly RowGroup[] = ['under_way', 'unknown', 'approval'];
/** The colours of the bar's parts: of a rectangle, and of the dot in front of its name. */
const BAR: Readonly<Record<RowGroup, readonly [part: string, dot: string]>> = {
  completed: ['fill-settled', 'bg-settled'],
  under_way: ['fill-progress', 'bg-progress'],
  unknown: ['fill-unknown', 'bg-unknown'],
  approval: ['fill-attention', 'bg-attention'],
  in_line: ['fill-control', 'bg-control'],
  failed: ['fill-failed', 'bg-failed'],
  unsent: ['fill-muted', 'bg-muted'],
};
const BAR_WIDTH = 1_000;
const BAR_HEIGHT = 12;
const PART =
  'inline-flex min-h-8 items-center gap-1.5 rounded-full border px-3 text-label font-medium ' +
  'tabular-nums pointer-coarse:min-h-11';

/** A submitted batch: what holds it up, a bar by state whose parts filter the rows, the controls. */
export async function RunView({
  view,
  role,
  walletName,
  group,
  approval,
  children,
}: {
  view: View;
  role: Role;
  walletName: string;
  group: RowGroup | null;
  /** What an approver sees; null where no approval was needed. */
  approval: ReactNode;
  children: ReactNode;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun');
  const locale = (await getLocale()) as Locale;
  const all = Object.values(view.groups);
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const sum = all.reduce((total, one) => total + one.amountMinor, 0n);
  const isOpen = OPEN_GROUPS.some((group) => view.groups[group].count > 0);
  return (
    <MessageArea className="">
      <PageHead
        title={<span className="wrap-anywhere">{view.name || t('paste')}</span>}
        live={<LiveChanges kinds={['batch', 'movement']} atOnce />}
      >
        <Results id={view.id} role={role} />
        <Controls view={view} />
      </PageHead>
      <p className="flex flex-wrap items-center gap-2 text-muted">
        <RunPhasePill phase={view.phase} isOpen={isOpen} />
        {t('facts', {
          count,
          sum: formatMoney(sum, view.currency, locale),
          wallet: walletName,
          maker: view.maker,
          byKey: view.apiKey === null ? 'no' : 'yes',
          apiKey: view.apiKey ?? '',
        })}
      </p>
      <RunFiles view={view} role={role} />
      <Hold view={view} />
      <SentBack view={view} />
      {approval}
      <Panel title={t('groups.label')}>
        <Bar view={view} count={count} group={group} />
      </Panel>
      {children}
    </MessageArea>
  );
}

/** The uploaded file with what became of each row. */
async function Results({ id, role }: { id: string; role: Role }): Promise<ReactNode> {
  const t = await getTranslations('batchRun.result');
  if (!may(role, 'payee.read')) return null;
  return (
    <>
      <FileButton href={`/batches/${id}/result?profile=xlsx`} download>
        {t('xlsx')}
      </FileButton>
      <FileButton href={`/batches/${id}/result?profile=csv-excel`} download>
        {t('csv')}
      </FileButton>
    </>
  );
}

async function Hold({ view }: { view: View }): Promise<ReactNode> {
  const t = await getTranslations('batchRun');
  const locale = (await getLocale()) as Locale;
  if (view.phase === 'running' && view.waitsForProvider)
    return <Banner tone="attention">{t('provider')}</Banner>;
  const isShown = view.phase === 'held' || view.phase === 'waiting';
  if (!isShown || view.hold === null) return null;
  const { why, by, detail } = view.hold;
  const money = (minor: string | undefined): string =>
    minor === undefined ? '' : formatMoney(BigInt(minor), view.currency, locale);
  return (
    <Banner tone="attention">
      {t(`hold.${why}`, {
        by: by ?? '',
        maker: view.maker,
        available: money(detail['available']),
        unsent: money(detail['unsent']),
        withFees: (detail['fees'] ?? '0') === '0' ? 'no' : 'yes',
        fees: money(detail['fees']),
        apiKey: detail['key'] ?? '',
        reason: await reasonWords(detail['reason'] ?? ''),
      })}
    </Banner>
  );
}

/** Why it was sent back, and which rows the new draft begins without. */
async function SentBack({ view }: { view: View }): Promise<ReactNode> {
  const t = await getTranslations('batchRun.approval');
  const lost = view.mayHaveLost ? 'yes' : 'no';
  if (view.phase === 'expired') return <Banner tone="attention">{t('expired', { lost })}</Banner>;
  if (view.sentBack === null) return null;
  const { by, reason, without } = view.sentBack;
  return (
    <Banner tone="attention" title={t('sentBack', { by, reason })}>
      {without.length === 0
        ? t('nothingLeft', { lost })
        : t('without', { lost, count: without.length, rows: without.join(', ') })}
    </Banner>
  );
}

/** The rule's own words; a code of the provider stays as it is. */
export async function reasonWords(code: string): Promise<string> {
  const t = await getTranslations('batchRun.refused');
  if (/^\d+$/.test(code)) return code;
  return t.has(code as 'limit_exceeded') ? t(code as 'limit_exceeded') : t('other', { code });
}

async function Bar({
  view,
  count,
  group,
}: {
  view: View;
  count: number;
  group: RowGroup | null;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.groups');
  const locale = (await getLocale()) as Locale;
  const parts = ROW_GROUPS.filter((part) => view.groups[part].count > 0);
  return (
    <div className="grid gap-3 px-4 py-3">
      <Bars
        viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        height={BAR_HEIGHT}
        className="h-3 w-full rounded-full"
        bars={rectanglesOf(view, parts).map(({ part, x, width }) => ({
          x,
          width,
          className: BAR[part][0],
        }))}
      />
      <nav aria-label={t('label')} className="flex flex-wrap gap-2">
        <Part href={`/batches/${view.id}`} isHere={group === null} dot={null}>
          {t('all')} {count}
        </Part>
        {parts.map((part) => (
          <Part
            key={part}
            href={`/batches/${view.id}?state=${part}`}
            isHere={group === part}
            dot={BAR[part][1]}
          >
            {t(part)} {view.groups[part].count}{' '}
            <span className="text-muted">
              {formatMoney(view.groups[part].amountMinor, view.currency, locale)}
            </span>
          </Part>
        ))}
      </nav>
    </div>
  );
}

/** The parts of the bar from left to right, in its own units. */
function rectanglesOf(
  { groups }: View,
  parts: readonly RowGroup[],
): { part: RowGroup; x: number; width: number }[] {
  const counts = parts.map((part) => groups[part].count);
  const all = counts.reduce((sum, one) => sum + one, 0);
  return parts.map((part, at) => ({
    part,
    x: (BAR_WIDTH * counts.slice(0, at).reduce((sum, one) => sum + one, 0)) / all,
    width: (BAR_WIDTH * groups[part].count) / all,
  }));
}

function Part({
  href,
  isHere,
  dot,
  children,
}: {
  href: string;
  isHere: boolean;
  dot: string | null;
  children: ReactNode;
}): ReactNode {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={isHere ? 'true' : undefined}
      className={`${PART} ${isHere ? 'border-accent text-accent' : 'border-hairline'}`}
    >
      {dot && <span aria-hidden className={`size-2 rounded-full ${dot}`} />}
      {children}
    </Link>
  );
}

async function Controls({ view }: { view: View }): Promise<ReactNode> {
  const t = await getTranslations('batchRun');
  const locale = (await getLocale()) as Locale;
  if (!view.mayControl) return null;
  if (OVER.includes(view.phase)) return <Retry view={view} />;
  const { in_line: line, approval, completed, under_way: way, unknown, failed } = view.groups;
  const count = line.count + approval.count;
  const sent = completed.count + way.count + unknown.count + failed.count;
  return (
    <>
      {view.phase === 'running' && (
        <ActionButton key="pause" action={pause} fields={{ batch: view.id }}>
          {t('pause')}
        </ActionButton>
      )}
      {view.phase === 'held' && view.hold?.why !== 'restored' && (
        <ActionButton key="resume" action={resume} look="primary" fields={{ batch: view.id }}>
          {t('resume')}
        </ActionButton>
      )}
      <ConfirmButton
        action={stop}
        fields={{ batch: view.id }}
        confirmLook="danger"
        words={{
          open: t('stop.open'),
          title: t('stop.title'),
          confirm: t('stop.confirm', { count }),
          keep: t('stop.keep'),
        }}
      >
        <p>
          {t('stop.text', {
            count,
            sum: formatMoney(line.amountMinor + approval.amountMinor, view.currency, locale),
            sent,
          })}
        </p>
      </ConfirmButton>
    </>
  );
}

/** The rows that provably were not paid, as a new draft; once it is made, the way to it. */
async function Retry({ view }: { view: View }): Promise<ReactNode> {
  const t = await getTranslations('batchRun.retry');
  const count = view.groups.failed.count + view.groups.unsent.count;
  if (view.retriedAs !== null)
    return <LinkButton href={`/batches/${view.retriedAs}`}>{t('made')}</LinkButton>;
  if (count === 0) return null;
  return (
    <ConfirmButton
      action={retry}
      fields={{ batch: view.id }}
      words={{ open: t('open'), title: t('title'), confirm: t('confirm'), keep: t('keep') }}
    >
      <p>{t('text', { count })}</p>
    </ConfirmButton>
  );
}
