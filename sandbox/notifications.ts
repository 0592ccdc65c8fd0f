import { request as httpRequest, Agent as HttpAgent } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';
import type { Clock } from './clock.ts';
import { iso } from './clock.ts';
import type { Questions } from './questions.ts';
import type { Scheduler } from './scheduler.ts';
import { num, text } from './store.ts';
import type { Row, Store } from './store.ts';

/**
 * Delivers the notifications to the merchant: they are stored, sent at least once, and tried again
 * after growing pauses.
 */

export type DeliveryMode = { drop: boolean; duplicate: number; reorder: boolean; delayMs: number };

const DEFAULT_MODE: DeliveryMode = { drop: false, duplicate: 0, reorder: false, delayMs: 0 };
const RETRY_DELAYS_MS = [2_000, 10_000];
const LATER_RETRIES_MS = 60_000;
const ANSWER_DEADLINE_MS = 10_000;
const MOST_IN_FLIGHT = 32;
const HELD_AT_MOST_MS = 10_000;
const AFTER_OVERTAKING_MS = 400;
const MOST_COPIES = 50;

type Parts = {
  store: Store;
  clock: Clock;
  scheduler: Scheduler;
  questions: Questions;
  notifyUrl: string | null;
};
/**
 * `extId`: an ext_transaction_id or an invoice id. `url`: the address of a card webhook's key, or
 * null for the usual address. `type`: the content type, a form or JSON.
 */
type Message = {
  kind?: 'wallet' | 'card';
  event: string;
  extId: string | null;
  body: string;
  copies?: number;
  heldMs?: number;
  url?: string | null;
  type?: string;
};
const JSON_TYPE = 'application/json; charset=utf-8';

