import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { KeyRow } from '#lib/programs/keys/list.ts';
import type { KeyState } from '#lib/programs/keys/rights.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { confirmKeyNow, revokeKeyNow } from './actions.ts';

const TONES: Readonly<Record<KeyState, Tone>> = {
  waiting: 'attention',
  lapsed: 'draft',
  works: 'settled',
  idle: 'attention',
  revoked: 'draft',
};

export async function KeyTable({ rows }: { rows: KeyRow[] }): Promise<ReactNode> {
  const t = await getTranslations('developers.keys');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('name')}</Head>
          <Head>{t('rights')}</Head>
          <Head>{t('wallet')}</Head>
          <Head>{t('person')}</Head>
          <Head>{t('state')}</Head>
          <Head>{t('used')}</Head>
          <Head>
            <span className="sr-only">{t('action')}</span>
          </Head>
        </>
      }
    >
      {rows.map((row) => (
        <KeyLine key={row.id} row={row} />
      ))}
    </Table>
  );
}

async function KeyLine({ row }: { row: KeyRow }): Promise<ReactNode> {
  const t = await getTranslations('developers.keys');
  const rights = await getTranslations('developers.rights');
  return (
    <Row>
      <Cell first>
        <span>
          <span className="block font-medium wrap-anywhere">{row.name}</span>
          <span className="font-mono text-mono text-muted">{row.prefix}…</span>
        </span>
      </Cell>
      <Cell label={t('rights')}>
        <span>
          {row.rights.map((right) => (
            <span key={right} className="block">
              {rights(right)}
              {row.state === 'works' && row.idleRights.includes(right) && (
                <span className="block text-label text-muted">{t('idleRight')}</span>
              )}
            </span>
          ))}
        </span>
      </Cell>
      <Cell label={t('wallet')}>
        {row.wallet === null ? (
          t('everyWallet')
        ) : (
          <span className="font-mono text-mono">{row.wallet}</span>
        )}
      </Cell>
      <Cell label={t('person')}>
        <span>
          {row.person}
          <span className="block text-label text-muted">
            <When at={row.madeAt} />
          </span>
        </span>
      </Cell>
      <Cell label={t('state')} state>
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <Pill tone={TONES[row.state]}>{t(`states.${row.state}`)}</Pill>
          {row.until !== null && <Until at={row.until} />}
        </span>
      </Cell>
      <Cell label={t('used')} when>
        {row.lastUsedAt === null ? (
          <span className="text-muted">{t('never')}</span>
        ) : (
          <When at={row.lastUsedAt} />
        )}
      </Cell>
      <Cell>
        <span className="flex flex-wrap gap-2">
          {row.can.confirm && <Confirm row={row} />}
          {row.can.revoke && <Revoke row={row} />}
        </span>
      </Cell>
    </Row>
  );
}

async function Until({ at }: { at: string }): Promise<ReactNode> {
  const t = await getTranslations('developers.keys');
  const zone = await getTimeZone();
  const locale = (await getLocale()) as Locale;
  return (
    <span className="text-label text-muted">
      {t('until', { at: formatDateTime(at, locale, { zone }) })}
    </span>
  );
}

async function Confirm({ row }: { row: KeyRow }): Promise<ReactNode> {
  const t = await getTranslations('developers.keys');
  return (
    <ConfirmButton
      action={confirmKeyNow}
      fields={{ id: row.id }}
      words={{
        open: t('confirm'),
        label: t('confirmLabel', { name: row.name }),
        title: t('confirmTitle'),
        confirm: t('confirm'),
        keep: t('notNow'),
      }}
    >
      <p className="wrap-anywhere">
        {t('confirmText', { person: row.person, reason: row.reason })}
      </p>
    </ConfirmButton>
  );
}

async function Revoke({ row }: { row: KeyRow }): Promise<ReactNode> {
  const t = await getTranslations('developers.keys');
  return (
    <ConfirmButton
      action={revokeKeyNow}
      fields={{ id: row.id }}
      confirmLook="danger"
      words={{
        open: t('revoke'),
        label: t('revokeLabel', { name: row.name }),
        title: t('revokeTitle'),
        confirm: t('revoke'),
        keep: t('keep'),
      }}
    >
      <p className="wrap-anywhere">{t('revokeText', { name: row.name, running: row.running })}</p>
    </ConfirmButton>
  );
}
