'use client';

import { useRouter } from 'next/navigation';
import { lazy, Suspense, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { liveEnd, listenLive, reopenLive, watchStatus } from '#components/live-stream.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import type { Health } from '#lib/worker/health.ts';
import type { Cause } from '#lib/send-control/stops.ts';
import type { LoginWords } from '#app/login/login-form.tsx';

const FIRST_ASK_MS = 2_000;
const ASK_MS = 30_000;
/** Poll interval while something is wrong, so that the band disappears soon after it is fixed. */
const ASK_AGAIN_MS = 5_000;

type Trouble = 'unreachable' | 'database' | 'readOnly' | 'worker' | 'provider';

const SignInSheet = lazy(() =>
  import('#app/login/sign-in-sheet.tsx').then((module) => ({ default: module.SignInSheet })),
);

type Props = {
  words: Record<Trouble | 'ended' | 'disabled' | 'signIn', string>;
  /** What stops sending when the page is drawn. */
  stopped: Cause | null;
  stopWords: Record<Cause | 'see', string>;
  loginWords: LoginWords;
};

const BAND =
  'no-print sticky z-10 px-4 empty:hidden max-lg:top-12 max-lg:order-first max-lg:pt-3 ' +
  'sm:px-6 lg:bottom-0 lg:pb-3';

/**
 * A band with what a person has to know before sending money: sending is stopped, the session has
 * ended, or the database or the provider cannot be reached. The band disappears by itself. It is at
 * the foot of the page, where nothing moves for it; on a phone at the top, because the navigation
 * is at the foot.
 */
export function StatusBand({
  words,
  stopped: stoppedAtFirst,
  stopWords,
  loginWords,
}: Props): ReactNode {
  const router = useRouter();
  const [signingIn, setSigningIn] = useState(false);
  const ended = useSyncExternalStore(watchStatus, liveEnd, () => null);
  const { trouble, stopped } = useTrouble(stoppedAtFirst);
  const text = ended ? words[ended] : trouble ? words[trouble] : null;
  const back = (): void => {
    setSigningIn(false);
    reopenLive();
    router.refresh();
  };
  return (
    <div role="status" className={BAND}>
      {stopped && (
        <div className="mx-auto max-w-[80rem] rounded-panel shadow-float">
          <Banner
            tone="attention"
            actions={<LinkButton href="/settings">{stopWords.see}</LinkButton>}
          >
            {stopWords[stopped]}
          </Banner>
        </div>
      )}
      {text && (
        <div className="mx-auto mt-2 max-w-[80rem] rounded-panel shadow-float first:mt-0">
          <Banner
            tone="attention"
            actions={
              ended === 'ended' && (
                <Button onClick={() => setSigningIn(true)}>{words.signIn}</Button>
              )
            }
          >
            {text}
          </Banner>
        </div>
      )}
      {signingIn && (
        <Suspense>
          <SignInSheet open onDone={back} onClose={() => setSigningIn(false)} words={loginWords} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Polls the installation's health while the tab is visible, and at once when the stream reports a
 * change of the database or of sending.
 */
function useTrouble(stoppedAtFirst: Cause | null): {
  trouble: Trouble | null;
  stopped: Cause | null;
} {
  const [{ trouble, stopped }, setState] = useState<BandState>({
    trouble: null,
    stopped: stoppedAtFirst,
  });
  const ask = useEffectEvent(async (): Promise<void> => {
    if (document.hidden) return;
    const read = await readTrouble();
    // While the status cannot be read, the last known one stays.
    setState((before) => ({
      trouble: read.trouble,
      stopped: read.stopped === undefined ? before.stopped : read.stopped,
    }));
  });
  useEffect(
    () =>
      listenLive((message) => {
        if (message.kind === 'database' || message.kind === 'resumed' || message.kind === 'sending')
          void ask();
      }),
    [],
  );
  useEffect(() => {
    const first = setTimeout(() => void ask(), FIRST_ASK_MS);
    return () => clearTimeout(first);
  }, []);
  useEffect(() => {
    const timer = setInterval(() => void ask(), trouble ? ASK_AGAIN_MS : ASK_MS);
    return () => clearInterval(timer);
  }, [trouble]);
  return { trouble, stopped };
}

type BandState = { trouble: Trouble | null; stopped: Cause | null };

async function readTrouble(): Promise<{ trouble: Trouble | null; stopped?: Cause | null }> {
  try {
    const health = (await (await fetch('/api/health/ready')).json()) as Health;
    const trouble = !health.database
      ? 'database'
      : !health.writable
        ? 'readOnly'
        : !health.worker
          ? 'worker'
          : health.provider
            ? null
            : 'provider';
    return health.database ? { trouble, stopped: health.stopped } : { trouble };
  } catch {
    return { trouble: 'unreachable' };
  }
}
