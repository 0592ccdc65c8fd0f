/** How far a pointer may stray between press and release without meaning to leave the button. */
const STEADY_PX = 8;

type Press = { button: HTMLButtonElement; pointer: number; x: number; y: number };

/**
 * A press counts on the button where it began, also when the page moves that button away before the
 * release: the browser alone would drop the press, or on a touch screen give it to what came under
 * the finger. A pointer that itself leaves the button still cancels (WCAG 2.5.2).
 */
export function keepPresses(page: Document): void {
  let begun: Press | null = null;
  let isGiven = false;
  page.addEventListener(
    'pointerdown',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      isGiven = false;
      begun =
        button === null || !event.isPrimary || event.button !== 0
          ? null
          : { button, pointer: event.pointerId, x: event.clientX, y: event.clientY };
    },
    true,
  );
  page.addEventListener('pointercancel', () => (begun = null), true);
  page.addEventListener(
    'pointerup',
    (event) => {
      const press = begun;
      begun = null;
      if (press === null || press.pointer !== event.pointerId) return;
      const strayed = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      const below = page.elementFromPoint(event.clientX, event.clientY);
      if (strayed > STEADY_PX || press.button.contains(below)) return;
      isGiven = true;
      press.button.click();
    },
    true,
  );
  // A touch screen sends its click after the release, to whatever is there by then.
  page.addEventListener(
    'touchend',
    (event) => {
      if (isGiven && event.cancelable) event.preventDefault();
    },
    { capture: true, passive: false },
  );
}
