'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import { useLive } from '#components/live.tsx';
import type { LiveMessage, LiveStatus } from '#components/live-stream.ts';
import { decisionKey } from '#lib/movement-views/decided.ts';
import { isSettled } from '#lib/movement-views/timeline.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { MovementNotRead, readMovementAgain } from './read-movement.ts';
import type { ReadProblem } from './read-movement.ts';

/** Polling delays while there is no stream; the last one repeats. */
const POLL_SECONDS = [2, 4, 8, 15, 30, 60];
/**
 * A stream may be dead without an error: when a scheduled check is this late, the page reads once
 * by itself.
 */
const OVERDUE_MS = 10_000;

export type FollowedMovement = {
  view: MovementView;
  status: LiveStatus;
  pollSeconds: number | null;
  problem: ReadProblem | null;
  databaseDown: boolean;
  refetch: () => void;
};

/**
 * The payout's present state: read on the server first, then again whenever a change is announced.
 */
export function useMovement(first: MovementView): FollowedMovement {
  const [databaseDown, setDatabaseDown] = useState(false);
  const query = useQuery({
    queryKey: ['payout', first.id],
    queryFn: ({ signal }) => readMovementAgain(first.id, signal),
    initialData: first,
    staleTime: Infinity,
    retry: false,
    networkMode: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const view = query.data;
  const refetch = (): void => void query.refetch({ cancelRefetch: true });
  const redraw = useRedraw(first, view);
  const status = useLive((message) => {
    if (message.kind === 'database') {
      setDatabaseDown(!message.up);
      if (message.up) refetch();
    } else if (
      message.kind === 'resumed' ||
      message.kind === 'sending' ||
      (message.kind === 'movement' && message.id === view.id) ||
      (message.kind === 'receipt' && mayBeReceiptOf(view, message.id))
    )
      refetch();
    else if (mayMovePeople(message) && isBeforeSending(view)) {
      refetch();
      redraw();
    }
  });
  const settled = isSettled(view);
  const pollSeconds = usePolling(status === 'lost' && !settled, refetch);
  useOverdueLook(view, status === 'on' && !settled, refetch);
  useCatchUp(status === 'on' && !settled, refetch);
  const problem =
    query.error === null
      ? null
      : query.error instanceof MovementNotRead
        ? query.error.problem
        : 'unreachable';
  return {
    view,
    status,
    pollSeconds,
    problem,
    databaseDown: databaseDown || problem === 'database',
    refetch,
  };
}

/**
 * The server draws what is said of the approvals; it is drawn again when they differ from what the
 * page was drawn with. Returns the redrawing.
 */
function useRedraw(drawn: MovementView, read: MovementView): () => void {
  const router = useRouter();
  const redraw = (): void => startTransition(() => router.refresh());
  const key = decisionKey(read);
  const redrawOther = useEffectEvent(() => {
    if (key !== decisionKey(drawn)) redraw();
  });
  useEffect(() => redrawOther(), [key]);
  return redraw;
}

/** Whether it changes who may approve, or whose approval counts. */
function mayMovePeople({ kind }: LiveMessage): boolean {
  return kind === 'person' || kind === 'policy';
}

function isBeforeSending({ state }: MovementView): boolean {
  return state === 'AWAITING_APPROVAL' || state === 'APPROVED';
}

function mayBeReceiptOf(view: MovementView, id: string): boolean {
  return view.receipt === null || view.receipt.id === id;
}

/**
 * Polls after 2, 4, 8, 15, 30, 60 seconds and then every minute. Returns the present delay; null
 * when not polling.
 */
function usePolling(active: boolean, ask: () => void): number | null {
  const [step, setStep] = useState(0);
  const refetchNow = useEffectEvent(ask);
  const seconds = POLL_SECONDS[Math.min(step, POLL_SECONDS.length - 1)] ?? null;
  useEffect(() => {
    if (!active) return setStep(0);
    const timer = setTimeout(
      () => {
        refetchNow();
        setStep((before) => before + 1);
      },
      (seconds ?? 0) * 1000,
    );
    return () => clearTimeout(timer);
  }, [active, step, seconds]);
  return active ? seconds : null;
}

/**
 * Changes between the server's reading and the first connection of the stream were missed: read
 * once.
 */
function useCatchUp(active: boolean, ask: () => void): void {
  const refetchNow = useEffectEvent(ask);
  useEffect(() => {
    if (active) refetchNow();
  }, [active]);
}

function useOverdueLook(view: MovementView, active: boolean, ask: () => void): void {
  const refetchNow = useEffectEvent(ask);
  const { nextLookAt, now } = view;
  useEffect(() => {
    if (!active || nextLookAt === null) return;
    const wait = Math.max(0, Date.parse(nextLookAt) - Date.parse(now)) + OVERDUE_MS;
    const timer = setTimeout(() => refetchNow(), wait);
    return () => clearTimeout(timer);
  }, [active, nextLookAt, now]);
}
