/** Counts what the two webs answer, by the `fetch` of this process, through which every visit goes. */

/** `status` 0: there was no answer. */
export type Answer = { part: string; web: string; status: number; what: string; ms: number };

export const answers: Answer[] = [];
let part = '';

/** Names the part of the upgrade for the answers that follow. */
export function nowIn(name: string): void {
  part = name;
}

/** `webs`: the name of each web by its origin; other addresses are not counted. */
export function countAnswers(webs: ReadonlyMap<string, string>): void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const web = webs.get(url.origin);
    if (web === undefined) return original(input, init);
    const began = performance.now();
    const note = (status: number): void => {
      const what = `${init?.method ?? 'GET'} ${url.pathname}`;
      answers.push({ part, web, status, what, ms: performance.now() - began });
    };
    try {
      const answer = await original(input, init);
      note(answer.status);
      return answer;
    } catch (error) {
      note(0);
      throw error;
    }
  };
}
