import { Ban, CircleCheck, CircleX, Clock, Contrast, Hand, Lock, Pencil, Undo2 } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';

/** The tones of money. Each has its own shape, so that none is told by colour alone. */
export type Tone = 'settled' | 'progress' | 'attention' | 'failed' | 'returned' | 'held' | 'unknown' | 'draft';

export const TONE_TEXT: Record<Tone, string> = {
  settled: 'text-settled', progress: 'text-progress', attention: 'text-attention', failed: 'text-failed',
  returned: 'text-returned', held: 'text-held', unknown: 'text-unknown', draft: 'text-draft',
};

export const TONE_GROUND: Record<Tone, string> = {
  settled: 'bg-settled-ground text-settled', progress: 'bg-progress-ground text-progress', attention: 'bg-attention-ground text-attention',
  failed: 'bg-failed-ground text-failed', returned: 'bg-returned-ground text-returned', held: 'bg-held-ground text-held',
  unknown: 'bg-unknown-ground text-unknown', draft: 'bg-draft-ground text-draft',
};

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;

export const TONE_ICON: Record<Tone, Icon> = {
  settled: CircleCheck, progress: Contrast, attention: Clock, failed: CircleX, returned: Undo2, held: Lock, unknown: NobodyKnows, draft: Pencil,
};

export const ICON_HAND = Hand;
export const ICON_STOPPED = Ban;

export function Pill({ tone, icon, children }: { tone: Tone; icon?: Icon; children: ReactNode }): ReactNode {
  const Icon = icon ?? TONE_ICON[tone];
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-full border px-2 py-0.5 text-label font-medium whitespace-nowrap ${TONE_GROUND[tone]} ${tone === 'unknown' ? 'border-dashed border-unknown' : 'border-transparent'}`}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {children}
    </span>
  );
}

/** A question in a dashed circle: the one state that is neither done nor failed. */
function NobodyKnows({ className = '' }: { className?: string }): ReactNode {
  return (
    <svg aria-hidden viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round" className={className}>
      <circle cx="12" cy="12" r="10" strokeDasharray="3.1 3.18" />
      <path d="M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01" />
    </svg>
  );
}
