import {
  Archive,
  CircleSlash,
  FileQuestionMark,
  Inbox,
  MessageCircleQuestionMark,
  SearchX,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { WebhookRow } from '#lib/webhooks/list.ts';
import { effectWords } from './effect-words.ts';

/** A webhook's effect is about processing, not about money: nothing here is red or green. */
const LOOKS: Record<NonNullable<WebhookRow['effect']>, { tone: Tone; icon: LucideIcon }> = {
  asked_provider: { tone: 'progress', icon: MessageCircleQuestionMark },
  asked_ledger: { tone: 'progress', icon: MessageCircleQuestionMark },
  desk: { tone: 'attention', icon: Inbox },
  nothing_to_ask: { tone: 'draft', icon: CircleSlash },
  no_such_payout: { tone: 'attention', icon: SearchX },
  not_understood: { tone: 'attention', icon: FileQuestionMark },
  other_topic: { tone: 'draft', icon: Archive },
  kept_only: { tone: 'draft', icon: Archive },
};

type Props = {
  rows: WebhookRow[];
  open: string | null;
  address: (id: string) => string;
  narrow: boolean;
};

export async function WebhookTable({ rows, open, address, narrow }: Props): Promise<ReactNode> {
  const t = await getTranslations('webhooks.columns');
  return (
    <Table
      caption={(await getTranslations('webhooks'))('caption')}
      head={
        <>
          <Head>{t('at')}</Head>
          {!narrow && <Head>{t('channel')}</Head>}
          <Head>{t('says')}</Head>
          <Head numeric>{t('seen')}</Head>
          <Head>{t('effect')}</Head>
          <Head>{t('payout')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <NoticeLine
          key={row.id}
          row={row}
          current={row.id === open}
          href={address(row.id)}
          narrow={narrow}
        />
      ))}
    </Table>
  );
}

async function NoticeLine({
  row,
  current,
  href,
  narrow,
}: {
  row: WebhookRow;
  current: boolean;
  href: string;
  narrow: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  return (
    <Row>
      <Cell first>
        <Link
          href={href}
          scroll={false}
          aria-current={current ? 'true' : undefined}
          className={`text-accent hover:underline ${current ? 'font-semibold underline' : 'font-medium'}`}
        >
          <When at={row.at} seconds />
        </Link>
      </Cell>
      {!narrow && <Cell label={t('columns.channel')}>{t(`channels.${row.channel}`)}</Cell>}
      <Cell label={t('columns.says')}>
        {row.hint === null ? t('hints.none') : t(`hints.${row.hint}`)}
      </Cell>
      <Cell label={t('columns.seen')} numeric>
        <span className="font-normal">×{row.seen}</span>
      </Cell>
      <Cell label={t('columns.effect')}>
        <NoticeEffectPill notice={row} />
      </Cell>
      <Cell label={t('columns.payout')}>
        {row.payout ? (
          <Link href={`/payouts/${row.payout.id}`} className="text-accent hover:underline">
            {row.payout.name}
          </Link>
        ) : row.cardPayment ? (
          <Link
            href={`/cards/payments/${row.cardPayment.id}`}
            className="font-mono text-mono break-all text-accent hover:underline"
          >
            {row.extId}
          </Link>
        ) : (
          <span className="font-mono text-mono break-all text-muted">{row.extId ?? '–'}</span>
        )}
      </Cell>
    </Row>
  );
}

export async function NoticeEffectPill({
  notice,
}: {
  notice: Pick<WebhookRow, 'channel' | 'effect'>;
}): Promise<ReactNode> {
  const t = await getTranslations('webhooks.effects');
  const look =
    notice.effect === null ? ({ tone: 'draft', icon: Archive } as const) : LOOKS[notice.effect];
  return <Pill {...look}>{t(effectWords(notice))}</Pill>;
}
