/**
 * The virtual clock and the events that are planned on it. Time passes only from one event to the
 * next.
 */
export class Agenda {
  now = 0;
  done = 0;
  private times: number[] = [];
  private orders: number[] = [];
  private runs: (() => void)[] = [];
  private made = 0;

  /** Events of the same time happen in the order in which they were planned. */
  at(time: number, run: () => void): void {
    let place = this.times.length;
    const when = Math.max(time, this.now);
    const order = this.made++;
    this.times.push(when);
    this.orders.push(order);
    this.runs.push(run);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.earlier(above, place)) break;
      this.swap(above, place);
      place = above;
    }
  }

  after(ms: number, run: () => void): void {
    this.at(this.now + ms, run);
  }

  /**
   * Moves the clock to the next event and runs it. Returns false when no event is planned any more.
   */
  step(): boolean {
    const run = this.runs[0];
    if (run === undefined) return false;
    this.now = this.times[0]!;
    this.done++;
    this.dropFirst();
    run();
    return true;
  }

  private dropFirst(): void {
    const time = this.times.pop()!;
    const order = this.orders.pop()!;
    const run = this.runs.pop()!;
    const size = this.times.length;
    if (size === 0) return;
    this.times[0] = time;
    this.orders[0] = order;
    this.runs[0] = run;
    let place = 0;
    for (;;) {
      let first = place;
      for (const below of [2 * place + 1, 2 * place + 2])
        if (below < size && this.earlier(below, first)) first = below;
      if (first === place) return;
      this.swap(first, place);
      place = first;
    }
  }

  private earlier(one: number, other: number): boolean {
    const a = this.times[one]!;
    const b = this.times[other]!;
    return a < b || (a === b && this.orders[one]! < this.orders[other]!);
  }

  private swap(one: number, other: number): void {
    [this.times[one], this.times[other]] = [this.times[other]!, this.times[one]!];
    [this.orders[one], this.orders[other]] = [this.orders[other]!, this.orders[one]!];
    [this.runs[one], this.runs[other]] = [this.runs[other]!, this.runs[one]!];
  }
}
