import { useTranslations } from 'next-intl';
import type { OperateAnswer } from '#app/cards/operations/actions.ts';
import { useProblemWords } from '#app/cards/operations/problem-words.ts';

export type Result = OperateAnswer | { kind: 'waiting' | 'asking' | 'unclear' };

/**
 * The result of one capture of a bulk as a sentence. After a fault the capture may have begun; the
 * dialog offers to ask again by the same id, so no sentence asks to look first.
 */
export function useResultWords(): (result: Result) => string {
  const t = useTranslations('cardDialogs');
  const problem = useProblemWords();
  return (result) => {
    switch (result.kind) {
      case 'waiting':
      case 'asking':
      case 'started':
      case 'unclear':
        return t(`bulk.${result.kind}`);
      case 'failed':
        return t('bulk.failed', { errorId: result.errorId });
      case 'stopped':
        return t(`stops.${result.why}`);
      default:
        return problem(result);
    }
  };
}
