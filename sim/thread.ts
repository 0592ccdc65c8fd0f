/** One core's share of a run: seeds come in, findings go out. */
import { parentPort } from 'node:worker_threads';
import { runSeeds } from './run.ts';

export type Share = { from: number; count: number; stopAtFirst: boolean };

parentPort?.on('message', ({ from, count, stopAtFirst }: Share) => parentPort?.postMessage(runSeeds(from, count, stopAtFirst)));
