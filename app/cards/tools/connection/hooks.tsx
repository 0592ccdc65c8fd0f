import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { HooksView } from '#lib/cards/tools/connection.ts';

/**
 * Webhook addresses to enter into the gateway's panel, by kind. A kind without a name gets no
 * webhooks.
 */
export async function Hooks({ hooks }: { hooks: HooksView }): Promise<ReactNode> {
  const t = await getTranslations('cardTools.hooks');
  const copied = (await getTranslations('common'))('copied');
  return (
    <Panel
      list
      title={t('title')}
      aside={
        <Link
          href="/webhooks?channel=card"
          className="text-label font-medium text-accent hover:underline"
        >
          {t('log')}
        </Link>
      }
    >
      <div className="border-b border-hairline px-4 py-2.5">
        <p className="max-w-prose text-muted">{t('text')}</p>
      </div>
      <Table
        caption={t('title')}
        head={
          <>
            <Head>{t('kind')}</Head>
            <Head>{t('key')}</Head>
            <Head>{t('address')}</Head>
          </>
        }
      >
        {hooks.entries.map(({ kind, key, address }) => (
          <Row key={kind}>
            <Cell first>
              <span className="font-medium">{t(`kinds.${kind}`)}</span>
            </Cell>
            <Cell label={t('key')}>
              {key === null ? (
                <span className="text-muted">{t('noKey')}</span>
              ) : (
                <span className="inline-flex items-center gap-1">
                  <span className="font-mono text-mono break-all">{key}</span>
                  <CopyButton
                    text={key}
                    label={t('copyKey', { kind: t(`kinds.${kind}`) })}
                    done={copied}
                  />
                </span>
              )}
            </Cell>
            <Cell label={t('address')}>
              <span className="inline-flex items-center gap-1">
                <span className="min-w-0 font-mono text-mono break-all">{address}</span>
                <CopyButton
                  text={address}
                  label={t('copyAddress', { kind: t(`kinds.${kind}`) })}
                  done={copied}
                />
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
      {hooks.unnamed.length > 0 && (
        <p className="border-t border-hairline px-4 py-2.5 text-muted">
          {t('unnamed', { kinds: hooks.unnamed.map((kind) => t(`kinds.${kind}`)).join(', ') })}
        </p>
      )}
    </Panel>
  );
}
