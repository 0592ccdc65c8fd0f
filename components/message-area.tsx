'use client';

import { createContext, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';

/**
 * The function to which a form or dialog inside a `MessageArea` reports its result; null where the
 * form shows the result itself.
 */
export const MessageContext = createContext<((message: ActionMessage) => void) | null>(null);

/**
 * Shows the results of elements that disappear when their action succeeds, such as a list row: the
 * result is shown above them and stays.
 */
export function MessageArea({
  className = 'px-4 py-2.5',
  children,
}: {
  className?: string;
  children: ReactNode;
}): ReactNode {
  const [message, setMessage] = useState<ActionMessage>(null);
  const tone = message?.ok === false ? 'text-failed' : 'text-muted';
  return (
    <MessageContext value={setMessage}>
      <p role="status" className={`${className} text-label font-medium empty:hidden ${tone}`}>
        {message?.text}
      </p>
      {children}
    </MessageContext>
  );
}
