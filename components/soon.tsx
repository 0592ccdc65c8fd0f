import 'server-only';
import { Suspense } from 'react';
import type { ReactNode } from 'react';

/**
 * How long the first bytes of a page wait for the part, in milliseconds. What follows behind a
 * placeholder is drawn after the scripts have started, which takes longer on most machines.
 */
const WAIT_MS = 100;

/**
 * A part that is sent with its page when it is ready soon, and behind a placeholder otherwise. Only
 * for a part in which nothing is typed or ticked: a refresh that takes another way than the page
 * before makes the part anew.
 */
export async function Soon({
  draw,
  placeholder,
}: {
  draw: () => Promise<ReactNode>;
  placeholder: ReactNode;
}): Promise<ReactNode> {
  const drawing = draw();
  const inTime = await Promise.race([drawing.then((node) => ({ node })), waited()]);
  if (inTime !== null) return inTime.node;
  return (
    <Suspense fallback={placeholder}>
      <Late drawing={drawing} />
    </Suspense>
  );
}

async function Late({ drawing }: { drawing: Promise<ReactNode> }): Promise<ReactNode> {
  return await drawing;
}

function waited(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, WAIT_MS, null));
}
