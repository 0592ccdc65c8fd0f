/**
 * Work that a press leads to and that can wait for the next frame: the press is answered by a frame
 * first, and the work follows. The next press or key finds it done.
 */

let waiting: (() => void) | null = null;

if (typeof window !== 'undefined')
  for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, runWaiting, true);

export function afterPaint(work: () => void): void {
  runWaiting();
  waiting = work;
  requestAnimationFrame(() => setTimeout(runWaiting));
}

function runWaiting(): void {
  const work = waiting;
  waiting = null;
  work?.();
}
