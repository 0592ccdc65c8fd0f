import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { htmlToPdf } from './html-to-pdf.ts';
import { printPage } from './print-page.ts';

/**
 * Foreign HTML becomes a PDF. The browser requests nothing that the HTML names, and leaves no file
 * behind.
 */

const BROWSER = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));
/** Milliseconds within which even a busy machine prints. */
const PATIENCE = 55_000;
const left = (): string[] => readdirSync(folder).filter((name) => name.startsWith('receipt-'));

let server: Server;
let connections = 0;
let origin = '';
let folder = '';
beforeAll(async () => {
  // The temporary folder is used by nobody else, so that files left behind are visible.
  folder = await mkdtemp(join(tmpdir(), 'printing-'));
  vi.stubEnv('TMPDIR', folder);
  server = createServer((_, answer) => answer.end('x'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

/** A page with everything that makes a browser connect by itself, by host name and by address. */
function hostile(at: string): string {
  const [http, local] = [`http://${at}`, `http://localhost:${at.split(':')[1]}`];
  return `<!doctype html><html><head><title>Dekont</title>
    <link rel="stylesheet" href="${http}/a.css"><link rel="preload" as="image" href="${http}/b">
    <link rel="dns-prefetch" href="${http}"><link rel="preconnect" href="${http}">
    <link rel="icon" href="${local}/icon"><link rel="prefetch" href="${http}/c">
    <base href="${http}/"><meta http-equiv="refresh" content="0;url=${http}/d">
    <style>@import url(${http}/e.css); @font-face { font-family: x; src: url(${http}/f) }
      body { background: url(${http}/g); font-family: x } p::before { content: url(${local}/h) }
      li { list-style-image: url(${http}/i); cursor: url(${http}/j), auto }</style></head>
    <body background="${http}/k" onload="fetch('${http}/l')"><p style="background:url('${http}/m')">
    İşlem dekontu</p><img src="${http}/n" srcset="${http}/o 2x"><iframe src="${http}/p"></iframe>
    <object data="${http}/q"></object><embed src="${http}/r"><video poster="${http}/s"
    src="${local}/t" autoplay></video><svg><image href="${http}/u"/><use href="${http}/v#x"/></svg>
    <form action="${http}/w"><input type="image" src="${http}/x"></form>
    <script>fetch('${http}/y'); new WebSocket('ws://${at}/z'); document.images[0].src='${http}/1';
      navigator.sendBeacon('${http}/2')</script><script src="${http}/3"></script>
    <iframe srcdoc="<img src='${http}/4'>"></iframe><iframe src="file:///etc/passwd"></iframe>
    <ul><li>1</li></ul></body></html>`;
}

describe.skipIf(BROWSER === undefined)('a receipt that came as HTML', () => {
  it('becomes a PDF of one page, and its folder is gone', async () => {
    const before = left();
    const printed = await htmlToPdf(BROWSER!, '<p>İşlem dekontu: 12.400,00 TRY</p>', PATIENCE);
    expect(printed.kind).toBe('printed');
    if (printed.kind !== 'printed') return;
    expect((await PDFDocument.load(printed.bytes)).getPageCount()).toBe(1);
    expect(left()).toEqual(before);
  }, 180_000);

  it('reaches nothing, stripped or not: no request, no connection', async () => {
    connections = 0;
    const printed = await htmlToPdf(BROWSER!, hostile(origin), PATIENCE);
    expect(printed.kind).toBe('printed');
    // Prints with the browser alone, without stripping the page and without a policy. A page that
    // redirects may print nothing.
    await printPage(BROWSER!, hostile(origin), PATIENCE);
    const staying = hostile(origin).replace(/<meta[^>]+>/, '');
    expect(await printPage(BROWSER!, staying, PATIENCE)).not.toBeNull();
    expect(connections).toBe(0);
    await fetch(`http://${origin}`);
    expect(connections, 'the server of this test counts').toBe(1);
  }, 180_000);

  it('is not printed when it is made to be too rich', async () => {
    expect(await htmlToPdf(BROWSER!, '<div>'.repeat(1_000))).toEqual({
      kind: 'failed',
      why: 'not_printable',
    });
  });
});

it('a browser that hangs is ended in time, and one that is none prints nothing', async () => {
  const hanging = join(folder, 'chromium');
  await writeFile(hanging, '#!/bin/sh\nsleep 60 & sleep 60\n');
  await chmod(hanging, 0o700);
  const before = left();
  const began = performance.now();
  expect(await htmlToPdf('/nowhere/chromium', '<p>x</p>')).toEqual({
    kind: 'failed',
    why: 'engine',
  });
  expect(await printPage(hanging, '<p>x</p>', 300)).toBeNull();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(left()).toEqual(before);
});

async function program(lines: string): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'program-')), 'chromium');
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o700);
  return path;
}

it('a browser that writes nonsense prints nothing, and the process that asked it goes on', async () => {
  for (const nonsense of ['no JSON', 'null', '7', '{"id":1,"result":null}', ''])
    expect(
      await printPage(await program(`printf '${nonsense}\\0' >&4; sleep 60`), '<p>x</p>', 1_000),
      nonsense,
    ).toBeNull();
}, 20_000);

it('a helper that left the group of its browser does not keep anybody waiting', async () => {
  const began = performance.now();
  expect(await printPage(await program('setsid sleep 8 & sleep 60'), '<p>x</p>', 500)).toBeNull();
  expect(performance.now() - began).toBeLessThan(5_000);
}, 20_000);

it('a browser and its helpers leave the processor to others', async () => {
  const told = join(folder, 'niceness');
  const lines = `while [ "$(nice)" = ${getPriority()} ]; do sleep 0.05; done; sh -c nice > ${told}`;
  await printPage(await program(lines), '<p>x</p>', 10_000);
  expect(Number(await readFile(told, 'utf8'))).toBe(Math.min(19, getPriority() + 10));
}, 20_000);
