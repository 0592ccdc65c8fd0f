import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '#lib/runtime/http-server.ts';
import { counter, histogram } from '#lib/runtime/metrics.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { markRedraw } from '#lib/login/redraw.ts';
import { answerWebhook, webhookAddress } from '#lib/webhooks/answer.ts';
import { giveWayTo } from '#lib/webhooks/give-way.ts';
import { answerHealth, isHealthPath } from './health.ts';
import type { StaticFiles } from './static-files.ts';

type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The stream of live changes stays open as long as its page: nobody waits for its end. */
const STREAM = '/api/events';
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const countRequest = counter('dashboard_requests_total', 'Requests, by kind and status.');
const observeRequest = histogram(
  'dashboard_request_seconds',
  'From the headers of a request to the end of its answer, by kind.',
  SECONDS,
);

type Kind = 'webhook' | 'health' | 'static' | 'stream' | 'page';

/** `idle`: resolves when no request is being answered, streams aside. */
export type Front = { answer: Answer; idle(): Promise<void> };

/**
 * Answers what needs no page itself; everything else is answered by `pages`, the framework's
 * request handler.
 */
export function createFront({ files, pages }: { files: StaticFiles; pages: Pages }): Front {
  let open = 0;
  let pagesOpen = 0;
  const whenIdle: (() => void)[] = [];
  giveWayTo(() => pagesOpen > 0);

  function follow(response: ServerResponse, kind: Kind): void {
    const begun = performance.now();
    if (kind !== 'stream') open += 1;
    if (kind === 'page') pagesOpen += 1;
    response.once('close', () => {
      countRequest({ kind, status: response.statusCode });
      if (kind === 'page') pagesOpen -= 1;
      if (kind === 'stream') return;
      observeRequest((performance.now() - begun) / 1000, { kind });
      open -= 1;
      if (open === 0) for (const resolve of whenIdle.splice(0)) resolve();
    });
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request);
    const webhook = webhookAddress(path);
    if (webhook !== null) {
      follow(response, 'webhook');
      return settled(answerWebhook(request, response, webhook), response);
    }
    if (isHealthPath(path)) {
      follow(response, 'health');
      return settled(answerHealth(request, response, path), response);
    }
    if (files(request, response, path)) return follow(response, 'static');
    follow(response, path === STREAM ? 'stream' : 'page');
    markRedraw(request);
    settled(pages(request, response), response);
  }

  const idle = (): Promise<void> =>
    open === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve));
  return { answer, idle };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** Answers a request whose handler failed with 500, unless its answer has begun. */
function settled(handled: Promise<void>, response: ServerResponse): void {
  handled.catch((error: unknown) => {
    log.error('a request was not answered', errorFields(error));
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'Content-Length': 0 }).end();
  });
}
