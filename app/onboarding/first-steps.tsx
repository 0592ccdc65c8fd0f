import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { HOME_ROW } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { OpenStep } from '#lib/onboarding/steps.ts';
import type { Onboarding } from '#lib/onboarding/view.ts';
import { dismissFirstSteps } from './actions.ts';

const FOOT =
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-hairline px-4 py-2.5';

/** What a merchant has still to do at the start. A finished step leaves the list. */
export async function FirstSteps({
  onboarding,
}: {
  onboarding: Onboarding | null;
}): Promise<ReactNode> {
  const t = await getTranslations('onboarding');
  return (
    <MessageArea className="">
      {onboarding !== null && (
        <Panel
          title={t('title')}
          aside={
            <span className="text-label text-muted tabular-nums">
              {t('progress', { done: onboarding.done, all: onboarding.all })}
            </span>
          }
        >
          <ol aria-label={t('title')}>
            {onboarding.open.map((open) => (
              <StepLine key={open.step} open={open} />
            ))}
          </ol>
          {onboarding.mayDismiss && (
            <div className={FOOT}>
              <p className="text-label text-muted">{t('dismissText')}</p>
              <ActionButton action={dismissFirstSteps} fields={{}} look="ghost">
                {t('dismiss')}
              </ActionButton>
            </div>
          )}
        </Panel>
      )}
    </MessageArea>
  );
}

async function StepLine({ open: { step, href, missing } }: { open: OpenStep }): Promise<ReactNode> {
  const t = await getTranslations('onboarding');
  const title = t(`steps.${step}.title`);
  const text =
    missing.length === 1 ? t(`steps.webhooks.only.${missing[0]!}`) : t(`steps.${step}.text`);
  return (
    <li className={HOME_ROW}>
      <div className="grid min-w-0 gap-0.5">
        {href === null ? (
          <span className="font-medium">{title}</span>
        ) : (
          <Link
            href={href}
            prefetch={false}
            data-row-link
            className="font-medium text-accent hover:underline"
          >
            {title}
          </Link>
        )}
        <p className="max-w-prose text-label text-muted">{text}</p>
      </div>
    </li>
  );
}
