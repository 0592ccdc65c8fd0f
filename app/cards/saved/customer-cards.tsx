import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CardDigits } from '#app/cards/payments/card-state.tsx';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { EditDialog } from '#components/edit-dialog.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { cardsOfCustomer } from '#lib/cards/saved/list.ts';
import type { CardShown } from '#lib/cards/saved/list.ts';
import { deleteSavedCard, editSavedCard } from './actions.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'savedCards'>>>;

/** The cards that the gateway stores for this customer, loaded after the rest of the page. */
export async function CustomerCards({
  person,
  customer,
}: {
  person: Person;
  customer: string;
}): Promise<ReactNode> {
  const t = await getTranslations('savedCards');
  const kept = await cardsOfCustomer(person, customer);
  if (kept === null)
    return (
      <Banner
        tone="attention"
        title={t('unread.title')}
        actions={<RefreshButton>{t('unread.again')}</RefreshButton>}
      >
        {t('unread.text')}
      </Banner>
    );
  const contact = [kept.name, kept.email, kept.phone].filter((part) => part !== null).join(' · ');
  const mayChange = may(person.role, 'card.saved');
  return (
    <Panel list title={t('of', { customer })}>
      {contact !== '' && (
        <p className="border-b border-hairline px-4 py-2.5 wrap-anywhere text-muted">
          <span className="sr-only">{t('contact')}: </span>
          {contact}
        </p>
      )}
      <MessageArea>
        {kept.cards.length === 0 ? (
          <EmptyState title={t('none.title')}>{t('none.text')}</EmptyState>
        ) : (
          <Table
            caption={t('caption', { customer })}
            head={
              <>
                <Head>{t('columns.card')}</Head>
                <Head>{t('columns.bank')}</Head>
                <Head wide>{t('columns.token')}</Head>
                <Head>{t('columns.saved')}</Head>
                <Head wide>{t('columns.changed')}</Head>
                {mayChange && <Head>{t('columns.actions')}</Head>}
              </>
            }
          >
            {kept.cards.map((card) => (
              <CardLine
                key={card.handle}
                customer={customer}
                card={card}
                mayChange={mayChange}
                t={t}
              />
            ))}
          </Table>
        )}
      </MessageArea>
    </Panel>
  );
}

function CardLine({
  customer,
  card,
  mayChange,
  t,
}: {
  customer: string;
  card: CardShown;
  mayChange: boolean;
  t: Words;
}): ReactNode {
  return (
    <Row>
      <Cell first>
        <CardDigits card={card.card} />
      </Cell>
      <Cell label={t('columns.bank')}>{card.bank ?? '–'}</Cell>
      <Cell label={t('columns.token')} wide>
        <span className="text-muted">{t('tokenEnds', { end: card.token })}</span>
      </Cell>
      <Cell label={t('columns.saved')}>
        {card.createdAt === null ? '–' : <When at={card.createdAt} />}
      </Cell>
      <Cell label={t('columns.changed')} wide>
        {card.updatedAt === null ? '–' : <When at={card.updatedAt} />}
      </Cell>
      {mayChange && (
        <Cell label={t('columns.actions')}>
          <Actions customer={customer} card={card} />
        </Cell>
      )}
    </Row>
  );
}

async function Actions({
  customer,
  card: { handle, card },
}: {
  customer: string;
  card: CardShown;
}): Promise<ReactNode> {
  const edit = await getTranslations('savedCards.edit');
  const remove = await getTranslations('savedCards.delete');
  const which = { card: card ?? '????' };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <EditDialog
        action={editSavedCard}
        fixed={{ customer, handle }}
        fields={[
          { name: 'month', label: edit('month'), value: '' },
          { name: 'year', label: edit('year'), value: '' },
          { name: 'holder', label: edit('holder'), value: '' },
        ]}
        words={{
          open: edit('open'),
          label: edit('label', which),
          title: edit('title', which),
          hint: edit('hint'),
          save: edit('save'),
          keep: edit('keep'),
        }}
      />
      <ConfirmButton
        action={deleteSavedCard}
        fields={{ customer, handle }}
        look="danger"
        confirmLook="danger"
        words={{
          open: remove('open'),
          label: remove('label', which),
          title: remove('title', which),
          confirm: remove('confirm', which),
          keep: remove('keep'),
        }}
      >
        <p>{remove('text')}</p>
      </ConfirmButton>
    </span>
  );
}
