import type { Store } from './store.ts';

/**
 * Scripted faults between a client and the providers. The scripts are stored, so that they survive
 * a restart; the oldest script that fits a call is played.
 */

export const FAULT_KINDS = [
  'lost_before',
  'lost_after',
  'delay',
  'late',
  'status',
  'malformed',
  'truncated',
  'html',
  'reset',
  'slowloris',
  'unknown_code',
  'code',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault = {
  id: number;
  /**
   * The operation as the end of the path in whole segments (SendMoneyToBankAccount,
   * recurringPlan/query, ccpayment/api/token), or `*` for all operations.
   */
  operation: string;
  kind: FaultKind;
  /** How many calls the fault hits, after it has let `after` calls pass. */
  times: number;
  after: number;
  /**
   * Milliseconds, for the faults `delay` and `late`, and the pause between bytes for `slowloris`.
   */
  ms?: number;
  /** The HTTP status, for the fault `status`. */
  status?: number;
  /** The business code, for the fault `code`. */
  code?: string;
  /** The message in place of the code's usual one, for the fault `code` of the wallet service. */
  message?: string;
  /** Whether the request's work is done all the same; WORK_DONE has the default of each kind. */
  work?: boolean;
  /**
   * Set for the faults `lost_before` and `lost_after`: the connection stays open and silent instead
   * of closing.
   */
  hang?: boolean;
  /** Set for the fault `malformed`: the answer is bytes that are not HTTP. */
  raw?: boolean;
  hits: number;
};

/** Whether a fault of this kind does the request's work, when the script does not say. */
export const WORK_DONE: Record<FaultKind, boolean> = {
  lost_before: false,
  lost_after: true,
  delay: true,
  late: true,
  status: false,
  malformed: true,
  truncated: true,
  html: false,
  reset: false,
  slowloris: true,
  unknown_code: false,
  code: false,
};

const LONGEST_MS = 24 * 3_600_000;
const MOST_TIMES = 1_000_000;

export class Faults {
  readonly #store: Store;
  #list: Fault[];

  constructor(store: Store) {
    this.#store = store;
    this.#list = JSON.parse(store.read('faults') ?? '[]') as Fault[];
  }

  list(): Fault[] {
    return this.#list;
  }

  clear(operation: string | null): void {
    this.#list =
      operation === null ? [] : this.#list.filter((fault) => fault.operation !== operation);
    this.#save();
  }

  /** Adds a script; returns an error sentence when the script is not valid. */
  add(wanted: Record<string, unknown>): Fault | string {
    const { operation, kind } = wanted;
    if (typeof operation !== 'string' || operation === '')
      return '"operation" must name the end of the path, for example SendMoneyToBankAccount or recurringPlan/query';
    if (!FAULT_KINDS.includes(kind as FaultKind))
      return `"kind" must be one of ${FAULT_KINDS.join(', ')}`;
    for (const [name, low, high] of [
      ['times', 1, MOST_TIMES],
      ['after', 0, MOST_TIMES],
      ['ms', 0, LONGEST_MS],
      ['status', 300, 599],
    ] as const) {
      const value = wanted[name];
      if (
        value !== undefined &&
        (!Number.isInteger(value) || (value as number) < low || (value as number) > high)
      )
        return `"${name}" must be a whole number from ${low} to ${high}`;
    }
    for (const name of ['work', 'hang', 'raw'])
      if (wanted[name] !== undefined && typeof wanted[name] !== 'boolean')
        return `"${name}" must be true or false`;
    if (kind === 'status' && wanted.status === undefined)
      return '"status" is needed for kind status';
    if (kind === 'code' && wanted.code === undefined) return '"code" is needed for kind code';
    const fault: Fault = {
      id: Math.max(0, ...this.#list.map((one) => one.id)) + 1,
      operation: operation.replace(/^\/+/, ''),
      kind: kind as FaultKind,
      times: (wanted.times as number | undefined) ?? 1,
      after: (wanted.after as number | undefined) ?? 0,
      hits: 0,
      ...(wanted.ms === undefined ? {} : { ms: wanted.ms as number }),
      ...(wanted.status === undefined ? {} : { status: wanted.status as number }),
      ...(wanted.code === undefined ? {} : { code: String(wanted.code) }),
      ...(wanted.message === undefined ? {} : { message: String(wanted.message) }),
      ...(wanted.work === undefined ? {} : { work: wanted.work as boolean }),
      ...(wanted.hang === undefined ? {} : { hang: wanted.hang as boolean }),
      ...(wanted.raw === undefined ? {} : { raw: wanted.raw as boolean }),
    };
    this.#list.push(fault);
    this.#save();
    return fault;
  }

  /**
   * Returns the fault for this call and counts the hit; null when no script fits or the script lets
   * the call pass.
   */
  take(path: string): Fault | null {
    const index = this.#list.findIndex(
      (fault) => fault.operation === '*' || `/${path}`.endsWith(`/${fault.operation}`),
    );
    const fault = this.#list[index];
    if (!fault) return null;
    if (fault.after > 0) {
      fault.after -= 1;
      this.#save();
      return null;
    }
    fault.hits += 1;
    if (fault.hits >= fault.times) this.#list.splice(index, 1);
    this.#save();
    return fault;
  }

  #save(): void {
    this.#store.write('faults', JSON.stringify(this.#list));
  }
}
