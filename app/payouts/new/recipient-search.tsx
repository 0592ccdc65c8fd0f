'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Field, TextInput } from '#components/ui/field.tsx';
import { maskIban } from '#lib/values/iban.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { KnownRecipient } from '#lib/recipients/known.ts';
import { findRecipients } from './actions.ts';
import { useFormWords } from '#app/movements/form/form-words.ts';

const TYPING_PAUSE_MS = 200;

const LIST =
  'absolute inset-x-0 top-16 z-20 grid max-h-80 overflow-auto rounded-panel border ' +
  'border-hairline bg-surface p-1 shadow-float [&[hidden]]:hidden';

const OPTION =
  'grid cursor-pointer grid-cols-[minmax(0,1fr)_auto] gap-x-3 rounded-control px-2 py-1.5 ' +
  'hover:bg-draft-ground';

/**
 * Saved recipients, by name or IBAN. Choosing one fills the fields below; leaving the field chooses
 * none.
 */
export function RecipientSearch({
  known,
  onChoose,
}: {
  known: KnownRecipient[];
  onChoose: (recipient: KnownRecipient) => void;
}): ReactNode {
  const t = useTranslations('newPayout.recipient');
  const id = useId();
  const [text, setText] = useState('');
  const { found, isCurrent } = useFoundRecipients(known, text);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const choose = (recipient: KnownRecipient): void => {
    setOpen(false);
    setText('');
    setAt(-1);
    onChoose(recipient);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      // The rows are those of an earlier text until the answer has come.
      if (!isCurrent) return;
      setAt((before) =>
        Math.max(0, Math.min(found.length - 1, before + (event.key === 'ArrowDown' ? 1 : -1))),
      );
    } else if (event.key === 'Enter' && open) {
      // Enter in an open list chooses; it must not continue the form.
      event.preventDefault();
      const chosen = isCurrent ? found[at] : undefined;
      if (chosen) choose(chosen);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      setOpen(false);
    }
  };
  return (
    <div
      className="relative"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <RecipientInput
        id={id}
        text={text}
        open={open}
        at={at}
        onType={(typed) => {
          setText(typed);
          setAt(-1);
          setOpen(true);
        }}
        onOpen={() => setOpen(true)}
        onPress={press}
      />
      <RecipientList {...{ id, found, isCurrent, at, open }} onChoose={choose} />
      <p role="status" className="sr-only">
        {open && isCurrent ? t('found', { count: found.length }) : ''}
      </p>
    </div>
  );
}

/**
 * The known recipients while no text is typed, then what is found for it. `isCurrent`: they are found
 * for this text, and not for an earlier one.
 */
function useFoundRecipients(
  known: KnownRecipient[],
  text: string,
): { found: KnownRecipient[]; isCurrent: boolean } {
  const [{ found, of }, setFound] = useState({ found: known, of: '' });
  const turn = useRef(0);
  useEffect(() => {
    const mine = ++turn.current;
    if (text.trim() === '') return setFound({ found: known, of: '' });
    const timer = setTimeout(() => {
      void findRecipients(text)
        .then((reply) => (reply.kind === 'found' ? reply.recipients : namedLike(known, text)))
        // Without an answer those that the form knows are searched.
        .catch(() => namedLike(known, text))
        .then((answer) => {
          if (mine === turn.current) setFound({ found: answer, of: text.trim() });
        });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, known]);
  return { found, isCurrent: of === text.trim() };
}

function namedLike(known: KnownRecipient[], text: string): KnownRecipient[] {
  const folded = foldForSearch(text);
  return known.filter(({ name }) => foldForSearch(name).includes(folded));
}

function RecipientInput({
  id,
  text,
  open,
  at,
  onType,
  onOpen,
  onPress,
}: {
  id: string;
  text: string;
  open: boolean;
  at: number;
  onType: (typed: string) => void;
  onOpen: () => void;
  onPress: (event: KeyboardEvent) => void;
}): ReactNode {
  const t = useTranslations('newPayout.recipient');
  return (
    <Field id={`${id}-input`} label={t('search')}>
      <TextInput
        id={`${id}-input`}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onClick={onOpen}
        onKeyDown={onPress}
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}

function RecipientList({
  id,
  found,
  isCurrent,
  at,
  open,
  onChoose,
}: {
  id: string;
  found: readonly KnownRecipient[];
  isCurrent: boolean;
  at: number;
  open: boolean;
  onChoose: (recipient: KnownRecipient) => void;
}): ReactNode {
  const t = useTranslations('newPayout.recipient');
  const { money, day } = useFormWords();
  return (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label={t('search')}
      aria-busy={!isCurrent}
      hidden={!open}
      className={LIST}
    >
      {found.map((recipient, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field takes the keys
        <li
          key={recipient.payeeId}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(recipient)}
          className={`${OPTION} ${index === at ? 'bg-draft-ground' : ''}`}
        >
          <span className="truncate font-medium">{recipient.name}</span>
          <span className="text-label leading-5 text-muted tabular-nums">
            {recipient.last === null
              ? t('notPaidYet')
              : t('last', {
                  amount: money(recipient.last.amount, recipient.last.currency),
                  at: day(recipient.last.at),
                })}
          </span>
          <span className="col-span-2 truncate text-label text-muted">
            <span className="font-mono">{maskIban(recipient.iban)}</span>
            {recipient.bankName === null ? '' : ` · ${recipient.bankName}`}
          </span>
        </li>
      ))}
      {found.length === 0 && (
        <li role="presentation" className="px-2 py-1.5 text-muted">
          {t('found', { count: 0 })}
        </li>
      )}
    </ul>
  );
}
