import { useTranslations } from 'next-intl';
import type { ActionProblem } from '#lib/login/action-state.ts';

/** A refusal or a fault as a sentence. Needs the namespace "refusals". */
export function useProblemWords(): (problem: ActionProblem) => string {
  const t = useTranslations('refusals');
  return (problem) => {
    switch (problem.kind) {
      case 'signed_out':
        return t('signed_out');
      case 'refused':
        return t(problem.code, problem.params);
      case 'failed':
        return t('failed', { errorId: problem.errorId });
      case 'fields':
        return t('not_found');
    }
  };
}
