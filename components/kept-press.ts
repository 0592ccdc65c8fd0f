/** How far a pointer may move between press and release and still press the button. */
const STEADY_PX = 8;

type Press = { button: HTMLButtonElement; pointer: number; x: number; y: number };

/**
 * Gives a press to the button where it began, also when the page moves that button away before the
 * release: the browser alone would drop the press, or on a touch screen give it to the element that
 * moved under the finger. Moving the pointer off the button still cancels the press (WCAG 2.5.2).
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
  // After the release a touch screen sends a click to the element that is under the finger by then;
  // the click is suppressed when the button already got the press.
  page.addEventListener(
    'touchend',
    (event) => {
      if (isGiven && event.cancelable) event.preventDefault();
    },
    { capture: true, passive: false },
  );
}
