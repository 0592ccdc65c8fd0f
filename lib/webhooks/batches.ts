/**
 * Groups single items into batches. There is no timer: a batch is what arrived in one turn of the
 * event loop, or while the batches before it were being stored, so that batches grow with the load
 * and a lone item waits for nobody. Pure.
 */
export type BatchOptions<T, R> = {
  /** Stores the items in one transaction and returns their results in the same order. */
  store(items: readonly T[]): Promise<readonly R[]>;
  /** The largest number of items of a batch. */
  most: number;
  /** How many batches are stored at once. */
  lanes: number;
  /**
   * Whether an error may be the fault of one item. The items of such a batch are then stored one by
   * one, so that only the faulty item fails.
   */
  isOfOneItem(error: unknown): boolean;
  /**
   * Resolves when a batch may begin; items that arrive meanwhile join it. `before`: the lane's batch
   * before, without items for the first one.
   */
  turn(before: Done): Promise<void>;
};
/** A batch that was stored or failed, and how long that took. */
export type Done = { size: number; ms: number };

type Waiting<T, R> = {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
  alone: boolean;
};

/** Returns the function that stores one item: it settles when its batch is committed or failed. */
export function inBatches<T, R>(options: BatchOptions<T, R>): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let beginning = false;

  function begin(): void {
    if (beginning || running >= options.lanes) return;
    beginning = true;
    running += 1;
    setImmediate(() => {
      beginning = false;
      void lane();
    });
  }

  /** Stores batches until nothing waits. */
  async function lane(): Promise<void> {
    for (let before: Done = { size: 0, ms: 0 }; waiting.length > 0;) {
      await options.turn(before);
      const batch = take();
      const begun = performance.now();
      if (batch.length > 0) await storeAll(batch);
      before = { size: batch.length, ms: performance.now() - begun };
    }
    running -= 1;
  }

  function take(): Waiting<T, R>[] {
    if (waiting[0]?.alone === true) return waiting.splice(0, 1);
    const first = waiting.findIndex(({ alone }) => alone);
    return waiting.splice(0, Math.min(options.most, first < 0 ? waiting.length : first));
  }

  async function storeAll(batch: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await options.store(batch.map(({ item }) => item));
      batch.forEach((one, at) => one.resolve(results[at]!));
    } catch (error) {
      if (batch.length > 1 && options.isOfOneItem(error))
        waiting.unshift(...batch.map((one) => ({ ...one, alone: true })));
      else for (const one of batch) one.reject(error);
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject, alone: false });
      begin();
    });
}
