/**
 * The merchant's web shop: a page that sends the buyer to the bank, and the two addresses to which
 * the buyer returns.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Form } from './gateway.ts';

/** How one buyer returned. */
export type Visit = { to: '/done' | '/failed'; by: string; fields: Record<string, string> };

export class Shop {
  readonly visits: Visit[] = [];
  readonly #forms = new Map<string, Form>();
  #server: Server | undefined;
  address = '';

  async open(): Promise<this> {
    this.#server = createServer((request, response) => {
      void this.#serve(request).then((html) =>
        response
          .writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
          .end(html ?? ''),
      );
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  get ends(): { done: string; failed: string } {
    return { done: `${this.address}/done?cart=7`, failed: `${this.address}/failed?cart=7` };
  }

  /** Offers a payment in the shop; returns the address of the page with the buyer's button. */
  offer(form: Form): string {
    const path = `/pay/${this.#forms.size + 1}`;
    this.#forms.set(path, form);
    return this.address + path;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #serve(request: IncomingMessage): Promise<string | undefined> {
    const url = new URL(request.url ?? '/', this.address);
    const form = this.#forms.get(url.pathname);
    if (form !== undefined) return pageOf(form);
    if (url.pathname !== '/done' && url.pathname !== '/failed') return undefined;
    const sent =
      request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : url.searchParams;
    this.visits.push({
      to: url.pathname,
      by: request.method ?? '',
      fields: Object.fromEntries(sent),
    });
    const title = url.pathname === '/done' ? 'Thank you' : 'Not paid';
    const cart = url.searchParams.get('cart') === '7' ? 'cart 7' : 'no cart';
    return `<!DOCTYPE html><title>Shop</title><h1>${title}</h1><p>${cart}</p>`;
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function pageOf({ action, fields }: Form): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return (
    '<!DOCTYPE html><meta charset="utf-8"><title>Shop</title>' +
    `<form method="post" action="${escaped(action)}">${inputs.join('')}<button>Pay</button></form>`
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
