import 'server-only';

/** Reads from a provider that a page makes while a person waits for it. */

/** After this time without a response the page shows the last known data instead of waiting. */
export const SCREEN_PATIENCE_MS = 4_000;

type Shared<T> = { at: number; answer: Promise<T> };
const shared = new Map<string, Shared<unknown>>();

/** One request for all callers within `ms`; only an `answered` result is cached. */
export function once<T extends { kind: string }>(
  key: string,
  ms: number,
  ask: () => Promise<T>,
): Promise<T> {
  const kept = shared.get(key) as Shared<T> | undefined;
  if (kept && performance.now() - kept.at < ms) return kept.answer;
  const answer = ask();
  shared.set(key, { at: performance.now(), answer });
  void answer.then((one) => one.kind === 'answered' || shared.delete(key));
  return answer;
}

/** Drops the cached results whose key matches, so that the next caller makes a new request. */
export function forget(matches: (key: string) => boolean): void {
  for (const key of shared.keys()) if (matches(key)) shared.delete(key);
}

/** The response if it comes within {@link SCREEN_PATIENCE_MS}, else null. */
export async function soon<T>(answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SCREEN_PATIENCE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
