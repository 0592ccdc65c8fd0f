import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Dialog } from '#components/ui/dialog.tsx';
import { PressButton } from '#components/ui/press-button.tsx';
import { hooks } from '#lib/testing/held-hooks.ts';
import { SecretButton } from './secret-button.tsx';

/** A secret is shown until the person says that it is kept, whatever closes its dialog. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
}));

// The links of Next.js and the icons need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#components/ui/copy-button.tsx', () => ({ CopyButton: 'button' }));

const SECRET = 'pd_secret';
const WORDS = {
  ...{ open: 'New key', title: 'New key', confirm: 'Make it', keep: 'Cancel' },
  ...{ doneTitle: 'Copy it now', copy: 'Copy', copied: 'Copied', close: 'I have kept it' },
};

type Found = React.ReactElement<Record<string, unknown> & { children?: React.ReactNode }>;

function drawn(): Found[] {
  hooks.next = 0;
  return elementsIn(
    SecretButton({
      action: async () => ({ ok: true, text: 'Shown once.', secret: SECRET }),
      words: WORDS,
      children: null,
    }),
  );
}

function elementsIn(node: React.ReactNode): Found[] {
  return Children.toArray(node).flatMap((child) =>
    isValidElement<Found['props']>(child) ? [child, ...elementsIn(child.props.children)] : [],
  );
}

function dialog(): { open: unknown; title: unknown; stays: unknown; onClose: () => void } {
  const { props } = drawn().find(({ type }) => type === Dialog)!;
  const { open, title, stays, onClose } = props;
  return { open, title, stays, onClose: onClose as () => void };
}

const press = (): void =>
  (drawn().find(({ type }) => type === PressButton)!.props['onClick'] as () => void)();
const shown = (): Found | undefined => drawn().find(({ props }) => props['secret'] === SECRET);

async function make(): Promise<void> {
  const form = drawn().find(({ type }) => type === 'form')!;
  await (form.props['action'] as (form: FormData) => Promise<void>)(new FormData());
}

beforeEach(() => {
  hooks.held = [];
});

it('is shown again after its dialog was closed without that word, and then no more', async () => {
  press();
  await make();
  expect(dialog()).toMatchObject({ open: true, title: WORDS.doneTitle, stays: true });
  dialog().onClose();
  expect(dialog().open).toBe(false);
  press();
  expect(shown()).toBeDefined();
  (shown()!.props['onKept'] as () => void)();
  expect([dialog().open, shown()]).toEqual([false, undefined]);
  press();
  expect(dialog()).toMatchObject({ title: WORDS.title, stays: false });
});

it('opens its dialog when that was closed before the answer', async () => {
  press();
  const made = make();
  dialog().onClose();
  await made;
  expect(dialog()).toMatchObject({ open: true, title: WORDS.doneTitle });
});

it('stays open when Esc is pressed', () => {
  for (const stays of [true, false]) {
    hooks.next = 0;
    const given = { open: true, onClose: () => undefined, title: 'A secret', children: null };
    const [element] = elementsIn(Dialog({ ...given, stays }));
    const event = {
      currentTarget: { querySelectorAll: () => [] },
      preventDefault: vi.fn<() => void>(),
    };
    (element!.props['onCancel'] as (given: unknown) => void)(event);
    expect(event.preventDefault).toHaveBeenCalledTimes(stays ? 1 : 0);
  }
});
