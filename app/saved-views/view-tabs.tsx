'use client';

import { useSearchParams } from 'next/navigation';
import { useActionState, useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { orUnanswered } from '#components/unanswered.ts';
import { Button, SubmitButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Checkbox, Field, TextInput } from '#components/ui/field.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { NAME_MAX, periodsOf, viewKey } from '#lib/saved-views/address.ts';
import type { PeriodName } from '#lib/saved-views/address.ts';
import { dropView, keepView } from './actions.ts';

type View = { id: string; name: string; search: string };
/**
 * `removeOne` and `undoOne` have `{name}` in place of the view's name, `moving` has `{period}` in
 * place of the period's. `periods`: each named period with its text.
 */
export type ViewWords = Readonly<
  Record<
    | 'label'
    | 'save'
    | 'rename'
    | 'remove'
    | 'removeOne'
    | 'undo'
    | 'undoOne'
    | 'name'
    | 'moving'
    | 'which'
    | 'fixed'
    | 'close',
    string
  > & { periods: { period: PeriodName; text: string }[] }
>;
type Props = {
  list: string;
  path: string;
  now: string;
  zone: string;
  views: View[];
  words: ViewWords;
};

/**
 * The address says which view is open, so that any link to that address opens the view. Of several
 * with the same address (today and this week, on a Monday) the one that was pressed is open.
 */
export function ViewTabs({ list, path, now, zone, views, words }: Props): ReactNode {
  const search = useSearchParams().toString();
  const key = viewKey(search);
  const open = views.filter((view) => view.search === key);
  const [pressed, setPressed] = useState<string | null>(null);
  const current = open.find(({ id }) => id === pressed) ?? open[0];
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null);
  const { gone, dropped, drop, dropping } = useDrop(views);
  const fitting = periodsOf(search, now, zone);
  return (
    <div className="no-print flex flex-wrap items-center gap-x-3 gap-y-2">
      {views.length > 0 && (
        <Tabs label={words.label}>
          {views.map((view) => (
            <Tab
              key={view.id}
              href={`${path}?${view.search}`}
              current={view === current}
              onPress={() => setPressed(view.id)}
            >
              {view.name}
            </Tab>
          ))}
        </Tabs>
      )}
      {current === undefined ? (
        <Button
          look="ghost"
          // On a phone the rows begin higher while there is nothing to save.
          className={`${views.length === 0 ? '-ml-3.5' : ''} ${key === '' ? 'max-sm:hidden' : ''}`}
          onClick={() => setNaming('new')}
        >
          {words.save}
        </Button>
      ) : (
        <ChangeForm
          view={current}
          words={words}
          drop={drop}
          dropping={dropping}
          onRename={() => setNaming('rename')}
        />
      )}
      <UndoForm words={words} gone={gone} dropped={dropped} drop={drop} dropping={dropping} />
      <Dialog
        open={naming !== null}
        onClose={() => setNaming(null)}
        title={words[naming === 'rename' ? 'rename' : 'save']}
        closeLabel={words.close}
      >
        <NameForm
          words={words}
          view={naming === 'rename' ? current : undefined}
          fields={{ list, address: search }}
          periods={words.periods.filter(({ period }) => fitting.includes(period))}
          done={() => setNaming(null)}
        />
      </Dialog>
    </div>
  );
}

/** Deletes and restores views. `gone`: the one that can be restored. */
function useDrop(views: readonly View[]): {
  gone: View | null;
  dropped: ActionMessage;
  drop: (form: FormData) => void;
  dropping: boolean;
} {
  const [gone, setGone] = useState<View | null>(null);
  const [dropped, drop, dropping] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const message = await orUnanswered(dropView(before, form), 'again');
      if (message?.ok)
        setGone(
          form.get('undo') === 'yes'
            ? null
            : (views.find(({ id }) => id === form.get('id')) ?? null),
        );
      return message;
    },
    null,
  );
  return { gone, dropped, drop, dropping };
}

function ChangeForm({
  words,
  view,
  drop,
  dropping,
  onRename,
}: {
  words: ViewWords;
  view: View;
  drop: (form: FormData) => void;
  dropping: boolean;
  onRename: () => void;
}): ReactNode {
  return (
    <form action={drop} className="flex flex-wrap items-center">
      <input type="hidden" name="id" value={view.id} />
      <Button look="ghost" onClick={onRename}>
        {words.rename}
      </Button>
      <SubmitButton
        look="ghost"
        pending={dropping}
        aria-label={words.removeOne.replace('{name}', () => view.name)}
      >
        {words.remove}
      </SubmitButton>
    </form>
  );
}

/** The message about a deleted view, and the button that restores the view. */
function UndoForm({
  words,
  gone,
  dropped,
  drop,
  dropping,
}: {
  words: ViewWords;
  gone: View | null;
  dropped: ActionMessage;
  drop: (form: FormData) => void;
  dropping: boolean;
}): ReactNode {
  return (
    <form action={drop} className="flex items-center gap-2">
      <span
        role="status"
        className={`text-label font-medium ${dropped?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {dropping ? '' : dropped?.text}
      </span>
      {gone !== null && (
        <>
          <input type="hidden" name="id" value={gone.id} />
          <input type="hidden" name="undo" value="yes" />
          <SubmitButton
            look="ghost"
            pending={dropping}
            aria-label={words.undoOne.replace('{name}', () => gone.name)}
          >
            {words.undo}
          </SubmitButton>
        </>
      )}
    </form>
  );
}

function NameForm({
  words,
  view,
  fields,
  periods,
  done,
}: {
  words: ViewWords;
  view: View | undefined;
  fields: Record<string, string>;
  periods: ViewWords['periods'];
  done: () => void;
}): ReactNode {
  const id = useId();
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(keepView(before, form), 'again');
      if (answer?.ok) done();
      return answer;
    },
    null,
  );
  return (
    <form action={submit} onSubmit={keepFields(submit)} className="grid gap-4">
      {Object.entries(view === undefined ? fields : { id: view.id }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field id={id} label={words.name}>
        <TextInput
          id={id}
          name="name"
          required
          maxLength={NAME_MAX}
          autoComplete="off"
          defaultValue={view?.name ?? ''}
        />
      </Field>
      {view === undefined && <PeriodFields id={id} periods={periods} words={words} />}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="primary" pending={pending}>
          {words[view === undefined ? 'save' : 'rename']}
        </SubmitButton>
        <span role="status" className="text-label font-medium text-failed">
          {message?.ok === false ? message.text : ''}
        </span>
      </div>
    </form>
  );
}

/**
 * Whether the view stores its days or a named period that moves along. Where several periods match
 * the days, a person chooses; none is chosen before.
 */
function PeriodFields({
  id,
  periods,
  words,
}: {
  id: string;
  periods: ViewWords['periods'];
  words: ViewWords;
}): ReactNode {
  const [only, ...others] = periods;
  if (only === undefined) return null;
  if (others.length === 0)
    return (
      <Checkbox
        id={`${id}-period`}
        name="period"
        value={only.period}
        defaultChecked
        label={words.moving.replace('{period}', () => only.text)}
      />
    );
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-label font-medium text-muted">{words.which}</legend>
      {[...periods, { period: '', text: words.fixed }].map(({ period, text }) => (
        <label key={period} className="flex min-h-6 items-start gap-2.5 text-body">
          <input
            type="radio"
            name="period"
            value={period}
            required
            className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
