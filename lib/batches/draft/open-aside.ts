import 'server-only';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Refusal } from '#lib/access/refusal.ts';
import type { RefusalCode } from '#lib/access/refusal.ts';

/**
 * Opens a payouts file in a thread of its own, with a limit of time and of memory: a file can be
 * made to keep whoever reads it busy, and this process serves pages (decision 41).
 */

const TIME_MAX_MS = 20_000;
const HEAP_MAX_MB = 512;

export type ToOpen = { bytes: Uint8Array; name: string } | { text: string };
/** `source`: the JSON of a `SourceFile`, packed by gzip. */
export type OpenedFile =
  | { kind: 'opened'; format: 'workbook' | 'text' | 'paste'; source: Uint8Array }
  | { kind: 'refused'; code: RefusalCode; params: Record<string, string | number> };

let last: Promise<unknown> = Promise.resolve();

/**
 * One file is opened at a time in this process; others wait.
 *
 * @throws Refusal of `openFile` and `openPaste`, and `file_too_slow`
 */
export async function openAside(
  given: ToOpen,
  timeMs = TIME_MAX_MS,
): Promise<Extract<OpenedFile, { kind: 'opened' }>> {
  const turn = last.then(() => inThread(given, timeMs));
  last = turn.catch(() => undefined);
  const opened = await turn;
  if (opened.kind === 'refused') throw new Refusal(opened.code, opened.params);
  return opened;
}

async function inThread(given: ToOpen, timeMs: number): Promise<OpenedFile> {
  const thread = new Worker(join(process.cwd(), 'lib/batches/draft/open-thread.ts'), {
    workerData: given,
    env: { NODE_ENV: 'production' },
    execArgv: ['--conditions=react-server'],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    // Whatever is printed may quote the file and must not reach the log.
    stdout: true,
    stderr: true,
  });
  try {
    return await new Promise<OpenedFile>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Refusal('file_too_slow')), timeMs);
      const settle =
        <Value>(end: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          end(value);
        };
      thread.once('message', settle(resolve));
      thread.once(
        'error',
        settle((error: Error & { code?: string }) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Refusal('file_too_slow') : error),
        ),
      );
      thread.once(
        'exit',
        settle((code: number) => reject(new Error(`no answer: ${code}`))),
      );
    });
  } finally {
    await thread.terminate();
  }
}
