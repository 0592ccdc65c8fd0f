import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { seeProblem } from '#app/cards/payments/actions.ts';
import { ReasonForm } from '#components/reason-form.tsx';
import { SeenBy } from '#app/cards/seen-by.tsx';
import { Banner } from '#components/ui/banner.tsx';
import type { CardPaymentView } from '#lib/cards/payments/view.ts';

type Shown = Pick<CardPaymentView, 'id' | 'problem' | 'problemSeen' | 'needsAttention'>;

/**
 * What is wrong with the payment, and who has looked into it or the form to say so. `isAwaited`: the
 * step of the checkout, above, says already that the gateway has no such order.
 */
export async function Problem({
  payment: { id, problem, problemSeen, needsAttention },
  isAwaited,
  maySee,
}: {
  payment: Shown;
  isAwaited: boolean;
  maySee: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('payout.seen');
  return (
    <>
      {problem !== null && !(isAwaited && problem === 'not_found') && (
        <Banner tone="attention">{(await getTranslations('cards.problems'))(problem)}</Banner>
      )}
      {problemSeen !== null && <SeenBy seen={problemSeen} />}
      {needsAttention && maySee && (
        <ReasonForm
          action={seeProblem}
          fields={{ id, problem: problem ?? '' }}
          label={t('label')}
          hint={t('hint')}
          button={t('button')}
        />
      )}
    </>
  );
}
