'use client';

import { Pause, RefreshCw, Unplug } from 'lucide-react';
import { useRouter } from 'next/navigation';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from 'react';
import type { ReactNode } from 'react';
import { counted } from '#components/counted.ts';
import type { Counted } from '#components/counted.ts';
import { listenLive, liveStatus, watchStatus } from '#components/live-stream.ts';
import type { LiveMessage, LiveStatus } from '#components/live-stream.ts';
import { noteUse } from '#components/note-use.ts';
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

/** The texts of `LiveChip`: what it says in each state of the stream. */
export type ChipWords = Readonly<Record<LiveStatus, string>>;
/** The texts of `LiveChangesSince`. */
export type LiveWords = ChipWords & Readonly<{ maybe: string; changes: Counted; spoken: Counted }>;

/** Shows whether the page follows changes. `age`: how long ago its data was read, as a text. */
export function LiveChip({
  status,
  words,
  age = null,
}: {
  status: LiveStatus;
  words: ChipWords;
  age?: string | null;
}): ReactNode {
  const look =
    'no-print inline-flex min-h-6 items-center gap-1.5 rounded-full px-2 text-label font-medium ' +
    'whitespace-nowrap tabular-nums';
  if (status === 'on') {
    return (
      <span className={`${look} text-settled`}>
        <span aria-hidden className="size-2 rounded-full bg-settled" />
        {words.on}
        {age !== null && (
          <span aria-hidden className="text-muted">
            {age}
          </span>
        )}
      </span>
    );
  }
  const Icon = status === 'paused' ? Pause : status === 'ended' ? Unplug : RefreshCw;
  return (
    <span className={`${look} text-muted`}>
      <Icon aria-hidden className="size-3.5" />
      {words[status]}
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
  words,
}: {
  kinds: readonly LiveKind[];
  ids?: readonly string[];
  atOnce?: boolean;
  onMerge?: () => Promise<void>;
  since: string | null;
  words: LiveWords;
}): ReactNode {
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
    if (!kinds.includes(message.kind)) return;
    if (ids !== undefined && !ids.includes(message.id)) return;
    if (atOnce || message.own) setMergeWaits(true);
    else setChanged((before) => new Set(before).add(message.id));
  }, since);
  const text = changed.size > 0 ? counted(words.changes, changed.size) : stale ? words.maybe : null;
  const spoken = useSlowly(changed.size > 0 ? counted(words.spoken, changed.size) : '');
  const merge = (): void => {
    setChanged(new Set());
    setStale(false);
    setMergeWaits(false);
    startMerging(onMerge ?? (() => router.refresh()));
  };
  const press = (): void => {
    noteUse();
    merge();
  };
  // One refresh at a time shows these changes: when a session adds a hundred orders, each is
  // announced when its record has been read.
  const mergeNow = useEffectEvent(merge);
  useEffect(() => {
    if (mergeWaits && !merging) mergeNow();
  }, [mergeWaits, merging]);
  return (
    <span className="flex min-h-7 items-center pointer-coarse:min-h-11">
      {text === null ? (
        <LiveChip status={status} words={words} />
      ) : (
        <button type="button" onClick={press} className={MERGE_BUTTON}>
          <RefreshCw aria-hidden className={`size-3.5 ${merging ? 'animate-spin' : ''}`} />
          {text}
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
