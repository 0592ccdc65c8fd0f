/**
 * Opens Chromium as on a slow machine with an ordinary network connection: a processor slowed four
 * times, 10 Mbit/s, 40 ms latency.
 */
import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Page,
} from '@playwright/test';
import { findChromium } from '../scripts/browser.ts';
import { PROBE, type Probe } from './probe.ts';
import { signIn } from './session.ts';
import type { Stand } from './stand.ts';

const CPU_SLOWED = 4;
const LINE = {
  offline: false,
  latency: 40,
  downloadThroughput: 10e6 / 8,
  uploadThroughput: 10e6 / 8,
};
const VIEWPORT = { width: 1366, height: 900 };
const QUIET_MS = 1_000;
const QUIET_WAIT_MS = 15_000;
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

declare global {
  interface Window {
    bench: Probe;
  }
}

export async function withBrowser<T>(
  stand: Stand,
  work: (browser: Browser) => Promise<T>,
): Promise<T> {
  const executablePath = await findChromium(stand.signal, console.log);
  const browser = await chromium.launch({
    executablePath,
    args: FLAGS,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

export type Visitor = {
  page: Page;
  /** The network traffic of the page so far, and when its last part arrived. */
  line: { requests: number; scriptBytes: number; lastAt: number };
  /**
   * Processor time of the page's main thread so far in milliseconds: `all`, and the part that
   * styles took.
   */
  mainThreadMs(): Promise<{ all: number; style: number }>;
  /**
   * Resolves when no request has been under way for a second. An open stream without messages does
   * not count.
   */
  quiet(): Promise<void>;
  close(): Promise<void>;
};

/** Opens a new browser context without cache or cookies; signed in when `signedInAt` is given. */
export async function visit(
  browser: Browser,
  origin: string,
  signedInAt?: Stand,
  options: { line?: boolean; locale?: string } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: options.locale ?? 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    serviceWorkers: 'block',
  });
  if (signedInAt !== undefined) await giveSession(context, signedInAt, origin);
  await context.addInitScript({ content: PROBE });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const line = await watchLine(devtools);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWED });
  if (options.line !== false) await devtools.send('Network.emulateNetworkConditions', LINE);
  return {
    page,
    line,
    async mainThreadMs() {
      const { metrics } = await devtools.send('Performance.getMetrics');
      const of = (name: string): number =>
        (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1_000;
      return { all: of('TaskDuration'), style: of('RecalcStyleDuration') };
    },
    async quiet() {
      for (
        const end = Date.now() + QUIET_WAIT_MS;
        Date.now() < end && Date.now() - line.lastAt < QUIET_MS;
      )
        await page.waitForTimeout(QUIET_MS / 10);
    },
    close: () => context.close(),
  };
}

async function giveSession(context: BrowserContext, stand: Stand, origin: string): Promise<void> {
  await context.addCookies(
    Object.entries(await signIn(stand)).map(([name, value]) => ({ name, value, url: origin })),
  );
}

async function watchLine(devtools: CDPSession): Promise<Visitor['line']> {
  const line = { requests: 0, scriptBytes: 0, lastAt: Date.now() };
  const scripts = new Set<string>();
  await devtools.send('Network.enable');
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('data:')) return;
    line.requests += 1;
    line.lastAt = Date.now();
  });
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (/javascript/.test(response.mimeType)) scripts.add(requestId);
  });
  devtools.on('Network.dataReceived', () => (line.lastAt = Date.now()));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    line.lastAt = Date.now();
    if (scripts.has(requestId)) line.scriptBytes += encodedDataLength;
  });
  return line;
}
