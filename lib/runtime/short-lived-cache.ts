import 'server-only';

/** Questions to a provider that a page asks while a person looks at it. */

/** While nobody answers, a person looks at what was heard last instead of at a spinner. */
export const SCREEN_PATIENCE_MS = 4_000;

type Shared<T> = { at: number; answer: Promise<T> };
const shared = new Map<string, Shared<unknown>>();

/** Asks once for everybody who asks within `ms`; an answer that is not one is not kept. */
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

/** The next one who asks under such a key asks anew. */
export function forget(matches: (key: string) => boolean): void {
  for (const key of shared.keys()) if (matches(key)) shared.delete(key);
}

/** The answer if it comes while a person is willing to wait, else null. */
export async function soon<T>(answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SCREEN_PATIENCE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
