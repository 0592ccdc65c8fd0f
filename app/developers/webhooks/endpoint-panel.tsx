import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { TypedField } from '#app/people/fields.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { EmptyState, Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { OLD_SECRET_HOURS } from '#lib/programs/outgoing/endpoint.ts';
import type { EndpointView } from '#lib/programs/outgoing/endpoint.ts';
import { removeEndpointNow, rotateSecretNow, sendPingNow, setEndpointNow } from '../actions.ts';
import { SecretButton } from '../secret-button.tsx';
import type { SecretWords } from '../secret-button.tsx';

const URL_MAX = 1_000;

export async function EndpointPanel({
  endpoint,
  mayManage,
}: {
  endpoint: EndpointView | null;
  mayManage: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  return (
    <Panel title={t('endpoint')}>
      <MessageArea>
        {endpoint === null ? (
          <EmptyState title={t('none')}>{t(mayManage ? 'noneText' : 'noneOthers')}</EmptyState>
        ) : (
          <EndpointFacts endpoint={endpoint} />
        )}
        {mayManage && (
          // Here with and without an address: the dialog shows the secret after it has been set.
          <div className="flex flex-wrap gap-2 border-t border-hairline px-4 py-3">
            <SetAddress url={endpoint?.url ?? ''} />
            {endpoint !== null && (
              <>
                <ActionButton action={sendPingNow} fields={{}}>
                  {t('ping')}
                </ActionButton>
                <Rotate />
                <Remove />
              </>
            )}
          </div>
        )}
      </MessageArea>
    </Panel>
  );
}

async function EndpointFacts({ endpoint }: { endpoint: EndpointView }): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  return (
    <Facts>
      <Fact label={t('url')}>
        <span className="font-mono text-mono break-all">{endpoint.url}</span>
      </Fact>
      <Fact label={t('by')}>
        {endpoint.by} · <When at={endpoint.setAt} />
      </Fact>
      {endpoint.oldUntil !== null && (
        <Fact label={t('oldUntil')}>
          <When at={endpoint.oldUntil} />
        </Fact>
      )}
    </Facts>
  );
}

async function SetAddress({ url }: { url: string }): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  const words = { ...(await secretWords()), title: t('setTitle'), confirm: t('save') };
  return (
    <SecretButton
      action={setEndpointNow}
      look={url === '' ? 'primary' : 'secondary'}
      words={{ ...words, open: t(url === '' ? 'set' : 'change') }}
    >
      <TypedField name="url" label={t('url')} hint={t('setHint')} max={URL_MAX} first={url} />
    </SecretButton>
  );
}

async function Rotate(): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  const words = { ...(await secretWords()), title: t('rotateTitle') };
  return (
    <SecretButton
      action={rotateSecretNow}
      words={{ ...words, open: t('rotate'), confirm: t('rotateConfirm') }}
    >
      <p>{t('rotateText', { hours: OLD_SECRET_HOURS })}</p>
    </SecretButton>
  );
}

async function Remove(): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  return (
    <ConfirmButton
      action={removeEndpointNow}
      fields={{}}
      confirmLook="danger"
      words={{
        open: t('remove'),
        title: t('removeTitle'),
        confirm: t('remove'),
        keep: t('keep'),
      }}
    >
      <p>{t('removeText')}</p>
    </ConfirmButton>
  );
}

async function secretWords(): Promise<Omit<SecretWords, 'open' | 'title' | 'confirm'>> {
  const t = await getTranslations('developers.webhooks');
  return {
    keep: t('keep'),
    doneTitle: t('secretTitle'),
    copy: t('copy'),
    copied: (await getTranslations('common'))('copied'),
    close: t('close'),
  };
}
