import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CardState } from '#app/cards/payments/card-state.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { BackLink } from '#components/back-link.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { linkStateOf } from '#lib/cards/payments/list.ts';
import { listMadeLinks } from '#lib/cards/checkout/list-links.ts';
import type { MadeLink } from '#lib/cards/checkout/list-links.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('charges'))('links.title') };
}

export default async function LinksPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const { links, more, now } = await listMadeLinks(person);
  const t = await getTranslations('charges');
  const make = may(person.role, 'card.charge') ? (
    <LinkButton href="/cards/payments/new?way=link" look="primary" data-shortcut="new">
      {t('links.new')}
    </LinkButton>
  ) : null;
  return (
    <>
      <BackLink href="/cards/payments">{t('back')}</BackLink>
      <PageHead title={t('links.title')}>
        <LiveChanges kinds={['card']} />
        {links.length > 0 && make}
      </PageHead>
      <Panel list>
        {links.length === 0 ? (
          <EmptyState title={t('links.empty')} actions={make}>
            {t('links.emptyText')}
          </EmptyState>
        ) : (
          <LinkTable links={links} now={now} />
        )}
        {more && (
          <p className="border-t border-hairline px-4 py-2.5 text-muted">{t('links.more')}</p>
        )}
      </Panel>
    </>
  );
}

async function LinkTable({ links, now }: { links: MadeLink[]; now: string }): Promise<ReactNode> {
  const t = await getTranslations('charges');
  const copied = (await getTranslations('common'))('copied');
  const locale = (await getLocale()) as Locale;
  const columns = (name: 'made' | 'buyer' | 'state' | 'amount' | 'link'): string =>
    t(`links.columns.${name}`);
  return (
    <Table
      caption={t('links.caption')}
      head={
        <>
          <Head>{columns('buyer')}</Head>
          <Head>{columns('made')}</Head>
          <Head>{columns('state')}</Head>
          <Head>{columns('link')}</Head>
          <Head numeric>{columns('amount')}</Head>
        </>
      }
    >
      {links.map((one) => (
        <Row key={one.id}>
          <Cell first>
            <Link
              href={`/cards/payments/${one.id}`}
              className="font-medium break-words hover:underline"
            >
              {one.buyer}
            </Link>
            <span className="block text-label text-muted">{one.description}</span>
          </Cell>
          <Cell label={columns('made')}>
            <When at={one.madeAt} now={now} />
          </Cell>
          <Cell label={columns('state')}>
            {one.link === null && (one.state === null || one.state === 'pending') ? (
              <Pill tone="unknown">{t('links.noLink')}</Pill>
            ) : (
              <CardState state={one.state} link={linkStateOf(one)} />
            )}
          </Cell>
          <Cell label={columns('link')}>
            {one.toSend === null ? (
              '–'
            ) : (
              <CopyButton text={one.toSend} label={t('made.copy')} done={copied} />
            )}
          </Cell>
          <Cell label={columns('amount')} numeric>
            {formatMoney(one.amount, one.currency, locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
