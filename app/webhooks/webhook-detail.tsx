import { X } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ICON_LINK, RAW_TEXT } from '#components/ui/classes.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { WebhookView } from '#lib/webhooks/list.ts';
import { replay } from './actions.ts';
import { effectWords } from './effect-words.ts';
import { NoticeEffectPill } from './webhook-table.tsx';

const HASH_SHOWN = 16;

type Props = { notice: WebhookView | null; id: string; close: string; mayReadAudit: boolean };

export async function WebhookDetail({
  notice,
  id,
  close,
  mayReadAudit,
}: Props): Promise<ReactNode> {
  const t = await getTranslations('webhooks.detail');
  const aside = (
    <Link
      href={close}
      scroll={false}
      aria-label={t('close')}
      title={t('close')}
      className={ICON_LINK}
    >
      <X aria-hidden className="size-4" />
    </Link>
  );
  return (
    <Panel title={t('title', { id })} aside={aside} className="max-xl:order-first">
      {notice === null ? (
        <EmptyState title={t('missing')} />
      ) : (
        <>
          <NoticeFacts notice={notice} mayReadAudit={mayReadAudit} />
          <RawBody body={notice.body} />
          {notice.can.replay && <Replay id={notice.id} />}
        </>
      )}
    </Panel>
  );
}

async function NoticeFacts({
  notice,
  mayReadAudit,
}: {
  notice: WebhookView;
  mayReadAudit: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  return (
    <>
      <div className="grid justify-items-start gap-1.5 border-b border-hairline px-4 py-3">
        <NoticeEffectPill notice={notice} />
        <p>{t(`effectTexts.${effectWords(notice)}`)}</p>
      </div>
      <Facts>
        <SubjectFacts notice={notice} />
        <NamedFacts notice={notice} />
        <ArrivalFacts notice={notice} />
        {mayReadAudit && (
          <Fact label={t('detail.audit')}>
            <Link
              href={`/audit?subject=notice:${notice.id}`}
              className="text-accent hover:underline"
            >
              notice:{notice.id}
            </Link>
          </Fact>
        )}
      </Facts>
    </>
  );
}

/** What the webhook is about: our own record, and its reference. */
async function SubjectFacts({ notice }: { notice: WebhookView }): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  const copied = (await getTranslations('common'))('copied');
  return (
    <>
      {notice.payout && (
        <Fact label={t('detail.payout')}>
          <Link
            href={`/payouts/${notice.payout.id}`}
            className="font-medium text-accent hover:underline"
          >
            {notice.payout.name}
          </Link>
        </Fact>
      )}
      {notice.cardPayment && (
        <Fact label={t('detail.cardPayment')}>
          <Link
            href={`/cards/payments/${notice.cardPayment.id}`}
            className="font-medium text-accent hover:underline"
          >
            {t('detail.openCardPayment')}
          </Link>
        </Fact>
      )}
      {notice.extId && (
        <Fact label={t('detail.reference')}>
          <span className="font-mono text-mono break-all">{notice.extId}</span>{' '}
          <CopyButton text={notice.extId} label={t('detail.copyReference')} done={copied} />
        </Fact>
      )}
    </>
  );
}

/** What the webhook says; none of it is believed before a read of the provider's record. */
async function NamedFacts({ notice }: { notice: WebhookView }): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  const { says, saysOfCard: card } = notice;
  return (
    <>
      {says && <Fact label={t('detail.topic')}>{t(`topics.${says.topic}`)}</Fact>}
      {card && <Fact label={t('detail.topic')}>{t(`topics.${card.topic}`)}</Fact>}
      {notice.hint !== says?.topic && (
        <Fact label={t('detail.hint')}>{t(`hints.${notice.hint ?? 'none'}`)}</Fact>
      )}
      {card && <Fact label={t('detail.proof')}>{t(`sources.${card.proof}`)}</Fact>}
      {card?.orderId && (
        <Fact label={t('detail.order')}>
          <span className="font-mono text-mono break-all">{card.orderId}</span>
        </Fact>
      )}
      {card?.planCode && (
        <Fact label={t('detail.plan')}>
          <span className="font-mono text-mono break-all">
            {card.planCode}
            {card.number === null ? '' : ` · ${card.number}`}
          </span>
        </Fact>
      )}
      {card?.uniqueId && (
        <Fact label={t('detail.cashout')}>
          <span className="font-mono text-mono break-all">{card.uniqueId}</span>
        </Fact>
      )}
      {says?.reason && <Fact label={t('detail.reason')}>{says.reason}</Fact>}
      {says?.requestId && (
        <Fact label={t('detail.request')}>
          <span className="font-mono text-mono">{says.requestId}</span>
        </Fact>
      )}
      {says?.transactionId && (
        <Fact label={t('detail.transaction')}>
          <span className="font-mono text-mono">{says.transactionId}</span>
        </Fact>
      )}
      {says?.wallet && (
        <Fact label={t('detail.wallet')}>
          <span className="font-mono text-mono">{says.wallet}</span>
        </Fact>
      )}
    </>
  );
}

/** How and when the webhook came, and how often. */
async function ArrivalFacts({ notice }: { notice: WebhookView }): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  return (
    <>
      <Fact label={t('detail.channel')}>{t(`channels.${notice.channel}`)}</Fact>
      <Fact label={t('detail.firstAt')}>
        <When at={notice.at} seconds />
      </Fact>
      {notice.seen > 1 && (
        <Fact label={t('detail.lastAt')}>
          <When at={notice.lastAt} seconds />
        </Fact>
      )}
      <Fact label={t('detail.seen')}>{t('detail.seenIs', { count: notice.seen })}</Fact>
      {notice.handledAt && (
        <Fact label={t('detail.handledAt')}>
          <When at={notice.handledAt} seconds />
        </Fact>
      )}
      <Fact label={t('detail.sha256')}>
        <span className="font-mono text-mono" title={notice.sha256}>
          {notice.sha256.slice(0, HASH_SHOWN)}…
        </span>
      </Fact>
    </>
  );
}

/** The body as received: shown as text, never interpreted. */
async function RawBody({ body }: { body: string }): Promise<ReactNode> {
  const t = await getTranslations('webhooks.detail');
  const copied = (await getTranslations('common'))('copied');
  return (
    <details className="border-t border-hairline">
      <summary className="px-4 py-2.5 font-medium">{t('raw')}</summary>
      <div className="relative px-4 pb-3">
        {body === '' ? (
          <p className="text-muted">{t('emptyBody')}</p>
        ) : (
          <>
            <span className="absolute top-1 right-5">
              <CopyButton text={body} label={t('copyRaw')} done={copied} />
            </span>
            <pre tabIndex={0} className={`max-h-96 pr-9 ${RAW_TEXT}`}>
              {body}
            </pre>
          </>
        )}
      </div>
    </details>
  );
}

async function Replay({ id }: { id: string }): Promise<ReactNode> {
  const t = await getTranslations('webhooks.detail');
  return (
    <div className="grid justify-items-start gap-2 border-t border-hairline px-4 py-3">
      <p className="text-label text-muted">{t('replayText')}</p>
      <ActionButton key={id} action={replay} fields={{ id }}>
        {t('replay')}
      </ActionButton>
    </div>
  );
}
