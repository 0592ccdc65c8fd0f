'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

const SHOWN_MS = 1_500;

const COPY =
  'no-print inline-grid size-6 place-items-center rounded-control align-middle text-muted ' +
  'hover:bg-draft-ground hover:text-ink pointer-coarse:size-11';

/** A button that copies `text` and confirms it visually and to screen readers. */
export function CopyButton({
  text,
  label,
  done,
}: {
  text: string;
  label: string;
  done: string;
}): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      aria-label={copied ? done : label}
      title={label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      className={COPY}
    >
      {copied ? (
        <Check aria-hidden className="size-3.5" />
      ) : (
        <Copy aria-hidden className="size-3.5" />
      )}
      <span role="status" className="sr-only">
        {copied ? done : ''}
      </span>
    </button>
  );
}
