import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { CARD_SCHEMA, CARD_TABLES } from './card-api/schema.ts';

/**
 * All state of both providers, in one SQLite file. WAL with synchronous=NORMAL: a commit is handed
 * to the operating system before the answer is sent, so it survives kill -9 of this process (a
 * power cut may lose the last moments).
 */

type Value = string | number | bigint | null;
export type Row = Record<string, string | number | null>;

/**
 * The two `_list` indexes hold the columns by which the lists filter, so that a count or a deep
 * page reads no row that it does not show.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS merchants (id INTEGER PRIMARY KEY, merchant_key TEXT NOT NULL,
  name TEXT NOT NULL, site TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS people (id INTEGER PRIMARY KEY, email TEXT UNIQUE NOT NULL,
  password_hash TEXT NOT NULL,
  first_name TEXT NOT NULL, last_name TEXT NOT NULL, phone TEXT NOT NULL, merchant_id INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS challenges (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL,
  code TEXT NOT NULL,
  expires_at INTEGER NOT NULL, wrong INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS challenges_user ON challenges (user_id, state);
CREATE TABLE IF NOT EXISTS login_tokens (hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL,
  expires_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, phone TEXT NOT NULL,
  email TEXT NOT NULL, name TEXT NOT NULL,
  text TEXT NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY, number TEXT UNIQUE NOT NULL,
  kind TEXT NOT NULL, name TEXT NOT NULL, first_name TEXT NOT NULL,
  last_name TEXT NOT NULL, phone_country TEXT NOT NULL, phone TEXT NOT NULL, access INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS accounts_phone ON accounts (phone);
CREATE TABLE IF NOT EXISTS wallets (number TEXT PRIMARY KEY, id TEXT NOT NULL,
  account_id TEXT NOT NULL, name TEXT NOT NULL,
  currency TEXT NOT NULL, iban TEXT NOT NULL, access INTEGER NOT NULL, available INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
  withdrawal_limit INTEGER NOT NULL, month TEXT NOT NULL, month_in INTEGER NOT NULL,
    month_out INTEGER NOT NULL,
  month_withdrawn INTEGER NOT NULL, is_default INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER);
CREATE INDEX IF NOT EXISTS wallets_account ON wallets (account_id);
CREATE TABLE IF NOT EXISTS movements (id TEXT PRIMARY KEY, kind TEXT NOT NULL,
  type_id INTEGER NOT NULL, state TEXT NOT NULL,
  status_id INTEGER NOT NULL, from_wallet TEXT, to_wallet TEXT, amount INTEGER NOT NULL,
    fee INTEGER NOT NULL,
  currency TEXT NOT NULL, ext_id TEXT, request_id TEXT, ref_id TEXT, description TEXT NOT NULL,
    other_name TEXT,
  other_iban TEXT, created_at INTEGER NOT NULL, completed_at INTEGER, listed_at INTEGER NOT NULL,
    hostile INTEGER NOT NULL DEFAULT 0,
  seeded INTEGER NOT NULL DEFAULT 0);
DROP INDEX IF EXISTS movements_time;
CREATE INDEX IF NOT EXISTS movements_list ON movements (created_at, id, state, kind, listed_at,
  from_wallet, to_wallet, type_id, status_id, amount, currency);
CREATE INDEX IF NOT EXISTS movements_ext ON movements (ext_id);
CREATE INDEX IF NOT EXISTS movements_ref ON movements (ref_id);
CREATE TABLE IF NOT EXISTS requests (id TEXT PRIMARY KEY, movement_id TEXT NOT NULL,
  ext_id TEXT NOT NULL, wallet_number TEXT NOT NULL,
  iban TEXT NOT NULL, holder TEXT NOT NULL, national_id TEXT NOT NULL, amount INTEGER NOT NULL,
    fee INTEGER NOT NULL,
  currency TEXT NOT NULL, description TEXT NOT NULL, payment_type TEXT NOT NULL,
    level INTEGER NOT NULL, bank_state TEXT NOT NULL,
  due_at INTEGER, due_outcome TEXT, accepted_at INTEGER NOT NULL, updated_at INTEGER,
    visible_at INTEGER NOT NULL,
  listed_from INTEGER NOT NULL, seeded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS requests_ext ON requests (ext_id);
CREATE INDEX IF NOT EXISTS requests_iban ON requests (iban, accepted_at);
CREATE INDEX IF NOT EXISTS requests_due ON requests (due_at) WHERE due_at IS NOT NULL;
DROP INDEX IF EXISTS requests_time;
CREATE INDEX IF NOT EXISTS requests_list ON requests (accepted_at, id, visible_at, wallet_number,
  level, currency, amount);
CREATE INDEX IF NOT EXISTS requests_state ON requests (bank_state);
CREATE TABLE IF NOT EXISTS burned (ext_id TEXT PRIMARY KEY, at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS bank_receipts (no TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS magic_seen (ext_id TEXT NOT NULL, what TEXT NOT NULL,
  PRIMARY KEY (ext_id, what));
CREATE TABLE IF NOT EXISTS deliveries (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ext_id TEXT,
  event TEXT NOT NULL, body TEXT NOT NULL,
  state TEXT NOT NULL, due_at INTEGER, tries INTEGER NOT NULL DEFAULT 0,
    attempts TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS late_work (id INTEGER PRIMARY KEY, due_at INTEGER NOT NULL,
  call TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL,
  real_at INTEGER NOT NULL, method TEXT NOT NULL,
  path TEXT NOT NULL, operation TEXT NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL,
    fault TEXT, executed INTEGER NOT NULL,
  answer_status INTEGER, answer_code TEXT);
CREATE INDEX IF NOT EXISTS log_operation ON log (operation, id);
`;

/** The columns that a database file of an earlier version of this program lacks. */
const ADDED: readonly [table: string, column: string, type: string][] = [
  ['deliveries', 'url', 'TEXT'],
  ['deliveries', 'type', "TEXT NOT NULL DEFAULT 'application/json; charset=utf-8'"],
  ['wallets', 'transfer_limit', 'INTEGER NOT NULL DEFAULT 200000000'],
  ['wallets', 'topup_limit', 'INTEGER NOT NULL DEFAULT 10000000000'],
  ['wallets', 'max_balance', 'INTEGER NOT NULL DEFAULT 10000000000'],
  ['wallets', 'daily_limit', 'INTEGER NOT NULL DEFAULT 0'],
  ['wallets', 'month_transferred', 'INTEGER NOT NULL DEFAULT 0'],
  ['wallets', 'month_topped_up', 'INTEGER NOT NULL DEFAULT 0'],
  ['wallets', 'day', "TEXT NOT NULL DEFAULT ''"],
  ['wallets', 'day_out', 'INTEGER NOT NULL DEFAULT 0'],
  ['movements', 'receipt_no', 'TEXT'],
  ['movements', 'updated_at', 'INTEGER'],
];

