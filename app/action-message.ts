import { getTranslations } from 'next-intl/server';
import type { ActionMessage } from '#components/action-button.tsx';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { isWrittenAnswer, WRITTEN_ANSWER } from '#lib/second-person/written-answer.ts';
import { STOP_REASON_MAX as max, STOP_REASON_MIN as min } from '#lib/form-fields/stop-reason.ts';

/** Refusals after which the code that was sent is still valid. */
const RETYPED: readonly string[] = ['step_up_code_wrong', 'step_up_unavailable'];

/** A refusal or a fault as a sentence in the person's language. */
export async function messageOf(problem: ActionProblem): Promise<NonNullable<ActionMessage>> {
  const t = await getTranslations('refusals');
  switch (problem.kind) {
    case 'signed_out':
      return { ok: false, text: t('signed_out') };
    case 'refused':
      return {
        ok: false,
        text: t(problem.code, problem.params),
        ...(RETYPED.includes(problem.code) && { retype: true }),
      };
    case 'failed':
      return { ok: false, text: t('failed', { errorId: problem.errorId }) };
    case 'fields':
      return { ok: false, text: t('not_found') };
  }
}

/**
 * The missing fields of a two-person statement, by field; null when it is complete. The verb checks
 * the same again.
 */
export async function missingOfWord(form: FormData): Promise<ActionMessage> {
  const t = await getTranslations('secondPerson.missing');
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const problems = {
    ...(text('reason').length < min && { reason: t('reason', { min, max }) }),
    ...(form.has('reference') &&
      !isWrittenAnswer(text('reference')) && { reference: t('reference', WRITTEN_ANSWER) }),
  };
  return Object.keys(problems).length === 0 ? null : { ok: false, text: t('title'), problems };
}
