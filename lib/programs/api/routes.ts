import 'server-only';
import { API_BATCH_BYTES_MAX } from '#lib/runtime/request-screen.ts';
import { beginBatch, readBatchAnswer } from './batches.ts';
import { beginPayout, readPayout } from './payouts.ts';
import { batchBody, payoutBody } from './schema.ts';
import { serveGet, servePost } from './serve.ts';

/** What the API's addresses do. */

const PAYOUT_BYTES_MAX = 16 * 1024;

export function postPayout(request: Request): Promise<Response> {
  return servePost(request, {
    right: 'payouts.prepare',
    schema: payoutBody,
    bytesMax: PAYOUT_BYTES_MAX,
    run: beginPayout,
  });
}

export function getPayout(request: Request, id: string): Promise<Response> {
  return serveGet(request, 'payouts.read', (caller) => readPayout(caller, id));
}

export function postBatch(request: Request): Promise<Response> {
  return servePost(request, {
    right: 'batches.prepare',
    schema: batchBody,
    bytesMax: API_BATCH_BYTES_MAX,
    run: beginBatch,
  });
}

export function getBatch(request: Request, id: string): Promise<Response> {
  return serveGet(request, 'batches.read', (caller) => readBatchAnswer(caller, id));
}
