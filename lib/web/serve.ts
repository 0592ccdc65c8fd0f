import 'server-only';
import next from 'next';
import { ensureMerchant } from '#lib/access/merchant.ts';
import { toldToBegin, waitsToBegin } from '#lib/runtime/begin.ts';
import { envOrEnd } from '#lib/runtime/env.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { guardOutput } from '#lib/runtime/output.ts';
import { createFront } from './answer.ts';
import { run } from './run.ts';
import { readOnlyFiles, staticFiles } from './static-files.ts';

declare global {
  /** Resolves when this process may use its environment (`instrumentation.ts` waits for it). */
  var dashboardBegun: Promise<void> | undefined;
}

/**
 * Runs the web until a signal stops it: one HTTP server of our own, and the framework's request
 * handler behind it in the same process (decision 49). The database may come up later, and every
 * request checks for it again. `dev`: with hot reload instead of the production build.
 */
export async function serve({ dev }: { dev: boolean }): Promise<void> {
  guardOutput();
  if (!waitsToBegin()) envOrEnd();
  const begun = toldToBegin();
  globalThis.dashboardBegun = begun;
  const host = process.env['HOST'] || '127.0.0.1';
  const port = Number(process.env['PORT'] || 3000);
  // The framework sends a server action that another page has to this address. Without it, it would
  // take the address from the Host header, which the client writes.
  process.env['__NEXT_PRIVATE_ORIGIN'] = `http://${reachable(host)}:${port}`;
  const app = next({ dev, dir: process.cwd(), hostname: host, port });
  await Promise.all([app.prepare(), begun.then(setUp)]);
  const built = dev ? () => false : staticFiles(process.env['BUILD_DIR'] ?? '.next');
  const readOnly = readOnlyFiles('public');
  const front = createFront({
    pages: app.getRequestHandler(),
    files: (...asked) => built(...asked) || readOnly(...asked),
  });
  await run(front, { service: 'web', upgrades: dev, close: () => app.close() });
}

/** The environment must be valid. The database may come up later. */
async function setUp(): Promise<void> {
  envOrEnd();
  await ensureMerchant().catch((error: unknown) =>
    log.warn('the merchant is not set up yet', errorFields(error)),
  );
}

/** The name under which this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
