import 'server-only';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { openDevTools } from './devtools-pipe.ts';
import type { DevTools } from './devtools-pipe.ts';

/**
 * Prints one page with a Chromium that is started for it: a new profile that is deleted afterwards,
 * no secrets in its environment, no scripts, no network, and every connection directed to a port
 * where nobody listens.
 */

const TIME_MAX_MS = 20_000;
/**
 * How long to wait for the pictures of a page. Embedded pictures load sooner; a picture that is not
 * loaded by then is left out.
 */
const LOAD_MAX_MS = 3_000;
/** Steps of niceness below this process: 500 receipts take minutes of a processor. */
const NICER = 10;
const NICEST = 19;
/** The discard port of this machine: connecting to it is refused at once. */
const NOWHERE = 'http://127.0.0.1:9';
const INCH_MM = 25.4;
const PAPER = {
  paperWidth: 210 / INCH_MM,
  paperHeight: 297 / INCH_MM,
  printBackground: true,
  preferCSSPageSize: false,
};

const OPTIONS = [
  '--headless',
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--no-pings',
  `--proxy-server=${NOWHERE}`,
  // Without this, requests to addresses of this machine would bypass the proxy.
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--dns-prefetch-disable',
];

/** Returns the PDF; null when Chromium failed, or took longer than `timeMs`. */
export async function printPage(
  browser: string,
  html: string,
  timeMs = TIME_MAX_MS,
): Promise<Uint8Array | null> {
  const folder = await mkdtemp(join(tmpdir(), 'receipt-'));
  const child = startBrowser(browser, folder);
  yieldToOthers(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  const timer = setTimeout(() => {
    endGroup(child);
    // A helper that left the group would hold the pipe open.
    child.stdio[4]?.destroy();
  }, timeMs);
  try {
    const devTools = openDevTools(child.stdio[3] as Writable, child.stdio[4] as Readable);
    return await printed(devTools, html);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    endGroup(child);
    await ended;
    // The browser's helper processes may still write to the folder while they end.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function printed(devTools: DevTools, html: string): Promise<Uint8Array> {
  const { targetId } = await devTools.call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await devTools.call('Target.attachToTarget', { targetId, flatten: true });
  const call = (method: string, params?: Record<string, unknown>): ReturnType<DevTools['call']> =>
    devTools.call(method, params, sessionId as string);
  const loaded = Promise.withResolvers<void>();
  // Every request of the page is refused before it is sent.
  devTools.on('Fetch.requestPaused', ({ requestId }) => {
    call('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => undefined);
  });
  devTools.on('Page.loadEventFired', () => loaded.resolve());
  await call('Emulation.setScriptExecutionDisabled', { value: true });
  await call('Network.enable');
  await call('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
  await call('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await call('Page.enable');
  const { frameTree } = await call('Page.getFrameTree');
  const { id: frameId } = (frameTree as { frame: { id: string } }).frame;
  await call('Page.setDocumentContent', { frameId, html });
  const timer = setTimeout(loaded.resolve, LOAD_MAX_MS);
  await loaded.promise;
  clearTimeout(timer);
  const { data } = await call('Page.printToPDF', PAPER);
  return Buffer.from(data as string, 'base64');
}

function startBrowser(browser: string, folder: string): ChildProcess {
  return spawn(
    browser,
    [
      ...OPTIONS,
      // Chromium does not start with its sandbox when its user is root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${join(folder, 'profile')}`,
    ],
    {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        PATH: '/usr/bin:/bin',
        HOME: folder,
        TMPDIR: folder,
        LANG: 'C.UTF-8',
      },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
}

/** What moves money on this machine comes first; helpers inherit this. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(NICEST, getPriority() + NICER));
  } catch {
    // It has ended already.
  }
}

/** Ends the browser and its helpers, also those that outlive it: the group has its number. */
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
