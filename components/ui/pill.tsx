import { __iconData as ban } from 'lucide-react/icons/ban';
import { __iconData as circleCheck } from 'lucide-react/icons/circle-check';
import { __iconData as circleX } from 'lucide-react/icons/circle-x';
import { __iconData as clock } from 'lucide-react/icons/clock';
import { __iconData as contrast } from 'lucide-react/icons/contrast';
import { __iconData as hand } from 'lucide-react/icons/hand';
import { __iconData as lock } from 'lucide-react/icons/lock';
import { __iconData as pencil } from 'lucide-react/icons/pencil';
import { __iconData as shield } from 'lucide-react/icons/shield';
import { __iconData as undo2 } from 'lucide-react/icons/undo-2';
import type { ReactNode } from 'react';
import { NobodyKnows } from './drawing.tsx';
import { drawn } from './icon.tsx';
import type { Icon } from './icon.tsx';

/** The tones of money. Each has its own icon shape, so that none depends on colour alone. */
export type Tone =
  | 'settled'
  | 'progress'
  | 'attention'
  | 'failed'
  | 'returned'
  | 'held'
  | 'unknown'
  | 'draft';

export const TONE_GROUND: Record<Tone, string> = {
  settled: 'bg-settled-ground text-settled',
  progress: 'bg-progress-ground text-progress',
  attention: 'bg-attention-ground text-attention',
  failed: 'bg-failed-ground text-failed',
  returned: 'bg-returned-ground text-returned',
  held: 'bg-held-ground text-held',
  unknown: 'bg-unknown-ground text-unknown',
  draft: 'bg-draft-ground text-draft',
};

export const TONE_ICON: Record<Tone, Icon> = {
  settled: drawn(circleCheck),
  progress: drawn(contrast),
  attention: drawn(clock),
  failed: drawn(circleX),
  returned: drawn(undo2),
  held: drawn(lock),
  unknown: NobodyKnows,
  draft: drawn(pencil),
};

export const ICON_HAND = drawn(hand);
/** An owner's release without the approvals that were missing. */
export const ICON_RELEASED = drawn(shield);
export const ICON_STOPPED = drawn(ban);

export function Pill({
  tone,
  icon,
  children,
}: {
  tone: Tone;
  icon?: Icon;
  children: ReactNode;
}): ReactNode {
  const Icon = icon ?? TONE_ICON[tone];
  return (
    <span
      className={`pill ${TONE_GROUND[tone]} ${tone === 'unknown' ? 'border-dashed border-unknown' : ''}`}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {children}
    </span>
  );
}
