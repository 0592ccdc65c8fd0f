'use client';

import { Pause, RefreshCw, Unplug } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from 'react';
import type { ReactNode } from 'react';
import { listenLive, liveStatus, watchStatus } from '#components/live-stream.ts';
import type { LiveMessage, LiveStatus } from '#components/live-stream.ts';
import type { LiveKind } from '#lib/live/kinds.ts';

/** Changes are announced to screen readers at most this often. */
const SPOKEN_EVERY_MS = 10_000;

/** Listens to changes while the tab is visible. Returns the stream's status. */
export function useLive(onMessage: (message: LiveMessage) => void): LiveStatus {
  const hear = useEffectEvent(onMessage);
  useEffect(() => listenLive((message) => hear(message)), []);
  return useSyncExternalStore(watchStatus, liveStatus, () => 'connecting');
}

/**
 * Age of the page's data. `ageSeconds`: since it was read. `pollSeconds`: the polling interval
 * while there is no stream. Needs the messages of the namespace "live".
 */
export function LiveChip({
  status,
  ageSeconds = null,
  pollSeconds = null,
}: {
  status: LiveStatus;
  ageSeconds?: number | null;
  pollSeconds?: number | null;
}): ReactNode {
  const t = useTranslations('live');
  const look =
    'no-print inline-flex min-h-6 items-center gap-1.5 rounded-full px-2 text-label font-medium ' +
    'whitespace-nowrap tabular-nums';
  if (status === 'on') {
    return (
      <span className={`${look} text-settled`}>
        <span aria-hidden className="size-2 rounded-full bg-settled" />
        {t('on')}
        {ageSeconds !== null && (
          <span aria-hidden className="text-muted">
            {t('age', { seconds: ageSeconds })}
          </span>
        )}
      </span>
    );
  }
  const Icon = status === 'paused' ? Pause : status === 'ended' ? Unplug : RefreshCw;
  const words =
    status === 'lost' && pollSeconds !== null ? t('polling', { seconds: pollSeconds }) : t(status);
  return (
    <span className={`${look} text-muted`}>
      <Icon aria-hidden className="size-3.5" />
      {words}
    </span>
  );
}

const MERGE_BUTTON =
  'inline-flex min-h-7 items-center gap-1.5 rounded-full bg-progress-ground px-3 text-label ' +
  'font-medium text-progress hover:brightness-95 pointer-coarse:min-h-11';

/**
 * For lists: counts the changes since the page was drawn and merges them on demand, so that no row
 * moves under the pointer. What this session's own person has changed is merged at once. Its space
 * is reserved while it is empty. `ids`: for a page about certain things, whose changes alone count.
 * `onMerge`: how the list loads new rows; without it the whole page is redrawn.
 */
export function LiveChanges({
  kinds,
  ids,
  onMerge,
}: {
  kinds: readonly Exclude<LiveKind, 'sending'>[];
  ids?: readonly string[];
  onMerge?: () => Promise<void>;
}): ReactNode {
  const t = useTranslations('live');
  const router = useRouter();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [stale, setStale] = useState(false);
  const [ownWaits, setOwnWaits] = useState(false);
  const [merging, startMerging] = useTransition();
  const status = useLive((message) => {
    if (message.kind === 'resumed' || message.kind === 'database')
      return setStale(message.kind === 'resumed' || message.up);
    if (message.kind === 'sending' || !kinds.includes(message.kind)) return;
    if (ids !== undefined && !ids.includes(message.id)) return;
    if (message.own) setOwnWaits(true);
    else setChanged((before) => new Set(before).add(message.id));
  });
  const words =
    changed.size > 0 ? t('changes', { count: changed.size }) : stale ? t('maybe') : null;
  const spoken = useSlowly(changed.size > 0 ? t('spoken', { count: changed.size }) : '');
  const merge = (): void => {
    setChanged(new Set());
    setStale(false);
    setOwnWaits(false);
    startMerging(onMerge ?? (() => router.refresh()));
  };
  // One at a time: of a hundred added orders each is announced when its record has been read.
  const mergeOwn = useEffectEvent(merge);
  useEffect(() => {
    if (ownWaits && !merging) mergeOwn();
  }, [ownWaits, merging]);
  return (
    <span className="flex min-h-7 items-center pointer-coarse:min-h-11">
      {words === null ? (
        <LiveChip status={status} />
      ) : (
        <button type="button" onClick={merge} className={MERGE_BUTTON}>
          <RefreshCw aria-hidden className={`size-3.5 ${merging ? 'animate-spin' : ''}`} />
          {words}
        </button>
      )}
      <span role="status" className="sr-only">
        {spoken}
      </span>
    </span>
  );
}

function useSlowly(text: string): string {
  const [spoken, setSpoken] = useState('');
  const spokenAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, spokenAt.current + SPOKEN_EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      spokenAt.current = performance.now();
      setSpoken(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);
  return spoken;
}