/**
 * The tables that a reset empties. Credentials are in kv under `keep.` and stay, so that running
 * clients go on working.
 */
const TABLES = [
  'merchants',
  'people',
  'challenges',
  'login_tokens',
  'messages',
  'accounts',
  'wallets',
  'movements',
  'requests',
  'burned',
  'bank_receipts',
  'magic_seen',
  'deliveries',
  'late_work',
  'log',
  ...CARD_TABLES,
];

export class Store {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  constructor(dataDir: string) {
    const folder = join(dataDir, 'sandbox');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#db = new DatabaseSync(join(folder, 'sandbox.db'));
    // Exclusive: a second sandbox on the same folder is refused instead of sharing the database.
    this.#db.exec(
      'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; ' +
        'PRAGMA busy_timeout=500; PRAGMA cache_size=-32000;',
    );
    // Deleted data is overwritten: a row of late card work holds a card number until it is done.
    this.#db.exec('PRAGMA secure_delete=ON');
    this.#db.exec(SCHEMA + CARD_SCHEMA);
    for (const column of ADDED) this.#addColumn(...column);
  }

  #addColumn(table: string, column: string, type: string): void {
    const known = this.#db.prepare(`PRAGMA table_info(${table})`).all() as Row[];
    if (!known.some((one) => one.name === column))
      this.#db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Returns the new row id of an INSERT and how many rows changed. */
  run(sql: string, ...values: Value[]): { id: number; changes: number } {
    const result = this.#prepare(sql).run(...values);
    return { id: Number(result.lastInsertRowid), changes: Number(result.changes) };
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Runs `work` in a transaction; a nested call that throws rolls back only its own changes. */
  tx<T>(work: () => T): T {
    const [begin, commit, rollback] =
      this.#depth === 0
        ? ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
        : ['SAVEPOINT inner', 'RELEASE inner', 'ROLLBACK TO inner; RELEASE inner'];
    this.#db.exec(begin);
    this.#depth += 1;
    try {
      const result = work();
      this.#db.exec(commit);
      return result;
    } catch (error) {
      this.#db.exec(rollback);
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  read(key: string): string | null {
    const row = this.get('SELECT value FROM kv WHERE key = ?', key);
    return row ? String(row.value) : null;
  }

  write(key: string, value: string): void {
    this.run(
      'INSERT INTO kv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }

  empty(): void {
    for (const table of TABLES) this.#db.exec(`DELETE FROM ${table}`);
    this.#db.exec("DELETE FROM kv WHERE key NOT LIKE 'keep.%'");
  }

  /** Removes deleted data from the write-ahead log as well, as soon as no transaction is open. */
  forgetSoon(): void {
    setImmediate(() => {
      if (this.#db.isOpen) this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}

export const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);
export const num = (value: string | number | null | undefined): number => Number(value ?? 0);
/** Amount columns hold minor units far below 2^53, so the number SQLite hands over is exact. */
export const minor = (value: string | number | null | undefined): bigint => BigInt(value ?? 0);
