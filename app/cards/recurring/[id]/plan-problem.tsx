import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ReasonForm } from '#components/reason-form.tsx';
import { SeenBy } from '#app/cards/seen-by.tsx';
import { Banner } from '#components/ui/banner.tsx';
import type { PlanView } from '#lib/cards/recurring/view.ts';
import { seeUnknownCode } from '../actions.ts';

/** What is wrong with the plan, and who has looked into an unknown code or the form to say so. */
export async function PlanProblem({
  plan: { id, problem, problemSeen },
  maySee,
}: {
  plan: Pick<PlanView, 'id' | 'problem' | 'problemSeen'>;
  maySee: boolean;
}): Promise<ReactNode> {
  if (problem === null) return null;
  const t = await getTranslations('recurring');
  return (
    <>
      <Banner tone="attention">{t(`problems.${problem}`)}</Banner>
      {problemSeen !== null && <SeenBy seen={problemSeen} />}
      {problem === 'not_found' && problemSeen === null && maySee && (
        <ReasonForm
          action={seeUnknownCode}
          fields={{ plan: id }}
          label={t('seen.label')}
          hint={t('seen.hint')}
          button={t('seen.button')}
        />
      )}
    </>
  );
}
