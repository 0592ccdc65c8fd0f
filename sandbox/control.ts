import { auditBooks } from './books.ts';
import { BANK_OUTCOMES, applyOutcome, deskRows, possibleOutcomes, rearmBank } from './bank/desk.ts';
import type { BankOutcome } from './bank/desk.ts';
import { saveBankMode } from './bank/mode.ts';
import { cardDeskRoutes } from './card-api/desk.ts';
import { loadCardMerchant } from './card-api/merchant.ts';
import { iso, parseDuration } from './clock.ts';
import { coverage } from './coverage.ts';
import { decimalText } from './exact-json.ts';
import { FAULT_KINDS, WORK_DONE } from './faults.ts';
import { ledgerLines } from './ledger.ts';
import { MAGIC, MAGIC_BANK } from './magic.ts';
import { SWITCHES, loadQuestions, setQuestions } from './questions.ts';
import { listRequests } from './request-log.ts';
import { seedWorld } from './seed/seed.ts';
import { minor, num, text } from './store.ts';
import { isForeign } from './origin.ts';
import { json } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import { topUp } from './top-up.ts';
import { changeAccount, changeWallet, moveMoney, walletsView } from './wallet-desk.ts';
import type { World } from './world.ts';

/** The control interface under /sandbox/, for the console and for tests. */

export type ControlCall = {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
};
export type Fields = Record<string, unknown>;

const MOST_ROWS = 10_000;
const MOST_SEED = 2 ** 31;

const bad = (error: string, status = 400): Answer => json(status, { error });
const ok = (value: unknown): Answer => json(200, value);

function rowLimit(url: URL, usual: number): number {
  const wanted = Number(url.searchParams.get('limit') ?? usual);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, MOST_ROWS) : usual;
}

function clockView(world: World): object {
  const { offset } = world.clock;
  const real = Date.now();
  return { now: iso(real + offset), real_now: iso(real), offset_ms: offset };
}

function setClock(world: World, fields: Fields): Answer {
  const { advance, now } = fields;
  if (now === 'real' && world.clock.offset <= 0) {
    world.clock.rewind();
    world.scheduler.drain();
    return ok(clockView(world));
  }
  let jump: number | null = null;
  if (typeof advance === 'string') jump = parseDuration(advance);
  else if (typeof now === 'string')
    jump = Number.isNaN(Date.parse(now)) ? null : Date.parse(now) - world.clock.now();
  if (jump === null) return bad('send {"advance": "20d" | "35m" | "90s"} or {"now": "<ISO time>"}');
  if (jump < 0)
    return bad('the clock only goes forward; POST /sandbox/reset brings it back to real time');
  world.clock.advance(jump);
  world.scheduler.drain();
  return ok(clockView(world));
}

function reset(world: World, fields: Fields): Answer {
  const seed = fields.seed ?? 2025;
  if (!Number.isInteger(seed) || (seed as number) < 0 || (seed as number) >= MOST_SEED)
    return bad(`"seed" must be a whole number from 0 to ${MOST_SEED - 1}`);
  const { now = null } = fields;
  const at = now === null ? Date.now() : typeof now === 'string' ? Date.parse(now) : NaN;
  if (Number.isNaN(at) || at > Date.now()) return bad('"now" must be an ISO time in the past');
  world.notices.restart();
  world.store.tx(() => {
    world.store.empty();
    world.clock.rewind();
    world.faults.clear(null);
    saveBankMode(world.store, world.bankMode, { mode: 'auto', delayMs: 1500 });
    Object.assign(world.questions, loadQuestions(world.store));
    Object.assign(world.cardMerchant, loadCardMerchant(world.store));
    seedWorld(world, seed as number, now === null ? Infinity : at);
    if (now !== null) world.clock.advance(at - Date.now());
  });
  return ok({ seed, ...clockView(world) });
}

