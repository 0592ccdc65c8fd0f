import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { MESSAGES, OPERATIONS } from '#lib/programs/api/openapi.ts';
import { API_CODES, codeInWords, statusOf } from '#lib/programs/api/problem.ts';
import type { Locale } from '#lib/values/locale.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { DeveloperTabs } from '../tabs.tsx';
import { OperationPanel, SchemaTable } from './operation-panel.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('developers.tabs'))('reference') };
}

/** The API for people, made from the same schemas as its OpenAPI document. */
export default async function ReferencePage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'api.read')) return <Forbidden person={person} needs="api.read" />;
  const t = await getTranslations('developers.reference');
  return (
    <>
      <PageHead title={(await getTranslations('developers.tabs'))('reference')} />
      <DeveloperTabs current="reference" />
      <p className="max-w-prose text-muted">
        {t('intro')}{' '}
        <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
          {t('document')}
        </a>
      </p>
      <Panel title={t('start')}>
        <p className="max-w-prose px-4 py-3">{t('startText')}</p>
      </Panel>
      {OPERATIONS.map((operation) => (
        <OperationPanel key={operation.id} operation={operation} />
      ))}
      <Codes />
      <PaymentTypes />
      <Panel list title={t('messages')}>
        <p className="max-w-prose px-4 py-3">{t('messagesText')}</p>
        {MESSAGES.map(({ type, body }) => (
          <SchemaTable key={type} name={body} caption={type} />
        ))}
      </Panel>
      <Panel title={t('signature')}>
        <p className="max-w-prose px-4 py-3">{t('signatureText')}</p>
      </Panel>
    </>
  );
}

async function Codes(): Promise<ReactNode> {
  const t = await getTranslations('developers.reference');
  const locale = (await getLocale()) as Locale;
  return (
    <Panel list title={t('codes')}>
      <p className="max-w-prose px-4 pt-3 pb-1 text-muted">{t('codesText')}</p>
      <SchemaTable name="Problem" caption={t('problem')} />
      <Table
        caption={t('codes')}
        head={
          <>
            <Head>{t('code')}</Head>
            <Head>{t('status')}</Head>
            <Head wide>{t('says')}</Head>
          </>
        }
      >
        {API_CODES.map((code) => (
          <Row key={code}>
            <Cell first>
              <code id={code} className="font-mono text-mono break-all">
                {code}
              </code>
            </Cell>
            <Cell label={t('status')}>{String(statusOf(code))}</Cell>
            <Cell label={t('says')} wide>
              {codeInWords(code, locale)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

async function PaymentTypes(): Promise<ReactNode> {
  const t = await getTranslations('developers.reference');
  const types = await paymentTypesSoon((await getLocale()) as Locale, 'names');
  return (
    <Panel list title={t('types')}>
      {types.length === 0 ? (
        <EmptyState title={t('typesNone')} />
      ) : (
        <Table
          caption={t('typesText')}
          head={
            <>
              <Head>{t('code')}</Head>
              <Head wide>{t('type')}</Head>
            </>
          }
        >
          {types.map(({ code, description }) => (
            <Row key={code}>
              <Cell first>
                <code className="font-mono text-mono">{code}</code>
              </Cell>
              <Cell label={t('type')} wide>
                {description}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
