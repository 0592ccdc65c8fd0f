/**
 * The page's keys before its scripts are ready: a key pressed while the part that acts on it is
 * still loading is kept, and that part receives it when it is ready.
 */

/** `search`: Ctrl K or Cmd K. `page`: every other key. */
type Keys = 'search' | 'page';
type Press = (event: KeyboardEvent) => void;

/** A key that was pressed longer ago is dropped: nobody expects its effect any more. */
const KEPT_MS = 5_000;

const listeners = new Map<Keys, Press>();
const kept = new Map<Keys, KeyboardEvent>();

if (typeof document !== 'undefined') document.addEventListener('keydown', receive);

/** Receives the keys of this kind, the one that was pressed shortly before included. */
export function onKeys(keys: Keys, press: Press): () => void {
  listeners.set(keys, press);
  const early = kept.get(keys);
  kept.delete(keys);
  if (early !== undefined && performance.now() - early.timeStamp < KEPT_MS) press(early);
  return () => {
    if (listeners.get(keys) === press) listeners.delete(keys);
  };
}

function receive(event: KeyboardEvent): void {
  const keys = isSearch(event) ? 'search' : 'page';
  const press = listeners.get(keys);
  if (press !== undefined) return press(event);
  kept.set(keys, event);
  // The browser would act on the chord itself, and take the focus out of the page.
  if (keys === 'search' && document.querySelector('[data-shortcut="search"]') !== null)
    event.preventDefault();
}

function isSearch(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';
}
