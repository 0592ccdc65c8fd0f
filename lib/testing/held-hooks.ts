/**
 * React's hooks for tests without a page: the component or hook under test is called as a function,
 * and what its hooks hold is kept between the calls. A test mocks React by it:
 * `vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks)`.
 */

/**
 * `held`: what each hook keeps, by its place; empty it before each test. `next`: the place of the
 * hook that is called next; set it to 0 before each call. `done`: the form action under way.
 */
export const hooks = { held: [] as unknown[], next: 0, done: Promise.resolve() };

type FormAction = (before: unknown, form: FormData) => unknown;

export const heldHooks = {
  startTransition: (work: () => void): void => work(),
  useEffect: (run: () => unknown, needs: readonly unknown[]): void => {
    const at = placeOf(null);
    const before = hooks.held[at] as Effect | null;
    if (before?.isOf(needs)) return;
    hooks.held[at] = new Effect(run, needs, before?.end);
  },
  useEffectEvent: (run: unknown) => run,
  useRef: (first: unknown) => hooks.held[placeOf({ current: first })],
  useState: (first: unknown) => {
    const at = placeOf(first);
    return [hooks.held[at], (value: unknown) => void (hooks.held[at] = value)];
  },
  useActionState: (action: FormAction, first: unknown) => {
    const at = placeOf(first);
    const submit = (form: FormData): Promise<void> => (hooks.done = run(at, action, form));
    return [hooks.held[at], submit, false];
  },
};

/**
 * Runs the effects whose values have changed since they last ran, as React does after it has drawn.
 */
export function runEffects(): void {
  for (const one of hooks.held) if (one instanceof Effect) one.runIfDue();
}

class Effect {
  end: unknown;
  readonly #run: () => unknown;
  readonly #needs: readonly unknown[];
  #isDue = true;

  constructor(run: () => unknown, needs: readonly unknown[], end: unknown) {
    [this.#run, this.#needs, this.end] = [run, needs, end];
  }

  isOf(needs: readonly unknown[]): boolean {
    return needs.every((need, at) => Object.is(need, this.#needs[at]));
  }

  runIfDue(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    if (typeof this.end === 'function') this.end();
    this.end = this.#run();
  }
}

async function run(at: number, action: FormAction, form: FormData): Promise<void> {
  hooks.held[at] = await action(hooks.held[at], form);
}

function placeOf(first: unknown): number {
  const at = hooks.next++;
  if (!(at in hooks.held)) hooks.held[at] = first;
  return at;
}
