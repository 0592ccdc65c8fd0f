import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopiedText } from '#app/reports/copied-text.tsx';
import { Link } from '#components/ui/link.tsx';
import { FactPanel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { shownIban } from '#lib/values/iban.ts';
import type { WithdrawalView } from '#lib/reports/withdrawals/view.ts';

/** Every field of a request; an empty field has no row. */
export async function WithdrawalFacts({ view }: { view: WithdrawalView }): Promise<ReactNode> {
  const t = await getTranslations('withdrawals');
  const time = (at: string | null): ReactNode => at && <When at={at} seconds />;
  const copied = (text: string | null): ReactNode => text && <CopiedText text={text} />;
  const facts: [Parameters<typeof t>[0], ReactNode][] = [
    ['facts.name', view.name],
    [
      'facts.iban',
      view.iban && <span className="font-mono text-mono">{shownIban(view.iban)}</span>,
    ],
    ['facts.bank', view.bankName],
    [
      'facts.taxNumber',
      view.taxNumber && <span className="font-mono text-mono">{view.taxNumber}</span>,
    ],
    ['facts.toOwner', view.toOwner && t('facts.toOwnerYes')],
    ['facts.description', view.description],
    ['facts.reason', view.reason],
    ['facts.wallet', view.wallet && <span className="font-mono text-mono">{view.wallet}</span>],
    [
      'facts.account',
      [view.accountNumber, view.accountType].filter((one) => one !== null).join(' · ') || null,
    ],
    ['facts.createdAt', time(view.createdAt)],
    ['facts.updatedAt', time(view.updatedAt)],
    ['facts.extId', copied(view.extId)],
    ['facts.requestId', copied(view.requestId)],
    [
      'facts.lines',
      view.lines.length > 0 && (
        <ul>
          {view.lines.map((id) => (
            <li key={id}>
              <Link
                href={`/reports/transactions/${id}`}
                prefetch={false}
                className="font-mono text-mono break-all text-accent hover:underline"
              >
                {id}
              </Link>
            </li>
          ))}
        </ul>
      ),
    ],
    ['facts.readAt', time(view.readAt)],
  ];
  return (
    <FactPanel
      title={t('facts.title')}
      facts={facts.map(([name, value]) => [t(name), value] as const)}
    />
  );
}
