import 'server-only';
import type { Readable, Writable } from 'node:stream';

/**
 * Chromium's DevTools protocol over two pipes: JSON that ends with a zero byte. A pipe opens no
 * port that another program of this machine could speak to.
 */
export type DevTools = {
  /** @throws Error when the browser refused the call or has ended */
  call(
    method: string,
    params?: Record<string, unknown>,
    session?: string,
  ): Promise<Record<string, unknown>>;
  /** Calls back with the parameters of every such event. */
  on(method: string, listener: (params: Record<string, unknown>) => void): void;
};

type Answer = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
};
type Waiting = PromiseWithResolvers<Record<string, unknown>>;

/** The maximum length of an answer, which holds one PDF as base64. */
const ANSWER_MAX = 32 * 1024 * 1024;

export function openDevTools(to: Writable, from: Readable): DevTools {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  let last = 0;
  let gone = false;
  const end = (): void => {
    gone = true;
    for (const { reject } of waiting.values()) reject(new Error('the browser is gone'));
    waiting.clear();
  };
  readAnswers(from, end, (answer) => {
    if (answer.method !== undefined) listeners.get(answer.method)?.(answer.params ?? {});
    const asked = waiting.get(answer.id ?? 0);
    if (asked === undefined) return;
    waiting.delete(answer.id!);
    if (answer.error === undefined) asked.resolve(answer.result ?? {});
    else asked.reject(new Error(answer.error.message));
  });
  to.on('error', end);
  return {
    call: (method, params = {}, session = undefined) => {
      const asked: Waiting = Promise.withResolvers();
      if (gone) asked.reject(new Error('the browser is gone'));
      else {
        waiting.set((last += 1), asked);
        to.write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
      }
      return asked.promise;
    },
    on: (method, listener) => void listeners.set(method, listener),
  };
}

function readAnswers(from: Readable, end: () => void, listener: (answer: Answer) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  from.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(0); at !== -1; at = rest.indexOf(0)) {
      const answer = readAnswer(Buffer.concat([...chunks, rest.subarray(0, at)]).toString());
      if (answer === null) return void from.destroy();
      [chunks, size, rest] = [[], 0, rest.subarray(at + 1)];
      listener(answer);
    }
    chunks.push(rest);
    size += rest.length;
    if (size > ANSWER_MAX) from.destroy();
  });
  from.on('close', end).on('error', end);
}

/**
 * Null for what no browser writes. An error that is thrown while a pipe is read would end the
 * process, and this one moves money.
 */
function readAnswer(text: string): Answer | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : null;
  } catch {
    return null;
  }
}