function deskView(world: World, limit: number): object {
  return {
    mode: world.bankMode.mode,
    delayMs: world.bankMode.delayMs,
    requests: deskRows(world, limit).map((row) => ({
      request_id: text(row.id),
      ext_transaction_id: text(row.ext_id),
      transaction_id: text(row.movement_id),
      wallet_number: text(row.wallet_number),
      name: text(row.holder),
      iban: text(row.iban),
      amount: decimalText(minor(row.amount)),
      fee: decimalText(minor(row.fee)),
      currency: text(row.currency),
      description: text(row.description),
      state: text(row.bank_state),
      process_level_status: num(row.level),
      accepted_at: iso(num(row.accepted_at)),
      due_at: row.due_at === null ? null : iso(num(row.due_at)),
      next: row.due_at === null ? null : text(row.due_outcome),
      possible: possibleOutcomes(text(row.bank_state)),
    })),
  };
}

function setBankMode(world: World, fields: Fields): Answer {
  const mode = fields.mode ?? world.bankMode.mode;
  const delayMs = fields.delayMs ?? world.bankMode.delayMs;
  if (mode !== 'auto' && mode !== 'manual') return bad('"mode" must be auto or manual');
  if (!Number.isInteger(delayMs) || (delayMs as number) < 0 || (delayMs as number) > 86_400_000)
    return bad('"delayMs" must be a whole number from 0 to 86400000');
  saveBankMode(world.store, world.bankMode, { mode, delayMs: delayMs as number });
  rearmBank(world);
  return ok(world.bankMode);
}

function bankStep(world: World, id: string, fields: Fields): Answer {
  const outcome = fields.outcome as BankOutcome;
  if (!BANK_OUTCOMES.includes(outcome))
    return bad(`"outcome" must be one of ${BANK_OUTCOMES.join(', ')}`);
  const request = world.store.get(
    'SELECT * FROM requests WHERE id = ? OR ext_id = ? ORDER BY accepted_at LIMIT 1',
    id,
    id,
  );
  if (!request) return bad(`no request "${id}"`, 404);
  const result = applyOutcome(world, request, outcome, world.clock.now());
  return result.ok
    ? ok({ request_id: text(request.id), state: result.state })
    : bad(result.why, 409);
}

function messagesView(world: World, to: string | null): object[] {
  const rows =
    to === null
      ? world.store.all('SELECT * FROM messages ORDER BY id DESC LIMIT 200')
      : world.store.all(
          'SELECT * FROM messages WHERE phone = ? OR email = ? ORDER BY id DESC LIMIT 200',
          to,
          to,
        );
  return rows.map((row) => ({
    to: text(row.phone),
    email: text(row.email),
    name: text(row.name),
    text: text(row.text),
    code: text(row.code),
    at: iso(num(row.at)),
  }));
}

function questionsView(world: World): object {
  return Object.fromEntries(
    Object.entries(SWITCHES).map(([name, entry]) => [
      name,
      { value: world.questions[name as keyof typeof SWITCHES], ...entry },
    ]),
  );
}

function booksView(world: World): object {
  const lines = auditBooks(world.store);
  return {
    agrees: lines.every((line) => line.agrees),
    wallets: lines.map((line) => ({
      ...line,
      available: decimalText(line.available),
      blocked: decimalText(line.blocked),
      ledger_total: decimalText(line.ledger_total),
      ledger_blocked: decimalText(line.ledger_blocked),
    })),
  };
}

export type Handler = (world: World, fields: Fields, url: URL, id: string) => Answer;

