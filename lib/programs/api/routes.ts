import 'server-only';
import { beginPayout, readPayout } from './payouts.ts';
import { payoutBody } from './schema.ts';
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
