/**
 * Whether a single key is a command now: no field has the focus, no dialog is open, and the person
 * has not switched them off.
 */

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]), textarea, select') ||
      target.closest('dialog[open]') !== null)
  );
}

/**
 * Whether the person's setting, which the settings page stores in a cookie, has the single keys on.
 */
export function areKeysOn(): boolean {
  return !/(?:^|; )(?:__Host-)?shortcuts=off(?:;|$)/.test(document.cookie);
}
