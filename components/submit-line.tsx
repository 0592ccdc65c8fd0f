import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { Button } from '#components/ui/button.tsx';

/** The button that submits a form and cannot be pressed twice, with the error beside it. */
export function SubmitLine({
  label,
  message,
  pending,
}: {
  label: string;
  message: ActionMessage;
  pending: boolean;
}): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        type="submit"
        look="primary"
        aria-disabled={pending}
        onClick={(event) => {
          if (pending) event.preventDefault();
        }}
      >
        {label}
      </Button>
      <span role="status" className="text-label font-medium text-failed">
        {pending ? '' : message?.text}
      </span>
    </div>
  );
}
