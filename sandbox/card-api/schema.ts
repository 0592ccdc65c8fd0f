/**
 * The card gateway's tables. Amounts are minor units; of a card only the masked number and its
 * behaviour are stored.
 */

export const CARD_SCHEMA = `
CREATE TABLE IF NOT EXISTS card_orders (order_id TEXT PRIMARY KEY, invoice_id TEXT UNIQUE NOT NULL,
  kind TEXT NOT NULL, state TEXT NOT NULL,
  code INTEGER NOT NULL, total INTEGER NOT NULL, captured INTEGER NOT NULL DEFAULT 0,
    refunded INTEGER NOT NULL DEFAULT 0,
  charged_back INTEGER NOT NULL DEFAULT 0, fee INTEGER NOT NULL,
    user_fee INTEGER NOT NULL DEFAULT 0, currency TEXT NOT NULL, installments INTEGER NOT NULL,
  pre INTEGER NOT NULL, masked TEXT NOT NULL, behaviour TEXT NOT NULL, hook_key TEXT NOT NULL,
    due_at INTEGER, due_what TEXT,
  plan_id INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, data TEXT NOT NULL,
    seeded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS card_orders_due ON card_orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS card_orders_time ON card_orders (created_at);
CREATE INDEX IF NOT EXISTS card_orders_state ON card_orders (state);
CREATE TABLE IF NOT EXISTS card_movements (id TEXT PRIMARY KEY, kind TEXT NOT NULL, order_id TEXT,
  invoice_id TEXT, amount INTEGER NOT NULL,
  fee INTEGER NOT NULL DEFAULT 0, sign INTEGER NOT NULL, currency TEXT NOT NULL, ref TEXT,
    name TEXT, iban TEXT, at INTEGER NOT NULL, seeded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS card_movements_time ON card_movements (at);
CREATE INDEX IF NOT EXISTS card_movements_invoice ON card_movements (invoice_id);
CREATE TABLE IF NOT EXISTS card_balances (currency TEXT PRIMARY KEY, amount INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS bank_steps (id TEXT PRIMARY KEY, order_id TEXT UNIQUE NOT NULL,
  code TEXT NOT NULL, wrong INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS card_refunds (id INTEGER PRIMARY KEY, order_id TEXT NOT NULL,
  amount INTEGER NOT NULL, own_id TEXT, state TEXT NOT NULL,
  hook_key TEXT NOT NULL, due_at INTEGER, created_at INTEGER NOT NULL, done_at INTEGER);
DROP INDEX IF EXISTS card_refunds_own;
CREATE INDEX IF NOT EXISTS card_refunds_by_own_id ON card_refunds (own_id) WHERE own_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS card_refunds_order ON card_refunds (order_id);
CREATE INDEX IF NOT EXISTS card_refunds_due ON card_refunds (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS saved_cards (id INTEGER PRIMARY KEY, token TEXT UNIQUE NOT NULL,
  customer INTEGER NOT NULL, print TEXT NOT NULL,
  masked TEXT NOT NULL, bin TEXT NOT NULL, card TEXT NOT NULL, holder TEXT NOT NULL,
    expiry TEXT NOT NULL, name TEXT, email TEXT, phone TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS saved_cards_customer ON saved_cards (customer);
CREATE TABLE IF NOT EXISTS card_plans (id INTEGER PRIMARY KEY, plan_code TEXT UNIQUE NOT NULL,
  order_id TEXT NOT NULL, invoice_id TEXT NOT NULL, state TEXT NOT NULL,
  amount INTEGER NOT NULL, first_amount INTEGER NOT NULL, currency TEXT NOT NULL,
    number INTEGER NOT NULL, cycle TEXT NOT NULL, every INTEGER NOT NULL,
  next_number INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, planned_at INTEGER,
    due_at INTEGER, hook_key TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS card_plans_due ON card_plans (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS card_charges (id INTEGER PRIMARY KEY, plan_id INTEGER NOT NULL,
  number INTEGER NOT NULL, order_id TEXT, amount INTEGER NOT NULL,
  state TEXT NOT NULL, attempts INTEGER NOT NULL, at INTEGER NOT NULL, remarks TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS card_charges_plan ON card_charges (plan_id, number);
CREATE TABLE IF NOT EXISTS cashouts (id INTEGER PRIMARY KEY, unique_id TEXT NOT NULL,
  name TEXT NOT NULL, iban TEXT NOT NULL, amount INTEGER NOT NULL,
  currency TEXT NOT NULL, state TEXT NOT NULL, hook_key TEXT NOT NULL, due_at INTEGER,
    created_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS cashouts_own ON cashouts (unique_id);
CREATE INDEX IF NOT EXISTS cashouts_due ON cashouts (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS hook_keys (key TEXT NOT NULL, kind TEXT NOT NULL, url TEXT,
  PRIMARY KEY (key, kind));
CREATE TABLE IF NOT EXISTS pay_links (id INTEGER PRIMARY KEY, token TEXT UNIQUE NOT NULL,
  kind TEXT NOT NULL, order_id TEXT, state TEXT NOT NULL, uses INTEGER NOT NULL DEFAULT 0,
  most_uses INTEGER NOT NULL, expires_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    data TEXT NOT NULL);
`;

export const CARD_TABLES = [
  'card_orders',
  'card_movements',
  'card_balances',
  'bank_steps',
  'card_refunds',
  'saved_cards',
  'card_plans',
  'card_charges',
  'cashouts',
  'hook_keys',
  'pay_links',
];
