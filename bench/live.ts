/**
 * Measures the time from a webhook's arrival to the change on an open page, with forty other
 * pages open.
 */
import http from 'node:http';
import { secretsOf } from '../scripts/secrets.ts';
import { visit, withBrowser, type Visitor } from './browser.ts';
import { absolute, against, median, quantile, type Figure } from './figures.ts';
import { SLOW_MS, withSlowProvider } from './payouts.ts';
import { seedApproved, NUMBERED } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

/** A person may have ten live streams. */
const STREAMS_EACH = 10;
const OTHERS = ['mehmet@demo.test', 'selin@demo.test', 'can@demo.test', 'deniz@demo.test'];
const WEBHOOKS = 60;
const PAYOUTS = 12;
const PATIENCE_MS = 20_000;
const PAUSE_MS = 150;
const FLUSHES = 40;
const MEDIAN_MAX = { atMost: 50 };
const P99_MAX = { atMost: 100 };

export async function measureLive(stand: Stand): Promise<Figure[]> {
  const streams = await openStreams(stand);
  // The bank waits, and the benchmark sends the webhooks itself: the measurement begins when one is
  // sent.
  await stand.sandbox('POST', 'webhooks/mode', { drop: true });
  await stand.sandbox('POST', 'bank/mode', { mode: 'manual' });
  try {
    return await withBrowser(stand, async (browser) => {
      const visitor = await visit(browser, stand.origin, stand, { line: false });
      const log = await onTheLog(stand, visitor);
      const payouts = await onPayouts(stand, visitor);
      const slow = await onPayouts(stand, visitor, (work) => withSlowProvider(stand, work));
      return [
        absolute(
          `webhook → shown in the open log, median of ${WEBHOOKS}`,
          median(log),
          'ms',
          MEDIAN_MAX,
          `${OTHERS.length * STREAMS_EACH} streams open, processor slowed four times`,
        ),
        absolute('the same, 99 of 100', quantile(log, 0.99), 'ms', P99_MAX),
        absolute(
          `webhook → provider asked → outcome painted on the payout's page, median of ${PAYOUTS}`,
          median(payouts),
          'ms',
          MEDIAN_MAX,
          'a webhook is never believed: the worker reads the record first',
        ),
        absolute('the same, the slowest', quantile(payouts, 1), 'ms', P99_MAX),
        against(
          `the same, of a provider that answers after ${SLOW_MS} ms / that and one flush`,
          median(slow),
          SLOW_MS + (await flushMs(stand)),
          'ms',
          { atMost: 3 },
        ),
      ];
    });
  } finally {
    await stand.sandbox('POST', 'bank/mode', { mode: 'auto', delayMs: 0 });
    await stand.sandbox('POST', 'webhooks/mode', { drop: false });
    streams.destroy();
  }
}

/** Returns the milliseconds from sending each webhook until the open webhook log counts it. */
async function onTheLog(stand: Stand, { page }: Visitor): Promise<number[]> {
  await page.goto(`${stand.origin}/webhooks`);
  await page.getByText('Canlı', { exact: true }).waitFor();
  const took: number[] = [];
  for (let n = 1; n <= WEBHOOKS; n++) {
    const painted = page.evaluate(
      (count) => window.bench.painted('main button', `${count} değişiklik`),
      n,
    );
    await page.waitForTimeout(PAUSE_MS);
    took.push(-(await sendWebhook(stand, `LIVE${n}`)) + (await painted));
  }
  return took;
}

/**
 * Returns the milliseconds from sending each webhook until the open page of its payout shows the
 * completion. The bank keeps the payouts pending, completes one, and then its webhook is sent.
 */
async function onPayouts(
  stand: Stand,
  visitor: Visitor,
  meanwhile: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Promise<number[]> {
  const { from, to } = await seedApproved(stand, PAYOUTS);
  await stand.owner.query(`UPDATE movements SET next_at = $1 WHERE ${NUMBERED}`, [
    new Date(),
    from,
    to,
  ]);
  await stand.owner.query(`SELECT pg_notify('due', '')`);
  const payouts = await pending(stand, from, to);
  return meanwhile(() => outcomesOf(stand, visitor, payouts));
}

async function outcomesOf(
  stand: Stand,
  { page }: Visitor,
  payouts: readonly Pending[],
): Promise<number[]> {
  const took: number[] = [];
  for (const { id, ext_id: reference } of payouts) {
    await page.goto(`${stand.origin}/payouts/${id}`);
    await page
      .getByRole('article')
      .getByText(/^Canlı/)
      .waitFor();
    const painted = page.evaluate(() => window.bench.painted('article header', 'Tamamlandı'));
    await stand.sandbox('POST', `bank/${reference}`, { outcome: 'complete' });
    // The page also polls every few seconds, so a poll may have shown the change before the webhook
    // was sent.
    const sentAt = await sendWebhook(stand, reference);
    took.push((await painted) - sentAt);
  }
  return took;
}

type Pending = { id: string; ext_id: string };

async function pending(stand: Stand, from: number, to: number): Promise<Pending[]> {
  for (
    const end = Date.now() + PATIENCE_MS;
    Date.now() < end;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  ) {
    const { rows } = await stand.owner.query<Pending>(
      `SELECT id, ext_id FROM movements WHERE state = $1 AND ${NUMBERED}`,
      ['PENDING', from, to],
    );
    if (rows.length === PAYOUTS) return rows;
  }
  throw new Error('the payouts did not reach the bank');
}

/** Returns the median milliseconds of a transaction that waits for the disk and does nothing else. */
async function flushMs(stand: Stand): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < FLUSHES; n++) {
    const begun = performance.now();
    await stand.owner.query('SELECT pg_current_xact_id()');
    took.push(performance.now() - begun);
  }
  return median(took);
}

/**
 * Sends a webhook. Returns the time of sending by this machine's clock, which the page uses too.
 */
async function sendWebhook(stand: Stand, reference: string): Promise<number> {
  const sentAt = Date.now();
  const body =
    `{"ext_transaction_id":"${reference}","after_process_status":1,"transaction_id":${sentAt},` +
    '"request_withdraw_id":7,"reason":"İşlem başarılı"}';
  const answer = await fetch(
    `${stand.origin}/api/webhooks/${secretsOf(stand.dataDir).WEBHOOK_KEY}/wallet`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body },
  );
  if (answer.status !== 200) throw new Error(`a webhook was answered with ${answer.status}`);
  return sentAt;
}

async function openStreams(stand: Stand): Promise<http.Agent> {
  const agent = new http.Agent({ keepAlive: true });
  for (const email of OTHERS) {
    const cookie = cookieHeader(await signIn(stand, email));
    await Promise.all(Array.from({ length: STREAMS_EACH }, () => openStream(stand, agent, cookie)));
  }
  return agent;
}

/** Resolves with the first message of the stream. */
function openStream({ origin }: Stand, agent: http.Agent, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream' };
    const request = http.get(`${origin}/api/events`, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200)
        reject(new Error(`a live stream was answered with ${answer.statusCode}`));
      answer.on('error', () => undefined);
      answer.on('data', () => undefined);
      answer.once('data', () => resolve());
    });
    request.on('error', reject);
  });
}
