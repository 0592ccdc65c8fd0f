import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CARD_TONES, CardPill } from '#app/cards/payments/card-state.tsx';
import type { CardStateWord } from '#app/cards/payments/card-state.tsx';
import { keyWords } from '#app/key-words.ts';
import { KeyList } from '#components/key-list.tsx';
import { MoneyState } from '#components/money-state.tsx';
import { Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { shownStates } from './shown-states.ts';

const TERMS = [
  'wallet',
  'reference',
  'ledger',
  'return',
  'batch',
  'authorization',
  'capture',
  'void',
  'refund',
  'chargeback',
  'reconciliation',
  'dayClose',
  'webhook',
  'receipt',
] as const;
const CARD_STATES = Object.keys(CARD_TONES) as CardStateWord[];

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('help'))('title') };
}

/** What every state says about the money, what the words mean, and the keyboard. */
export default async function HelpPage(): Promise<ReactNode> {
  const person = await signedIn();
  const t = await getTranslations('help');
  return (
    <>
      <PageHead title={t('title')} />
      <p className="max-w-prose text-muted">{t('about')}</p>
      <MovementStates />
      {may(person.role, 'card.read') && <CardStates />}
      <Panel title={t('terms')}>
        <Facts>
          {TERMS.map((term) => (
            <Fact key={term} label={t(`words.${term}.term`)}>
              {t(`words.${term}.text`)}
            </Fact>
          ))}
        </Facts>
      </Panel>
      <Panel title={t('keys')}>
        <div className="grid gap-3 px-4 py-3">
          <p className="text-muted">{t('keysText')}</p>
          <KeyList words={await keyWords()} />
        </div>
      </Panel>
    </>
  );
}

async function MovementStates(): Promise<ReactNode> {
  const t = await getTranslations('help');
  return (
    <Panel list title={t('movements')}>
      <Table
        caption={t('movements')}
        head={
          <>
            <Head>{t('state')}</Head>
            <Head>{t('money')}</Head>
            <Head>{t('next')}</Head>
          </>
        }
      >
        {shownStates().map(([word, shown]) => (
          <Row key={word}>
            <Cell first>
              <span id={word} className="scroll-mt-20">
                <MoneyState {...shown} />
              </span>
            </Cell>
            <Cell label={t('money')} whole>
              {t(`states.${word}.money`)}
            </Cell>
            <Cell label={t('next')} whole>
              {t(`states.${word}.next`)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

async function CardStates(): Promise<ReactNode> {
  const t = await getTranslations('help');
  const cards = await getTranslations('cards.sentences');
  return (
    <Panel list title={t('cards')}>
      <Table
        caption={t('cards')}
        head={
          <>
            <Head>{t('state')}</Head>
            <Head>{t('money')}</Head>
          </>
        }
      >
        {CARD_STATES.map((state) => (
          <Row key={state}>
            <Cell first>
              <span id={`card-${state}`} className="scroll-mt-20">
                <CardPill state={state} />
              </span>
            </Cell>
            <Cell label={t('money')} whole>
              {cards(state)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
