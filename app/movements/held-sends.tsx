import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table, TableNote } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import type { HeldSend } from '#lib/send-control/list-held.ts';
import { cancelHeld, sendHeld } from './held-actions.ts';

/**
 * Movements that wait for a person's "send it" since a recovery, one by one. When none waits, only
 * the result of the last press is shown.
 */
export async function HeldSends({
  held,
  isCut = false,
}: {
  held: readonly HeldSend[];
  isCut?: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('recovery.held');
  const columns = (
    <>
      <Head>{t('columns.what')}</Head>
      <Head>{t('columns.who')}</Head>
      <Head>{t('columns.prepared')}</Head>
      <Head numeric>{t('columns.amount')}</Head>
      <Head>{t('columns.do')}</Head>
    </>
  );
  return (
    <MessageArea>
      {held.length > 0 && (
        <Panel list title={t(isCut ? 'titleCut' : 'title', { count: held.length })}>
          <p className="max-w-prose px-4 py-3">{t('text')}</p>
          <Table caption={t('caption')} head={columns}>
            {held.map((one) => (
              <HeldLine key={one.id} one={one} />
            ))}
          </Table>
          {isCut && <TableNote>{t('cut', { count: held.length })}</TableNote>}
        </Panel>
      )}
    </MessageArea>
  );
}

async function HeldLine({ one }: { one: HeldSend }): Promise<ReactNode> {
  const [t, kinds] = [
    await getTranslations('recovery.held'),
    await getTranslations('recovery.kinds'),
  ];
  const amount = formatMoney(one.amount, one.currency, (await getLocale()) as Locale);
  const about = { kind: kinds(one.kind), amount, who: one.name ?? one.who };
  return (
    <Row>
      <Cell first>
        <span className="block font-medium">{kinds(one.kind)}</span>
        <span className="block text-label text-muted">{t(`whys.${one.why}`)}</span>
      </Cell>
      <Cell label={t('columns.who')}>
        <Link href={one.address} className="block text-accent hover:underline">
          {one.name ?? one.who}
        </Link>
        {one.name !== null && (
          <span className="block font-mono text-mono break-words">{one.who}</span>
        )}
        <span className="block font-mono text-mono break-all text-muted">{one.reference}</span>
      </Cell>
      <Cell label={t('columns.prepared')}>
        <When at={one.createdAt} />
        <span className="block text-label text-muted">{one.maker}</span>
      </Cell>
      <Cell label={t('columns.amount')} numeric>
        {amount}
      </Cell>
      <Cell label={t('columns.do')} whole={one.can.confirm || one.can.cancel}>
        <span className="flex flex-wrap gap-2">
          {one.can.confirm && (
            <ActionButton
              action={sendHeld}
              fields={{ id: one.id }}
              look="primary"
              label={t('sendLabel', about)}
            >
              {t('send')}
            </ActionButton>
          )}
          {one.can.cancel && (
            <ActionButton
              action={cancelHeld}
              fields={{ id: one.id, kind: one.kind }}
              label={t('cancelLabel', about)}
            >
              {t('cancel')}
            </ActionButton>
          )}
          {!one.can.confirm && (
            <span className="text-label text-muted">
              {t(kindOf(one.kind).needsOtherAfterRestore ? 'waitsOther' : 'waits')}
            </span>
          )}
        </span>
      </Cell>
    </Row>
  );
}
