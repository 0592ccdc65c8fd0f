import { getTranslations } from 'next-intl/server';
import type { Said } from '#components/action-button.tsx';
import type { ActionProblem } from '#lib/action-state.ts';

/** A refusal or a fault as a sentence in the person's language. */
export async function saidOf(problem: ActionProblem): Promise<NonNullable<Said>> {
  const t = await getTranslations('refusals');
  switch (problem.kind) {
    case 'signed_out': return { ok: false, text: t('signed_out') };
    case 'refused': return { ok: false, text: t(problem.code, problem.params) };
    case 'failed': return { ok: false, text: t('failed', { errorId: problem.errorId }) };
    case 'fields': return { ok: false, text: t('not_found') };
  }
}
