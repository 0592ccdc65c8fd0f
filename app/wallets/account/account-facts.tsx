import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { WalletAccessPill } from '#components/wallet-access.tsx';
import { When } from '#components/when.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { AccountView } from '#lib/wallets/account.ts';

/** Levels whose meaning is published; any other is shown as received. */
const KYC_LEVELS = ['Unknown', 'Unverified', 'Verified', 'Contracted'] as const;

/** The account at the provider: first what people are asked for on the phone, identifiers last. */
export async function AccountFacts({ account }: { account: AccountView }): Promise<ReactNode> {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Business account={account} />
      <div className="grid gap-5">
        <Contact account={account} />
        <Identifiers account={account} />
      </div>
    </div>
  );
}

async function Business({ account }: { account: AccountView }): Promise<ReactNode> {
  const t = await getTranslations('account');
  return (
    <Panel
      title={t('business.title')}
      aside={
        <span className="flex flex-wrap justify-end gap-2">
          <WalletAccessPill access={account.access} />
          {account.locked && <Pill tone="held">{t('locked')}</Pill>}
          {account.hidden && <Pill tone="draft">{t('hidden')}</Pill>}
        </span>
      }
    >
      <Facts>
        <Fact label={t('business.name')}>
          <Copyable text={account.name} label={t('business.name')} />
        </Fact>
        <Fact label={t('business.alias')}>{account.alias ?? <None />}</Fact>
        <Fact label={t('business.number')}>
          <Copyable text={account.number} label={t('business.number')} mono />
        </Fact>
        <Fact label={t('business.taxOffice')}>{account.taxOffice ?? <None />}</Fact>
        <Fact label={t('business.taxNumber')}>
          <Copyable text={account.taxNumber} label={t('business.taxNumber')} mono />
        </Fact>
        <Fact label={t('business.kyc')}>
          <KycLevel level={account.kycLevel} />
        </Fact>
        <Fact label={t('business.created')}>
          {account.createdAt === null ? <None /> : <When at={account.createdAt} />}
        </Fact>
        <Fact label={t('business.updated')}>
          {account.updatedAt === null ? <None /> : <When at={account.updatedAt} />}
        </Fact>
      </Facts>
    </Panel>
  );
}

async function Contact({ account }: { account: AccountView }): Promise<ReactNode> {
  const t = await getTranslations('account');
  const { contact } = account;
  return (
    <Panel title={t('contact.title')}>
      <Facts>
        <Fact label={t('contact.name')}>{contact.name ?? <None />}</Fact>
        <Fact label={t('contact.email')}>
          <Copyable text={contact.email} label={t('contact.email')} />
        </Fact>
        <Fact label={t('contact.phone')}>
          <Copyable text={contact.phone} label={t('contact.phone')} mono />
        </Fact>
        <Fact label={t('contact.address')}>
          {contact.address === null ? (
            <None />
          ) : (
            <span className="whitespace-pre-line">{contact.address}</span>
          )}
        </Fact>
      </Facts>
      {account.masked && (
        <p className="border-t border-hairline px-4 py-2.5 text-label text-muted">{t('masked')}</p>
      )}
    </Panel>
  );
}

/** Identifiers that only machines need, folded. */
async function Identifiers({ account }: { account: AccountView }): Promise<ReactNode> {
  const t = await getTranslations('account');
  return (
    <Panel>
      <details className="px-4 py-2.5">
        <summary className="font-semibold">{t('machine.title')}</summary>
        <div className="-mx-4">
          <Facts>
            {(
              [
                ['id', account.id],
                ['tenant', account.tenantId],
                ['parent', account.parentId],
                ['ext', account.extNumber],
                ['group', account.groupCode],
                ['sector', account.sectorId],
                ['type', account.businessType],
                ['level', account.accessLevel],
              ] as const
            ).map(([name, text]) => (
              <Fact key={name} label={t(`machine.${name}`)}>
                <Copyable text={text} label={t(`machine.${name}`)} mono />
              </Fact>
            ))}
          </Facts>
        </div>
      </details>
    </Panel>
  );
}

async function KycLevel({ level }: { level: string | null }): Promise<ReactNode> {
  const t = await getTranslations('account');
  const known = KYC_LEVELS.find((one) => one === level);
  return known === undefined ? (
    (level ?? t('none'))
  ) : (
    <>
      {t(`kyc.${known}`)} <span className="text-label text-muted">{known}</span>
    </>
  );
}

async function None(): Promise<ReactNode> {
  const t = await getTranslations('account');
  return <span className="text-muted">{t('none')}</span>;
}

async function Copyable({
  text,
  label,
  mono = false,
}: {
  text: string | null;
  label: string;
  mono?: boolean;
}): Promise<ReactNode> {
  if (text === null) return <None />;
  const t = await getTranslations('account');
  const common = await getTranslations('common');
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <span className={`min-w-0 wrap-anywhere ${mono ? 'font-mono text-mono' : ''}`}>{text}</span>
      {!text.includes('*') && (
        <CopyButton text={text} label={t('copy', { label })} done={common('copied')} />
      )}
    </span>
  );
}
