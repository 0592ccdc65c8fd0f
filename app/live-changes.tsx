import type { ComponentProps, ReactNode } from 'react';
import { liveWords } from '#app/live-words.ts';
import { LiveChangesSince } from '#components/live.tsx';
import { pageSnapshot } from '#lib/login/session.ts';

/** `LiveChangesSince` of a page that the server draws: counts the changes that the page missed. */
export async function LiveChanges(
  props: Omit<ComponentProps<typeof LiveChangesSince>, 'since' | 'words'>,
): Promise<ReactNode> {
  return <LiveChangesSince {...props} since={await pageSnapshot()} words={await liveWords()} />;
}
