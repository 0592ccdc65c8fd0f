const HTTP_MS = 5_000;
const POLL_MS = 200;

/** Whether a GET request is answered with 200. */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(HTTP_MS) });
  await response.body?.cancel();
  return response.status === 200;
}

/**
 * Returns the JSON of a GET request.
 *
 * @throws Error when the answer is not 200 or not JSON
 */
export async function fetchJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(HTTP_MS) });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}

/**
 * Waits until the dashboard reports that everything it depends on is ready.
 *
 * @returns undefined when it is, else its latest report
 */
export async function waitForHealth(
  origin: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const report = await ask(`${origin}/api/health/ready`);
    // An interrupt during this last request would otherwise leave a start that no signal stops.
    signal?.throwIfAborted();
    if (report === undefined || Date.now() > deadline) return report;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function ask(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(HTTP_MS) });
    const text = await response.text();
    return response.status === 200 ? undefined : `${response.status} ${text.slice(0, 300)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
