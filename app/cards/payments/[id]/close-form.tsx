'use client';

import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import type { Said } from '#components/action-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';

/** Why a person says that an unclear operation was not carried out. What was typed stays when it is refused. */
export function CloseForm({ action, id, words }: { action: (before: Said, form: FormData) => Promise<Said>; id: string; words: Record<'summary' | 'text' | 'label' | 'hint' | 'button', string> }): ReactNode {
  const field = useId();
  const [said, submit, pending] = useActionState(async (_before: (Said & { typed?: string }) | null, form: FormData) => {
    const answer = await action(null, form);
    return answer && { ...answer, typed: String(form.get('reason') ?? '') };
  }, null);
  return (
    <details className="no-print">
      <summary className="font-medium">{words.summary}</summary>
      <form action={submit} className="grid max-w-xl gap-3 pt-2">
        <p className="text-muted">{words.text}</p>
        <input type="hidden" name="id" value={id} />
        <Field id={field} label={words.label} hint={words.hint}>
          <TextInput id={field} name="reason" required maxLength={300} defaultValue={said?.typed ?? ''} aria-describedby={describedBy(field, { hint: true })} />
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="danger" aria-disabled={pending} onClick={(event) => { if (pending) event.preventDefault(); }}>{words.button}</Button>
          <span role="status" className={`text-label font-medium ${said?.ok === false ? 'text-failed' : 'text-muted'}`}>{pending ? '' : said?.text}</span>
        </div>
      </form>
    </details>
  );
}
