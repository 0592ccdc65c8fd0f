import { isDoubled } from './copies.ts';
import type { Exchange, UnclearWhy } from '#lib/providers/outcome.ts';
import type { Mark } from './lives.ts';
import type { Answer } from './provider.ts';
import type { Random } from './random.ts';
import { HOUR, MINUTE } from './time.ts';
import { acceptance, envelope, refusal } from './wire.ts';
import type { Effect } from './worker.ts';
import type { World } from './world.ts';

/**
 * The network between us and the provider: it loses, delays, doubles and garbles messages. It
 * passes them on as text, as a real network does.
 */

const DEADLINE_MS = 30_000;
/** A request may arrive this long after our deadline. */
const TAIL_MS = 3 * MINUTE;
const CONNECT_MAX_MS = 9_000;

type Send = Extract<Effect, { kind: 'send' }>;
type Question = Extract<Effect, { kind: 'read' | 'summary' }>;
type Caller = {
  name: string;
  whenAwake: (then: () => void) => void;
  /** The first bytes are out. */ written: () => void;
};
type Done = (exchange: Exchange) => void;
/**
 * Passes on one response. The response is ignored when the caller has given up or has received
 * another one before; otherwise `first` runs before the caller receives this one.
 */
type Once = (exchange: Exchange, first?: () => void) => void;

export class Network {
  /** Requests that were written and have not arrived yet, by ext id. */
  readonly underWay = new Map<string, number>();
  private readsDown = false;
  private readonly world: World;
  private readonly random: Random;

  constructor(world: World) {
    this.world = world;
    this.random = world.random('network');
  }

  /** Plans hours in which no query is answered: only earlier responses are known then. */
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

