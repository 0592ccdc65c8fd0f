import 'server-only';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { log } from '#lib/runtime/log.ts';
import { itemFrame, wordsFrame } from './frames.ts';
import type { MergeItem, MergeWords } from './merge.ts';

/**
 * Merging parses documents from outside, holds all of them, and blocks while it computes: it has a
 * process of its own, which ends by itself, so that no document slows down or ends the web.
 */

const TIME_MAX_MS = 120_000;
const HEAP_MAX_MB = 512;
/** A file is taken from its process this far ahead of who downloads it. */
const AHEAD_BYTES = 8 * 1024 * 1024;

let last: Promise<unknown> = Promise.resolve();

/**
 * The merged file, once it is whole. One is made at a time in this process; others wait until its
 * process has ended, which a download that stands still delays by `TIME_MAX_MS` at most.
 */
export async function* mergeApart(
  items: AsyncIterable<MergeItem>,
  words: MergeWords,
): AsyncGenerator<Uint8Array> {
  const before = last;
  const { promise: turn, resolve: done } = Promise.withResolvers<void>();
  last = turn;
  try {
    await before;
    yield* merged(items, words, done);
  } finally {
    done();
  }
}

async function* merged(
  items: AsyncIterable<MergeItem>,
  words: MergeWords,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  const child = startProcess().once('exit', done);
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_MAX_MS);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  // A process that did not start says so before anybody awaits its end.
  ended.catch(() => undefined);
  const made = new PassThrough({ readableHighWaterMark: AHEAD_BYTES });
  pipeline(child.stdout!, made).catch(() => undefined);
  const sent = pipeline(Readable.from(framesOf(items, words)), child.stdin!).catch(
    (error: unknown) => {
      child.kill('SIGKILL');
      return error;
    },
  );
  try {
    for await (const chunk of made) yield chunk as Buffer;
    const [code, signal] = await ended;
    const fault = await sent;
    if (code === 0 && fault === undefined) return;
    log.error('receipts were not merged', { reason: signal ?? 'exit', count: code ?? 0 });
    throw new Error('receipts were not merged', { cause: fault });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

async function* framesOf(
  items: AsyncIterable<MergeItem>,
  words: MergeWords,
): AsyncGenerator<Buffer> {
  yield wordsFrame(words);
  for await (const item of items) yield itemFrame(item);
}

function startProcess(): ChildProcess {
  const root = process.cwd();
  return spawn(
    process.execPath,
    [
      '--conditions=react-server',
      `--max-old-space-size=${HEAP_MAX_MB}`,
      '--permission',
      ...['lib', 'node_modules', 'package.json'].map(
        (name) => `--allow-fs-read=${join(root, name)}`,
      ),
      join(root, 'lib/receipts/merged/process.ts'),
    ],
    // The error output of the process may quote a document and must not reach the log.
    { cwd: root, env: { NODE_ENV: 'production' }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
}
