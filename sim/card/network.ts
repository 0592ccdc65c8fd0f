import type { Exchange, UnclearWhy } from '#lib/providers/outcome.ts';
import type { Random } from '../random.ts';
import { HOUR, MINUTE } from '../time.ts';
import type { Effect } from './effect.ts';
import { coded } from './wire.ts';
import type { Answer } from './wire.ts';
import type { CardWorld } from './world.ts';

/**
 * The network between us and the gateway: it loses, delays, doubles and garbles messages. It passes
 * them on as text, as a real network does.
 */

const DEADLINE_MS = 30_000;
/** A request may arrive this long after our deadline. */
const TAIL_MS = 3 * MINUTE;
const CONNECT_MAX_MS = 9_000;

type Request = Extract<Effect, { kind: 'request' }>;
type Query = Extract<Effect, { kind: 'query' }>;
type Caller = {
  name: string;
  whenAwake: (then: () => void) => void;
  /** The first bytes are out. */ written: () => void;
};
type Done = (exchange: Exchange) => void;

export class Network {
  /** Requests that were written and have not arrived yet, by intent. */
  readonly underWay = new Map<string, number>();
  private readsDown = false;
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld) {
    this.world = world;
    this.random = world.random('network');
  }

  /** Plans hours in which no query is answered. */
  plan(): void {
    const { agenda, knobs } = this.world;
    const random = this.world.random('outage');
    for (let n = knobs.faults.readsDown > 0 ? random.between(1, 3) : 0; n > 0; n--) {
      const from = random.between(0, knobs.healsAt);
      this.world.plans('readsDown', from, () => (this.readsDown = true));
      agenda.at(
        Math.min(from + random.spread(MINUTE, 2 * HOUR), knobs.healsAt),
        () => (this.readsDown = false),
      );
    }
  }

  send(effect: Request, caller: Caller, done: Done): void {
    const { world, random } = this;
    if (world.fault('notSent', random)) {
      const why = random.pick([
        'dns',
        'refused',
        'connect_timeout',
        'tls',
        'unreachable',
        'no_token',
      ] as const);
      return world.agenda.after(random.between(1, 10_000), () => done({ kind: 'not_sent', why }));
    }
    const connecting = random.chance(0.1)
      ? random.between(300, CONNECT_MAX_MS)
      : random.between(5, 300);
    world.agenda.after(connecting, () =>
      caller.whenAwake(() => {
        if (!effect.mayWrite()) return done({ kind: 'not_sent', why: 'held_back' });
        world.judge.written(effect, caller.name);
        this.carry(effect, done);
        caller.written();
      }),
    );
  }

  /** From the first byte on the request may arrive, whatever response the caller gets. */
  private carry(effect: Request, hear: Done): void {
    const { world, random } = this;
    const done = once(hear);
    world.agenda.after(DEADLINE_MS, () => done({ kind: 'unclear', why: 'timeout' }));
    if (world.fault('unauthorized', random)) {
      world.judge.turnedAway(effect.intent);
      return this.answerSoon({ http: 401, body: '' }, done);
    }
    if (world.fault('lostRequest', random)) return this.lose(done);
    if (world.fault('statusBefore', random)) {
      return this.answerSoon(
        { http: random.pick([500, 502, 503, 504, 429]), body: gatewayPage() },
        done,
      );
    }
    if (world.fault('redirect', random))
      return this.answerSoon({ http: random.pick([301, 302, 307]), body: '' }, done);
    const late = world.fault('lateRequest', random);
    const transit = late
      ? random.between(DEADLINE_MS, DEADLINE_MS + TAIL_MS)
      : random.between(5, 800);
    const twice = isTakenOnce(effect.path, world) && world.fault('doubled', random);
    this.arrive(effect, transit, (answer) => {
      // Either of the two answers may be the one that comes back.
      const hearsAgain = twice && random.chance(0.5);
      if (twice) {
        world.judge.doubled(effect.intent, !isSeenAtOnce(effect.path, world));
        this.arrive(
          effect,
          random.between(1, 2_000),
          (second) => hearsAgain && this.deliver(second, effect, done),
        );
      }
      if (!hearsAgain) this.deliver(answer, effect, done);
    });
  }

  private arrive(
    { path, body, intent }: Request,
    transit: number,
    next: (answer: Answer) => void,
  ): void {
    const { underWay, world } = this;
    underWay.set(intent, (underWay.get(intent) ?? 0) + 1);
    world.agenda.after(transit, () => {
      underWay.set(intent, (underWay.get(intent) ?? 0) - 1);
      world.note('gateway', () => `receives ${path} of ${intent}`);
      next(world.gateway.receive(path, body, intent));
    });
  }

  private deliver(answer: Answer, effect: Request, done: Done): void {
    const { world, random } = this;
    const { http, body } = answer;
    if (world.fault('lostAnswer', random)) return this.lose(done);
    if (world.fault('statusAfter', random)) {
      const page = random.pick([body, gatewayPage(), coded('41', {}, world.wire).body]);
      return this.answerSoon(
        { http: random.pick([500, 502, 503, 504, 201, 404, 400, 422]), body: page },
        done,
      );
    }
    if (world.fault('garbled', random)) return this.garble(answer, done);
    if (world.fault('strangeCode', random)) {
      const name = effect.path === 'cashout' ? 'statuscode' : 'status_code';
      return this.answerSoon(
        coded(random.pick(['777', '500', '69', '117']), {}, world.wire, name),
        done,
      );
    }
    // The answer is the one to another client's request.
    if (world.fault('misread', random))
      return this.answerSoon({ http, body: body.replaceAll('F-', 'G-') }, done);
    this.answerSoon(answer, done);
  }

  ask(effect: Query, hear: Done): void {
    const { world, random } = this;
    const done = once(hear);
    world.stats.card.queries++;
    world.agenda.after(DEADLINE_MS, () => done({ kind: 'unclear', why: 'timeout' }));
    if (this.readsDown || world.fault('readLost', random)) {
      if (random.chance(0.3))
        return world.agenda.after(random.between(1, 5_000), () =>
          done({ kind: 'not_sent', why: 'refused' }),
        );
      if (random.chance(0.4))
        return this.answerSoon(
          { http: random.pick([500, 503, 401, 429, 302]), body: gatewayPage() },
          done,
        );
      return this.lose(done);
    }
    // The record is read when the query arrives, so that the answer is already as old as its way
    // back took.
    world.agenda.after(random.between(5, 400), () => {
      const answer =
        effect.path === 'plan'
          ? world.gateway.charges.readPlan(effect.id)
          : world.gateway.read(effect.id);
      if (world.fault('readGarbled', random)) return this.garble(answer, done);
      if (world.fault('readMisread', random))
        return this.answerSoon(
          effect.path === 'plan' || random.chance(0.5)
            ? misread(answer, random)
            : this.undecided(effect.id, answer),
          done,
        );
      this.answerSoon(answer, done);
    });
  }

  /**
   * A record that decides nothing: the order is unknown, or its rows have a status that no table
   * names.
   */
  private undecided(invoiceId: string, { http, body }: Answer): Answer {
    return this.random.chance(0.5)
      ? coded('32', { invoice_id: invoiceId }, this.world.wire)
      : { http, body: body.replaceAll(/"status":"[^"]*"/g, '"status":"Islendi"') };
  }

  /**
   * Delivers an answer in time, sometimes slowly: an answer after the deadline is a separate fault.
   */
  private answerSoon(answer: Answer, done: Done): void {
    const slow = this.random.chance(0.05)
      ? this.random.between(1_000, DEADLINE_MS - 2_000)
      : this.random.between(5, 800);
    this.world.agenda.after(slow, () =>
      done({
        kind: 'response',
        status: answer.http,
        body: answer.body,
        contentType: 'application/json',
      }),
    );
  }

  private lose(done: Done): void {
    if (this.random.chance(0.6)) return;
    const why = this.random.pick<UnclearWhy>(['reset', 'closed', 'truncated']);
    this.world.agenda.after(this.random.between(5, 10_000), () => done({ kind: 'unclear', why }));
  }

  private garble(answer: Answer, done: Done): void {
    const { random } = this;
    const body = random.pick([
      answer.body.slice(0, Math.floor(answer.body.length * random.next())),
      gatewayPage(),
      '',
      '{}',
      '[]',
      'null',
      `${answer.body}}`,
      '{"status_code":100}',
      '{"statuscode":100,"data":{"x":1}}',
    ]);
    this.answerSoon({ http: 200, body }, done);
  }
}