  send(effect: Send, caller: Caller, done: Done): void {
    const { world, random } = this;
    if (world.fault('notSent', random)) {
      world.lives.meets(effect.row.extId, 'not sent');
      world.watch.wasTurnedAway(effect.row.extId, effect.row.leaseToken, false);
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
        if (!effect.mayWrite()) {
          world.watch.wasTurnedAway(effect.row.extId, effect.row.leaseToken, false);
          return done({ kind: 'not_sent', why: 'held_back' });
        }
        world.watch.written(effect.row, effect.body, caller.name);
        this.carry(effect, done);
        caller.written();
      }),
    );
  }

  /** From the first byte on the request may arrive, whatever response the caller gets. */
  private carry({ row, body }: Send, hear: Done): void {
    const { world, random } = this;
    const done = once(hear);
    world.agenda.after(DEADLINE_MS, () => done({ kind: 'unclear', why: 'timeout' }));
    const meets = (mark: Mark): void => world.lives.meets(row.extId, mark);
    if (world.fault('unauthorized', random)) {
      meets('turned away by token');
      world.watch.wasTurnedAway(row.extId, row.leaseToken, true);
      return this.answerSoon({ http: 401, body: '' }, done);
    }
    if (world.fault('lostRequest', random)) {
      meets('request lost');
      return this.lose(done);
    }
    if (world.fault('statusBefore', random)) {
      meets('gateway error before work');
      return this.answerSoon(
        { http: random.pick([500, 502, 503, 504, 429]), body: gatewayPage() },
        done,
      );
    }
    if (world.fault('redirect', random)) {
      meets('redirected');
      return this.answerSoon({ http: random.pick([301, 302, 307, 308]), body: '' }, done);
    }
    const late = world.fault('lateRequest', random);
    if (late) meets('request late');
    const transit = late
      ? random.between(DEADLINE_MS, DEADLINE_MS + TAIL_MS)
      : random.between(5, 800);
    const twice = world.fault('doubled', random);
    this.arrive(row.extId, body, transit, (answer) => {
      const again = twice && answer.accepted === true;
      if (again) {
        meets('request doubled');
        if (isDoubled(world, row.extId))
          world.watch.excused.add(row.extId).add(`need ${row.need}`).add(`copies of ${row.extId}`);
      }
      // Either of the two answers may be the one that comes back.
      const hearsAgain = again && random.chance(0.5);
      // The proxy sends the copy, so that it is not counted among the product's own requests under
      // way.
      if (again)
        world.agenda.after(random.between(1, 2_000), () => {
          const second = world.provider.receive(body);
          if (hearsAgain) this.deliver(second, row, done);
        });
      if (!hearsAgain) this.deliver(answer, row, done);
    });
  }

  private arrive(
    extId: string,
    body: string,
    transit: number,
    next: (answer: Answer) => void,
  ): void {
    const { underWay, world } = this;
    underWay.set(extId, (underWay.get(extId) ?? 0) + 1);
    world.agenda.after(transit, () => {
      underWay.set(extId, (underWay.get(extId) ?? 0) - 1);
      next(world.provider.receive(body));
    });
  }

  private deliver(answer: Answer, row: Send['row'], done: Once): void {
    const { world, random } = this;
    const meets = (mark: Mark): void => world.lives.meets(row.extId, mark);
    if (world.fault('lostAnswer', random)) {
      if (answer.accepted === true) meets('answer lost');
      return this.lose(done);
    }
    if (world.fault('statusAfter', random)) {
      meets('gateway error after work');
      // A gateway's error page proves nothing about the money, however well-formed it is.
      const body = random.pick([
        answer.body,
        gatewayPage(),
        refusal('311', world.wire),
        refusal('326', world.wire),
      ]);
      return this.answerSoon({ http: random.pick([500, 502, 503, 504, 201, 404]), body }, done);
    }
    if (world.fault('garbled', random)) {
      meets('answer garbled');
      return this.garble(answer, done);
    }
    if (world.fault('strangeCode', random)) {
      meets('strange answer');
      return this.answerSoon(
        { http: 200, body: refusal(random.pick(['500', '501', '312', '777', '101']), world.wire) },
        done,
      );
    }
    if (world.fault('late400', random)) {
      meets('strange answer');
      return this.answerSoon(
        { http: 400, body: refusal(random.pick(['311', '480', '100']), world.wire) },
        done,
      );
    }
    if (world.fault('misread', random)) {
      meets('answer names another');
      const other = random.chance(0.5)
        ? { extId: 'SOMEBODYELSE0000001', amountMinor: row.amountMinor }
        : { extId: row.extId, amountMinor: row.amountMinor + 1n };
      return this.answerSoon(
        {
          http: 200,
          body: acceptance(
            { ...other, feeMinor: 600n, requestId: '7999999999999999999', transactionId: null },
            world.wire,
          ),
        },
        done,
      );
    }
    this.answerSoon(answer, done, row.leaseToken);
  }

  ask(effect: Question, hear: Done): void {
    const { world, random } = this;
    const done = once(hear);
    world.watch.asked(effect);
    world.agenda.after(DEADLINE_MS, () => done({ kind: 'unclear', why: 'timeout' }));
    if (this.readsDown || world.fault('readLost', random)) {
      if (random.chance(0.3))
        return world.agenda.after(random.between(1, 5_000), () =>
          done({ kind: 'not_sent', why: random.pick(['dns', 'refused', 'no_token'] as const) }),
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
        effect.kind === 'read'
          ? world.provider.read(effect.row.extId)
          : world.provider.summary(effect.fields);
      if (world.fault('readGarbled', random)) return this.garble(answer, done);
      if (effect.kind === 'read' && world.fault('readMisread', random)) {
        world.lives.meets(effect.row.extId, 'record names another');
        return this.answerSoon(world.provider.readOfAnother(effect.row), done);
      }
      const slow = random.chance(0.05)
        ? random.between(1_000, DEADLINE_MS - 1_000)
        : random.between(5, 400);
      world.agenda.after(slow, () =>
        done({
          kind: 'response',
          status: answer.http,
          body: answer.body,
          contentType: 'application/json',
        }),
      );
    });
  }

  /**
   * Delivers an answer before the deadline, sometimes slowly: an answer after it is a separate
   * fault.
   */
  private answerSoon(answer: Answer, done: Once, token: string | null = null): void {
    const slow = this.random.chance(0.05)
      ? this.random.between(1_000, DEADLINE_MS - 2_000)
      : this.random.between(5, 800);
    this.world.agenda.after(slow, () => {
      const first = (): void => {
        if (answer.known === true) this.world.watch.saysKnown(token);
      };
      done(
        {
          kind: 'response',
          status: answer.http,
          body: answer.body,
          contentType: 'application/json',
        },
        first,
      );
    });
  }

  private lose(done: Once): void {
    if (this.random.chance(0.6)) return;
    const why = this.random.pick<UnclearWhy>(['reset', 'closed', 'truncated']);
    this.world.agenda.after(this.random.between(5, 10_000), () => done({ kind: 'unclear', why }));
  }

  private garble(answer: Answer, done: Once): void {
    const { random, world } = this;
    const body = random.pick([
      answer.body.slice(0, Math.floor(answer.body.length * random.next())),
      gatewayPage(),
      '',
      '{}',
      '[]',
      'null',
      `${answer.body}}`,
      envelope('0', '100', '{}', world.wire),
      envelope('0', '100', 'null', world.wire).slice(1),
      answer.body.replace(/"status":"?0"?/, '"status":7'),
    ]);
    this.answerSoon({ http: 200, body }, done);
  }
}

function gatewayPage(): string {
  return '<html><body><h1>Bad gateway</h1></body></html>';
}

function once(hear: Done): Once {
  let answered = false;
  return (exchange, first) => {
    if (answered) return;
    answered = true;
    first?.();
    hear(exchange);
  };
}
