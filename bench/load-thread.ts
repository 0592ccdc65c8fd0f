/** Runs one load in a thread, until it has ended or the parent sends a message. */
import { parentPort, workerData } from 'node:worker_threads';
import { load, type Load } from './load.ts';

const over = new AbortController();
parentPort!.once('message', () => over.abort());
const answered = await load({ ...(workerData as Load), signal: over.signal });
parentPort!.postMessage(answered);
parentPort!.close();
