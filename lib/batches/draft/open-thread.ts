import 'server-only';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { Refusal } from '#lib/access/refusal.ts';
import { openFile, openPaste } from '../file/open.ts';
import type { OpenedFile, ToOpen } from './open-aside.ts';

/** Entry of the thread that opens one payouts file. */

const given = workerData as ToOpen;
parentPort?.postMessage(open());

function open(): OpenedFile {
  try {
    const file = 'text' in given ? openPaste(given.text) : openFile(given.bytes, given.name);
    return {
      kind: 'opened',
      format: 'text' in given ? 'paste' : file.format,
      source: gzipSync(JSON.stringify(file)),
    };
  } catch (error) {
    if (error instanceof Refusal)
      return { kind: 'refused', code: error.code, params: error.params };
    throw error;
  }
}
