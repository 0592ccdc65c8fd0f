/**
 * Counts a press that only redraws the page as use of the session: a redraw by itself does not keep
 * the session alive, because live events and timers cause most of them.
 */
export function noteUse(): void {
  // Without an answer the session's idle time goes on, as after any lost request.
  void fetch('/api/waiting?pressed').catch(() => null);
}
