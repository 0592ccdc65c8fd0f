'use client';

import { startTransition } from 'react';
import type { ReactNode } from 'react';
import { orUnanswered } from '#components/unanswered.ts';
import { Link } from '#components/ui/link.tsx';
import { readNotification } from './actions.ts';

/**
 * Opens the thing of a notification and marks it as read, in a new tab too. The link does not wait
 * for the mark, and leads there without it.
 */
export function ThingLink({
  id,
  href,
  isRead,
  children,
}: {
  id: string;
  href: string;
  isRead: boolean;
  children: ReactNode;
}): ReactNode {
  const mark = (): void => {
    if (isRead) return;
    const form = new FormData();
    form.set('id', id);
    startTransition(async () => void (await orUnanswered(readNotification(null, form), 'again')));
  };
  return (
    <Link
      href={href}
      onClick={mark}
      onAuxClick={mark}
      data-row-link
      className={`text-accent hover:underline ${isRead ? '' : 'font-semibold'}`}
    >
      {children}
    </Link>
  );
}
