/**
 * React's hooks for tests without a page: the component or hook under test is called as a function,
 * and what its hooks hold is kept between the calls. A test mocks React by it:
 * `vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks)`.
 */

/**
 * `held`: the value of each hook, by its place; empty it before each test. `next`: the place of the
 * hook that is called next; set it to 0 before each call. `done`: the form action under way.
 */
export const hooks = { held: [] as unknown[], next: 0, done: Promise.resolve() };

type FormAction = (before: unknown, form: FormData) => unknown;

export const heldHooks = {
  startTransition: (work: () => void): void => work(),
  useEffect: (): void => undefined,
  useRef: (): { current: null } => ({ current: null }),
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

async function run(at: number, action: FormAction, form: FormData): Promise<void> {
  hooks.held[at] = await action(hooks.held[at], form);
}

function placeOf(first: unknown): number {
  const at = hooks.next++;
  if (!(at in hooks.held)) hooks.held[at] = first;
  return at;
}