export class Notices {
  readonly #parts: Parts;
  readonly mode: DeliveryMode;
  readonly #flying = new Set<number>();
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: MOST_IN_FLIGHT }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: MOST_IN_FLIGHT }),
  };
  /**
   * Counts the resets, so that a response to a delivery from before a reset does not change newer
   * rows.
   */
  #era = 0;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.mode = {
      ...DEFAULT_MODE,
      ...(JSON.parse(parts.store.read('webhooks.mode') ?? '{}') as Partial<DeliveryMode>),
    };
    parts.scheduler.add({ next: () => this.#next(), run: (now) => this.#send(now) });
  }

  get target(): string | null {
    return this.#parts.notifyUrl;
  }

  setMode(wanted: Record<string, unknown>): string | null {
    const next = { ...this.mode };
    for (const [name, value] of Object.entries(wanted)) {
      if (name === 'drop' || name === 'reorder') {
        if (typeof value !== 'boolean') return `"${name}" must be true or false`;
        next[name] = value;
      } else if (name === 'duplicate') {
        const copies = typeof value === 'boolean' ? Number(value) : value;
        if (!Number.isInteger(copies) || (copies as number) < 0 || (copies as number) > MOST_COPIES)
          return `"duplicate" must be true, false or a number of extra copies up to ${MOST_COPIES}`;
        next.duplicate = copies as number;
      } else if (name === 'delayMs') {
        if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 86_400_000)
          return '"delayMs" must be a whole number from 0 to 86400000';
        next.delayMs = value as number;
      } else return `unknown "${name}"; known: drop, duplicate, reorder, delayMs`;
    }
    Object.assign(this.mode, next);
    this.#parts.store.write('webhooks.mode', JSON.stringify(this.mode));
    return null;
  }

  /**
   * Queues a notification as the delivery mode says. Must run in the transaction of the change that
   * the notification reports.
   */
  queue(message: Message): void {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const copies = message.copies ?? 1;
    const dropped = this.mode.drop || copies === 0;
    const base = now + this.mode.delayMs + (message.heldMs ?? 0);
    const due = this.mode.reorder ? this.#overtake(base) : base;
    for (let copy = 0; copy < Math.max(copies, 1) + this.mode.duplicate; copy++) {
      const state = dropped ? 'dropped' : 'waiting';
      store.run(
        `INSERT INTO deliveries (kind, ext_id, event, body, state, due_at, created_at, url, type)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        message.kind ?? 'wallet',
        message.extId,
        message.event,
        message.body,
        state,
        dropped ? null : due,
        now,
        message.url ?? null,
        message.type ?? JSON_TYPE,
      );
      if (dropped) break;
    }
    if (!dropped) this.#parts.scheduler.poke(due);
  }

  /**
   * Returns the due time of a notification in the mode `reorder`: it is held until a later
   * notification has been sent first, or for HELD_AT_MOST_MS.
   */
  #overtake(base: number): number {
    const { store } = this.#parts;
    const held = store.get(
      "SELECT MIN(id) AS id FROM deliveries WHERE state = 'waiting' AND tries = 0 AND due_at > ?",
      base,
    );
    if (held?.id === null || held === undefined) return base + HELD_AT_MOST_MS;
    store.run(
      "UPDATE deliveries SET due_at = ? WHERE state = 'waiting' AND tries = 0 AND due_at > ?",
      base + AFTER_OVERTAKING_MS,
      base,
    );
    return base;
  }

  #next(): number | null {
    if (this.#stopped || this.#flying.size >= MOST_IN_FLIGHT) return null;
    const row = this.#parts.store.get(
      'SELECT MIN(due_at) AS due FROM deliveries WHERE due_at IS NOT NULL',
    );
    return row?.due === null || row === undefined ? null : num(row.due);
  }

  #send(now: number): void {
    const { store } = this.#parts;
    const rows = store.all(
      'SELECT * FROM deliveries WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
      now,
      MOST_IN_FLIGHT - this.#flying.size,
    );
    // The next attempt is stored before the call, so that a crash during the call leads to another
    // attempt.
    store.tx(() =>
      rows.forEach((row) =>
        store.run(
          'UPDATE deliveries SET due_at = ? WHERE id = ?',
          now + ANSWER_DEADLINE_MS * 2,
          num(row.id),
        ),
      ),
    );
    for (const row of rows) {
      const id = num(row.id);
      if (this.#flying.has(id)) continue;
      this.#flying.add(id);
      const era = this.#era;
      void this.#post(row).then((result) => {
        if (era !== this.#era || this.#stopped) return;
        this.#flying.delete(id);
        this.#record(row, result);
        this.#parts.scheduler.poke(this.#next() ?? Infinity);
      });
    }
  }

  #record(row: Row, result: { status: number | null; error: string | null }): void {
    const { store, clock } = this.#parts;
    const id = num(row.id);
    const current = store.get('SELECT tries, attempts FROM deliveries WHERE id = ?', id);
    if (!current) return;
    const tries = num(current.tries) + 1;
    const attempts = JSON.parse(text(current.attempts)) as object[];
    attempts.push({ at: iso(clock.now()), status: result.status, error: result.error });
    const delivered = result.status !== null && result.status >= 200 && result.status < 300;
    const wait =
      tries < this.#parts.questions.notice_tries
        ? (RETRY_DELAYS_MS[tries - 1] ?? LATER_RETRIES_MS)
        : undefined;
    const state = delivered ? 'delivered' : wait === undefined ? 'failed' : 'waiting';
    const due = state === 'waiting' ? clock.now() + (wait ?? 0) : null;
    store.run(
      'UPDATE deliveries SET state = ?, due_at = ?, tries = ?, attempts = ? WHERE id = ?',
      state,
      due,
      tries,
      JSON.stringify(attempts),
      id,
    );
  }

  #post(row: Row): Promise<{ status: number | null; error: string | null }> {
    const base = this.#parts.notifyUrl;
    if (!base && row.url === null)
      return Promise.resolve({ status: null, error: 'no address: SANDBOX_NOTIFY_URL is not set' });
    const body = Buffer.from(text(row.body), 'utf8');
    const secret = this.#parts.questions.notice_secret;
    return new Promise((resolve) => {
      try {
        const url = new URL(
          row.url === null ? `${(base ?? '').replace(/\/$/, '')}/${text(row.kind)}` : text(row.url),
        );
        const secure = url.protocol === 'https:';
        const call = (secure ? httpsRequest : httpRequest)(
          url,
          {
            method: 'POST',
            agent: secure ? this.#agents.https : this.#agents.http,
            signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
            headers: {
              'content-type': text(row.type),
              'content-length': body.length,
              ...(secret ? { 'x-webhook-secret': secret } : {}),
            },
          },
          (answer) => {
            answer.resume();
            answer.once('close', () => resolve({ status: answer.statusCode ?? null, error: null }));
          },
        );
        call.once('error', (error: NodeJS.ErrnoException) =>
          resolve({ status: null, error: error.code ?? error.message }),
        );
        call.end(body);
      } catch (error) {
        resolve({ status: null, error: String((error as Error).message) });
      }
    });
  }

  list(limit: number): object[] {
    return this.#parts.store
      .all('SELECT * FROM deliveries ORDER BY id DESC LIMIT ?', limit)
      .map((row) => ({
        id: num(row.id),
        kind: row.kind,
        event: row.event,
        ...(row.kind === 'card' ? { invoice_id: row.ext_id } : { ext_transaction_id: row.ext_id }),
        state: row.state,
        tries: num(row.tries),
        created_at: iso(num(row.created_at)),
        due_at: row.due_at === null ? null : iso(num(row.due_at)),
        attempts: JSON.parse(text(row.attempts)) as unknown,
        body: text(row.body),
      }));
  }

  /** Sends a delivery again, even a dropped one; false when no delivery has this id. */
  resend(id: number): boolean {
    const now = this.#parts.clock.now();
    const hit =
      this.#parts.store.run(
        "UPDATE deliveries SET state = 'waiting', due_at = ?, tries = 0 WHERE id = ?",
        now,
        id,
      ).changes > 0;
    if (hit) this.#parts.scheduler.poke(now);
    return hit;
  }

  /** Forgets the deliveries that are being sent and restores the default mode, for a reset. */
  restart(): void {
    this.#era += 1;
    this.#flying.clear();
    Object.assign(this.mode, DEFAULT_MODE);
  }

  stop(): void {
    this.#stopped = true;
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}
