import type { ReactNode } from 'react';
import { LiveChanges } from '#app/live-changes.tsx';

/** Draws the page anew when a key, a request's page or a message has changed. */
export function LivePrograms(): ReactNode {
  return <LiveChanges kinds={['program']} />;
}