/**
 * Whether the gateway carries out only one of two copies of a request. Where it carries out both,
 * no client can help, and the network does not double requests.
 */
function isTakenOnce(path: string, { knobs: { questions } }: CardWorld): boolean {
  switch (path) {
    case 'confirmPayment':
    case 'pay':
      return true;
    case 'refund':
      return questions.knowsRefundIds || questions.refusesRepeats;
    case 'cashout':
      return questions.knowsCashoutIds;
    default:
      return false;
  }
}

/**
 * Whether a check right after the second response shows that the first copy was carried out. A
 * refund that was answered 49 may not show yet: its record lags, or people do it by hand.
 */
function isSeenAtOnce(path: string, { knobs: { questions, faults } }: CardWorld): boolean {
  return (
    path !== 'refund' ||
    questions.knowsRefundIds ||
    (questions.lagMaxMs < DEADLINE_MS && faults.byHand === 0)
  );
}

/** Turns a record into that of another order, or of another amount. */
function misread({ http, body }: Answer, random: Random): Answer {
  return {
    http,
    body: random.chance(0.5)
      ? body.replaceAll('F-', 'G-')
      : body.replace(/"product_price":"[^"]*"/, '"product_price":"99.99"'),
  };
}

function gatewayPage(): string {
  return '<html><body><h1>Bad gateway</h1></body></html>';
}

function once(hear: Done): Done {
  let answered = false;
  return (exchange) => {
    if (answered) return;
    answered = true;
    hear(exchange);
  };
}
