import 'server-only';
import { toldToBegin } from '#lib/runtime/begin.ts';
import { envOrEnd } from '#lib/runtime/env.ts';
import { endOnFault, guardOutput } from '#lib/runtime/output.ts';
import { createFront } from './answer.ts';
import { run } from './run.ts';

/**
 * Process entry: the webhook addresses and the health addresses alone. Any number of these may run
 * beside the webs; a proxy sends /api/webhooks/ to them, so that a burst takes no time from a page.
 */
guardOutput();
endOnFault();
await toldToBegin();
envOrEnd();
await run(
  createFront({
    files: () => false,
    pages: async (_request, response) =>
      void response.writeHead(404, { 'Content-Length': 0, Connection: 'close' }).end(),
  }),
  { service: 'webhooks' },
);