const ROUTES: readonly [string, RegExp, Handler][] = [
  [
    'GET',
    /^credentials$/,
    (world) => ok({ card: world.credentials.card, wallet: world.credentials.wallet }),
  ],
  ['GET', /^messages$/, (world, _f, url) => ok(messagesView(world, url.searchParams.get('to')))],
  ['POST', /^reset$/, (world, fields) => reset(world, fields)],
  ['GET', /^clock$/, (world) => ok(clockView(world))],
  ['POST', /^clock$/, (world, fields) => setClock(world, fields)],
  [
    'GET',
    /^faults$/,
    (world) => ok({ faults: world.faults.list(), kinds: FAULT_KINDS, work_done: WORK_DONE }),
  ],
  [
    'POST',
    /^faults$/,
    (world, fields) => {
      const added = world.faults.add(fields);
      return typeof added === 'string' ? bad(added) : ok(added);
    },
  ],
  [
    'DELETE',
    /^faults$/,
    (world, _f, url) => {
      world.faults.clear(url.searchParams.get('operation'));
      return ok({ faults: world.faults.list() });
    },
  ],
  ['GET', /^bank$/, (world, _f, url) => ok(deskView(world, rowLimit(url, 50)))],
  ['POST', /^bank\/mode$/, (world, fields) => setBankMode(world, fields)],
  ['POST', /^bank\/([^/]+)$/, (world, fields, _u, id) => bankStep(world, id, fields)],
  [
    'GET',
    /^webhooks$/,
    (world, _f, url) =>
      ok({
        mode: world.notices.mode,
        target: world.notices.target === null ? null : 'set',
        deliveries: world.notices.list(rowLimit(url, 100)),
      }),
  ],
  [
    'POST',
    /^webhooks\/mode$/,
    (world, fields) => {
      const wrong = world.notices.setMode(fields);
      return wrong === null ? ok(world.notices.mode) : bad(wrong);
    },
  ],
  [
    'POST',
    /^webhooks\/(\d+)\/resend$/,
    (world, _f, _u, id) =>
      world.notices.resend(Number(id))
        ? ok({ id: Number(id), state: 'waiting' })
        : bad(`no delivery ${id}`, 404),
  ],
  ['GET', /^ledger$/, (world, _f, url) => ok(ledgerLines(world, url.searchParams))],
  ['GET', /^books$/, (world) => ok(booksView(world))],
  [
    'GET',
    /^requests$/,
    (world, _f, url) =>
      ok(listRequests(world, url.searchParams.get('operation'), rowLimit(url, 500))),
  ],
  ['GET', /^questions$/, (world) => ok(questionsView(world))],
  [
    'POST',
    /^questions$/,
    (world, fields) => {
      const wrong = setQuestions(world.store, world.questions, fields);
      return wrong === null ? ok(questionsView(world)) : bad(wrong);
    },
  ],
  ['GET', /^coverage$/, () => ok(coverage())],
  ['GET', /^magic$/, () => ok({ bank: MAGIC_BANK, rows: MAGIC })],
  ['GET', /^health$/, (world) => ok({ ok: true, now: iso(world.clock.now()) })],
  ['GET', /^wallets$/, (world) => ok(walletsView(world))],
  ['POST', /^wallets\/([^/]+)$/, (world, fields, _u, id) => changeWallet(world, id, fields)],
  ['POST', /^accounts\/([^/]+)$/, (world, fields, _u, id) => changeAccount(world, id, fields)],
  ['POST', /^wallets\/([^/]+)\/move$/, (world, fields, _u, id) => moveMoney(world, id, fields)],
  ['POST', /^wallets\/([^/]+)\/topup$/, (world, fields, _u, id) => topUp(world, id, fields)],
  ...cardDeskRoutes,
];

function readFields(body: string): Fields | null {
  if (body.trim() === '') return {};
  try {
    const parsed = JSON.parse(body) as unknown;
    return parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)
      ? (parsed as Fields)
      : null;
  } catch {
    return null;
  }
}

export function control(world: World, call: ControlCall): Answer {
  const foreign = isForeign(call.headers);
  if (foreign) return bad(foreign, 403);
  try {
    return dispatch(world, call);
  } catch (error) {
    if (error instanceof URIError) return bad('the path is not readable');
    process.stderr.write(
      `sandbox: ${call.url.pathname} failed: ${String((error as Error).stack ?? error)}\n`,
    );
    return bad(`unexpected error: ${(error as Error).message}`, 500);
  }
}

function dispatch(world: World, call: ControlCall): Answer {
  const path = decodeURIComponent(call.url.pathname.slice('/sandbox/'.length));
  const matching = ROUTES.filter(([, pattern]) => pattern.test(path));
  const route = matching.find(([method]) => method === call.method);
  if (matching.length === 0) return bad(`no such control call: ${call.url.pathname}`, 404);
  if (!route)
    return {
      ...bad(`${call.method} is not possible here`, 405),
      headers: { allow: matching.map(([method]) => method).join(', ') },
    };
  const fields = readFields(call.body);
  if (fields === null) return bad('the body must be a JSON object');
  return world.store.tx(() => route[2](world, fields, call.url, route[1].exec(path)?.[1] ?? ''));
}
