'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { areKeysOn, isTyping } from '#components/single-keys.ts';
import { Link } from '#components/ui/link.tsx';

type Props = {
  newer: string | null;
  older: string | null;
  words: { newer: string; older: string };
};

/**
 * The neighbouring receipts in the list, by link or by J (older) and K (newer) when single keys are
 * on.
 */
export function Neighbours({ newer, older, words }: Props): ReactNode {
  const router = useRouter();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        isTyping(event.target) ||
        !areKeysOn()
      )
        return;
      const key = event.key.toLowerCase();
      const to = key === 'j' ? older : key === 'k' ? newer : null;
      if (to) router.push(to);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [newer, older, router]);
  return (
    <span className="flex gap-1">
      <Step href={newer} words={`${words.newer} (K)`}>
        <ChevronUp aria-hidden className="size-4" />
      </Step>
      <Step href={older} words={`${words.older} (J)`}>
        <ChevronDown aria-hidden className="size-4" />
      </Step>
    </span>
  );
}

function Step({
  href,
  words,
  children,
}: {
  href: string | null;
  words: string;
  children: ReactNode;
}): ReactNode {
  const look =
    'inline-grid size-9 place-items-center rounded-control border border-hairline pointer-coarse:size-11';
  if (href === null)
    return (
      <span aria-hidden className={`${look} text-subtle`}>
        {children}
      </span>
    );
  return (
    <Link href={href} aria-label={words} title={words} className={`${look} hover:border-control`}>
      {children}
    </Link>
  );
}
