import { startTransition } from 'react';
import type { SubmitEvent } from 'react';

/**
 * The `onSubmit` of a form with a server action whose fields keep what was typed and chosen after a
 * response: React resets the fields of a form that it submits itself, also those that a component
 * controls, and the page would then show something else than what the next press sends.
 */
export function keepFields(submit: (form: FormData) => void) {
  return (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    startTransition(() => submit(form));
  };
}
