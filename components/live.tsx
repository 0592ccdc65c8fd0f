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

/** Changes are announced to screen readers at most once in this time, in milliseconds. */
const SPOKEN_EVERY_MS = 10_000;

/**
 * Listens to changes while the tab is visible. Returns the stream's status. `since`: the database
 * snapshot of the drawing of what listens (`pageSnapshot`): changes after it are told, however late
 * the component begins to listen.
 */
export function useLive(
  onMessage: (message: LiveMessage) => void,
  since: string | null = null,
): LiveStatus {
  const receive = useEffectEvent(onMessage);
  const drawing = useEffectEvent(() => since);
  useEffect(() => listenLive((message) => receive(message), drawing()), []);
  return useSyncExternalStore(watchStatus, liveStatus, () => 'connecting');
}

/**
 * Shows the age of the page's data. `ageSeconds`: the age in seconds since it was read.
 * `pollSeconds`: the polling interval while there is no stream. Needs the messages of the namespace
 * "live".
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
 * Counts the changes of a list since the page was drawn and shows them on demand, so that no row
 * moves under the pointer. Changes by this session are shown at once. The space of the button is
 * reserved. `ids`: for a page about certain records, only their changes count. `atOnce`: for a page
 * about one record, which has no rows that could move; every change is shown at once. `onMerge`: how
 * the list loads new rows; without it the whole page is redrawn. `since`: as in `useLive`.
 */
export function LiveChangesSince({
  kinds,
  ids,
  atOnce = false,
  onMerge,
  since,
}: {
  kinds: readonly Exclude<LiveKind, 'sending'>[];
  ids?: readonly string[];
  atOnce?: boolean;
  onMerge?: () => Promise<void>;
  since: string | null;
}): ReactNode {
  const t = useTranslations('live');
  const router = useRouter();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [stale, setStale] = useState(false);
  const [mergeWaits, setMergeWaits] = useState(false);
  const [merging, startMerging] = useTransition();
  const status = useLive((message) => {
    if (message.kind === 'resumed' || message.kind === 'database') {
      const isStale = message.kind === 'resumed' || message.up;
      return atOnce && isStale ? setMergeWaits(true) : setStale(isStale);
    }
    if (message.kind === 'sending' || !kinds.includes(message.kind)) return;
    if (ids !== undefined && !ids.includes(message.id)) return;
    if (atOnce || message.own) setMergeWaits(true);
    else setChanged((before) => new Set(before).add(message.id));
  }, since);
  const words =
    changed.size > 0 ? t('changes', { count: changed.size }) : stale ? t('maybe') : null;
  const spoken = useSlowly(changed.size > 0 ? t('spoken', { count: changed.size }) : '');
  const merge = (): void => {
    setChanged(new Set());
    setStale(false);
    setMergeWaits(false);
    startMerging(onMerge ?? (() => router.refresh()));
  };
  // One refresh at a time shows these changes: when a session adds a hundred orders, each is
  // announced when its record has been read.
  const mergeNow = useEffectEvent(merge);
  useEffect(() => {
    if (mergeWaits && !merging) mergeNow();
  }, [mergeWaits, merging]);
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
