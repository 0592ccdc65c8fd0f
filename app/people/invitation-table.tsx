import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { InvitationRow } from '#lib/people/invitations.ts';
import type { InvitationState } from '#lib/people/rules.ts';
import { withdrawInvitationNow } from './actions.ts';

const TONES: Readonly<Record<InvitationState, Tone>> = {
  waiting: 'attention',
  open: 'progress',
  used: 'settled',
  lapsed: 'draft',
  expired: 'draft',
  withdrawn: 'draft',
};

/** Nothing while there are no invitations. */
export async function InvitationTable({ rows }: { rows: InvitationRow[] }): Promise<ReactNode> {
  const t = await getTranslations('people.invitations');
  if (rows.length === 0) return null;
  return (
    <Panel list title={t('title')}>
      <MessageArea>
        <Table
          caption={t('title')}
          head={
            <>
              <Head>{t('email')}</Head>
              <Head>{t('role')}</Head>
              <Head>{t('state')}</Head>
              <Head>{t('by')}</Head>
              <Head>{t('expires')}</Head>
              <Head numeric>
                <span className="sr-only">{t('action')}</span>
              </Head>
            </>
          }
        >
          {rows.map((row) => (
            <InvitationLine key={row.id} row={row} />
          ))}
        </Table>
      </MessageArea>
    </Panel>
  );
}

async function InvitationLine({ row }: { row: InvitationRow }): Promise<ReactNode> {
  const t = await getTranslations('people.invitations');
  const roles = await getTranslations('shell.roles');
  return (
    <Row brief>
      <Cell first>
        <span className="font-medium break-all">{row.email}</span>
      </Cell>
      <Cell label={t('role')}>{roles(row.role)}</Cell>
      <Cell label={t('state')} state>
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="sm:hidden">{roles(row.role)}</span>
          <Pill tone={TONES[row.state]}>{t(`states.${row.state}`)}</Pill>
        </span>
      </Cell>
      <Cell label={t('by')}>
        <span>
          {row.by}
          <span className="block text-label text-muted">
            <When at={row.at} />
          </span>
        </span>
      </Cell>
      <Cell label={t('expires')} when>
        <When at={row.expiresAt} />
      </Cell>
      <Cell numeric>{row.can.withdraw && <Withdraw row={row} />}</Cell>
    </Row>
  );
}

/** Its dialog must not inherit how a cell of numbers sets its text. */
async function Withdraw({ row }: { row: InvitationRow }): Promise<ReactNode> {
  const t = await getTranslations('people.invitations');
  return (
    <span className="block min-w-24 text-left font-normal whitespace-normal">
      <ConfirmButton
        action={withdrawInvitationNow}
        fields={{ id: row.id }}
        confirmLook="danger"
        words={{
          open: t('withdraw'),
          label: t('withdrawLabel', { email: row.email }),
          title: t('withdrawTitle'),
          confirm: t('withdraw'),
          keep: t('keep'),
        }}
      >
        <p className="wrap-anywhere">{t('withdrawText', { email: row.email })}</p>
      </ConfirmButton>
    </span>
  );
}
