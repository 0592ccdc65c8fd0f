import type { Node } from './config.ts';

const ANSWER_MS = 2_000;

/** What Patroni says of one server. `lag`: bytes that a standby has not received; "unknown" too. */
export type Member = {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
};

/** Asks Patroni's REST interface on whichever server answers. */
export class Patroni {
  #nodes: readonly Node[];

  constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  /** @throws Error when no Patroni answers */
  async members(): Promise<Member[]> {
    const { members } = await this.#first<{ members: Member[] }>('GET', 'cluster');
    return members;
  }

  /** The name of the primary; undefined while there is none. */
  async leader(): Promise<string | undefined> {
    return (await this.members()).find(
      ({ role, state }) => role === 'leader' && state === 'running',
    )?.name;
  }

  /** The name of the synchronous standby, and that of an asynchronous one. */
  async standbys(): Promise<{ sync: string | undefined; async: string | undefined }> {
    const members = await this.members();
    const of = (role: string) => members.find((one) => one.role === role)?.name;
    return { sync: of('sync_standby'), async: of('replica') };
  }

  /** Whether a primary runs, a synchronous standby follows it, and so does every other server. */
  async isWhole(): Promise<boolean> {
    const members = await this.members();
    const roles = members.filter(isFollowing).map(({ role }) => role);
    return (
      roles.length === this.#nodes.length &&
      roles.includes('leader') &&
      roles.includes('sync_standby') &&
      new Set(members.map(({ timeline }) => timeline)).size === 1
    );
  }

  /**
   * Switches the rule off or on that only a synchronous standby is promoted. Patroni 3.0 would leave
   * `*` in synchronous_standby_names where no standby is at that moment, and every commit would wait.
   */
  async setSynchronous(on: boolean): Promise<void> {
    const names = on ? null : '';
    await this.#first('PATCH', 'config', {
      synchronous_mode: on,
      synchronous_mode_strict: on,
      postgresql: { parameters: { synchronous_standby_names: names } },
    });
  }

  /** Makes a standby anew from the primary: Patroni rewinds a former primary only. */
  async renew(name: string): Promise<void> {
    const node = this.#nodes.find((one) => one.name === name)!;
    const answer = await ask(node.restPort, 'POST', 'reinitialize', { force: true });
    if (!answer.ok) throw new Error(`Patroni answered ${answer.status}`);
  }

  async #first<T>(method: string, path: string, body?: object): Promise<T> {
    let last: unknown;
    for (const { restPort } of this.#nodes) {
      try {
        const answer = await ask(restPort, method, path, body);
        if (answer.ok) return (await answer.json()) as T;
        last = new Error(`Patroni answered ${answer.status}`);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }
}

function ask(port: number, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/${path}`, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function isFollowing({ state }: Member): boolean {
  return state === 'running' || state === 'streaming';
}
